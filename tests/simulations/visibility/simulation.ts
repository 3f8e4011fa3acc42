/**
 * Simulation of who is visible to whom.
 * Model: follows, blocks, suspensions, ended accounts and memberships, and how a person appears by them (model.ts).
 * Random: what four people do to each other, in public and in one Hub.
 * Compared after each history: every list, post, thread, message, notification, push, stream and export, per viewer
 * (differences.ts). A person must appear by name everywhere or nowhere, as the model says.
 */

import fc from 'fast-check';
import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import type { Tokens } from '../../../src/auth/tokens.ts';
import { clientOf, expectOk, type Json } from '../../support/client.ts';
import { block, follow, unblock, unfollow } from '../../support/graph.ts';
import {
  aHub,
  aHubPost,
  aMessage,
  discussionOf,
  join,
  requestLeave,
  requestRemove,
} from '../../support/hubs.ts';
import { failureAfter } from '../../support/models.ts';
import { newPhoneNumber, type Person } from '../../support/people.ts';
import { aComment, aRepost, aThought, shareToFeed, shareToHubs } from '../../support/posts.ts';
import { aDeviceOf, type OpineWithPush, startOpineWithPush } from '../../support/pushes.ts';
import { runStaffAction } from '../../support/staff.ts';
import { runWorkerTasks } from '../../support/worker.ts';
import { insertPeople, tokensOf } from '../devices/people.ts';
import { itemAt, pick, weighted } from '../random.ts';
import { differencesIn, pushDifferences, type VisibilityWorld } from './differences.ts';
import { VisibilityModel } from './model.ts';

const NAMES = ['Amara', 'Boris', 'Carla', 'Dimitri'] as const;

/** The random numbers of a step. */
interface Choice {
  readonly action: ActionName;
  readonly by: number;
  readonly to: number;
  readonly item: number;
}

/** A running history and the people of a step. */
interface Scene {
  readonly opine: OpineWithPush;
  readonly tokens: Tokens;
  readonly world: VisibilityWorld;
  readonly actor: Person;
  readonly other: Person;
  readonly item: number;
}

/** Starts an action, or returns undefined if it is impossible. */
type Action = (scene: Scene) => Promise<unknown> | undefined;
type ActionName = keyof typeof WEIGHTS;

/** How often each action is drawn. */
const WEIGHTS = {
  ...{ follows: 5, unfollows: 1, blocks: 5, unblocks: 3, 'is suspended': 3, 'is restored': 3 },
  ...{
    'ends the account': 1,
    'is erased with all who ended': 2,
    posts: 4,
    comments: 6,
    'replies to a comment': 8,
    reposts: 3,
  },
  ...{ 'shares to the feed': 3, joins: 4, leaves: 2, 'posts in the Hub': 3, 'writes a message': 4 },
  ...{ 'replies to a message': 4, 'gets a push': 3, 'shares into the Hub': 3, 'is removed': 4 },
};

const seesOther = ({ world: { model }, actor, other }: Scene) =>
  actor !== other && model.inPublic(actor, other) === 'named';

const isMember = ({ world: { model }, actor }: Scene) => model.members.has(actor.id);

/** Limits an action to actors whose account is neither suspended nor ended. */
const ifLive =
  (action: Action): Action =>
  (scene) =>
    scene.world.model.isLive(scene.actor) ? action(scene) : undefined;

/** Runs an action with a public post that the actor sees. */
const withPost = (action: (scene: Scene, post: Json) => Promise<unknown>): Action =>
  ifLive((scene) => {
    const { world, actor, item } = scene;
    const isSeen = ({ author }: Json) =>
      author.id === actor.id || world.model.inPublic(actor, author as Person) === 'named';
    const post = pick(world.posts.filter(isSeen), item);
    return post === null ? undefined : action(scene, post);
  });

const ACTIONS: Readonly<Record<ActionName, Action>> = {
  follows: ifLive((scene) => {
    const { world, actor, other } = scene;
    const pair = VisibilityModel.pair(actor, other);
    if (!seesOther(scene) || world.model.follows.has(pair)) return undefined;
    world.model.follows.add(pair);
    return follow(actor, other);
  }),
  unfollows: ifLive(({ world: { model }, actor, other }) =>
    model.isLive(other) && model.follows.delete(VisibilityModel.pair(actor, other))
      ? unfollow(actor, other)
      : undefined,
  ),
  blocks: ifLive((scene) => {
    if (!seesOther(scene)) return undefined;
    scene.world.model.block(scene.actor, scene.other);
    return block(scene.actor, scene.other);
  }),
  unblocks: ifLive(({ world: { model }, actor, other }) =>
    model.profile(actor, other) === 'named' && model.blocks.delete(VisibilityModel.pair(actor, other))
      ? unblock(actor, other)
      : undefined,
  ),
  'is suspended': ifLive(({ opine, world: { model }, actor }) => {
    model.suspended.add(actor.id);
    return runStaffAction(opine, 'suspend_user', actor);
  }),
  'is restored': ({ opine, tokens, world, actor }) => {
    if (world.model.ended.has(actor.id) || !world.model.suspended.delete(actor.id)) return undefined;
    return runStaffAction(opine, 'restore_user', actor).then(() => signInAgain(opine, tokens, world, actor));
  },
  'ends the account': ifLive(({ world: { model }, actor }) => {
    model.end(actor);
    return expectOk(actor.delete('/users/me'));
  }),
  'is erased with all who ended': ({ opine, world: { model }, actor }) =>
    model.ended.has(actor.id) ? runWorkerTasks(opine) : undefined,
  posts: ifLive(({ world, actor }) => aThought(actor).then((post) => world.posts.push(post))),
  comments: withPost(async ({ world, actor }, post) => {
    const { id } = await aComment(actor, post);
    world.comments.push({ id, postId: post.id, author: actor, rootId: null });
  }),
  'replies to a comment': ifLive(({ world: { model, posts, comments }, actor, item }) => {
    const isSeen = ({ author }: Pick<Json, 'author'>) =>
      author.id === actor.id || model.inPublic(actor, author) === 'named';
    const parents = comments.filter((parent) => {
      const root = comments.find(({ id }) => id === parent.rootId) ?? parent;
      const post = posts.find(({ id }) => id === parent.postId);
      if (!post || !isSeen(post) || !isSeen(parent)) return false;
      const isHidden = ({ author }: Pick<Json, 'author'>) => model.isHiddenComment(author, post.author);
      return !isHidden(parent) && (isHidden(root) || !model.isBlockedPair(actor, root.author));
    });
    const parent = pick(parents, item);
    if (parent === null) return undefined;
    const { id, postId, rootId } = parent;
    return aComment(actor, { id: postId }, 'Indeed.', { parentCommentId: id }).then((reply) =>
      comments.push({ id: reply.id, postId, author: actor, rootId: rootId ?? id }),
    );
  }),
  reposts: withPost(async ({ world, actor }, post) => {
    if (post.sourcePostId === null) world.posts.push(await aRepost(actor, post));
  }),
  'shares to the feed': withPost(({ actor }, post) => shareToFeed(actor, post)),
  joins: ifLive((scene) => {
    const { world, actor } = scene;
    if (isMember(scene)) return undefined;
    world.model.members.add(actor.id);
    return join(world.host, world.hub, [actor]);
  }),
  leaves: ifLive(({ world: { model, hub }, actor }) =>
    model.members.delete(actor.id) ? expectOk(requestLeave(actor, hub)) : undefined,
  ),
  'posts in the Hub': ifLive((scene) => {
    const { world, actor } = scene;
    if (!isMember(scene)) return undefined;
    return aHubPost(actor, [world.hub]).then(({ id }) =>
      world.placements.push({ postId: id, author: actor, placedBy: actor }),
    );
  }),
  'shares into the Hub': withPost(async (scene, post) => {
    const { world, actor } = scene;
    if (!isMember(scene)) return;
    await shareToHubs(actor, post, world.hub);
    if (world.placements.some(({ postId }) => postId === post.id)) return;
    world.placements.push({ postId: post.id, author: post.author, placedBy: actor });
  }),
  'is removed': (scene) => {
    const { world, actor, item } = scene;
    if (!world.model.members.delete(actor.id)) return undefined;
    const removePosts = item % 2 === 0;
    if (removePosts) world.placements = world.placements.filter(({ placedBy }) => placedBy.id !== actor.id);
    return expectOk(requestRemove(world.host, world.hub, actor, { removePosts }));
  },
  'writes a message': ifLive((scene) => {
    const { world, actor } = scene;
    if (!isMember(scene)) return undefined;
    return aMessage(actor, world.discussion).then(({ id }) =>
      world.messages.push({ id, author: actor, rootId: null }),
    );
  }),
  'replies to a message': ifLive((scene) => {
    const { world, actor, item } = scene;
    const parents = world.messages.filter(({ author }) => world.model.message(author) !== 'absent');
    const parent = pick(parents, item);
    if (parent === null || !isMember(scene)) return undefined;
    const { id, rootId } = parent;
    return aMessage(actor, world.discussion, 'Indeed.', { parentMessageId: id }).then((reply) =>
      world.messages.push({ id: reply.id, author: actor, rootId: rootId ?? id }),
    );
  }),
  'gets a push': async ({ opine, world }) => {
    const differences = await pushDifferences(opine, world);
    if (differences.length > 0) throw new Error(differences.join('\n'));
  },
};

/**
 * The steps that begin every history, so that there is something to hide: each person posts, comments on the post of the next one,
 * replies below the comment of another one, and joins the Hub, where each places a post.
 */
const OPENING: readonly Choice[] = (
  [
    ['posts', 0],
    ['comments', 1],
    ['replies to a comment', 1],
    ['replies to a comment', 2],
    ['joins', 0],
    ['posts in the Hub', 0],
  ] as const
).flatMap(([action, ahead]) =>
  NAMES.map((_, by) => ({ action, by, to: by, item: (by + ahead) % NAMES.length })),
);

const choice: fc.Arbitrary<Choice> = fc.record({
  action: weighted(WEIGHTS),
  by: fc.nat(NAMES.length - 1),
  to: fc.nat(NAMES.length - 1),
  item: fc.nat(20),
});

/** Runs `numRuns` histories of up to `maxLength` steps, each with its own people and Hub. */
export async function expectConsistentVisibility(numRuns: number, maxLength: number): Promise<void> {
  const opine = await startOpineWithPush();
  onTestFinished(() => opine.stop());
  const tokens = await tokensOf(opine.database);
  const history = fc.array(choice, { minLength: Math.floor(maxLength / 2), maxLength, size: 'max' });
  const property = fc.asyncProperty(history, async (choices) => {
    const world = await createWorld(opine, tokens);
    const steps: string[] = [];
    for (const chosen of [...OPENING, ...choices]) await apply({ opine, tokens, world }, chosen, steps);
    const differences = await differencesIn(opine, world);
    if (differences.length > 0) throw failureAfter(steps, differences);
  });
  // Shrinking ends, and says what failed, before the test times out.
  await fc.assert(property, { numRuns, interruptAfterTimeLimit: 1_500_000, markInterruptAsFailure: true });
}

async function createWorld(opine: OpineWithPush, tokens: Tokens): Promise<VisibilityWorld> {
  const named = ['Host', ...NAMES].map((name) => ({ name, phoneNumber: newPhoneNumber(), isHubReady: true }));
  // Phone numbers repeat after ten thousand.
  await sql`update app.users set phone = null, phone_verified_at = null, contacts_synced_at = null where phone is not null`.execute(
    opine.database.superuser,
  );
  const people = await insertPeople(opine, tokens, named);
  const host = itemAt(people, 0);
  const hub = await aHub(host);
  const post = await aHubPost(host, [hub]);
  const discussion = await discussionOf(host, hub, post);
  const model = new VisibilityModel(people);
  model.members.add(host.id);
  const devices = new Map<string, string>();
  for (const person of people) devices.set(person.id, await aDeviceOf(person));
  const placements = [{ postId: post.id, author: host, placedBy: host }];
  const content = { posts: [], comments: [], messages: [], placements };
  return { people: [...people], host, hub, discussion, model, devices, ...content };
}

async function apply(
  running: Pick<Scene, 'opine' | 'tokens' | 'world'>,
  { action, by, to, item }: Choice,
  steps: string[],
): Promise<void> {
  // The host does nothing.
  const people = running.world.people.slice(1);
  const result = ACTIONS[action]({ ...running, actor: itemAt(people, by), other: itemAt(people, to), item });
  if (result === undefined) return;
  steps.push(`${NAMES[by]} ${action} (${NAMES[to]}, ${item})`);
  await result.catch((error: Error) => {
    throw failureAfter(steps, [error.message]);
  });
}

/** Creates a session and a device: a suspension ended and removed those of `person`. */
async function signInAgain(
  opine: OpineWithPush,
  tokens: Tokens,
  world: VisibilityWorld,
  person: Person,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    insert into app.sessions (user_id) values (${person.id}) returning id
  `.execute(opine.database.superuser);
  const times = { issuedAt: new Date(), expiresAt: new Date(Date.now() + 86_400_000) };
  const accessToken = await tokens.sign({ userId: person.id, sessionId: rows[0]?.id ?? '', ...times });
  const session = { ...person.session, accessToken };
  const again = { ...person, ...clientOf(opine.url, accessToken), session };
  world.people[world.people.findIndex(({ id }) => id === person.id)] = again;
  world.devices.set(person.id, await aDeviceOf(again));
}
