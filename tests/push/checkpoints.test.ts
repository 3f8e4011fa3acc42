import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../support/client.ts';
import { fcmCode, googleError } from '../support/fcm.ts';
import { follow } from '../support/graph.ts';
import { notificationsOf } from '../support/inbox.ts';
import { type Person, registeredPerson } from '../support/people.ts';
import {
  aDeviceOf,
  deadLettersOf,
  type OpineWithPush,
  queuedCounts,
  requeue,
  startOpineWithPush,
} from '../support/pushes.ts';

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
  test('a refused signal does not delay the signals of other people', async () => {
    await realtimeRefuses(maya);
    await followBoth();
    await opine.deliver();
    expect(await streamedTo(jonas)).toEqual(await notificationIdsOf(jonas));
    expect(await streamedTo(maya)).toEqual([]);
    expect(await queuedCounts(opine)).toMatchObject({ outbox: 1 });
  });

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

  // docs/product.md N15: independent checkpoints for the stream and for each device.
  test('a refused signal does not delay the message to a device', async () => {
    await realtimeRefuses(maya);
    await followBoth();
    await opine.deliver();
    expect(opine.sentTo(token)).toHaveLength(1);
  });
});

test('an unreachable device neither delays nor repeats the stream signal', async () => {
  opine.fcm.answerAll(DOWN);
  await followBoth();
  await opine.deliver();
  expect(await streamedTo(maya)).toEqual(await notificationIdsOf(maya));
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) await opine.deliverLater();
  expect(await streamedTo(maya)).toHaveLength(1);
  expect((await deadLettersOf(opine, maya)).map(({ channel }) => channel)).toEqual(['device']);
});

test('a device gets a message once while its stream signal is retried', async () => {
  await realtimeRefuses(maya);
  await followBoth();
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) await opine.deliverLater();
  await sql`drop trigger refused_by_test on realtime.messages`.execute(opine.database.superuser);
  await requeue(opine, (await deadLettersOf(opine, maya))[0]);
  await opine.deliver();
  expect(opine.sentTo(token)).toHaveLength(1);
});
