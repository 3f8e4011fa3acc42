import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Json } from '../support/client.ts';
import { googleError } from '../support/fcm.ts';
import { follow } from '../support/graph.ts';
import { notificationsOf } from '../support/inbox.ts';
import type { FakeAnswer } from '../support/loopback.ts';
import { withShortTimeouts } from '../support/outages.ts';
import { type Person, registeredPerson } from '../support/people.ts';
import {
  aDeviceOf,
  attemptCountOf,
  deadLettersOf,
  type OpineWithPush,
  queuedCounts,
  requeue,
  startOpineWithPush,
} from '../support/pushes.ts';

const MAX_ATTEMPTS = 10;
/** Divisor of the access timeouts: ten seconds become a tenth of one. */
const TIMEOUT_DIVISOR = 100;
const NOTHING_WAITS = { outbox: 0, pushes: 0 };

const OUTAGES: readonly [string, FakeAnswer][] = [
  ['does not answer', 'hang'],
  ['resets the connection', 'reset'],
  ['cuts its answer', 'cut'],
  ['answers 429', googleError(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.')],
  ['answers 500', { status: 500, body: { error: 'internal_failure' } }],
  ['answers 503', { status: 503, body: '<html>' }],
  ['answers HTML', { status: 200, body: '<html>' }],
  ['answers an empty body', { status: 200, body: '' }],
  ['answers without a token', { status: 200, body: { token_type: 'Bearer', expires_in: 3599 } }],
  ['answers invalid_grant', { status: 400, body: { error: 'invalid_grant' } }],
];

/** Started for each test, so that no sender has access yet. */
let opine: OpineWithPush;
let maya: Person;
let token: string;
let notification: Json;

beforeEach(async () => {
  opine = await startOpineWithPush();
  onTestFinished(() => opine.stop());
  maya = await registeredPerson(opine, 'Maya');
  token = await aDeviceOf(maya);
  await follow(await registeredPerson(opine), maya);
  [notification] = await notificationsOf(maya);
});

describe('an outage of the token endpoint', () => {
  test.each(OUTAGES)(
    'a message waits while the token endpoint %s, and arrives once afterwards',
    async (_, answer) => {
      opine.fcm.answerGrants(answer);
      await withShortTimeouts(TIMEOUT_DIVISOR, () => opine.deliver());
      expect(opine.fcm.grants).toEqual([null]);
      expect(await attemptCountOf(opine, notification, token)).toBe(1);
      opine.fcm.answerGrants(null);
      for (const _ of [1, 2, 3]) await opine.deliverLater();
      // No request went to FCM without access.
      expect(opine.fcm.requests.map(({ message }) => message.data.notificationId)).toEqual([notification.id]);
      expect(opine.fcm.taken).toHaveLength(1);
      expect(await queuedCounts(opine)).toEqual(NOTHING_WAITS);
      expect(await deadLettersOf(opine, maya)).toEqual([]);
    },
  );

  test.each(OUTAGES.slice(0, 3))(
    'a message becomes a dead letter that staff can requeue when the token endpoint %s ten times',
    async (_, answer) => {
      opine.fcm.answerGrants(answer);
      await withShortTimeouts(TIMEOUT_DIVISOR, async () => {
        for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) await opine.deliverLater();
      });
      expect(await queuedCounts(opine)).toEqual(NOTHING_WAITS);
      const letters = await deadLettersOf(opine, maya);
      expect(letters).toMatchObject([
        { notification_id: notification.id, channel: 'device', failure: 'app/invalid-credential' },
      ]);
      opine.fcm.answerGrants(null);
      await requeue(opine, letters[0]);
      await opine.deliver();
      expect(opine.sentTo(token).map(({ data }) => data.notificationId)).toEqual([notification.id]);
      expect(await deadLettersOf(opine, maya)).toEqual([]);
    },
  );

  test('five devices share one access request and get the message after the outage', async () => {
    const tokens = [token];
    for (let count = 0; count < 4; count += 1) tokens.push(await aDeviceOf(maya));
    opine.fcm.answerGrants('hang');
    await withShortTimeouts(TIMEOUT_DIVISOR, () => opine.deliver());
    expect(await queuedCounts(opine)).toEqual({ outbox: 0, pushes: 5 });
    // All waiting messages share one access request.
    expect(opine.fcm.grants).toEqual([null]);
    opine.fcm.answerGrants(null);
    await opine.deliverLater();
    expect(tokens.map((one) => opine.sentTo(one).map(({ data }) => data.notificationId))).toEqual(
      tokens.map(() => [notification.id]),
    );
  });
});
