import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createCrashingDatabase } from '../simulations/votes/crashing-database.ts';
import type { KillableService } from '../simulations/votes/killable-service.ts';
import type { Json } from '../support/client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type FakeFcm, type FcmRequest, fcmCode, googleError, startFcm } from '../support/fcm.ts';
import type { FakeAnswer } from '../support/loopback.ts';
import { advanceTime, testEnvironment, WITH_WORKER } from '../support/opine.ts';
import {
  aHubOfPhones,
  aPushingService,
  type DeliveryOutcomes,
  deliveryOutcomes,
  type HubOfPhones,
  postToAll,
  waitUntilDelivered,
} from '../support/outbox-chaos.ts';
import { pauseDelivery, queuedCounts, resumeDelivery } from '../support/pushes.ts';
import { startServerProcess } from '../support/server-process.ts';

const PHONES = 60;
const TIMEOUT = { timeout: 60_000, interval: 20 };
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

/** Waits until every message about `posts` is sent or a dead letter, and expects none to anybody else. */
async function waitUntilDone(
  posts: readonly Json[],
  { in: where = database, to = world } = {},
): Promise<DeliveryOutcomes> {
  await waitUntilDelivered(where, fcm);
  const fates = await deliveryOutcomes(where, fcm, to, posts);
  const { due, taken, dead, strays } = fates;
  expect(due.size).toBe(PHONES * posts.length);
  const lost = due.difference(taken).difference(dead);
  // A repeated message has the same id, else it is a stray.
  expect({ strays: strays.length, lost: lost.size }).toEqual({ strays: 0, lost: 0 });
  return fates;
}

/** Creates `count` posts during a pause of delivery, so that all are delivered at once. */
async function postsDeliveredAtOnce(of: HubOfPhones, where: TestDatabase, count: number): Promise<Json[]> {
  await pauseDelivery(where);
  const posts = await postToAll(of, count);
  await resumeDelivery(where);
  return posts;
}

/** Returns the requests to FCM about `posts`. */
function requestsOf(posts: readonly Json[]): FcmRequest[] {
  const ids = new Set(posts.map(({ id }) => id));
  return fcm.requests.filter(({ message }) => ids.has(message.data.postId));
}

const requestCount = (posts: readonly Json[]) => requestsOf(posts).length;

/** Returns the access tokens of these requests: each service has its own. */
const bearersOf = (posts: readonly Json[]) =>
  new Set(requestsOf(posts).map(({ authorization }) => authorization));

describe('delivery by two services', () => {
  test('every message arrives when both services are killed before they store the answers of FCM', async () => {
    const settling = sql`function app.settle_pushes(jsonb), app.settle_published(uuid, jsonb)`;
    await sql`revoke execute on ${settling} from opine_worker`.execute(database.superuser);
    const posts = await postToAll(world);
    await vi.waitUntil(() => requestCount(posts) === PHONES, TIMEOUT);
    await Promise.all([one.kill(), other.kill()]);
    await sql`grant execute on ${settling} to opine_worker`.execute(database.superuser);
    await Promise.all([one.start(), other.start()]);
    // The leases of the killed services expire.
    await advanceTime({ database }, '3 minutes');
    await vi.waitUntil(() => requestCount(posts) >= 2 * PHONES, TIMEOUT);
    const { taken, sent } = await waitUntilDone(posts);
    expect([taken.size, sent.length]).toEqual([PHONES, 2 * PHONES]);
  });

  test('every message arrives when FCM never answers the first requests', async () => {
    fcm.answerAll('hang');
    const posts = await postToAll(world);
    await vi.waitUntil(() => requestCount(posts) > 10, TIMEOUT);
    fcm.answerAll(null);
    expect((await waitUntilDone(posts)).taken.size).toBe(PHONES);
  });

  test('every message arrives when both services are killed while they wait for FCM', async () => {
    fcm.answerAll('hang');
    const posts = await postToAll(world);
    await vi.waitUntil(() => requestCount(posts) > 10, TIMEOUT);
    await Promise.all([one.kill(), other.kill()]);
    fcm.answerAll(null);
    await Promise.all([one.start(), other.start()]);
    expect((await waitUntilDone(posts)).taken.size).toBe(PHONES);
  });

  test('every message arrives when one service after the other is killed', async () => {
    const posts = await postsDeliveredAtOnce(world, database, 10);
    for (const [index, victim] of [one, other].entries()) {
      await vi.waitUntil(() => requestCount(posts) > 100 * (index + 1), TIMEOUT);
      await victim.kill();
      await victim.start();
      // The leases of the killed service expire.
      await advanceTime({ database }, '3 minutes');
    }
    expect((await waitUntilDone(posts)).taken.size).toBe(10 * PHONES);
  });

  test('two services together send each message once', async () => {
    await pauseDelivery(database);
    const posts = await postToAll(world, 10);
    // Publishes without room for pushes, so that both services find pushes waiting.
    await sql`select app.deliver_outbox('00000000-0000-0000-0000-000000000000', 5000, 0)`.execute(
      database.superuser,
    );
    const { promise: answered, resolve } = Promise.withResolvers<null>();
    fcm.answerAll(answered);
    await resumeDelivery(database);
    // No service claims more before FCM answers.
    await vi.waitUntil(() => bearersOf(posts).size === 2, TIMEOUT);
    resolve(null);
    const isDone = async () => Object.values(await queuedCounts({ database })).every((count) => count === 0);
    await vi.waitUntil(isDone, TIMEOUT);
    const { taken, sent } = await waitUntilDone(posts);
    expect([taken.size, sent.length]).toEqual([10 * PHONES, 10 * PHONES]);
  });
});

describe('delivery during an outage of FCM', () => {
  const OUTAGES: readonly FakeAnswer[] = [
    DOWN,
    googleError(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.', [fcmCode('QUOTA_EXCEEDED')]),
    googleError(503, 'UNAVAILABLE', 'The service is currently unavailable.'),
    { status: 200, body: '<html>' },
    'reset',
  ];

  test('every message arrives after each kind of failure has happened twice', async () => {
    for (const [place, token] of [...world.phones.values()].entries()) {
      const answer = OUTAGES[place % OUTAGES.length];
      if (answer !== undefined) fcm.answer(token, answer, answer);
    }
    const { taken, sent } = await waitUntilDone(await postToAll(world));
    expect([taken.size, sent.length]).toEqual([PHONES, 3 * PHONES]);
  });

  test('every message becomes a dead letter when FCM keeps failing', async () => {
    fcm.answerAll(DOWN);
    const { dead, sent } = await waitUntilDone(await postToAll(world));
    expect([dead.size, sent.length]).toEqual([PHONES, 10 * PHONES]);
  });
});

test('every message arrives when Postgres crashes during delivery', async () => {
  const crashing = await createCrashingDatabase();
  onTestFinished(() => crashing.drop());
  const service = await aPushingService(crashing, fcm);
  onTestFinished(() => service.kill());
  const members = await aHubOfPhones(service.url, crashing, PHONES);
  const posts = await postsDeliveredAtOnce(members, crashing, 5);
  await vi.waitUntil(() => requestCount(posts) > 10, TIMEOUT);
  await crashing.crash('SIGQUIT');
  await crashing.recover();
  await service.ready();
  const { taken } = await waitUntilDone(posts, { in: crashing, to: members });
  expect(taken.size).toBe(5 * PHONES);
});

test('a service that is stopped finishes the messages it has begun and stores their results', async () => {
  const own = await createTestDatabase();
  onTestFinished(() => own.drop());
  const server = await startServerProcess({ ...testEnvironment(own), ...WITH_WORKER, ...fcm.environment });
  const members = await aHubOfPhones(server.url, own, PHONES);
  const { promise, resolve } = Promise.withResolvers<null>();
  fcm.answerAll(promise);
  const posts = await postToAll(members);
  await vi.waitUntil(() => requestCount(posts) > 10, TIMEOUT);
  const ending = server.end();
  const isClosed = () =>
    fetch(server.url).then(
      () => false,
      () => true,
    );
  await vi.waitUntil(isClosed, TIMEOUT);
  resolve(null);
  const { code, stderr } = await ending;
  expect([code, stderr]).toEqual([0, '']);
  const { pushes } = await queuedCounts({ database: own });
  const { taken, sent } = await deliveryOutcomes(own, fcm, members, posts);
  expect([taken.size, sent.length]).toEqual([PHONES - pushes, PHONES - pushes]);
});
