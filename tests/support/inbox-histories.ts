import fc from 'fast-check';
import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import type { Json, Reply } from './client.ts';
import { allowContacts } from './contacts.ts';
import {
  requestComment,
  requestCommentDeletion,
  requestPlace,
  requestRepost,
  requestShare,
} from './frames.ts';
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
import { requestMarkAllRead, requestMarkRead } from './inbox.ts';
import { inboxPage } from './inbox-pagination.ts';
import { isNotifiedByHand } from './notified-by-hand.ts';
import { type Opine, startOpine } from './opine.ts';
import { aConfirmed, aHubReady, type Person } from './people.ts';
import { aThought } from './posts.ts';
import { failureAfter } from './stories.ts';

/** What is chosen of a step: which move, by whom, to whom, with which thing, in which Hub. */
interface Choice {
  readonly move: string;
  readonly by: number;
  readonly to: number;
  readonly thing: number;
  readonly hub: number;
  readonly isOn: boolean;
}

/** What an inbox was when it was last walked. */
interface Walked {
  readonly items: string;
  readonly unreadCount: number;
  readonly version: number;
}

/** Who and what a step is about. */
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
  /** Each is of the person at the same place. */
  readonly hubs: readonly Json[];
  readonly posts: Json[];
  readonly comments: Json[];
  /** Who has ever blocked whom. */
  readonly blocks: (readonly [Person, Person])[];
  /** The ids of all that somebody has ever seen in their inbox. */
  readonly known: ReadonlyMap<string, Set<string>>;
}

/** A move that is refused changes nothing, and is as good as any. */
type Move = (scene: Scene) => Promise<Reply | undefined>;

const NAMES = ['Amara', 'Boris', 'Carla', 'Dimitri', 'Edda'] as const;

const pick = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % items.length];

const published = async ({ world }: Scene, asked: Promise<Reply>) => {
  const reply = await asked;
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

/** What may happen, and how often of a hundred and some. */
const MOVES: Readonly<Record<string, readonly [number, Move]>> = {
  follows: [6, ({ actor, other }) => requestFollow(actor, other)],
  unfollows: [2, ({ actor, other }) => actor.delete(`/users/${other.id}/follow`)],
  blocks: [
    3,
    ({ actor, other, world }) => {
      world.blocks.push([actor, other]);
      return requestBlock(actor, other);
    },
  ],
  'somebody is unblocked': [
    5,
    async ({ world, thing }) => {
      const [blocker, blocked] = pick(world.blocks, thing) ?? [];
      return blocked && blocker?.delete(`/users/${blocked.id}/block`);
    },
  ],
  'has alerts of or not': [2, ({ actor, other, isOn }) => requestMute(actor, other, isOn)],
  'posts in public': [6, publishing('public')],
  'posts beside a Hub': [4, publishing('public_hub')],
  'posts in Hubs': [8, publishing('private_locked_hub')],
  'reposts in public': [5, reposting('public')],
  'reposts beside a Hub': [3, reposting('public_hub')],
  'reposts into Hubs': [6, reposting('private_locked_hub')],
  'shares to their feed': [5, withPost(({ actor }, post) => requestShare(actor, post))],
  'shares into a Hub': [6, withPost(({ actor, hub }, post) => requestPlace(actor, post, [hub]))],
  'comments on': [
    8,
    withPost(async ({ actor, world }, post) => {
      const reply = await requestComment(actor, post, { text: 'Quite so.' });
      if (reply.status === 201) world.comments.push(reply.data);
      return reply;
    }),
  ],
  'is told of a repost as they once were': [
    3,
    async ({ opine, actor, other, post }) => {
      const isRepost = post !== undefined && post.sourcePostId !== null;
      if (isRepost)
        await isNotifiedByHand(opine, actor, [{ type: 'post_reposted', post, actor: other }]).catch(() => []);
      return undefined;
    },
  ],
  'a comment is removed': [
    3,
    async ({ world, thing }) => {
      const comment = pick(world.comments, thing);
      const author = world.people.find(({ id }) => id === comment?.author.id);
      return comment && author && requestCommentDeletion(author, comment);
    },
  ],
  'a post is removed': [
    3,
    async ({ world, thing }) => {
      const post = pick(world.posts, thing);
      const author = world.people.find(({ id }) => id === post?.author.id);
      return post && author?.delete(`/posts/${post.id}`);
    },
  ],
  joins: [
    7,
    async ({ admin, hub, actor }) => {
      const { status, data } = await admin.post(`/hubs/${hub.id}/invitations`, {
        phoneNumbers: [actor.phoneNumber],
      });
      return status === 201 ? requestAccept(actor, data.items[0]) : undefined;
    },
  ],
  'is invited': [
    3,
    async ({ admin, hub, actor }) => {
      await anInvitation(admin, hub, actor).catch(() => undefined);
      return undefined;
    },
  ],
  'asks to join': [
    4,
    async ({ admin, hub, actor, isOn }) => {
      const request = await aJoinRequest(admin, hub, actor).catch(() => undefined);
      return request && requestDecide(admin, hub, request, isOn ? 'approve' : 'reject');
    },
  ],
  leaves: [6, ({ actor, hub }) => requestLeave(actor, hub)],
  'is removed': [3, ({ actor, admin, hub }) => requestRemove(admin, hub, actor)],
  'has a new role': [2, ({ actor, admin, hub }) => requestAppoint(admin, hub, actor, 'manager')],
  'mutes or not': [
    3,
    ({ actor, hub, isOn }) => actor.patch(`/hubs/${hub.id}/notification-settings`, { contentMuted: isOn }),
  ],
  'lets the app read contacts': [2, ({ actor }) => allowContacts(actor)],
  'marks one': [
    8,
    async ({ actor, world, thing }) => {
      const id = pick([...(world.known.get(actor.id) ?? [])], thing);
      return id === undefined ? undefined : requestMarkRead(actor, { id });
    },
  ],
  'marks all': [4, ({ actor }) => requestMarkAllRead(actor)],
  'sees the worker sum up': [
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
 * After every step of so many histories, everybody's badge is what is unread of what they see, and their inbox is a newer one
 * wherever it is another. Each history has people and Hubs of its own.
 */
export async function expectExactInboxes(numRuns: number, maxLength: number): Promise<void> {
  const opine = await startOpine();
  onTestFinished(() => opine.stop());
  const history = fc.array(choice, { minLength: Math.floor(maxLength / 2), maxLength, size: 'max' });
  const property = fc.asyncProperty(history, async (choices) => {
    const world = await aWorld(opine);
    const story: string[] = [];
    let before = await walkAll(world, new Map(), story);
    for (const chosen of choices) {
      story.push(await happens(opine, world, chosen));
      before = await walkAll(world, before, story);
    }
  });
  await fc.assert(property, { numRuns });
}

/** Five people, of whom Edda is not Hub-ready, two Hubs, Amara's and Boris's, and a post in public and in both. */
async function aWorld(opine: Opine): Promise<World> {
  const [amara, boris, carla, dimitri, edda] = await Promise.all([
    aHubReady(opine, NAMES[0]),
    aHubReady(opine, NAMES[1]),
    aHubReady(opine, NAMES[2]),
    aHubReady(opine, NAMES[3]),
    aConfirmed(opine, NAMES[4]),
  ]);
  const people = [amara, boris, carla, dimitri, edda];
  const [elm, oak] = [await aHub(amara, { name: 'Elm' }), await aHub(boris, { name: 'Oak' })];
  await join(amara, elm, [boris, carla]);
  await join(boris, oak, [amara, dimitri]);
  const posts = [await aHubPost(amara, [elm, oak]), await aThought(carla)];
  const known = new Map(people.map(({ id }) => [id, new Set<string>()]));
  return { people, hubs: [elm, oak], posts, comments: [], blocks: [], known };
}

async function happens(opine: Opine, world: World, chosen: Choice): Promise<string> {
  const [actor, other] = [pick(world.people, chosen.by), pick(world.people, chosen.to)];
  const [hub, admin] = [pick(world.hubs, chosen.hub), pick(world.people, chosen.hub)];
  const post = pick(world.posts, chosen.thing);
  const [, act] = MOVES[chosen.move] ?? [];
  if (actor === undefined || other === undefined || hub === undefined || admin === undefined || !act) {
    throw new Error(`Nothing is called ${chosen.move}.`);
  }
  const { thing, isOn } = chosen;
  const reply = await act({ opine, world, actor, other, hub, admin, post, thing, isOn });
  const told = `${NAMES[chosen.by]} ${chosen.move} (${NAMES[chosen.to]}, ${hub.name}, ${thing}, ${isOn}): ${reply?.status}`;
  if (reply !== undefined && reply.status >= 500) throw failureAfter([told], ['An act failed.']);
  return told;
}

/** Walks the inbox of everybody and compares it with what it was. */
async function walkAll(
  world: World,
  before: ReadonlyMap<string, Walked>,
  story: readonly string[],
): Promise<Map<string, Walked>> {
  const after = new Map<string, Walked>();
  const differences: string[] = [];
  await Promise.all(
    world.people.map(async (person, index) => {
      const { walked, items, faults } = await walk(person, story.length);
      after.set(person.id, walked);
      for (const { id } of items) world.known.get(person.id)?.add(id);
      faults.push(...stepBack(before.get(person.id), walked));
      differences.push(...faults.map((fault) => `${NAMES[index]}: ${fault}`));
    }),
  );
  if (differences.length > 0) throw failureAfter(story, differences);
  return after;
}

async function walk(person: Person, seed: number) {
  const faults: string[] = [];
  const items = await pagesOf(person, 3 + (seed % 40), {}, faults);
  const unread = items.filter(({ read }) => !read);
  // Not each time, as it is asked of the same function.
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
  const walked: Walked = { items: JSON.stringify(items), unreadCount, version };
  return { walked, items, faults };
}

/** All pages of an inbox, which all say the same of it, and are full but for the last. */
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

/** Where an inbox that is another is not a newer one. */
function stepBack(before: Walked | undefined, after: Walked): string[] {
  if (before === undefined) return [];
  const isOther = before.items !== after.items || before.unreadCount !== after.unreadCount;
  if (after.version < before.version) return [`version ${after.version} came after ${before.version}`];
  return isOther && after.version === before.version
    ? [`version ${after.version} is of two inboxes: ${before.items} and ${after.items}`]
    : [];
}
