import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { KillableService } from '../simulations/votes/killable-service.ts';
import { expectOk, type Json, refusal } from '../support/client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type FakeFcm, startFcm } from '../support/fcm.ts';
import { cancelBlockedQueries, whileWorkerIsBlocked, withoutConnections } from '../support/outages.ts';
import {
  aHubOfPhones,
  aPushingService,
  type DeliveryOutcomes,
  deliveryOutcomes,
  type HubOfPhones,
  postToAll,
  waitUntilDelivered,
} from '../support/outbox-chaos.ts';
import { publish } from '../support/posts.ts';
import { queuedCounts } from '../support/pushes.ts';

const PHONES = 60;
const TIMEOUT = { timeout: 60_000, interval: 20 };
const UNAVAILABLE = refusal(503, 'SERVICE_UNAVAILABLE');

/** Tables that the worker locks constantly and a Hub post does not; requests still read account_deletions. */
const LOCKED = [
  'app.account_deletions in exclusive mode',
  'app.milestones in access exclusive mode',
  'app.stored_objects in exclusive mode',
  'gateway.heartbeat in exclusive mode',
];
const OTHER_TABLES = [...LOCKED, 'app.fan_outs in exclusive mode', 'app.push_leases in exclusive mode'];
const PUSH_TABLES = [...LOCKED, 'app.pushes in access exclusive mode'];

let fcm: FakeFcm;
let database: TestDatabase;
let service: KillableService;
let world: HubOfPhones;

beforeAll(async () => {
  fcm = await startFcm();
  database = await createTestDatabase();
  // Blocked tasks keep their connections for as long as a test blocks them.
  const { name, superuser } = database;
  await sql`alter role opine_worker in database ${sql.id(name)} set lock_timeout = '55s'`.execute(superuser);
  service = await aPushingService(database, fcm);
  world = await aHubOfPhones(service.url, database, PHONES);
});

afterAll(async () => {
  await service?.kill();
  await database?.drop();
  await fcm?.close();
});

afterEach(() => fcm.answerAll(null));

/** Waits until every message about `posts` has arrived, and expects none to anybody else. */
async function expectAllArrive(posts: readonly Json[]): Promise<DeliveryOutcomes> {
  await waitUntilDelivered(database, fcm);
  const fates = await deliveryOutcomes(database, fcm, world, posts);
  expect(fates.due.size).toBe(PHONES * posts.length);
  // A repeated message has the same id, else it is a stray.
  expect({ strays: fates.strays.length, lost: fates.due.difference(fates.taken).size }).toEqual({
    strays: 0,
    lost: 0,
  });
  return fates;
}

/** Expects every message to arrive once, without a shift of the clock. */
async function expectAllArriveOnce(posts: readonly Json[]): Promise<void> {
  const isNothingLeft = async () => {
    const { outbox, pushes } = await queuedCounts({ database });
    return outbox + pushes === 0;
  };
  await vi.waitUntil(isNothingLeft, TIMEOUT);
  expect((await expectAllArrive(posts)).sent).toHaveLength(PHONES * posts.length);
}

/** Waits until the worker logs another failure of the task with a matching error. */
function waitForFailure(name: string, isFor: (err: Json) => boolean): Promise<boolean> {
  const before = service.logged().length;
  const isLogged = () =>
    service
      .logged()
      .slice(before)
      .some((line) => line.msg === 'task failed' && line.task === name && isFor(line.err));
  return vi.waitUntil(isLogged, TIMEOUT);
}

/** Matches an error of the pool, which has no SQLSTATE. */
const isPoolError = ({ sqlstate, type }: Json) => sqlstate === undefined && type === 'Error';
const isTooManyClients = ({ sqlstate }: Json) => sqlstate === '53300';

async function statusOf(path: string): Promise<number> {
  const response = await fetch(service.url + path);
  await response.body?.cancel();
  return response.status;
}

describe('delivery by a blocked worker', () => {
  test('every message arrives once after the worker had no connection left to publish with', async () => {
    const posts = await whileWorkerIsBlocked(database, OTHER_TABLES, async () => {
      const posted = await postToAll(world, 2);
      await waitForFailure('deliver outbox', isPoolError);
      expect(await queuedCounts({ database })).toEqual({ outbox: 2 * PHONES, pushes: 0 });
      return posted;
    });
    await expectAllArriveOnce(posts);
  });

  test('every message arrives once after hanging publications and pushes are cancelled', async () => {
    const posts = await whileWorkerIsBlocked(database, PUSH_TABLES, async () => {
      const posted = await postToAll(world, 2);
      await waitForFailure('fan out', isPoolError);
      await cancelBlockedQueries(database);
      return posted;
    });
    await expectAllArriveOnce(posts);
  });
});

describe('delivery while Postgres refuses connections', () => {
  test('waiting messages arrive after the outage, and requests meanwhile get 503', async () => {
    const { promise, resolve } = Promise.withResolvers<null>();
    fcm.answerAll(promise);
    const posts = await postToAll(world);
    await vi.waitUntil(() => fcm.requests.length > fcm.taken.length + 10, TIMEOUT);
    await withoutConnections(database, async () => {
      const [read, written] = [world.amara.get('/posts'), publish(world.amara, { thoughtText: 'Now?' })];
      expect([await read, await written]).toMatchObject([UNAVAILABLE, UNAVAILABLE]);
      expect([await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([200, 503]);
      await waitForFailure('deliver outbox', isTooManyClients);
      // The answers of FCM cannot be stored yet.
      resolve(null);
      await waitForFailure('deliver outbox', isTooManyClients);
    });
    expect(await statusOf('/readyz')).toBe(200);
    posts.push(...(await postToAll(world)));
    await expectAllArriveOnce(posts);
    const { items } = await expectOk(world.amara.get('/posts'));
    expect(items.map(({ thoughtText }: Json) => thoughtText)).not.toContain('Now?');
  });

  test('messages in delivery arrive after three outages', async () => {
    const posts = await postToAll(world, 10);
    for (const outage of [1, 2, 3]) {
      await vi.waitUntil(() => requestCount(posts) > 50 * outage, TIMEOUT);
      await withoutConnections(database, () => waitForFailure('deliver outbox', isTooManyClients));
    }
    await expectAllArrive(posts);
  });
});

/** Counts the requests to FCM about `posts`. */
function requestCount(posts: readonly Json[]): number {
  const ids = new Set(posts.map(({ id }) => id));
  return fcm.requests.filter(({ message }) => ids.has(message.data.postId)).length;
}
