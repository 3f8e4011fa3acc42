import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Reply } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import {
  aDeviceToken,
  hashOf,
  keptFor,
  ownerOf,
  register,
  registerMany,
  unregister,
} from '../support/devices.ts';
import { fcmCode, googleError } from '../support/fcm.ts';
import { amid, follow, granted } from '../support/graph.ts';
import { aRegistered, type Person } from '../support/people.ts';
import {
  aDeviceOf,
  deadLettersOf,
  type PushingOpine,
  requeue,
  startPushingOpine,
  waitingIn,
} from '../support/pushes.ts';
import { signedInAgain } from '../support/uploads.ts';

const MOST_TRIES = 10;
const NOTHING_WAITS = { outbox: 0, pushes: 0 };
const DOWN = googleError(500, 'INTERNAL', 'Internal error encountered.', [fcmCode('INTERNAL')]);

let opine: PushingOpine;
let maya: Person;
let jonas: Person;

beforeAll(async () => {
  opine = await startPushingOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  opine.fcm.answerAll(null);
  [maya, jonas] = [await aRegistered(opine, 'Maya'), await aRegistered(opine, 'Jonas')];
});

/** Whose messages a device was sent. */
function recipientsAt(token: string): string[] {
  return opine.sentTo(token).map(({ data }) => data.recipientUserId);
}

/** Somebody new follows both, and both are told. */
async function bothAreTold(): Promise<void> {
  await follow(await aRegistered(opine), maya, jonas);
  await opine.deliver();
}

async function allAreGranted(replies: readonly Promise<Reply>[]): Promise<void> {
  const statuses = (await Promise.all(replies)).map(({ status }) => status);
  expect(statuses).toEqual(statuses.map(() => 200));
}

/** How many of `tokens` are registered for the user of that id. */
async function countOf(userId: string, tokens: string[]): Promise<number> {
  return (await keptFor(opine, userId, tokens)).length;
}

/** Each of `tokens` is told what its owner is told, and nothing else. */
async function eachHearsItsOwner(tokens: readonly string[]): Promise<void> {
  await bothAreTold();
  for (const token of tokens) {
    const owner = await ownerOf(opine, token);
    expect(recipientsAt(token)).toEqual(owner === undefined ? [] : [owner]);
  }
}

describe('where two people register at once', () => {
  test('one device, each again and again, it is of one of them, and hears what that one is told', async () => {
    const token = aDeviceToken();
    await allAreGranted(Array.from({ length: 20 }, (_, turn) => register(turn % 2 ? maya : jonas, token)));
    expect([maya.id, jonas.id]).toContain(await ownerOf(opine, token));
    await eachHearsItsOwner([token]);
  });

  test('the devices of each other, each is of one of them, and nobody has six', async () => {
    for (const _ of [1, 2, 3]) {
      const hers = await registerMany(opine, maya, 5);
      const his = await registerMany(opine, jonas, 5);
      const tokens = [...hers, ...his, ...Array.from({ length: 2 }, aDeviceToken)];
      await allAreGranted([
        ...tokens.map((token) => register(maya, token)),
        ...tokens.toReversed().map((token) => register(jonas, token)),
      ]);
      const counts = await Promise.all([maya, jonas].map(({ id }) => countOf(id, tokens)));
      expect(Math.max(...counts)).toBeLessThanOrEqual(5);
      // One goes only where it would be somebody's sixth, and leaves them five.
      expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(5);
      await eachHearsItsOwner(tokens);
    }
  });
});

/** Jonas registers `token`, which he has done all but the last of when `meanwhile` is asked. */
async function amidRegistration(token: string, meanwhile: () => Promise<Reply>): Promise<Reply> {
  const [oldest = ''] = await registerMany(opine, jonas, 5);
  const registering: Promise<Reply>[] = [];
  const reply = await amid(opine, meanwhile, async (holder) => {
    // What a sixth device drives out is the last that he touches.
    await sql`select from app.device_tokens where token_hash = ${hashOf(oldest)} for update`.execute(holder);
    registering.push(register(jonas, token));
    await vi.waitUntil(async () => (await waiting()) > 0);
  });
  await allAreGranted(registering);
  return reply;
}

/** How many requests wait for a device. */
async function waiting(): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and usename = 'opine_gateway' and wait_event_type = 'Lock'`.execute(
    opine.database.superuser,
  );
  return rows.length;
}

describe('a device that goes over to another', () => {
  test('stays there, though it was the oldest of one who registers a sixth meanwhile', async () => {
    const [token = '', ...others] = await registerMany(opine, maya, 5);
    const sixth = aDeviceToken();
    expect((await amidRegistration(token, () => register(maya, sixth))).status).toBe(200);
    expect(await ownerOf(opine, token)).toBe(jonas.id);
    expect(await keptFor(opine, maya.id, [token, ...others, sixth])).toEqual([...others, sixth]);
  });

  test('stays there, though who had it takes it off meanwhile', async () => {
    const token = await aDeviceOf(maya);
    expect((await amidRegistration(token, () => unregister(maya, token))).data).toEqual({ removed: false });
    expect(await ownerOf(opine, token)).toBe(jonas.id);
  });

  test('is told nothing that was being sent to who had it, where that failed', async () => {
    const token = await aDeviceOf(maya);
    const { promise, resolve } = Promise.withResolvers<null>();
    opine.fcm.answerAll(promise);
    opine.fcm.answer(token, DOWN);
    await follow(await aRegistered(opine), maya);
    const delivered = opine.deliver();
    await vi.waitUntil(() => opine.sentTo(token).length === 1);
    await granted(register(jonas, token));
    resolve(null);
    await delivered;
    for (const _ of [1, 2, 3]) await opine.laterOn();
    expect(recipientsAt(token)).toEqual([maya.id]);
    expect(await waitingIn(opine)).toEqual(NOTHING_WAITS);
  });
});

/** What may have happened to a message before the device that it is for goes over. */
const STATES: readonly [string, (token: string) => Promise<unknown>][] = [
  [
    'was taken by a worker that died',
    () => sql`select app.claim_pushes(100)`.execute(opine.database.superuser),
  ],
  [
    'has failed',
    async (token) => {
      opine.fcm.answer(token, DOWN);
      await opine.push();
    },
  ],
  [
    'was left to staff',
    async () => {
      opine.fcm.answerAll(DOWN);
      for (let tries = 0; tries < MOST_TRIES; tries += 1) await opine.laterOn();
      opine.fcm.answerAll(null);
    },
  ],
];

describe('a message that', () => {
  test.each(STATES)('%s is not sent to a device that is now of another', async (_, happen) => {
    const token = await aDeviceOf(maya);
    await follow(await aRegistered(opine), maya);
    await opine.publish();
    await happen(token);
    const before = recipientsAt(token);
    await granted(register(await signedInAgain(opine, jonas), token));
    for (const letter of await deadLettersOf(opine, maya)) await requeue(opine, letter);
    await timePasses(opine, '3 minutes');
    await opine.deliver();
    expect(recipientsAt(token)).toEqual(before);
    expect(await waitingIn(opine)).toEqual(NOTHING_WAITS);
    await bothAreTold();
    expect(recipientsAt(token)).toEqual([...before, jonas.id]);
  });
});
