import fc from 'fast-check';
import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import type { Json, Reply } from './client.ts';
import { allowContacts } from './contacts.ts';
import { requestBlock, requestFollow, requestMute } from './graph.ts';
import {
  aHub,
  aHubPost,
  aJoinRequest,
  anInvitation,
  join,
  requestAccept,
  requestAppoint,
  requestDecide,
  requestLeave,
  requestRemove,
} from './hubs.ts';
import { inboxPage, insertInboxEntries, requestMarkAllRead, requestMarkRead } from './inbox.ts';
import { failureAfter } from './models.ts';
import { type Opine, startOpine } from './opine.ts';
import { confirmedPerson, hubReadyPerson, type Person } from './people.ts';
import {
  aThought,
  requestComment,
  requestCommentDeletion,
  requestRepost,
  requestShareToFeed,
  requestShareToHubs,
} from './posts.ts';

/** Random choices of a step. */
interface Choice {
  readonly move: string;
  readonly by: number;
  readonly to: number;
  readonly thing: number;
  readonly hub: number;
  readonly isOn: boolean;
}

/** The last known state of an inbox. */
interface InboxState {
  readonly items: string;
  readonly unreadCount: number;
  readonly version: number;
}

/** The resolved choices of a step. */
interface Scene {
  readonly opine: Opine;
  readonly world: World;
  readonly actor: Person;
  readonly other: Person;
  readonly hub: Json;
  readonly admin: Person;
  readonly post: Json | undefined;
  readonly thing: number;
  readonly isOn: boolean;
}

interface World {
  readonly people: readonly Person[];
  /** Each Hub belongs to the person at the same index. */
  readonly hubs: readonly Json[];
  readonly posts: Json[];
  readonly comments: Json[];
  /** All pairs that ever blocked. */
  readonly blocks: (readonly [Person, Person])[];
  /** All notification ids ever seen, by reader. */
  readonly known: ReadonlyMap<string, Set<string>>;
}

/** A refused move changes nothing and is valid. */
type Move = (scene: Scene) => Promise<Reply | undefined>;

const NAMES = ['Amara', 'Boris', 'Carla', 'Dimitri', 'Edda'] as const;

const pick = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % items.length];

const published = async ({ world }: Scene, request: Promise<Reply>) => {
  const reply = await request;
  if (reply.status === 201) world.posts.push(reply.data);
  return reply;
};

const publishing =
  (visibility: string): Move =>
  (scene) => {
    const { actor, hub, world, isOn } = scene;
    const hubIds = visibility === 'public' ? undefined : isOn ? world.hubs.map(({ id }) => id) : [hub.id];
    return published(scene, actor.post('/posts', { visibility, thoughtText: 'So it is.', hubIds }));
  };

const reposting =
  (visibility: string): Move =>
  (scene) => {
    const { actor, post, hub, world, isOn } = scene;
    if (post === undefined) return Promise.resolve(undefined);
    const hubIds = visibility === 'public' ? undefined : isOn ? world.hubs.map(({ id }) => id) : [hub.id];
    return published(scene, requestRepost(actor, post, { visibility, hubIds }));
  };

const withPost =
  (act: (scene: Scene, post: Json) => Promise<Reply>): Move =>
  (scene) =>
    scene.post === undefined ? Promise.resolve(undefined) : act(scene, scene.post);

type WeightedMove = readonly [weight: number, move: Move];

const weighted = (weight: number, move: Move): WeightedMove => [weight, move];

/** Moves with their weights. */
const MOVES: Readonly<Record<string, WeightedMove>> = {
  follows: weighted(6, ({ actor, other }) => requestFollow(actor, other)),
  unfollows: weighted(2, ({ actor, other }) => actor.delete(`/users/${other.id}/follow`)),
  blocks: weighted(3, ({ actor, other, world }) => {
    world.blocks.push([actor, other]);
    return requestBlock(actor, other);
  }),
  'a block is removed': weighted(5, async ({ world, thing }) => {
    const [blocker, blocked] = pick(world.blocks, thing) ?? [];
    return blocked && blocker?.delete(`/users/${blocked.id}/block`);
  }),
  'mutes alerts or not': weighted(2, ({ actor, other, isOn }) => requestMute(actor, other, isOn)),
  'posts in public': weighted(6, publishing('public')),
  'posts beside a Hub': weighted(4, publishing('public_hub')),
  'posts in Hubs': weighted(8, publishing('private_locked_hub')),
  'reposts in public': weighted(5, reposting('public')),
  'reposts beside a Hub': weighted(3, reposting('public_hub')),
  'reposts into Hubs': weighted(6, reposting('private_locked_hub')),
  'shares to their feed': weighted(
    5,
    withPost(({ actor }, post) => requestShareToFeed(actor, post)),
  ),
  'shares into a Hub': weighted(
    6,
    withPost(({ actor, hub }, post) => requestShareToHubs(actor, post, [hub])),
  ),
  'comments on': weighted(
    8,
    withPost(async ({ actor, world }, post) => {
      const reply = await requestComment(actor, post, { text: 'Quite so.' });
      if (reply.status === 201) world.comments.push(reply.data);
      return reply;
    }),
  ),
  'has a repost notification of an earlier release': weighted(3, async ({ opine, actor, other, post }) => {
    const isRepost = post !== undefined && post.sourcePostId !== null;
    if (isRepost)
      await insertInboxEntries(opine, actor, [{ type: 'post_reposted', post, actor: other }]).catch(() => []);
    return undefined;
  }),
  'a comment is removed': weighted(3, async ({ world, thing }) => {
    const comment = pick(world.comments, thing);
    const author = world.people.find(({ id }) => id === comment?.author.id);
    return comment && author && requestCommentDeletion(author, comment);
  }),
  'a post is removed': weighted(3, async ({ world, thing }) => {
    const post = pick(world.posts, thing);
    const author = world.people.find(({ id }) => id === post?.author.id);
    return post && author?.delete(`/posts/${post.id}`);
  }),
  joins: weighted(7, async ({ admin, hub, actor }) => {
    const { status, data } = await admin.post(`/hubs/${hub.id}/invitations`, {
      phoneNumbers: [actor.phoneNumber],
    });
    return status === 201 ? requestAccept(actor, data.items[0]) : undefined;
  }),
  'is invited': weighted(3, async ({ admin, hub, actor }) => {
    await anInvitation(admin, hub, actor).catch(() => undefined);
    return undefined;
  }),
  'requests to join': weighted(4, async ({ admin, hub, actor, isOn }) => {
    const request = await aJoinRequest(admin, hub, actor).catch(() => undefined);
    return request && requestDecide(admin, hub, request, isOn ? 'approve' : 'reject');
  }),
  leaves: weighted(6, ({ actor, hub }) => requestLeave(actor, hub)),
  'is removed': weighted(3, ({ actor, admin, hub }) => requestRemove(admin, hub, actor)),
  'has a new role': weighted(2, ({ actor, admin, hub }) => requestAppoint(admin, hub, actor, 'manager')),
  'mutes or not': weighted(3, ({ actor, hub, isOn }) =>
    actor.patch(`/hubs/${hub.id}/notification-settings`, { contentMuted: isOn }),
  ),
  'lets the app read contacts': weighted(2, ({ actor }) => allowContacts(actor)),
  'marks one read': weighted(8, async ({ actor, world, thing }) => {
    const id = pick([...(world.known.get(actor.id) ?? [])], thing);
    return id === undefined ? undefined : requestMarkRead(actor, { id });
  }),
  'marks all read': weighted(4, ({ actor }) => requestMarkAllRead(actor)),
  'loses old notifications': [
    2,
    async ({ opine }) => {
      // In one transaction, so that nobody else sees the clock of two days later.
      await opine.database.superuser.transaction().execute(async (later) => {
        await sql`select app.set_clock_offset('2 days')`.execute(later);
        await sql`select app.prune_notifications(1)`.execute(later);
        await sql`select app.set_clock_offset('0')`.execute(later);
      });
      return undefined;
    },
  ],
  'waits for the fold of inbox counts': [
    5,
    async ({ opine }) => {
      await sql`select app.fold_inbox_counts()`.execute(opine.database.superuser);
      return undefined;
    },
  ],
};

const move = fc.oneof(
  ...Object.entries(MOVES).map(([name, [weight]]) => ({ weight, arbitrary: fc.constant(name) })),
);

const choice: fc.Arbitrary<Choice> = fc.record({
  move,
  by: fc.nat(NAMES.length - 1),
  to: fc.nat(NAMES.length - 1),
  thing: fc.nat(20),
  hub: fc.nat(1),
  isOn: fc.boolean(),
});

/**
 * Checks random histories: after every step the badge equals the unread items, and every change of an inbox raises
 * its version.
 */
export async function expectExactInboxes(numRuns: number, maxLength: number): Promise<void> {
  const opine = await startOpine();
  onTestFinished(() => opine.stop());
  const history = fc.array(choice, { minLength: Math.floor(maxLength / 2), maxLength, size: 'max' });
  const property = fc.asyncProperty(history, async (choices) => {
    const world = await aWorld(opine);
    const story: string[] = [];
    let before = await readAll(world, new Map(), story);
    for (const chosen of choices) {
      story.push(await takeStep(opine, world, chosen));
      before = await readAll(world, before, story);
    }
  });
  await fc.assert(property, { numRuns });
}

/** Creates five people, of whom Edda is not Hub-ready, two Hubs, and a post in public and in both Hubs. */
async function aWorld(opine: Opine): Promise<World> {
  const [amara, boris, carla, dimitri, edda] = await Promise.all([
    hubReadyPerson(opine, NAMES[0]),
    hubReadyPerson(opine, NAMES[1]),
    hubReadyPerson(opine, NAMES[2]),
    hubReadyPerson(opine, NAMES[3]),
    confirmedPerson(opine, NAMES[4]),
  ]);
  const people = [amara, boris, carla, dimitri, edda];
  const [elm, oak] = [await aHub(amara, { name: 'Elm' }), await aHub(boris, { name: 'Oak' })];
  await join(amara, elm, [boris, carla]);
  await join(boris, oak, [amara, dimitri]);
  const posts = [await aHubPost(amara, [elm, oak]), await aThought(carla)];
  const known = new Map(people.map(({ id }) => [id, new Set<string>()]));
  return { people, hubs: [elm, oak], posts, comments: [], blocks: [], known };
}

async function takeStep(opine: Opine, world: World, chosen: Choice): Promise<string> {
  const [actor, other] = [pick(world.people, chosen.by), pick(world.people, chosen.to)];
  const [hub, admin] = [pick(world.hubs, chosen.hub), pick(world.people, chosen.hub)];
  const post = pick(world.posts, chosen.thing);
  const [, act] = MOVES[chosen.move] ?? [];
  if (actor === undefined || other === undefined || hub === undefined || admin === undefined || !act) {
    throw new Error(`There is no move ${chosen.move}.`);
  }
  const { thing, isOn } = chosen;
  const reply = await act({ opine, world, actor, other, hub, admin, post, thing, isOn });
  const line = `${NAMES[chosen.by]} ${chosen.move} (${NAMES[chosen.to]}, ${hub.name}, ${thing}, ${isOn}): ${reply?.status}`;
  if (reply !== undefined && reply.status >= 500) throw failureAfter([line], ['The request failed.']);
  return line;
}

/** Reads every inbox and compares it with its last state. */
async function readAll(
  world: World,
  before: ReadonlyMap<string, InboxState>,
  story: readonly string[],
): Promise<Map<string, InboxState>> {
  const after = new Map<string, InboxState>();
  const differences: string[] = [];
  await Promise.all(
    world.people.map(async (person, index) => {
      const { state, items, faults } = await readInbox(person, story.length);
      after.set(person.id, state);
      for (const { id } of items) world.known.get(person.id)?.add(id);
      faults.push(...versionFaults(before.get(person.id), state));
      differences.push(...faults.map((fault) => `${NAMES[index]}: ${fault}`));
    }),
  );
  if (differences.length > 0) throw failureAfter(story, differences);
  return after;
}

async function readInbox(person: Person, seed: number) {
  const faults: string[] = [];
  const items = await pagesOf(person, 3 + (seed % 40), {}, faults);
  const unread = items.filter(({ read }) => !read);
  // Sampled, since both lists come from the same function.
  if (seed % 3 === 0) {
    const listed = await pagesOf(person, 2 + (seed % 20), { unreadOnly: true }, faults);
    if (JSON.stringify(listed) !== JSON.stringify(unread))
      faults.push('what is listed as unread is not what is');
  }
  const { unreadCount, inboxVersion: version } = await inboxPage(person, { limit: 1 });
  if (unreadCount !== unread.length) faults.push(`the badge is ${unreadCount}, unread are ${unread.length}`);
  if (new Set(items.map(({ id }) => id)).size < items.length) faults.push('something is listed twice');
  const times = items.map(({ createdAt }) => createdAt);
  if (times.some((time, index) => time > (times[index - 1] ?? time))) faults.push('the order is not by time');
  const state: InboxState = { items: JSON.stringify(items), unreadCount, version };
  return { state, items, faults };
}

/** Reads all pages of an inbox. Pages must agree on its state and be full except the last. */
async function pagesOf(person: Person, limit: number, query: object, faults: string[]): Promise<Json[]> {
  const items: Json[] = [];
  const states = new Set<string>();
  for (let cursor: object = {}; ; ) {
    const page = await inboxPage(person, { limit, ...query, ...cursor });
    items.push(...page.items);
    states.add(`${page.unreadCount} in version ${page.inboxVersion}`);
    if (page.nextCursor === null) break;
    if (page.items.length < limit) faults.push('a page between others is not full');
    cursor = { cursor: page.nextCursor };
  }
  if (states.size > 1) faults.push(`pages say different things: ${[...states].join(', ')}`);
  return items;
}

/** Reports a changed inbox without a higher version. */
function versionFaults(before: InboxState | undefined, after: InboxState): string[] {
  if (before === undefined) return [];
  const isOther = before.items !== after.items || before.unreadCount !== after.unreadCount;
  if (after.version < before.version) return [`version ${after.version} came after ${before.version}`];
  return isOther && after.version === before.version
    ? [`version ${after.version} is of two inboxes: ${before.items} and ${after.items}`]
    : [];
}
