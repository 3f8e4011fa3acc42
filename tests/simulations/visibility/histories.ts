import fc from 'fast-check';
import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import type { Tokens } from '../../../src/auth/tokens.ts';
import { clientOf, type Json } from '../../support/client.ts';
import { aComment, aRepost, share } from '../../support/frames.ts';
import { block, follow, granted, unblock, unfollow } from '../../support/graph.ts';
import { aHub, aHubPost, aMessage, discussionOf, join, requestLeave } from '../../support/hubs.ts';
import { aPhone, type Person } from '../../support/people.ts';
import { aThought } from '../../support/posts.ts';
import { aDeviceOf, type PushingOpine, startPushingOpine } from '../../support/pushes.ts';
import { staffDecides } from '../../support/staff.ts';
import { failureAfter } from '../../support/stories.ts';
import { peopleNamed, tokensOf } from '../devices/people.ts';
import { differencesAt, type HiddenWorld, pushDifferences } from './doors.ts';
import { HiddenModel } from './model.ts';

const NAMES = ['Amara', 'Boris', 'Carla', 'Dimitri'] as const;

/** What is chosen of a step: which move, by whom, to whom, with which of the things there are. */
interface Choice {
  readonly move: string;
  readonly by: number;
  readonly to: number;
  readonly thing: number;
}

/** A history as it goes. */
interface Scene {
  readonly opine: PushingOpine;
  readonly tokens: Tokens;
  readonly world: HiddenWorld;
  readonly actor: Person;
  readonly other: Person;
  readonly thing: number;
}

/** A move; one that is not possible is left out. */
type Move = (scene: Scene) => Promise<unknown> | undefined;

const pick = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % items.length];

const isPossible = ({ world: { model }, actor, other }: Scene) =>
  actor !== other && model.isLive(actor) && model.inPublic(actor, other) === 'named';

/** `act` with a public post that the actor sees. */
const withPost =
  (act: (scene: Scene, post: Json) => Promise<unknown>): Move =>
  (scene) => {
    const { world, actor, thing } = scene;
    const posts = world.posts.filter(
      ({ author }) => author.id === actor.id || world.model.inPublic(actor, author) === 'named',
    );
    const post = pick(posts, thing);
    return post && world.model.isLive(actor) ? act(scene, post) : undefined;
  };

/** What may happen, and how often. */
const MOVES: Readonly<Record<string, readonly [number, Move]>> = {
  follows: [
    6,
    (scene) => {
      const { world, actor, other } = scene;
      const pair = HiddenModel.pair(actor, other);
      if (!isPossible(scene) || world.model.follows.has(pair)) return undefined;
      world.model.follows.add(pair);
      return follow(actor, other);
    },
  ],
  unfollows: [
    1,
    ({ world: { model }, actor, other }) =>
      model.isLive(actor) && model.isLive(other) && model.follows.delete(HiddenModel.pair(actor, other))
        ? unfollow(actor, other)
        : undefined,
  ],
  blocks: [
    3,
    (scene) => {
      const { world, actor, other } = scene;
      if (!isPossible(scene)) return undefined;
      world.model.block(actor, other);
      return block(actor, other);
    },
  ],
  unblocks: [
    2,
    ({ world: { model }, actor, other }) =>
      model.isLive(actor) &&
      model.profile(actor, other) === 'named' &&
      model.blocks.delete(HiddenModel.pair(actor, other))
        ? unblock(actor, other)
        : undefined,
  ],
  'is suspended': [
    5,
    ({ opine, world: { model }, actor }) => {
      if (!model.isLive(actor)) return undefined;
      model.suspended.add(actor.id);
      return staffDecides(opine, 'suspend_user', actor);
    },
  ],
  'is restored': [
    4,
    ({ opine, tokens, world, actor }) => {
      if (world.model.ended.has(actor.id) || !world.model.suspended.delete(actor.id)) return undefined;
      return staffDecides(opine, 'restore_user', actor).then(() => signInAgain(opine, tokens, world, actor));
    },
  ],
  'ends the account': [
    1,
    ({ world: { model }, actor }) => {
      if (!model.isLive(actor)) return undefined;
      model.end(actor);
      return granted(actor.delete('/users/me'));
    },
  ],
  posts: [
    4,
    ({ world, actor }) =>
      world.model.isLive(actor) ? aThought(actor).then((post) => world.posts.push(post)) : undefined,
  ],
  comments: [
    6,
    withPost(async ({ world, actor }, post) =>
      world.comments.push({
        id: (await aComment(actor, post)).id,
        postId: post.id,
        author: actor,
        rootId: null,
      }),
    ),
  ],
  'replies to a comment': [
    8,
    ({ world: { model, posts, comments }, actor, thing }) => {
      const isSeen = ({ author }: Pick<Json, 'author'>) =>
        author.id === actor.id || model.inPublic(actor, author) === 'named';
      const parents = comments.filter((parent) => {
        const root = comments.find(({ id }) => id === parent.rootId) ?? parent;
        const post = posts.find(({ id }) => id === parent.postId);
        return post && isSeen(post) && isSeen(parent) && !model.isBlockedBetween(actor, root.author);
      });
      const parent = pick(parents, thing);
      if (parent === undefined || !model.isLive(actor)) return undefined;
      const { id, postId, rootId } = parent;
      return aComment(actor, { id: postId }, 'Indeed.', { parentCommentId: id }).then((reply) =>
        comments.push({ id: reply.id, postId, author: actor, rootId: rootId ?? id }),
      );
    },
  ],
  reposts: [
    3,
    withPost(async ({ world, actor }, post) => {
      if (post.sourcePostId === null) world.posts.push(await aRepost(actor, post));
    }),
  ],
  'shares to the feed': [3, withPost(({ actor }, post) => share(actor, post))],
  joins: [
    4,
    ({ world: { model, host, hub }, actor }) => {
      if (!model.isLive(actor) || model.members.has(actor.id)) return undefined;
      model.members.add(actor.id);
      return join(host, hub, [actor]);
    },
  ],
  leaves: [
    2,
    ({ world: { model, hub }, actor }) =>
      model.isLive(actor) && model.members.delete(actor.id) ? granted(requestLeave(actor, hub)) : undefined,
  ],
  'posts in the Hub': [
    2,
    ({ world: { model, hub }, actor }) =>
      model.isLive(actor) && model.members.has(actor.id) ? aHubPost(actor, [hub]) : undefined,
  ],
  'writes a message': [
    4,
    ({ world: { model, discussion, messages }, actor }) =>
      model.isLive(actor) && model.members.has(actor.id)
        ? aMessage(actor, discussion).then(({ id }) => messages.push({ id, author: actor, rootId: null }))
        : undefined,
  ],
  'replies to a message': [
    4,
    ({ world: { model, discussion, messages }, actor, thing }) => {
      const parent = pick(
        messages.filter(({ author }) => model.message(author) !== 'absent'),
        thing,
      );
      if (parent === undefined || !model.isLive(actor) || !model.members.has(actor.id)) return undefined;
      const { id, rootId } = parent;
      return aMessage(actor, discussion, 'Indeed.', { parentMessageId: id }).then((reply) =>
        messages.push({ id: reply.id, author: actor, rootId: rootId ?? id }),
      );
    },
  ],
  'hears of it by push': [3, (scene) => delivered(scene.opine, scene.world)],
};

const choice: fc.Arbitrary<Choice> = fc.record({
  move: fc.oneof(
    ...Object.entries(MOVES).map(([name, [weight]]) => ({ weight, arbitrary: fc.constant(name) })),
  ),
  by: fc.nat(NAMES.length - 1),
  to: fc.nat(NAMES.length - 1),
  thing: fc.nat(20),
});

/**
 * After each of so many histories, whoever is named in one place is named in all, and whoever is hidden in none: as
 * `HiddenModel` says. Each history has people and a Hub of its own.
 */
export async function expectTheSameLookEverywhere(numRuns: number, maxLength: number): Promise<void> {
  const opine = await startPushingOpine();
  onTestFinished(() => opine.stop());
  const tokens = await tokensOf(opine.database);
  const history = fc.array(choice, { minLength: Math.floor(maxLength / 2), maxLength, size: 'max' });
  const property = fc.asyncProperty(history, async (choices) => {
    const world = await aWorld(opine, tokens);
    const story: string[] = [];
    for (const chosen of choices) await happens({ opine, tokens, world }, chosen, story);
    const differences = await differencesAt(opine, world);
    if (differences.length > 0) throw failureAfter(story, differences);
  });
  await fc.assert(property, { numRuns });
}

async function aWorld(opine: PushingOpine, tokens: Tokens): Promise<HiddenWorld> {
  const cast = ['Host', ...NAMES].map((name) => ({ name, phoneNumber: aPhone(), isHubReady: true }));
  // Phones come round again after ten thousand.
  await sql`update app.users set phone = null, phone_verified_at = null, contacts_synced_at = null where phone is not null`.execute(
    opine.database.superuser,
  );
  const people = await peopleNamed(opine, tokens, cast);
  const [host] = people;
  if (host === undefined) throw new Error('There is no host.');
  const hub = await aHub(host);
  const discussion = await discussionOf(host, hub, await aHubPost(host, [hub]));
  const model = new HiddenModel(people);
  model.members.add(host.id);
  const devices = new Map<string, string>();
  for (const person of people) devices.set(person.id, await aDeviceOf(person));
  return {
    people: [...people],
    host,
    hub,
    discussion,
    model,
    devices,
    posts: [],
    comments: [],
    messages: [],
  };
}

async function happens(
  { opine, tokens, world }: Pick<Scene, 'opine' | 'tokens' | 'world'>,
  chosen: Choice,
  story: string[],
): Promise<void> {
  // The host takes no part.
  const [actor, other] = [pick(world.people.slice(1), chosen.by), pick(world.people.slice(1), chosen.to)];
  const [, act] = MOVES[chosen.move] ?? [];
  if (actor === undefined || other === undefined || !act)
    throw new Error(`Nothing is called ${chosen.move}.`);
  const acting = act({ opine, tokens, world, actor, other, thing: chosen.thing });
  if (acting === undefined) return;
  story.push(`${NAMES[chosen.by]} ${chosen.move} (${NAMES[chosen.to]}, ${chosen.thing})`);
  await acting.catch((error: Error) => {
    throw failureAfter(story, [error.message]);
  });
}

/** Push messages of what has happened so far are sent, and say what the model says now. */
async function delivered(opine: PushingOpine, world: HiddenWorld): Promise<void> {
  const differences = await pushDifferences(opine, world);
  if (differences.length > 0) throw new Error(differences.join('\n'));
}

/** A suspension ended every session and forgot every device of `person`. */
async function signInAgain(
  opine: PushingOpine,
  tokens: Tokens,
  world: HiddenWorld,
  person: Person,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    insert into app.sessions (user_id) values (${person.id}) returning id
  `.execute(opine.database.superuser);
  const times = { issuedAt: new Date(), expiresAt: new Date(Date.now() + 86_400_000) };
  const accessToken = await tokens.sign({ userId: person.id, sessionId: rows[0]?.id ?? '', ...times });
  const again = {
    ...person,
    ...clientOf(opine.url, accessToken),
    session: { ...person.session, accessToken },
  };
  world.people[world.people.findIndex(({ id }) => id === person.id)] = again;
  world.devices.set(person.id, await aDeviceOf(again));
}
