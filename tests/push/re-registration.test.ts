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

/** Somebody new follows `person`, of which their devices are told. */
async function isTold(person: Person): Promise<void> {
  await follow(await aRegistered(opine), person);
  await opine.deliver();
}

/** Maya's device is sent a message, and FCM says `answer` when `meanwhile` has happened. */
async function isAnswered(answer: FcmAnswer, meanwhile: () => Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<null>();
  opine.fcm.answerAll(promise);
  opine.fcm.answer(token, answer);
  const told = isTold(maya);
  await vi.waitUntil(() => opine.sentTo(token).length === 1);
  await timePasses(opine, '1 second');
  await meanwhile();
  resolve(null);
  await told;
}

/** Whose messages the device was sent. */
function recipients(): string[] {
  return opine.sentTo(token).map(({ data }) => data.recipientUserId);
}

const ANEW: readonly [string, () => Promise<unknown>][] = [
  ['was registered anew', () => granted(register(maya, token))],
  [
    'was taken off and registered anew',
    async () => {
      await granted(unregister(maya, token));
      await granted(register(maya, token));
    },
  ],
];

// What FCM says of a token may be older than its registration (docs/product.md N22: permanently invalid ones go).
describe('a device of which FCM says that it is gone', () => {
  test.each(ANEW)(
    'stays where it %s since the message was sent, and hears of what is next',
    async (_, anew) => {
      await isAnswered(GONE, anew);
      expect(await ownerOf(opine, token)).toBe(maya.id);
      await isTold(maya);
      expect(recipients().length).toBeGreaterThan(1);
      expect(new Set(recipients())).toEqual(new Set([maya.id]));
    },
  );

  test("stays another's where it went over since the message was sent, and hears what that one is told", async () => {
    await isAnswered(GONE, () => granted(register(jonas, token)));
    expect(await ownerOf(opine, token)).toBe(jonas.id);
    await isTold(jonas);
    expect(recipients()).toEqual([maya.id, jonas.id]);
  });

  test('goes where FCM says so again of the next message', async () => {
    await isAnswered(GONE, () => granted(register(maya, token)));
    opine.fcm.answer(token, GONE);
    await isTold(maya);
    expect(recipients()).toEqual([maya.id, maya.id]);
    expect(await ownerOf(opine, token)).toBeUndefined();
    await opine.laterOn();
    expect(recipients()).toHaveLength(2);
    expect(await waitingIn(opine)).toEqual({ outbox: 0, pushes: 0 });
    expect(await deadLettersOf(opine, maya)).toEqual([]);
  });

  test('goes where it was not registered since', async () => {
    await isAnswered(GONE, () => granted(register(maya, `${token}-of-another`)));
    expect(await ownerOf(opine, token)).toBeUndefined();
  });
});
