import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectOk, type Json } from '../support/client.ts';
import { fcmCode, googleError } from '../support/fcm.ts';
import { follow, unfollow } from '../support/graph.ts';
import { notificationsOf, requestMarkAllRead } from '../support/inbox.ts';
import { advanceTime, currentTime } from '../support/opine.ts';
import { type Person, registeredPerson, withFreshSession } from '../support/people.ts';
import {
  aDeviceOf,
  attemptCountOf,
  deadLettersOf,
  type OpineWithPush,
  queuedCounts,
  requeue,
  startOpineWithPush,
} from '../support/pushes.ts';
import { waitUntilDeleted } from '../support/worker.ts';

const DOWN = googleError(500, 'INTERNAL', 'Internal error encountered.', [fcmCode('INTERNAL')]);
const MAX_ATTEMPTS = 10;

let opine: OpineWithPush;
let maya: Person;
let follower: Person;
let token: string;
let notification: Json;

beforeAll(async () => {
  opine = await startOpineWithPush();
});

afterAll(() => opine.stop());

/** Maya has a device and a notification of a new follower. */
beforeEach(async () => {
  opine.fcm.answerAll(null);
  [maya, follower] = [await registeredPerson(opine, 'Maya'), await registeredPerson(opine)];
  token = await aDeviceOf(maya);
  await follow(follower, maya);
  [notification] = await notificationsOf(maya);
});

/** Returns the time until the waiting message is due, in milliseconds. */
async function dueInMs(): Promise<number> {
  const { rows } = await sql<{ due_at: Date }>`
    select due_at from app.pushes where notification_id = ${notification.id}`.execute(
    opine.database.superuser,
  );
  return Number(rows[0]?.due_at) - Number(await currentTime(opine));
}

/** Fails the message until it becomes a dead letter. */
async function failForGood(): Promise<void> {
  opine.fcm.answerAll(DOWN);
  await opine.publish();
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) await opine.deliverLater();
}

describe('a message that failed', () => {
  test('a failed message is retried with the same id until FCM takes one', async () => {
    opine.fcm.answer(token, DOWN, googleError(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.'), 'reset');
    await opine.deliver();
    for (const _ of [1, 2, 3, 4, 5]) await opine.deliverLater();
    const messages = opine.sentTo(token);
    expect(messages).toHaveLength(4);
    expect(messages.map(({ data }) => data.notificationId)).toEqual(Array(4).fill(notification.id));
    expect(opine.fcm.taken.filter(({ message }) => message.token === token)).toHaveLength(1);
    expect(await deadLettersOf(opine, maya)).toEqual([]);
  });

  test('the delay between attempts grows up to a limit and is jittered', async () => {
    opine.fcm.answerAll(DOWN);
    await opine.publish();
    const delays: number[] = [];
    for (let attempts = 1; attempts < MAX_ATTEMPTS; attempts += 1) {
      await opine.deliverLater();
      delays.push(await dueInMs());
    }
    const seconds = delays.map((delay) => delay / 1000);
    for (const [place, delay] of seconds.entries()) {
      const usual = Math.min(2 * 3 ** place, 900);
      expect(delay).toBeGreaterThan(usual * 0.75 - 1);
      expect(delay).toBeLessThan(usual * 1.25);
    }
    const longest = new Set(seconds.slice(-3).map((delay) => delay.toFixed(3)));
    expect(longest.size).toBe(3);
  });

  test('a failed message is not retried before it is due', async () => {
    opine.fcm.answerAll(DOWN);
    await opine.deliver();
    for (const _ of [1, 2, 3]) await opine.deliver();
    expect(opine.sentTo(token)).toHaveLength(1);
    expect(await attemptCountOf(opine, notification, token)).toBe(1);
  });

  test('a message becomes a dead letter after ten attempts', async () => {
    await failForGood();
    expect(await queuedCounts(opine)).toEqual({ outbox: 0, pushes: 0 });
    expect(await deadLettersOf(opine, maya)).toEqual([
      {
        id: expect.any(String),
        notification_id: notification.id,
        type: 'user_followed',
        recipient_id: maya.id,
        channel: 'device',
        attempt_count: MAX_ATTEMPTS,
        failure: 'INTERNAL',
        died_at: expect.any(Date),
      },
    ]);
    await opine.deliverLater();
    expect(opine.sentTo(token)).toHaveLength(MAX_ATTEMPTS);
  });

  test('a failing device does not delay other messages', async () => {
    const healthy = await aDeviceOf(maya);
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) opine.fcm.answer(token, DOWN);
    await opine.publish();
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) await opine.deliverLater();
    expect(opine.sentTo(healthy)).toHaveLength(1);
    expect(await deadLettersOf(opine, maya)).toHaveLength(1);
    await follow(await registeredPerson(opine), maya);
    await opine.deliver();
    expect(opine.sentTo(healthy)).toHaveLength(2);
    expect(opine.sentTo(token)).toHaveLength(MAX_ATTEMPTS + 1);
  });
});

describe('a claimed message that is never settled', () => {
  /** Claims the due messages and never settles them. */
  const claimAndDie = async () => {
    const { rows } = await sql<{ messages: Json[] }>`
      select messages from app.claim_pushes(100)`.execute(opine.database.superuser);
    return rows[0]?.messages.map(({ payload }) => payload.notificationId);
  };

  test('a claimed message is free for other workers after two minutes', async () => {
    await opine.publish();
    expect(await claimAndDie()).toEqual([notification.id]);
    await advanceTime(opine, '119 seconds');
    await opine.push();
    expect(opine.sentTo(token)).toEqual([]);
    await advanceTime(opine, '2 seconds');
    await opine.push();
    expect(opine.sentTo(token).map(({ data }) => data.notificationId)).toEqual([notification.id]);
  });

  test('a message claimed ten times becomes a dead letter, because it may kill its workers', async () => {
    await opine.publish();
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
      expect(await claimAndDie()).toEqual([notification.id]);
      await advanceTime(opine, '3 minutes');
    }
    expect(await claimAndDie()).toEqual([]);
    expect(await deadLettersOf(opine, maya)).toMatchObject([
      {
        notification_id: notification.id,
        channel: 'device',
        attempt_count: MAX_ATTEMPTS,
        failure: 'unsettled',
      },
    ]);
    expect(await queuedCounts(opine)).toEqual({ outbox: 0, pushes: 0 });
  });
});

describe('a dead letter', () => {
  test('a requeued dead letter is sent and disappears', async () => {
    await failForGood();
    opine.fcm.answerAll(null);
    const [letter] = await deadLettersOf(opine, maya);
    await requeue(opine, letter);
    expect(await deadLettersOf(opine, maya)).toEqual([]);
    await opine.deliver();
    const messages = opine.sentTo(token);
    expect(messages).toHaveLength(MAX_ATTEMPTS + 1);
    expect(new Set(messages.map(({ data }) => data.notificationId))).toEqual(new Set([notification.id]));
    expect(await queuedCounts(opine)).toEqual({ outbox: 0, pushes: 0 });
  });

  test('a requeued dead letter has ten attempts again', async () => {
    await failForGood();
    await requeue(opine, (await deadLettersOf(opine, maya))[0]);
    for (let attempts = 1; attempts < MAX_ATTEMPTS; attempts += 1) await opine.deliverLater();
    expect(await deadLettersOf(opine, maya)).toEqual([]);
    await opine.deliverLater();
    expect(await deadLettersOf(opine, maya)).toHaveLength(1);
  });

  test('a requeued dead letter is not sent when its notification was read meanwhile', async () => {
    await failForGood();
    opine.fcm.answerAll(null);
    await expectOk(requestMarkAllRead(await withFreshSession(opine, maya)));
    await requeue(opine, (await deadLettersOf(opine, maya))[0]);
    await opine.deliver();
    expect(opine.sentTo(token)).toHaveLength(MAX_ATTEMPTS);
    expect(await queuedCounts(opine)).toEqual({ outbox: 0, pushes: 0 });
  });

  test('a second requeue is DEAD_LETTER_NOT_FOUND and adds no audit entry', async () => {
    await failForGood();
    const [letter] = await deadLettersOf(opine, maya);
    await requeue(opine, letter);
    await expect(requeue(opine, letter)).rejects.toThrow('DEAD_LETTER_NOT_FOUND');
    const { rows } = await sql<Json>`
      select details from staff.audit_log where action = 'requeue_dead_letter'
        and details ->> 'notificationId' = ${notification.id}`.execute(opine.database.superuser);
    expect(rows).toEqual([{ details: { notificationId: notification.id } }]);
  });

  test('a dead letter is deleted with its recipient', async () => {
    await failForGood();
    await expectOk((await withFreshSession(opine, maya)).delete('/users/me'));
    await waitUntilDeleted(opine, maya.id);
    expect(await deadLettersOf(opine, maya)).toEqual([]);
  });
});

test('an unfollow does not cancel the message about the follow', async () => {
  await unfollow(follower, maya);
  await opine.deliver();
  expect(opine.sentTo(token)).toHaveLength(1);
});
