import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSecrets } from '../../src/auth/secrets.ts';
import { expectOk } from '../support/client.ts';
import { fcmCode, googleError } from '../support/fcm.ts';
import { REFUSALS } from '../support/fcm-answers.ts';
import { follow } from '../support/graph.ts';
import { notificationsOf } from '../support/inbox.ts';
import type { FakeAnswer } from '../support/loopback.ts';
import { advanceTime } from '../support/opine.ts';
import { type Person, registeredPerson } from '../support/people.ts';
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
  startOpineWithPush,
  tokenHash,
  unregisterDevice,
} from '../support/pushes.ts';

const GONE = googleError(404, 'NOT_FOUND', 'Requested entity was not found.', [fcmCode('UNREGISTERED')]);
const DOWN = googleError(500, 'INTERNAL', 'Internal error encountered.', [fcmCode('INTERNAL')]);

let opine: OpineWithPush;
let maya: Person;

beforeAll(async () => {
  opine = await startOpineWithPush();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  maya = await registeredPerson(opine, 'Maya');
});

/** Notifies `person` of a new follower. */
async function notify(person: Person): Promise<void> {
  await follow(await registeredPerson(opine), person);
}

/** Counts the messages sent to each device. */
function countsOf(tokens: readonly string[]): number[] {
  return tokens.map((token) => opine.sentTo(token).length);
}

describe('a user with three devices', () => {
  test('each device gets the message with the same id', async () => {
    const tokens = [await aDeviceOf(maya), await aDeviceOf(maya, 'ios'), await aDeviceOf(maya)];
    await notify(maya);
    await opine.deliver();
    const [notification] = await notificationsOf(maya);
    const ids = tokens.map((token) => opine.sentTo(token).map(({ data }) => data.notificationId));
    expect(ids).toEqual([[notification?.id], [notification?.id], [notification?.id]]);
  });

  test('an unregistered device is removed, a failed one retried, and the third gets the message once', async () => {
    const tokens = await registerDevices(opine, maya, 3);
    const [well = '', gone = '', down = ''] = tokens;
    opine.fcm.answer(gone, GONE);
    opine.fcm.answer(down, DOWN);
    await notify(maya);
    await opine.deliver();
    expect(await registeredTokens(opine, maya.id, tokens)).toEqual([well, down]);
    expect(await queuedCounts(opine)).toEqual({ outbox: 0, pushes: 1 });
    await opine.deliverLater();
    expect(countsOf(tokens)).toEqual([1, 1, 2]);
    expect(await queuedCounts(opine)).toEqual({ outbox: 0, pushes: 0 });
    await notify(maya);
    await opine.deliver();
    expect(countsOf(tokens)).toEqual([2, 1, 3]);
  });

  test('the removal of an unregistered device removes its waiting messages', async () => {
    const token = await aDeviceOf(maya);
    await notify(maya);
    opine.fcm.answer(token, DOWN);
    await opine.deliver();
    await notify(maya);
    opine.fcm.answer(token, GONE);
    await opine.deliver();
    await opine.deliverLater();
    expect(countsOf([token])).toEqual([2]);
    expect(await queuedCounts(opine)).toEqual({ outbox: 0, pushes: 0 });
    expect(await deadLettersOf(opine, maya)).toEqual([]);
  });
});

test('only answers that call the token permanently invalid remove the device', async () => {
  const worlds = [];
  for (const { name, answer, isGone } of REFUSALS) {
    const person = await registeredPerson(opine);
    const token = await aDeviceOf(person);
    opine.fcm.answer(token, answer);
    await notify(person);
    worlds.push({ name, isGone, person, token });
  }
  await opine.deliver();
  const fates = worlds.map(async ({ name, person, token }) => [
    name,
    (await deviceOwner(opine, token)) !== person.id,
  ]);
  expect(await Promise.all(fates)).toEqual(worlds.map(({ name, isGone }) => [name, isGone]));
  const failed = worlds.filter(({ isGone }) => !isGone);
  expect(await queuedCounts(opine)).toEqual({ outbox: 0, pushes: failed.length });
  await opine.deliverLater();
  expect(countsOf(failed.map(({ token }) => token))).toEqual(failed.map(() => 2));
  expect(await queuedCounts(opine)).toEqual({ outbox: 0, pushes: 0 });
});

describe('the recipients of a message', () => {
  test('a device dropped for a sixth gets no message, and the sixth gets later messages only', async () => {
    const tokens = await registerDevices(opine, maya, 5);
    await notify(maya);
    await opine.publish();
    const [sixth = ''] = await registerDevices(opine, maya, 1);
    await opine.push();
    // The sixth device was registered after publication.
    expect(countsOf([...tokens, sixth])).toEqual([0, 1, 1, 1, 1, 0]);
    await notify(maya);
    await opine.deliver();
    expect(countsOf([...tokens, sixth])).toEqual([0, 2, 2, 2, 2, 1]);
  });

  test('a device that returned to its owner gets the message', async () => {
    const jonas = await registeredPerson(opine, 'Jonas');
    const token = await aDeviceOf(maya);
    await notify(maya);
    await opine.publish();
    await expectOk(registerDevice(jonas, token));
    await expectOk(registerDevice(maya, token));
    await opine.push();
    expect(opine.sentTo(token).map(({ data }) => data.recipientUserId)).toEqual([maya.id]);
  });

  test('a device whose token was sealed with another key is removed, and the others get the message', async () => {
    const [lost, kept] = [await aDeviceOf(maya), await aDeviceOf(maya)];
    const elsewhere = createSecrets('another secret of tests, long enough to be one');
    await sql`
      update app.device_tokens set sealed_token = ${Buffer.from(elsewhere.sealDeviceToken(lost), 'base64')}
      where token_hash = ${tokenHash(lost)}`.execute(opine.database.superuser);
    await notify(maya);
    await opine.deliver();
    expect(countsOf([lost, kept])).toEqual([0, 1]);
    expect(await registeredTokens(opine, maya.id, [lost, kept])).toEqual([kept]);
    await expectOk(registerDevice(maya, lost));
    await notify(maya);
    await opine.deliver();
    expect(countsOf([lost, kept])).toEqual([1, 2]);
  });

  test('a device that was registered again during a retry stays and gets the message', async () => {
    const token = newDeviceToken();
    await expectOk(registerDevice(maya, token));
    opine.fcm.answer(token, DOWN);
    await notify(maya);
    await opine.deliver();
    await expectOk(registerDevice(maya, token, 'ios'));
    await opine.deliverLater();
    expect(countsOf([token])).toEqual([2]);
    expect(await registeredTokens(opine, maya.id, [token])).toEqual([token]);
  });
});

// An answer of FCM may be older than the registration; docs/product.md N22 removes permanently invalid tokens.
describe('a device that FCM reports as unregistered', () => {
  let jonas: Person;
  let token: string;

  beforeEach(async () => {
    opine.fcm.answerAll(null);
    jonas = await registeredPerson(opine, 'Jonas');
    token = await aDeviceOf(maya);
  });

  /** Delivers a notification to the devices of `person`. */
  async function notifyAndDeliver(person: Person): Promise<void> {
    await follow(await registeredPerson(opine), person);
    await opine.deliver();
  }

  /** Sends a message to the device of Maya, which FCM answers with `answer` after `meanwhile`. */
  async function answerAfter(answer: FakeAnswer, meanwhile: () => Promise<unknown>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<null>();
    opine.fcm.answerAll(promise);
    opine.fcm.answer(token, answer);
    const delivered = notifyAndDeliver(maya);
    await expect.poll(() => opine.sentTo(token).length).toBe(1);
    await advanceTime(opine, '1 second');
    await meanwhile();
    resolve(null);
    await delivered;
  }

  /** Returns the recipients of the messages that were sent to the device. */
  function recipients(): string[] {
    return opine.sentTo(token).map(({ data }) => data.recipientUserId);
  }

  const RE_REGISTRATIONS: readonly [string, () => Promise<unknown>][] = [
    ['registered again', () => expectOk(registerDevice(maya, token))],
    [
      'removed and registered again',
      async () => {
        await expectOk(unregisterDevice(maya, token));
        await expectOk(registerDevice(maya, token));
      },
    ],
  ];

  test.each(RE_REGISTRATIONS)(
    'a device %s since the message was sent stays and gets the next message',
    async (_, reRegister) => {
      await answerAfter(GONE, reRegister);
      expect(await deviceOwner(opine, token)).toBe(maya.id);
      await notifyAndDeliver(maya);
      expect(recipients().length).toBeGreaterThan(1);
      expect(new Set(recipients())).toEqual(new Set([maya.id]));
    },
  );

  test('a device that changed owners since the message was sent stays and gets the messages of its new owner', async () => {
    await answerAfter(GONE, () => expectOk(registerDevice(jonas, token)));
    expect(await deviceOwner(opine, token)).toBe(jonas.id);
    await notifyAndDeliver(jonas);
    expect(recipients()).toEqual([maya.id, jonas.id]);
  });

  test('a device is removed when FCM reports the next message as well', async () => {
    await answerAfter(GONE, () => expectOk(registerDevice(maya, token)));
    opine.fcm.answer(token, GONE);
    await notifyAndDeliver(maya);
    expect(recipients()).toEqual([maya.id, maya.id]);
    expect(await deviceOwner(opine, token)).toBeUndefined();
    await opine.deliverLater();
    expect(recipients()).toHaveLength(2);
    expect(await queuedCounts(opine)).toEqual({ outbox: 0, pushes: 0 });
    expect(await deadLettersOf(opine, maya)).toEqual([]);
  });

  test('a device without a new registration is removed', async () => {
    await answerAfter(GONE, () => expectOk(registerDevice(maya, `${token}-of-another`)));
    expect(await deviceOwner(opine, token)).toBeUndefined();
  });
});
