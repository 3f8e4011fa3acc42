import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectOk, type Reply } from '../support/client.ts';
import { fcmCode, googleError } from '../support/fcm.ts';
import { follow } from '../support/graph.ts';
import { advanceTime } from '../support/opine.ts';
import { type Person, registeredPerson, withFreshSession } from '../support/people.ts';
import {
  aDeviceOf,
  deadLettersOf,
  deviceOwner,
  newDeviceToken,
  type OpineWithPush,
  queuedCounts,
  registerDevice,
  registerDevices,
  registeredTokens,
  requeue,
  startOpineWithPush,
  tokenHash,
  unregisterDevice,
} from '../support/pushes.ts';
import { duringTransaction } from '../support/races.ts';

const MAX_ATTEMPTS = 10;
const NOTHING_WAITS = { outbox: 0, pushes: 0 };
const DOWN = googleError(500, 'INTERNAL', 'Internal error encountered.', [fcmCode('INTERNAL')]);

let opine: OpineWithPush;
let maya: Person;
let jonas: Person;

beforeAll(async () => {
  opine = await startOpineWithPush();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  opine.fcm.answerAll(null);
  [maya, jonas] = [await registeredPerson(opine, 'Maya'), await registeredPerson(opine, 'Jonas')];
});

/** Returns the recipients of the messages that were sent to a device. */
function recipientsAt(token: string): string[] {
  return opine.sentTo(token).map(({ data }) => data.recipientUserId);
}

/** Delivers a notification to Maya and to Jonas. */
async function notifyBoth(): Promise<void> {
  await follow(await registeredPerson(opine), maya, jonas);
  await opine.deliver();
}

async function expectAllOk(replies: readonly Promise<Reply>[]): Promise<void> {
  const statuses = (await Promise.all(replies)).map(({ status }) => status);
  expect(statuses).toEqual(statuses.map(() => 200));
}

/** Counts the `tokens` that are registered for a user. */
async function countOf(userId: string, tokens: string[]): Promise<number> {
  return (await registeredTokens(opine, userId, tokens)).length;
}

/** Notifies both and expects each device to get the messages of its owner only. */
async function expectMessagesOfOwners(tokens: readonly string[]): Promise<void> {
  await notifyBoth();
  for (const token of tokens) {
    const owner = await deviceOwner(opine, token);
    expect(recipientsAt(token)).toEqual(owner === undefined ? [] : [owner]);
  }
}

describe('concurrent registrations by two people', () => {
  test('a device registered repeatedly by two people belongs to one of them and gets the messages of that person', async () => {
    const token = newDeviceToken();
    await expectAllOk(
      Array.from({ length: 20 }, (_, index) => registerDevice(index % 2 ? maya : jonas, token)),
    );
    expect([maya.id, jonas.id]).toContain(await deviceOwner(opine, token));
    await expectMessagesOfOwners([token]);
  });

  test('twelve devices registered by two people belong to one person each, and nobody has six', async () => {
    for (const _ of [1, 2, 3]) {
      const hers = await registerDevices(opine, maya, 5);
      const his = await registerDevices(opine, jonas, 5);
      const tokens = [...hers, ...his, ...Array.from({ length: 2 }, newDeviceToken)];
      await expectAllOk([
        ...tokens.map((token) => registerDevice(maya, token)),
        ...tokens.toReversed().map((token) => registerDevice(jonas, token)),
      ]);
      const counts = await Promise.all([maya, jonas].map(({ id }) => countOf(id, tokens)));
      expect(Math.max(...counts)).toBeLessThanOrEqual(5);
      // A device is dropped only as a sixth, so its owner keeps five.
      expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(5);
      await expectMessagesOfOwners(tokens);
    }
  });
});

/** Runs `meanwhile` while the registration of `token` by Jonas waits at its last step. */
async function amidRegistration(token: string, meanwhile: () => Promise<Reply>): Promise<Reply> {
  const [oldest = ''] = await registerDevices(opine, jonas, 5);
  const registering: Promise<Reply>[] = [];
  const reply = await duringTransaction(opine, meanwhile, async (holder) => {
    // The last step of a registration drops the oldest of six devices.
    await sql`select from app.device_tokens where token_hash = ${tokenHash(oldest)} for update`.execute(
      holder,
    );
    registering.push(registerDevice(jonas, token));
    await expect.poll(waiting).toBeGreaterThan(0);
  });
  await expectAllOk(registering);
  return reply;
}

/** Counts the requests that wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and usename = 'opine_gateway' and wait_event_type = 'Lock'`.execute(
    opine.database.superuser,
  );
  return rows.length;
}

describe('a device that changes owners', () => {
  test('a device stays with its new owner while the old owner registers a sixth', async () => {
    const [token = '', ...others] = await registerDevices(opine, maya, 5);
    const sixth = newDeviceToken();
    expect((await amidRegistration(token, () => registerDevice(maya, sixth))).status).toBe(200);
    expect(await deviceOwner(opine, token)).toBe(jonas.id);
    expect(await registeredTokens(opine, maya.id, [token, ...others, sixth])).toEqual([...others, sixth]);
  });

  test('a device stays with its new owner when the old owner removes it meanwhile', async () => {
    const token = await aDeviceOf(maya);
    expect((await amidRegistration(token, () => unregisterDevice(maya, token))).data).toEqual({
      removed: false,
    });
    expect(await deviceOwner(opine, token)).toBe(jonas.id);
  });

  test('a device gets no retry of a failed message to its old owner', async () => {
    const token = await aDeviceOf(maya);
    const { promise, resolve } = Promise.withResolvers<null>();
    opine.fcm.answerAll(promise);
    opine.fcm.answer(token, DOWN);
    await follow(await registeredPerson(opine), maya);
    const delivered = opine.deliver();
    await expect.poll(() => opine.sentTo(token).length).toBe(1);
    await expectOk(registerDevice(jonas, token));
    resolve(null);
    await delivered;
    for (const _ of [1, 2, 3]) await opine.deliverLater();
    expect(recipientsAt(token)).toEqual([maya.id]);
    expect(await queuedCounts(opine)).toEqual(NOTHING_WAITS);
  });
});

/** States of a message when its device changes owners. */
const STATES: readonly [string, (token: string) => Promise<unknown>][] = [
  [
    'claimed by a worker that died',
    () => sql`select app.claim_pushes(100)`.execute(opine.database.superuser),
  ],
  [
    'waiting for a retry',
    async (token) => {
      opine.fcm.answer(token, DOWN);
      await opine.push();
    },
  ],
  [
    'requeued by staff',
    async () => {
      opine.fcm.answerAll(DOWN);
      for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) await opine.deliverLater();
      opine.fcm.answerAll(null);
    },
  ],
];

describe('a message to the old owner of a device', () => {
  test.each(STATES)('a message %s is not sent to the device of a new owner', async (_, reachState) => {
    const token = await aDeviceOf(maya);
    await follow(await registeredPerson(opine), maya);
    await opine.publish();
    await reachState(token);
    const before = recipientsAt(token);
    await expectOk(registerDevice(await withFreshSession(opine, jonas), token));
    for (const letter of await deadLettersOf(opine, maya)) await requeue(opine, letter);
    await advanceTime(opine, '3 minutes');
    await opine.deliver();
    expect(recipientsAt(token)).toEqual(before);
    expect(await queuedCounts(opine)).toEqual(NOTHING_WAITS);
    await notifyBoth();
    expect(recipientsAt(token)).toEqual([...before, jonas.id]);
  });
});
