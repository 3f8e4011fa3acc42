import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { expectOk } from '../support/client.ts';
import { fcmCode, googleError } from '../support/fcm.ts';
import { follow } from '../support/graph.ts';
import type { FakeAnswer } from '../support/loopback.ts';
import { advanceTime } from '../support/opine.ts';
import { type Person, registeredPerson } from '../support/people.ts';
import {
  aDeviceOf,
  deadLettersOf,
  deviceOwner,
  type OpineWithPush,
  queuedCounts,
  registerDevice,
  startOpineWithPush,
  unregisterDevice,
} from '../support/pushes.ts';

const GONE = googleError(404, 'NOT_FOUND', 'Requested entity was not found.', [fcmCode('UNREGISTERED')]);

let opine: OpineWithPush;
let maya: Person;
let jonas: Person;
let token: string;

beforeAll(async () => {
  opine = await startOpineWithPush();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  opine.fcm.answerAll(null);
  [maya, jonas] = [await registeredPerson(opine, 'Maya'), await registeredPerson(opine, 'Jonas')];
  token = await aDeviceOf(maya);
});

/** Delivers a notification to the devices of `person`. */
async function notify(person: Person): Promise<void> {
  await follow(await registeredPerson(opine), person);
  await opine.deliver();
}

/** Sends a message to the device of Maya, which FCM answers with `answer` after `meanwhile`. */
async function answerAfter(answer: FakeAnswer, meanwhile: () => Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<null>();
  opine.fcm.answerAll(promise);
  opine.fcm.answer(token, answer);
  const delivered = notify(maya);
  await vi.waitUntil(() => opine.sentTo(token).length === 1);
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

// An answer of FCM may be older than the registration; docs/product.md N22 removes permanently invalid tokens.
describe('a device that FCM reports as unregistered', () => {
  test.each(RE_REGISTRATIONS)(
    'a device %s since the message was sent stays and gets the next message',
    async (_, reRegister) => {
      await answerAfter(GONE, reRegister);
      expect(await deviceOwner(opine, token)).toBe(maya.id);
      await notify(maya);
      expect(recipients().length).toBeGreaterThan(1);
      expect(new Set(recipients())).toEqual(new Set([maya.id]));
    },
  );

  test('a device that changed owners since the message was sent stays and gets the messages of its new owner', async () => {
    await answerAfter(GONE, () => expectOk(registerDevice(jonas, token)));
    expect(await deviceOwner(opine, token)).toBe(jonas.id);
    await notify(jonas);
    expect(recipients()).toEqual([maya.id, jonas.id]);
  });

  test('a device is removed when FCM reports the next message as well', async () => {
    await answerAfter(GONE, () => expectOk(registerDevice(maya, token)));
    opine.fcm.answer(token, GONE);
    await notify(maya);
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
