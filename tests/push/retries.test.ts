import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { untilGone } from '../support/account-deletions.ts';
import type { Json } from '../support/client.ts';
import { timeIn, timePasses } from '../support/clock.ts';
import { fcmCode, googleError } from '../support/fcm.ts';
import { follow, granted, unfollow } from '../support/graph.ts';
import { notificationsOf, requestMarkAllRead } from '../support/inbox.ts';
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
import { signedInAgain } from '../support/uploads.ts';

const DOWN = googleError(500, 'INTERNAL', 'Internal error encountered.', [fcmCode('INTERNAL')]);
const MOST_TRIES = 10;

let opine: PushingOpine;
let maya: Person;
let follower: Person;
let token: string;
let told: Json;

beforeAll(async () => {
  opine = await startPushingOpine();
});

afterAll(() => opine.stop());

/** Maya has a device and is told that somebody follows her. */
beforeEach(async () => {
  opine.fcm.answerAll(null);
  [maya, follower] = [await aRegistered(opine, 'Maya'), await aRegistered(opine)];
  token = await aDeviceOf(maya);
  await follow(follower, maya);
  [told] = await notificationsOf(maya);
});

/** When what waits is due, in milliseconds from now. */
async function restOf(): Promise<number> {
  const { rows } = await sql<{ due_at: Date }>`
    select due_at from app.pushes where notification_id = ${told.id}`.execute(opine.database.superuser);
  return Number(rows[0]?.due_at) - Number(await timeIn(opine));
}

/** It fails until it is given up. */
async function fail(): Promise<void> {
  opine.fcm.answerAll(DOWN);
  await opine.publish();
  for (let tries = 0; tries < MOST_TRIES; tries += 1) await opine.laterOn();
}

describe('a message that failed', () => {
  test('is sent later, once, with the same id', async () => {
    opine.fcm.answer(token, DOWN, googleError(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.'), 'reset');
    await opine.deliver();
    for (const _ of [1, 2, 3, 4, 5]) await opine.laterOn();
    const messages = opine.sentTo(token);
    expect(messages).toHaveLength(4);
    expect(messages.map(({ data }) => data.notificationId)).toEqual(Array(4).fill(told.id));
    expect(opine.fcm.taken.filter(({ message }) => message.token === token)).toHaveLength(1);
    expect(await deadLettersOf(opine, maya)).toEqual([]);
  });

  test('rests before it is tried again, longer each time and never quite as long', async () => {
    opine.fcm.answerAll(DOWN);
    await opine.publish();
    const rests: number[] = [];
    for (let tries = 1; tries < MOST_TRIES; tries += 1) {
      await opine.laterOn();
      rests.push(await restOf());
    }
    const seconds = rests.map((rest) => rest / 1000);
    for (const [place, rest] of seconds.entries()) {
      const usual = Math.min(2 * 3 ** place, 900);
      expect(rest).toBeGreaterThan(usual * 0.75 - 1);
      expect(rest).toBeLessThan(usual * 1.25);
    }
    const atMost = new Set(seconds.slice(-3).map((rest) => rest.toFixed(3)));
    expect(atMost.size).toBe(3);
  });

  test('is not tried before it is due', async () => {
    opine.fcm.answerAll(DOWN);
    await opine.deliver();
    for (const _ of [1, 2, 3]) await opine.deliver();
    expect(opine.sentTo(token)).toHaveLength(1);
    expect(await triesOf(opine, told, token)).toBe(1);
  });

  test('is tried ten times, and then left to staff', async () => {
    await fail();
    expect(await waitingIn(opine)).toEqual({ outbox: 0, pushes: 0 });
    expect(await deadLettersOf(opine, maya)).toEqual([
      {
        id: expect.any(String),
        notification_id: told.id,
        type: 'user_followed',
        recipient_id: maya.id,
        channel: 'device',
        attempt_count: MOST_TRIES,
        failure: 'INTERNAL',
        died_at: expect.any(Date),
      },
    ]);
    await opine.laterOn();
    expect(opine.sentTo(token)).toHaveLength(MOST_TRIES);
  });

  test('keeps nothing else back', async () => {
    const healthy = await aDeviceOf(maya);
    for (let tries = 0; tries < MOST_TRIES; tries += 1) opine.fcm.answer(token, DOWN);
    await opine.publish();
    for (let tries = 0; tries < MOST_TRIES; tries += 1) await opine.laterOn();
    expect(opine.sentTo(healthy)).toHaveLength(1);
    expect(await deadLettersOf(opine, maya)).toHaveLength(1);
    await follow(await aRegistered(opine), maya);
    await opine.deliver();
    expect(opine.sentTo(healthy)).toHaveLength(2);
    expect(opine.sentTo(token)).toHaveLength(MOST_TRIES + 1);
  });
});

describe('a message that whoever took it never settled', () => {
  /** A worker takes what is due, and dies. */
  const takeAndDie = async () => {
    const { rows } = await sql<{ messages: Json[] }>`
      select messages from app.claim_pushes(100)`.execute(opine.database.superuser);
    return rows[0]?.messages.map(({ payload }) => payload.notificationId);
  };

  test('is taken by nobody else for two minutes, and then by whoever comes', async () => {
    await opine.publish();
    expect(await takeAndDie()).toEqual([told.id]);
    await timePasses(opine, '119 seconds');
    await opine.push();
    expect(opine.sentTo(token)).toEqual([]);
    await timePasses(opine, '2 seconds');
    await opine.push();
    expect(opine.sentTo(token).map(({ data }) => data.notificationId)).toEqual([told.id]);
  });

  test('ten times is left to staff: it may be what kills them', async () => {
    await opine.publish();
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      expect(await takeAndDie()).toEqual([told.id]);
      await timePasses(opine, '3 minutes');
    }
    expect(await takeAndDie()).toEqual([]);
    expect(await deadLettersOf(opine, maya)).toMatchObject([
      { notification_id: told.id, channel: 'device', attempt_count: MOST_TRIES, failure: 'unsettled' },
    ]);
    expect(await waitingIn(opine)).toEqual({ outbox: 0, pushes: 0 });
  });
});

describe('a dead letter', () => {
  test('that staff requeues is sent, and is gone', async () => {
    await fail();
    opine.fcm.answerAll(null);
    const [letter] = await deadLettersOf(opine, maya);
    await requeue(opine, letter);
    expect(await deadLettersOf(opine, maya)).toEqual([]);
    await opine.deliver();
    const messages = opine.sentTo(token);
    expect(messages).toHaveLength(MOST_TRIES + 1);
    expect(new Set(messages.map(({ data }) => data.notificationId))).toEqual(new Set([told.id]));
    expect(await waitingIn(opine)).toEqual({ outbox: 0, pushes: 0 });
  });

  test('that is requeued has as many tries as a new one', async () => {
    await fail();
    await requeue(opine, (await deadLettersOf(opine, maya))[0]);
    for (let tries = 1; tries < MOST_TRIES; tries += 1) await opine.laterOn();
    expect(await deadLettersOf(opine, maya)).toEqual([]);
    await opine.laterOn();
    expect(await deadLettersOf(opine, maya)).toHaveLength(1);
  });

  test('that is requeued is looked at again: what was read meanwhile is not sent', async () => {
    await fail();
    opine.fcm.answerAll(null);
    await granted(requestMarkAllRead(await signedInAgain(opine, maya)));
    await requeue(opine, (await deadLettersOf(opine, maya))[0]);
    await opine.deliver();
    expect(opine.sentTo(token)).toHaveLength(MOST_TRIES);
    expect(await waitingIn(opine)).toEqual({ outbox: 0, pushes: 0 });
  });

  test('is requeued once, and staff is told so the second time', async () => {
    await fail();
    const [letter] = await deadLettersOf(opine, maya);
    await requeue(opine, letter);
    await expect(requeue(opine, letter)).rejects.toThrow('DEAD_LETTER_NOT_FOUND');
    const { rows } = await sql<Json>`
      select details from staff.audit_log where action = 'requeue_dead_letter'
        and details ->> 'notificationId' = ${told.id}`.execute(opine.database.superuser);
    expect(rows).toEqual([{ details: { notificationId: told.id } }]);
  });

  test('goes with its recipient', async () => {
    await fail();
    await granted((await signedInAgain(opine, maya)).delete('/users/me'));
    await untilGone(opine, maya.id);
    expect(await deadLettersOf(opine, maya)).toEqual([]);
  });
});

test('what is no longer followed is still told: it happened', async () => {
  await unfollow(follower, maya);
  await opine.deliver();
  expect(opine.sentTo(token)).toHaveLength(1);
});
