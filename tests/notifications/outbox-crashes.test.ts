import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { aCrashingDatabase } from '../simulations/votes/chaos-cluster.ts';
import type { KillableService } from '../simulations/votes/chaos-service.ts';
import type { Json } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  type FakeFcm,
  type FcmAnswer,
  type FcmRequest,
  fcmCode,
  googleError,
  startFcm,
} from '../support/fcm.ts';
import { testEnvironment } from '../support/opine.ts';
import {
  aHubOfPhones,
  aPushingService,
  type Fates,
  fatesIn,
  type HubOfPhones,
  tellAll,
  untilNothingWaits,
} from '../support/outbox-chaos.ts';
import { deliveryGoesOn, deliveryRests, waitingIn } from '../support/pushes.ts';
import { startServerProcess } from '../support/server-process.ts';

const PHONES = 60;
const TIMEOUT = { timeout: 30_000, interval: 20 };
const DOWN = googleError(500, 'INTERNAL', 'Internal error encountered.', [fcmCode('INTERNAL')]);

let fcm: FakeFcm;
let database: TestDatabase;
/** Two services on one database. */
let one: KillableService;
let other: KillableService;
let world: HubOfPhones;

beforeAll(async () => {
  fcm = await startFcm();
  database = await createTestDatabase();
  [one, other] = await Promise.all([aPushingService(database, fcm), aPushingService(database, fcm)]);
  world = await aHubOfPhones(one.url, database, PHONES);
});

afterAll(async () => {
  await Promise.all([one?.kill(), other?.kill()]);
  await database?.drop();
  await fcm?.close();
});

beforeEach(() => fcm.answerAll(null));

/** Everything that is to be told of `posts` was sent, or left to staff; and nobody got what was not theirs. */
async function afterAllIsDone(
  posts: readonly Json[],
  { in: where = database, to = world } = {},
): Promise<Fates> {
  await untilNothingWaits(where, fcm);
  const fates = await fatesIn(where, fcm, to, posts);
  const { due, taken, dead, strays } = fates;
  expect(due.size).toBe(PHONES * posts.length);
  const lost = due.difference(taken).difference(dead);
  // One that comes twice has the same id, or it would be a stray.
  expect({ strays: strays.length, lost: lost.size }).toEqual({ strays: 0, lost: 0 });
  return fates;
}

/** So many posts, all told at once when everything of them is there. */
async function aPileOfPosts(of: HubOfPhones, where: TestDatabase, count: number): Promise<Json[]> {
  await deliveryRests(where);
  const posts = await tellAll(of, count);
  await deliveryGoesOn(where);
  return posts;
}

/** What FCM was asked to tell of `posts`. */
function requestsOf(posts: readonly Json[]): FcmRequest[] {
  const ids = new Set(posts.map(({ id }) => id));
  return fcm.requests.filter(({ message }) => ids.has(message.data.postId));
}

const timesAsked = (posts: readonly Json[]) => requestsOf(posts).length;

/** By which tokens it was asked: each service has its own. */
const bearersOf = (posts: readonly Json[]) =>
  new Set(requestsOf(posts).map(({ authorization }) => authorization));

describe('every message arrives where a service', () => {
  test('is killed when FCM has what was sent, and Postgres does not know', async () => {
    const settling = sql`function app.settle_pushes(jsonb), app.settle_published(jsonb)`;
    await sql`revoke execute on ${settling} from opine_worker`.execute(database.superuser);
    const posts = await tellAll(world);
    await vi.waitUntil(() => timesAsked(posts) === PHONES, TIMEOUT);
    await Promise.all([one.kill(), other.kill()]);
    await sql`grant execute on ${settling} to opine_worker`.execute(database.superuser);
    await Promise.all([one.start(), other.start()]);
    // Whoever had taken it is not waited for any longer.
    await timePasses({ database }, '3 minutes');
    await vi.waitUntil(() => timesAsked(posts) >= 2 * PHONES, TIMEOUT);
    const { taken, asked } = await afterAllIsDone(posts);
    expect([taken.size, asked.length]).toEqual([PHONES, 2 * PHONES]);
  });

  test('waits for an answer that never comes, and another takes over', async () => {
    fcm.answerAll('hang');
    const posts = await tellAll(world);
    await vi.waitUntil(() => timesAsked(posts) > 10, TIMEOUT);
    fcm.answerAll(null);
    expect((await afterAllIsDone(posts)).taken.size).toBe(PHONES);
  });

  test('waits for an answer, and is killed', async () => {
    fcm.answerAll('hang');
    const posts = await tellAll(world);
    await vi.waitUntil(() => timesAsked(posts) > 10, TIMEOUT);
    await Promise.all([one.kill(), other.kill()]);
    fcm.answerAll(null);
    await Promise.all([one.start(), other.start()]);
    expect((await afterAllIsDone(posts)).taken.size).toBe(PHONES);
  });

  test('is killed again and again, while another goes on', async () => {
    const posts = await aPileOfPosts(world, database, 10);
    for (const [turn, victim] of [one, other].entries()) {
      await vi.waitUntil(() => timesAsked(posts) > 100 * (turn + 1), TIMEOUT);
      await victim.kill();
      await victim.start();
      // What it had taken is anybody's again.
      await timePasses({ database }, '3 minutes');
    }
    expect((await afterAllIsDone(posts)).taken.size).toBe(10 * PHONES);
  });

  test('is one of two that do it together: each message is sent once', async () => {
    await deliveryRests(database);
    const posts = await tellAll(world, 10);
    // By whoever had no room for what devices are to be sent.
    await sql`select app.publish_signals('00000000-0000-0000-0000-000000000000', 5000, 0)`.execute(
      database.superuser,
    );
    const { promise: answered, resolve } = Promise.withResolvers<null>();
    fcm.answerAll(answered);
    await deliveryGoesOn(database);
    // Neither takes more before it has its answers.
    await vi.waitUntil(() => bearersOf(posts).size === 2, TIMEOUT);
    resolve(null);
    const isDone = async () => Object.values(await waitingIn({ database })).every((count) => count === 0);
    await vi.waitUntil(isDone, TIMEOUT);
    const { taken, asked } = await afterAllIsDone(posts);
    expect([taken.size, asked.length]).toEqual([10 * PHONES, 10 * PHONES]);
  });
});

describe('every message arrives or is left to staff where FCM', () => {
  const OUTAGES: readonly FcmAnswer[] = [
    DOWN,
    googleError(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.', [fcmCode('QUOTA_EXCEEDED')]),
    googleError(503, 'UNAVAILABLE', 'The service is currently unavailable.'),
    { status: 200, body: '<html>' },
    'reset',
  ];

  test('is broken in every way for a while: it arrives', async () => {
    for (const [place, token] of [...world.phones.values()].entries()) {
      const answer = OUTAGES[place % OUTAGES.length];
      if (answer !== undefined) fcm.answer(token, answer, answer);
    }
    const { taken, asked } = await afterAllIsDone(await tellAll(world));
    expect([taken.size, asked.length]).toEqual([PHONES, 3 * PHONES]);
  });

  test('is broken for good: staff has it', async () => {
    fcm.answerAll(DOWN);
    const { dead, asked } = await afterAllIsDone(await tellAll(world));
    expect([dead.size, asked.length]).toEqual([PHONES, 10 * PHONES]);
  });
});

test('every message arrives where Postgres crashes amid the pushes', async () => {
  const crashing = await aCrashingDatabase();
  onTestFinished(() => crashing.drop());
  const service = await aPushingService(crashing, fcm);
  onTestFinished(() => service.kill());
  const members = await aHubOfPhones(service.url, crashing, PHONES);
  const posts = await aPileOfPosts(members, crashing, 5);
  await vi.waitUntil(() => timesAsked(posts) > 10, TIMEOUT);
  await crashing.crash('SIGQUIT');
  await crashing.recover();
  await service.ready();
  const { taken } = await afterAllIsDone(posts, { in: crashing, to: members });
  expect(taken.size).toBe(5 * PHONES);
});

test('a service that is told to end sends what it has begun to send, and notes it before it goes', async () => {
  const own = await createTestDatabase();
  onTestFinished(() => own.drop());
  const server = await startServerProcess({ ...testEnvironment(own), ...fcm.environment });
  const members = await aHubOfPhones(server.url, own, PHONES);
  const { promise, resolve } = Promise.withResolvers<null>();
  fcm.answerAll(promise);
  const posts = await tellAll(members);
  await vi.waitUntil(() => timesAsked(posts) > 10, TIMEOUT);
  const ending = server.end();
  const isDeaf = () =>
    fetch(server.url).then(
      () => false,
      () => true,
    );
  await vi.waitUntil(isDeaf, TIMEOUT);
  resolve(null);
  const { code, stderr } = await ending;
  expect([code, stderr]).toEqual([0, '']);
  const { pushes } = await waitingIn({ database: own });
  const { taken, asked } = await fatesIn(own, fcm, members, posts);
  expect([taken.size, asked.length]).toEqual([PHONES - pushes, PHONES - pushes]);
});
