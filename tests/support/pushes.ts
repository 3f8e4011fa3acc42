import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { createSecrets } from '../../src/auth/secrets.ts';
import { readConfig } from '../../src/config.ts';
import { openWorkerDatabase } from '../../src/db/worker-database.ts';
import { createLog } from '../../src/log.ts';
import { UNWATCHED } from '../../src/observability/watch.ts';
import { createFcm } from '../../src/push/fcm.ts';
import type { PushSender } from '../../src/push/push.ts';
import { createDispatch, type Dispatch } from '../../src/worker/dispatch.ts';
import { deliverOutbox, pushToDevices } from '../../src/worker/tasks.ts';
import { type Client, expectOk, type Json, type Reply } from './client.ts';
import type { TestDatabase } from './database.ts';
import { type FakeFcm, startFcm } from './fcm.ts';
import { advanceTime, type Opine, startOpine, testEnvironment, type WithDatabase } from './opine.ts';
import type { Person, UserRef } from './people.ts';

export function newDeviceToken(): string {
  return randomBytes(60).toString('base64url');
}

export function registerDevice(
  person: Client,
  token: unknown,
  platform: unknown = 'android',
): Promise<Reply> {
  return person.post('/notifications/device-tokens', { token, platform });
}

/** Registers `count` devices, one second apart. Returns their tokens in that order. */
export async function registerDevices(opine: Opine, person: Client, count: number): Promise<string[]> {
  const tokens = Array.from({ length: count }, newDeviceToken);
  for (const token of tokens) {
    await expectOk(registerDevice(person, token));
    await advanceTime(opine, '1 second');
  }
  return tokens;
}

export function unregisterDevice(person: Client, token: unknown): Promise<Reply> {
  return person.send('DELETE', '/notifications/device-tokens', JSON.stringify({ token }), {
    headers: { 'content-type': 'application/json' },
  });
}

export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Returns the id of the user of a device. */
export async function deviceOwner({ database }: Opine, token: string): Promise<string | undefined> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from app.device_tokens where token_hash = ${tokenHash(token)}
  `.execute(database.superuser);
  return rows[0]?.user_id;
}

/** Returns those of `tokens` that are registered for the user. */
export async function registeredTokens(
  { database }: Opine,
  userId: string,
  tokens: string[],
): Promise<string[]> {
  const { rows } = await sql<{ token_hash: Buffer }>`
    select token_hash from app.device_tokens where user_id = ${userId}
  `.execute(database.superuser);
  const kept = new Set(rows.map(({ token_hash }) => token_hash.toString('hex')));
  return tokens.filter((token) => kept.has(tokenHash(token).toString('hex')));
}

/** An Opine with a fake FCM, whose outbox is processed only on request. */
export interface OpineWithPush extends Opine {
  readonly fcm: FakeFcm;
  /** Publishes the outbox: sends stream signals and queues pushes. */
  publish(): Promise<void>;
  /** Sends due pushes. */
  push(): Promise<void>;
  /** Publishes and pushes. */
  deliver(): Promise<void>;
  /** Delivers after all retries are due. */
  deliverLater(): Promise<void>;
  sentTo(token: string): Json[];
}

const NEVER = new AbortController().signal;
const STEPS = ['app.deliver_outbox(uuid, integer, integer)', 'app.claim_pushes(integer)'];

/** Starts an Opine whose worker delivers nothing; `stop` stops it and its FCM. */
export async function startOpineWithPush(): Promise<OpineWithPush> {
  const opine = await startOpine();
  const fcm = await startFcm();
  const { database } = opine;
  await pauseDelivery(database);
  const db = openWorkerDatabase(database.superuserUrl, () => {});
  const sender = createFcm(fcm.account, fcm.agent());
  const dispatch = dispatchOf(database, db, sender);
  // A new task sweeps the whole outbox.
  const publish = (by: Dispatch | null) => deliverOutbox(db, by).run(NEVER);
  const push = () => pushToDevices(db, dispatch).run(NEVER);
  const deliver = async () => {
    await publish(dispatch);
    await push();
    await dispatch.idle();
  };
  return {
    ...opine,
    fcm,
    publish: () => publish(null),
    push,
    deliver,
    deliverLater: async () => {
      await advanceTime(opine, '20 minutes');
      await deliver();
    },
    sentTo: (token) => sentTo(fcm, token),
    stop: async () => {
      await sender.close();
      await db.destroy();
      await opine.stop();
      await fcm.close();
    },
  };
}

/** Returns all messages to a device, whatever FCM answered. */
export function sentTo(fcm: FakeFcm, token: string): Json[] {
  return fcm.requests.map(({ message }) => message).filter((message) => message.token === token);
}

/** Creates the push dispatch of a server on `database`. */
export function dispatchOf(
  database: TestDatabase,
  db: ReturnType<typeof openWorkerDatabase>,
  sender: PushSender | null,
): Dispatch {
  const secrets = createSecrets(readConfig(testEnvironment(database)).HASH_SECRET);
  return createDispatch(db, sender, secrets, createLog('silent'), UNWATCHED.meters);
}

/** Stops the workers on `database` from delivering. */
export async function pauseDelivery({ superuser }: TestDatabase): Promise<void> {
  for (const step of STEPS)
    await sql.raw(`revoke execute on function ${step} from opine_worker`).execute(superuser);
}

export async function resumeDelivery({ superuser }: TestDatabase): Promise<void> {
  for (const step of STEPS)
    await sql.raw(`grant execute on function ${step} to opine_worker`).execute(superuser);
}

/** Registers a device. Returns its token. */
export async function aDeviceOf(owner: Person, platform = 'android'): Promise<string> {
  const token = newDeviceToken();
  await expectOk(registerDevice(owner, token, platform));
  return token;
}

/** Counts unpublished notifications, and pushes that wait or are in progress. */
export async function queuedCounts({ database }: WithDatabase): Promise<{ outbox: number; pushes: number }> {
  const { rows } = await sql<{ outbox: number; pushes: number }>`
    select
      (select count(*)::integer from app.outbox) as outbox,
      (select count(*)::integer from app.pushes)
        + (select coalesce(sum(cardinality(l.notification_ids)), 0)::integer from app.push_leases as l) as pushes
  `.execute(database.superuser);
  return rows[0] ?? { outbox: Number.NaN, pushes: Number.NaN };
}

/** Returns the dead letters of `recipient` as staff see them. */
export async function deadLettersOf({ database }: WithDatabase, { id }: UserRef): Promise<Json[]> {
  const { rows } = await sql<Json>`
    select * from staff.dead_letters where recipient_id = ${id} order by died_at, id
  `.execute(database.superuser);
  return rows;
}

/** Sends a dead letter again, as staff do. */
export async function requeue({ database }: WithDatabase, { id }: Json): Promise<void> {
  await sql`select staff.requeue_dead_letter(${id})`.execute(database.superuser);
}

/** Returns the attempts of a pending push. */
export async function attemptCountOf(
  { database }: WithDatabase,
  { id }: Pick<Json, 'id'>,
  token: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ attempt_count: number }>`
    select attempt_count from app.pushes where notification_id = ${id} and token_hash = ${tokenHash(token)}
  `.execute(database.superuser);
  return rows[0]?.attempt_count;
}
