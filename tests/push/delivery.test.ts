import { sql } from 'kysely';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { openWorkerDatabase } from '../../src/db/worker-database.ts';
import { createFcm } from '../../src/push/fcm.ts';
import type { Dispatch } from '../../src/worker/dispatch.ts';
import { deliverOutbox, pushToDevices } from '../../src/worker/tasks.ts';
import { expectOk, type Json } from '../support/client.ts';
import { fcmCode, googleError } from '../support/fcm.ts';
import { follow, unfollow } from '../support/graph.ts';
import { notificationsOf } from '../support/inbox.ts';
import { type Person, registeredPerson, withFreshSession } from '../support/people.ts';
import {
  aDeviceOf,
  deadLettersOf,
  dispatchOf,
  type OpineWithPush,
  queuedCounts,
  requeue,
  startOpineWithPush,
} from '../support/pushes.ts';
import { waitUntilDeleted } from '../support/worker.ts';

const NEVER = new AbortController().signal;
const MAX_ATTEMPTS = 10;
const DOWN = googleError(500, 'INTERNAL', 'Internal error encountered.', [fcmCode('INTERNAL')]);

let opine: OpineWithPush;
let maya: Person;
let jonas: Person;
let token: string;

beforeAll(async () => {
  opine = await startOpineWithPush();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [maya, jonas] = [await registeredPerson(opine, 'Maya'), await registeredPerson(opine, 'Jonas')];
  token = await aDeviceOf(maya);
});

afterEach(async () => {
  opine.fcm.answerAll(null);
  await sql`drop trigger if exists refused_by_test on realtime.messages`.execute(opine.database.superuser);
});

/** Runs `use` with a worker of its own while FCM does not answer; FCM answers at the end. */
async function whileFcmIsSilent(
  use: (worker: { dispatch: Dispatch; publish: () => Promise<void>; push: () => void }) => Promise<void>,
): Promise<void> {
  const { promise: answered, resolve } = Promise.withResolvers<null>();
  opine.fcm.answerAll(answered);
  const db = openWorkerDatabase(opine.database.superuserUrl, () => {});
  const sender = createFcm(opine.fcm.account, opine.fcm.agent());
  const dispatch = dispatchOf(opine.database, db, sender);
  const underWay: Promise<void>[] = [];
  try {
    await use({
      dispatch,
      publish: () => deliverOutbox(db, dispatch).run(NEVER),
      push: () => {
        underWay.push(pushToDevices(db, dispatch).run(NEVER));
      },
    });
  } finally {
    resolve(null);
    await Promise.all([dispatch.idle(), ...underWay]);
    opine.fcm.answerAll(null);
    await sender.close();
    await db.destroy();
  }
}

/** Notifies a person with a device and returns its token. */
async function aNotifiedDevice(): Promise<string> {
  const maya = await registeredPerson(opine, 'Maya');
  const token = await aDeviceOf(maya);
  await follow(await registeredPerson(opine), maya);
  return token;
}

// docs/product.md N15
test('publication does not wait for devices and starts the push messages at once', async () => {
  await whileFcmIsSilent(async ({ dispatch, publish }) => {
    const room = dispatch.room();
    for (const number of [1, 2]) {
      const token = await aNotifiedDevice();
      await publish();
      expect(await queuedCounts(opine)).toEqual({ outbox: 0, pushes: number });
      await expect.poll(() => opine.sentTo(token).length).toBe(1);
      expect(dispatch.room()).toBe(room - number);
    }
  });
  expect(await queuedCounts(opine)).toEqual({ outbox: 0, pushes: 0 });
});

test('a worker that waits for FCM leaves new messages to other workers', async () => {
  await whileFcmIsSilent(async ({ publish, push }) => {
    const first = await aNotifiedDevice();
    await publish();
    await expect.poll(() => opine.sentTo(first).length).toBe(1);
    const other = await aNotifiedDevice();
    await opine.publish();
    push();
    // By now this worker would have claimed the message.
    await publish();
    opine.fcm.answerAll(null);
    await opine.push();
    expect(opine.sentTo(other)).toHaveLength(1);
    expect(await queuedCounts(opine)).toEqual({ outbox: 0, pushes: 1 });
  });
});

test('a device gets a message once although Postgres refuses to record its result at first', async () => {
  await deletionFailsOnce('app.push_leases');
  const token = await aNotifiedDevice();
  await opine.deliver();
  expect(await queuedCounts(opine)).toEqual({ outbox: 0, pushes: 0 });
  await opine.deliverLater();
  expect(opine.sentTo(token)).toHaveLength(1);
});

/** Makes the next deletion of a row of `table` fail, until the test ends. */
async function deletionFailsOnce(table: string): Promise<void> {
  const { superuser } = opine.database;
  await sql`create sequence public.deletions_of_test`.execute(superuser);
  await sql`
    create function public.fail_once_of_test() returns trigger language plpgsql security definer as $$
    begin
      -- A sequence keeps its value when the transaction fails.
      if nextval('public.deletions_of_test') = 1 then
        raise exception 'refused' using errcode = '53100';
      end if;
      return old;
    end $$`.execute(superuser);
  await sql`
    create trigger fail_once_of_test before delete on ${sql.table(table)}
    for each row execute function public.fail_once_of_test()`.execute(superuser);
  onTestFinished(async () => {
    await sql`drop function public.fail_once_of_test cascade`.execute(superuser);
    await sql`drop sequence public.deletions_of_test`.execute(superuser);
  });
}

test('a worker sweeps the whole outbox every five seconds, and looks at new rows alone in between', async () => {
  const { superuser, superuserUrl } = opine.database;
  const db = openWorkerDatabase(superuserUrl, () => {});
  onTestFinished(() => db.destroy());
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const task = deliverOutbox(db, null);
  await task.run(NEVER);
  for (const _ of [1, 2]) {
    // The row of a notification of an hour ago, whose signal was postponed.
    await sql`
      insert into app.outbox (notification_id, due_at)
      values (app.first_id_at(clock_timestamp() - interval '1 hour'), app.now())`.execute(superuser);
    vi.advanceTimersByTime(4_900);
    await task.run(NEVER);
    expect(await queuedCounts(opine)).toEqual({ outbox: 1, pushes: 0 });
    vi.advanceTimersByTime(100);
    await task.run(NEVER);
    expect(await queuedCounts(opine)).toEqual({ outbox: 0, pushes: 0 });
  }
});

/** Makes Supabase Realtime refuse the signals of a person. */
async function realtimeRefuses({ id }: Person): Promise<void> {
  const { superuser } = opine.database;
  await sql`
    create or replace function realtime.refused_by_test() returns trigger language plpgsql as $$
    begin
      raise exception 'refused' using errcode = '53100';
    end $$`.execute(superuser);
  await sql
    .raw(`
      create trigger refused_by_test before insert on realtime.messages
      for each row when (new.topic = 'user:${id}') execute function realtime.refused_by_test()`)
    .execute(superuser);
}

/** Returns the ids of the notifications that Realtime signalled to a person. */
async function streamedTo({ id }: Person): Promise<string[]> {
  const { rows } = await sql<Json>`
    select payload ->> 'notificationId' as id from realtime.messages where topic = ${`user:${id}`}`.execute(
    opine.database.superuser,
  );
  return rows.map((row) => row.id);
}

async function followBoth(): Promise<void> {
  await follow(await registeredPerson(opine), maya, jonas);
}

const notificationIdsOf = async (person: Person) => (await notificationsOf(person)).map(({ id }) => id);

describe('a stream that refuses signals', () => {
  test('a refused signal is retried', async () => {
    await realtimeRefuses(maya);
    await followBoth();
    await opine.deliver();
    const ids = await notificationIdsOf(maya);
    await sql`drop trigger refused_by_test on realtime.messages`.execute(opine.database.superuser);
    await opine.deliverLater();
    expect(await streamedTo(maya)).toEqual(ids);
    expect(await queuedCounts(opine)).toEqual({ outbox: 0, pushes: 0 });
    expect(opine.sentTo(token)).toHaveLength(1);
  });

  test('a signal refused ten times becomes a dead letter that staff can requeue', async () => {
    await realtimeRefuses(maya);
    await followBoth();
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) await opine.deliverLater();
    expect(await queuedCounts(opine)).toEqual({ outbox: 0, pushes: 0 });
    const letters = await deadLettersOf(opine, maya);
    expect(letters).toMatchObject([
      { type: 'user_followed', channel: 'stream', attempt_count: MAX_ATTEMPTS, failure: '53100' },
    ]);
    await sql`drop trigger refused_by_test on realtime.messages`.execute(opine.database.superuser);
    await requeue(opine, letters[0]);
    await opine.deliver();
    expect(await streamedTo(maya)).toHaveLength(1);
    expect(await deadLettersOf(opine, maya)).toEqual([]);
  });
});

// docs/product.md N15
test('an unreachable device neither delays nor repeats the stream signal', async () => {
  opine.fcm.answerAll(DOWN);
  await followBoth();
  await opine.deliver();
  expect(await streamedTo(maya)).toEqual(await notificationIdsOf(maya));
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) await opine.deliverLater();
  expect(await streamedTo(maya)).toHaveLength(1);
  expect((await deadLettersOf(opine, maya)).map(({ channel }) => channel)).toEqual(['device']);
});

describe('a message about a new follower', () => {
  let notification: Json;

  beforeEach(async () => {
    await follow(jonas, maya);
    [notification] = await notificationsOf(maya);
  });

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

    // docs/product.md N20
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

    test('a dead letter is deleted with its recipient', async () => {
      await failForGood();
      await expectOk((await withFreshSession(opine, maya)).delete('/users/me'));
      await waitUntilDeleted(opine, maya.id);
      expect(await deadLettersOf(opine, maya)).toEqual([]);
    });
  });

  test('an unfollow does not cancel the message about the follow', async () => {
    await unfollow(jonas, maya);
    await opine.deliver();
    expect(opine.sentTo(token)).toHaveLength(1);
  });
});
