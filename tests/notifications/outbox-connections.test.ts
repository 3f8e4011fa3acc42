import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { KillableService } from '../simulations/votes/chaos-service.ts';
import { type Json, refusal } from '../support/client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type FakeFcm, startFcm } from '../support/fcm.ts';
import { granted } from '../support/graph.ts';
import {
  aHubOfPhones,
  aPushingService,
  type Fates,
  fatesIn,
  type HubOfPhones,
  tellAll,
  untilNothingWaits,
} from '../support/outbox-chaos.ts';
import { publish } from '../support/posts.ts';
import { waitingIn } from '../support/pushes.ts';
import {
  waitingIsCancelled,
  whileItsWorkerWaits,
  whileNoConnectionIsFree,
} from '../support/taken-connections.ts';

const PHONES = 60;
const TIMEOUT = { timeout: 30_000, interval: 20 };
const UNAVAILABLE = refusal(503, 'SERVICE_UNAVAILABLE');

/** What the worker needs all the time, and no post of the Hub does; who has departed is read by those who look. */
const DEPARTURES = 'app.account_deletions in exclusive mode';
const MILESTONES = 'app.milestones in access exclusive mode';
const ELSEWHERE = [
  DEPARTURES,
  MILESTONES,
  'app.fan_outs in exclusive mode',
  'app.stored_objects in exclusive mode',
];
const WITHIN_PUSHES = [DEPARTURES, MILESTONES, 'app.pushes in access exclusive mode'];

let fcm: FakeFcm;
let database: TestDatabase;
let service: KillableService;
let world: HubOfPhones;

beforeAll(async () => {
  fcm = await startFcm();
  database = await createTestDatabase();
  service = await aPushingService(database, fcm);
  world = await aHubOfPhones(service.url, database, PHONES);
});

afterAll(async () => {
  await service?.kill();
  await database?.drop();
  await fcm?.close();
});

afterEach(() => fcm.answerAll(null));

/** Everything that is to be told of `posts` has arrived, and nobody got what was not theirs. */
async function allArrive(posts: readonly Json[]): Promise<Fates> {
  await untilNothingWaits(database, fcm);
  const fates = await fatesIn(database, fcm, world, posts);
  expect(fates.due.size).toBe(PHONES * posts.length);
  // One that comes twice has the same id, or it would be a stray.
  expect({ strays: fates.strays.length, lost: fates.due.difference(fates.taken).size }).toEqual({
    strays: 0,
    lost: 0,
  });
  return fates;
}

/** The same without any time that passes: each is sent once. */
async function allArriveOnce(posts: readonly Json[]): Promise<void> {
  const isNothingLeft = async () => {
    const { outbox, pushes } = await waitingIn({ database });
    return outbox + pushes === 0;
  };
  await vi.waitUntil(isNothingLeft, TIMEOUT);
  expect((await allArrive(posts)).asked).toHaveLength(PHONES * posts.length);
}

/** Waits until the worker says once more that a task failed, for such an error. */
function failing(name: string, isFor: (err: Json) => boolean): Promise<boolean> {
  const before = service.logged().length;
  const isSaid = () =>
    service
      .logged()
      .slice(before)
      .some((line) => line.msg === 'task failed' && line.task === name && isFor(line.err));
  return vi.waitUntil(isSaid, TIMEOUT);
}

/** An error of the pool, which Postgres knows nothing of. */
const isOfPool = ({ sqlstate, type }: Json) => sqlstate === undefined && type === 'Error';
const isTooManyClients = ({ sqlstate }: Json) => sqlstate === '53300';

async function statusOf(path: string): Promise<number> {
  const response = await fetch(service.url + path);
  await response.body?.cancel();
  return response.status;
}

describe('every message arrives, once, where the worker', () => {
  test('has no connection left to publish with', async () => {
    const posts = await whileItsWorkerWaits(database, ELSEWHERE, async () => {
      const told = await tellAll(world, 2);
      await failing('publish signals', isOfPool);
      expect(await waitingIn({ database })).toEqual({ outbox: 2 * PHONES, pushes: 0 });
      return told;
    });
    await allArriveOnce(posts);
  });

  test('hangs in what it publishes and pushes, until that is cancelled', async () => {
    const posts = await whileItsWorkerWaits(database, WITHIN_PUSHES, async () => {
      const told = await tellAll(world, 2);
      await failing('fan out', isOfPool);
      await waitingIsCancelled(database);
      return told;
    });
    await allArriveOnce(posts);
  });
});

describe('where Postgres has too many clients', () => {
  test('what waits arrives when there is room, and requests are told to come back', async () => {
    const { promise, resolve } = Promise.withResolvers<null>();
    fcm.answerAll(promise);
    const posts = await tellAll(world);
    await vi.waitUntil(() => fcm.requests.length > fcm.taken.length + 10, TIMEOUT);
    await whileNoConnectionIsFree(database, async () => {
      const [read, written] = [world.amara.get('/posts'), publish(world.amara, { thoughtText: 'Now?' })];
      expect([await read, await written]).toMatchObject([UNAVAILABLE, UNAVAILABLE]);
      expect([await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([200, 503]);
      await failing('publish signals', isTooManyClients);
      // What FCM takes now cannot be noted yet.
      resolve(null);
      await failing('publish signals', isTooManyClients);
    });
    expect(await statusOf('/readyz')).toBe(200);
    posts.push(...(await tellAll(world)));
    await allArriveOnce(posts);
    const { items } = await granted(world.amara.get('/posts'));
    expect(items.map(({ thoughtText }: Json) => thoughtText)).not.toContain('Now?');
  });

  test('again and again, what it is amid arrives as well', async () => {
    const posts = await tellAll(world, 10);
    for (const turn of [1, 2, 3]) {
      await vi.waitUntil(() => timesAsked(posts) > 50 * turn, TIMEOUT);
      await whileNoConnectionIsFree(database, () => failing('publish signals', isTooManyClients));
    }
    await allArrive(posts);
  });
});

/** How often FCM was asked to tell of `posts`. */
function timesAsked(posts: readonly Json[]): number {
  const ids = new Set(posts.map(({ id }) => id));
  return fcm.requests.filter(({ message }) => ids.has(message.data.postId)).length;
}
