import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Json } from '../support/client.ts';
import { follow } from '../support/graph.ts';
import { notificationsOf } from '../support/inbox.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { type Person, registeredPerson } from '../support/people.ts';
import {
  type EventStream,
  eventually,
  openReadyStream,
  receivedIds,
  republish,
  signalFor,
} from '../support/streams.ts';

let opine: Opine;
let jonas: Person;
let notification: Json;
let last: Json;
let stream: EventStream;

beforeAll(async () => {
  // Without a worker, nothing but the tests publishes.
  opine = await startOpine();
  jonas = await registeredPerson(opine);
  for (const _ of [1, 2]) await follow(await registeredPerson(opine), jonas);
  [last, notification] = await notificationsOf(jonas);
  await countQueries();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  stream = await openReadyStream(opine, jonas);
});

/** Makes Postgres count the queries that authorise signals. */
async function countQueries(): Promise<void> {
  const { superuser } = opine.database;
  await sql`create sequence public.queries`.execute(superuser);
  await sql`alter function gateway.open_signals(uuid[], uuid[]) rename to counted_open_signals`.execute(
    superuser,
  );
  await sql`
    create function gateway.open_signals(p_notification_ids uuid[], p_session_ids uuid[])
    returns table (session_id uuid, notification_id uuid, signal jsonb)
    language sql volatile security definer as $$
      select nextval('public.queries');
      select * from gateway.counted_open_signals(p_notification_ids, p_session_ids);
    $$`.execute(superuser);
}

async function queryCount(): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select coalesce(pg_sequence_last_value('public.queries'), 0)::integer as count`.execute(
    opine.database.superuser,
  );
  return rows[0]?.count ?? Number.NaN;
}

/** A login that has no rights in the database, which listens and notifies on the channel of signals. */
async function anotherLogin(): Promise<{ heard: string[]; notify(payload: string): Promise<unknown> }> {
  const client = new pg.Client({ connectionString: opine.database.urlAs('opine_serializable') });
  const heard: string[] = [];
  client.on('notification', ({ payload = '' }) => heard.push(payload));
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('listen opine_signals');
  return { heard, notify: (payload) => client.query(`select pg_notify('opine_signals', $1)`, [payload]) };
}

/** Returns a genuine payload that other logins have heard, and the stream too, for the first time or again. */
async function aGenuinePayload(heard: readonly string[]): Promise<string> {
  const before = heard.length;
  const received = receivedIds(stream).length;
  await republish(opine, jonas, [notification.id]);
  await eventually(() => heard.length).toBe(before + 1);
  await eventually(() => receivedIds(stream).length).toBe(received + 1);
  return heard[before] ?? '';
}

const bytesOf = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex');

// docs/product.md N31
test('another login hears no id of a person or notification, and no payload twice', async () => {
  const { heard } = await anotherLogin();
  const payloads = [await aGenuinePayload(heard), await aGenuinePayload(heard)];
  expect(new Set(payloads).size).toBe(2);
  for (const payload of payloads) {
    for (const text of [payload, Buffer.from(payload, 'base64').toString('hex')]) {
      for (const id of [jonas.id, notification.id]) {
        expect(text).not.toContain(id);
        expect(text).not.toContain(bytesOf(id).toString('hex'));
      }
    }
  }
});

/** Seals signals with a key that is not the database's. */
async function sealedByAnotherKey(): Promise<string> {
  const plain = Buffer.concat([Buffer.alloc(8), bytesOf(jonas.id), bytesOf(notification.id)]);
  const { rows } = await sql<{ payload: string }>`
    with random as (select extensions.gen_random_bytes(32) as key, extensions.gen_random_bytes(16) as iv),
    sealed as (select key, iv || extensions.encrypt_iv(${plain}, key, iv, 'aes') as bytes from random)
    select encode(bytes || extensions.hmac(bytes, key, 'sha256'), 'base64') as payload from sealed`.execute(
    opine.database.superuser,
  );
  return rows[0]?.payload ?? '';
}

/** Returns a payload with one bit of its bytes changed. */
function changedAt(payload: string, index: number): string {
  const bytes = Buffer.from(payload, 'base64');
  bytes.writeUInt8(bytes.readUInt8(index) ^ 1, index);
  return bytes.toString('base64');
}

type Forge = (genuine: string) => string | Promise<string>;

const FORGERIES: readonly (readonly [string, Forge])[] = [
  ['the ids in clear', () => `${jonas.id} ${notification.id}`],
  ['an id of nothing', () => `${jonas.id} no-uuid`],
  ['nothing', () => ''],
  ['as many bytes as Postgres takes', () => 'A'.repeat(7_999)],
  ['fewer bytes than an authentication code', () => Buffer.alloc(31).toString('base64')],
  ['an authentication code alone', () => Buffer.alloc(32).toString('base64')],
  ['the seal of another key', sealedByAnotherKey],
  ['a changed vector', (genuine) => changedAt(genuine, 0)],
  ['a changed id', (genuine) => changedAt(genuine, 40)],
  [
    'a changed authentication code',
    (genuine) => changedAt(genuine, Buffer.from(genuine, 'base64').length - 1),
  ],
  ['a genuine payload without its last bytes', (genuine) => genuine.slice(0, -8)],
  ['a genuine payload with more bytes', (genuine) => `${genuine.replace(/=+$/, '')}AAAA`],
  ['a genuine payload again', (genuine) => genuine],
];

// docs/product.md N31
describe('a payload of another login', () => {
  test.each(FORGERIES)('that is %s ends no stream and causes no query', async (_, forge) => {
    const { heard, notify } = await anotherLogin();
    const genuine = await aGenuinePayload(heard);
    const before = await queryCount();
    await notify(await forge(genuine));
    // Payloads arrive in order, so the forged one was taken before this one.
    await republish(opine, jonas, [last.id]);
    await signalFor(stream, last);
    expect(receivedIds(stream)).toEqual([notification.id, last.id]);
    expect(await queryCount()).toBe(before + 1);
    expect(stream.ending).toBeUndefined();
  });
});
