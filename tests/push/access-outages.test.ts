import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Json } from '../support/client.ts';
import { type FcmAnswer, googleError } from '../support/fcm.ts';
import { follow } from '../support/graph.ts';
import { notificationsOf } from '../support/inbox.ts';
import { aRegistered, type Person } from '../support/people.ts';
import {
  aDeviceOf,
  deadLettersOf,
  type PushingOpine,
  requeue,
  startPushingOpine,
  triesOf,
  waitingIn,
} from '../support/pushes.ts';
import { withShortTimeouts } from '../support/short-timeouts.ts';

const MOST_TRIES = 10;
/** By how much whoever waits for access is less patient here: ten seconds are a tenth of one. */
const HASTE = 100;
const NOTHING_WAITS = { outbox: 0, pushes: 0 };

const OUTAGES: readonly [string, FcmAnswer][] = [
  ['takes the question and says nothing', 'hang'],
  ['hangs up', 'reset'],
  ['hangs up amid its answer', 'cut'],
  ['has too many questions', googleError(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.')],
  ['fails', { status: 500, body: { error: 'internal_failure' } }],
  ['is away', { status: 503, body: '<html>' }],
  ['answers a page', { status: 200, body: '<html>' }],
  ['answers nothing', { status: 200, body: '' }],
  ['grants nothing', { status: 200, body: { token_type: 'Bearer', expires_in: 3599 } }],
  ['knows the account no more', { status: 400, body: { error: 'invalid_grant' } }],
];

/** Nobody has asked for access yet, in each test anew. */
let opine: PushingOpine;
let maya: Person;
let token: string;
let told: Json;

beforeEach(async () => {
  opine = await startPushingOpine();
  onTestFinished(() => opine.stop());
  maya = await aRegistered(opine, 'Maya');
  token = await aDeviceOf(maya);
  await follow(await aRegistered(opine), maya);
  [told] = await notificationsOf(maya);
});

describe('where the token endpoint', () => {
  test.each(OUTAGES)('%s, a message waits, and arrives once when there is access', async (_, answer) => {
    opine.fcm.answerGrants(answer);
    await withShortTimeouts(HASTE, () => opine.deliver());
    expect(opine.fcm.grants).toEqual([null]);
    expect(await triesOf(opine, told, token)).toBe(1);
    opine.fcm.answerGrants(null);
    for (const _ of [1, 2, 3]) await opine.laterOn();
    // What is asked of FCM without access would be refused.
    expect(opine.fcm.requests.map(({ message }) => message.data.notificationId)).toEqual([told.id]);
    expect(opine.fcm.taken).toHaveLength(1);
    expect(await waitingIn(opine)).toEqual(NOTHING_WAITS);
    expect(await deadLettersOf(opine, maya)).toEqual([]);
  });

  test.each(OUTAGES.slice(0, 3))(
    '%s for good, staff has the message, and may have it sent',
    async (_, answer) => {
      opine.fcm.answerGrants(answer);
      await withShortTimeouts(HASTE, async () => {
        for (let tries = 0; tries < MOST_TRIES; tries += 1) await opine.laterOn();
      });
      expect(await waitingIn(opine)).toEqual(NOTHING_WAITS);
      const letters = await deadLettersOf(opine, maya);
      expect(letters).toMatchObject([
        { notification_id: told.id, channel: 'device', failure: 'app/invalid-credential' },
      ]);
      opine.fcm.answerGrants(null);
      await requeue(opine, letters[0]);
      await opine.deliver();
      expect(opine.sentTo(token).map(({ data }) => data.notificationId)).toEqual([told.id]);
      expect(await deadLettersOf(opine, maya)).toEqual([]);
    },
  );

  test('says nothing for a while, all who wait for it are sent what is theirs when it answers', async () => {
    const tokens = [token];
    for (let count = 0; count < 4; count += 1) tokens.push(await aDeviceOf(maya));
    opine.fcm.answerGrants('hang');
    await withShortTimeouts(HASTE, () => opine.deliver());
    expect(await waitingIn(opine)).toEqual({ outbox: 0, pushes: 5 });
    // Whoever waits for the same access asks for it once.
    expect(opine.fcm.grants).toEqual([null]);
    opine.fcm.answerGrants(null);
    await opine.laterOn();
    expect(tokens.map((one) => opine.sentTo(one).map(({ data }) => data.notificationId))).toEqual(
      tokens.map(() => [told.id]),
    );
  });
});
