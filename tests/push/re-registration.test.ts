import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { timePasses } from '../support/clock.ts';
import { ownerOf, register, unregister } from '../support/devices.ts';
import { type FcmAnswer, fcmCode, googleError } from '../support/fcm.ts';
import { follow, granted } from '../support/graph.ts';
import { aRegistered, type Person } from '../support/people.ts';
import {
  aDeviceOf,
  deadLettersOf,
  type PushingOpine,
  startPushingOpine,
  waitingIn,
} from '../support/pushes.ts';

const GONE = googleError(404, 'NOT_FOUND', 'Requested entity was not found.', [fcmCode('UNREGISTERED')]);

let opine: PushingOpine;
let maya: Person;
let jonas: Person;
let token: string;

beforeAll(async () => {
  opine = await startPushingOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  opine.fcm.answerAll(null);
  [maya, jonas] = [await aRegistered(opine, 'Maya'), await aRegistered(opine, 'Jonas')];
  token = await aDeviceOf(maya);
});

/** Delivers a notification to the devices of `person`. */
async function notify(person: Person): Promise<void> {
  await follow(await aRegistered(opine), person);
  await opine.deliver();
}

/** Sends a message to the device of Maya, which FCM answers with `answer` after `meanwhile`. */
async function answerAfter(answer: FcmAnswer, meanwhile: () => Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<null>();
  opine.fcm.answerAll(promise);
  opine.fcm.answer(token, answer);
  const delivered = notify(maya);
  await vi.waitUntil(() => opine.sentTo(token).length === 1);
  await timePasses(opine, '1 second');
  await meanwhile();
  resolve(null);
  await delivered;
}

/** Returns the recipients of the messages that were sent to the device. */
function recipients(): string[] {
  return opine.sentTo(token).map(({ data }) => data.recipientUserId);
}

const RE_REGISTRATIONS: readonly [string, () => Promise<unknown>][] = [
  ['registered again', () => granted(register(maya, token))],
  [
    'removed and registered again',
    async () => {
      await granted(unregister(maya, token));
      await granted(register(maya, token));
    },
  ],
];

// An answer of FCM may be older than the registration; docs/product.md N22 removes permanently invalid tokens.
describe('a device that FCM reports as unregistered', () => {
  test.each(RE_REGISTRATIONS)(
    'a device %s since the message was sent stays and gets the next message',
    async (_, reRegister) => {
      await answerAfter(GONE, reRegister);
      expect(await ownerOf(opine, token)).toBe(maya.id);
      await notify(maya);
      expect(recipients().length).toBeGreaterThan(1);
      expect(new Set(recipients())).toEqual(new Set([maya.id]));
    },
  );

  test('a device that changed owners since the message was sent stays and gets the messages of its new owner', async () => {
    await answerAfter(GONE, () => granted(register(jonas, token)));
    expect(await ownerOf(opine, token)).toBe(jonas.id);
    await notify(jonas);
    expect(recipients()).toEqual([maya.id, jonas.id]);
  });

  test('a device is removed when FCM reports the next message as well', async () => {
    await answerAfter(GONE, () => granted(register(maya, token)));
    opine.fcm.answer(token, GONE);
    await notify(maya);
    expect(recipients()).toEqual([maya.id, maya.id]);
    expect(await ownerOf(opine, token)).toBeUndefined();
    await opine.laterOn();
    expect(recipients()).toHaveLength(2);
    expect(await waitingIn(opine)).toEqual({ outbox: 0, pushes: 0 });
    expect(await deadLettersOf(opine, maya)).toEqual([]);
  });

  test('a device without a new registration is removed', async () => {
    await answerAfter(GONE, () => granted(register(maya, `${token}-of-another`)));
    expect(await ownerOf(opine, token)).toBeUndefined();
  });
});
