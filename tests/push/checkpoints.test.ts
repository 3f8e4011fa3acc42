import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../support/client.ts';
import { fcmCode, googleError } from '../support/fcm.ts';
import { follow } from '../support/graph.ts';
import { notificationsOf } from '../support/inbox.ts';
import { aRegistered, type Person } from '../support/people.ts';
import {
  aDeviceOf,
  deadLettersOf,
  type PushingOpine,
  requeue,
  startPushingOpine,
  waitingIn,
} from '../support/pushes.ts';

const MOST_TRIES = 10;
const DOWN = googleError(500, 'INTERNAL', 'Internal error encountered.', [fcmCode('INTERNAL')]);

let opine: PushingOpine;
let maya: Person;
let jonas: Person;
let token: string;

beforeAll(async () => {
  opine = await startPushingOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [maya, jonas] = [await aRegistered(opine, 'Maya'), await aRegistered(opine, 'Jonas')];
  token = await aDeviceOf(maya);
});

afterEach(async () => {
  opine.fcm.answerAll(null);
  await sql`drop trigger if exists refused_by_test on realtime.messages`.execute(opine.database.superuser);
});

/** Supabase Realtime takes nothing for that person. */
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

/** What Realtime has told a person, by ids of notifications. */
async function streamedTo({ id }: Person): Promise<string[]> {
  const { rows } = await sql<Json>`
    select payload ->> 'notificationId' as id from realtime.messages where topic = ${`user:${id}`}`.execute(
    opine.database.superuser,
  );
  return rows.map((row) => row.id);
}

async function bothAreFollowed(): Promise<void> {
  await follow(await aRegistered(opine), maya, jonas);
}

const idsTold = async (person: Person) => (await notificationsOf(person)).map(({ id }) => id);

describe('a stream that cannot be told', () => {
  test('keeps nobody else from being told', async () => {
    await realtimeRefuses(maya);
    await bothAreFollowed();
    await opine.deliver();
    expect(await streamedTo(jonas)).toEqual(await idsTold(jonas));
    expect(await streamedTo(maya)).toEqual([]);
    expect(await waitingIn(opine)).toMatchObject({ outbox: 1 });
  });

  test('is told later', async () => {
    await realtimeRefuses(maya);
    await bothAreFollowed();
    await opine.deliver();
    const ids = await idsTold(maya);
    await sql`drop trigger refused_by_test on realtime.messages`.execute(opine.database.superuser);
    await opine.laterOn();
    expect(await streamedTo(maya)).toEqual(ids);
    expect(await waitingIn(opine)).toEqual({ outbox: 0, pushes: 0 });
    expect(opine.sentTo(token)).toHaveLength(1);
  });

  test('is left to staff after ten times, who may have it told once more', async () => {
    await realtimeRefuses(maya);
    await bothAreFollowed();
    for (let tries = 0; tries < MOST_TRIES; tries += 1) await opine.laterOn();
    expect(await waitingIn(opine)).toEqual({ outbox: 0, pushes: 0 });
    const letters = await deadLettersOf(opine, maya);
    expect(letters).toMatchObject([
      { type: 'user_followed', channel: 'stream', attempt_count: MOST_TRIES, failure: '53100' },
    ]);
    await sql`drop trigger refused_by_test on realtime.messages`.execute(opine.database.superuser);
    await requeue(opine, letters[0]);
    await opine.deliver();
    expect(await streamedTo(maya)).toHaveLength(1);
    expect(await deadLettersOf(opine, maya)).toEqual([]);
  });

  // docs/product.md N15: independent checkpoints for the stream and for each device.
  test('keeps no message from a device', async () => {
    await realtimeRefuses(maya);
    await bothAreFollowed();
    await opine.deliver();
    expect(opine.sentTo(token)).toHaveLength(1);
  });
});

test('a device that cannot be reached keeps nothing from the stream', async () => {
  opine.fcm.answerAll(DOWN);
  await bothAreFollowed();
  await opine.deliver();
  expect(await streamedTo(maya)).toEqual(await idsTold(maya));
  for (let tries = 0; tries < MOST_TRIES; tries += 1) await opine.laterOn();
  expect(await streamedTo(maya)).toHaveLength(1);
  expect((await deadLettersOf(opine, maya)).map(({ channel }) => channel)).toEqual(['device']);
});

test('a device gets a message once, whatever becomes of the stream', async () => {
  await realtimeRefuses(maya);
  await bothAreFollowed();
  for (let tries = 0; tries < MOST_TRIES; tries += 1) await opine.laterOn();
  await sql`drop trigger refused_by_test on realtime.messages`.execute(opine.database.superuser);
  await requeue(opine, (await deadLettersOf(opine, maya))[0]);
  await opine.deliver();
  expect(opine.sentTo(token)).toHaveLength(1);
});
