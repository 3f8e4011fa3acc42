import { sql } from 'kysely';
import { createSecrets } from '../../src/auth/secrets.ts';
import { readConfig } from '../../src/config.ts';
import { openWorkerDatabase } from '../../src/db/worker-database.ts';
import { createLog } from '../../src/log.ts';
import { UNWATCHED } from '../../src/observability/watch.ts';
import { createFcm } from '../../src/push/fcm.ts';
import type { PushSender } from '../../src/push/push.ts';
import { createDispatch, type Dispatch } from '../../src/worker/dispatch.ts';
import { publishSignals, pushToDevices } from '../../src/worker/tasks.ts';
import type { Json } from './client.ts';
import { timePasses } from './clock.ts';
import type { TestDatabase } from './database.ts';
import { aDeviceToken, hashOf, register } from './devices.ts';
import { type FakeFcm, startFcm } from './fcm.ts';
import { granted } from './graph.ts';
import { type Opine, startOpine, testEnvironment } from './opine.ts';
import type { Person } from './people.ts';

/** An Opine whose outbox rests until somebody says so, and the played FCM that takes its pushes. */
export interface PushingOpine extends Opine {
  readonly fcm: FakeFcm;
  /** What lies in the outbox is published: the stream is told, and pushes wait. */
  publish(): Promise<void>;
  /** What waits for devices is sent, as far as it is due. */
  push(): Promise<void>;
  /** Both. */
  deliver(): Promise<void>;
  /** The same, after so long that everything that rests is due again. */
  laterOn(): Promise<void>;
  /** The messages that FCM was asked to send to a device, whatever it answered. */
  sentTo(token: string): Json[];
}

const NEVER = new AbortController().signal;
const STEPS = ['app.publish_signals(uuid, integer, integer)', 'app.claim_pushes(integer)'];

/** Starts an Opine whose worker delivers nothing by itself. Stopped by its `stop`, with its FCM. */
export async function startPushingOpine(): Promise<PushingOpine> {
  const opine = await startOpine();
  const fcm = await startFcm();
  const { database } = opine;
  await deliveryRests(database);
  const db = openWorkerDatabase(database.superuserUrl, () => {});
  const sender = createFcm(fcm.account, fcm.agent());
  const dispatch = dispatchOf(database, db, sender);
  // A new task sweeps through the whole outbox.
  const publish = (by: Dispatch | null) => publishSignals(db, by).run(NEVER);
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
    laterOn: async () => {
      await timePasses(opine, '20 minutes');
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

/** The messages that FCM was asked to send to a device, whatever it answered. */
export function sentTo(fcm: FakeFcm, token: string): Json[] {
  return fcm.requests.map(({ message }) => message).filter((message) => message.token === token);
}

/** What sends pushes from `database`, as a server has it. */
export function dispatchOf(
  database: TestDatabase,
  db: ReturnType<typeof openWorkerDatabase>,
  sender: PushSender | null,
): Dispatch {
  const secrets = createSecrets(readConfig(testEnvironment(database)).HASH_SECRET);
  return createDispatch(db, sender, secrets, createLog('silent'), UNWATCHED.meters);
}

/** The workers on `database` deliver nothing from now on. */
export async function deliveryRests({ superuser }: TestDatabase): Promise<void> {
  for (const step of STEPS)
    await sql.raw(`revoke execute on function ${step} from opine_worker`).execute(superuser);
}

/** They deliver again. */
export async function deliveryGoesOn({ superuser }: TestDatabase): Promise<void> {
  for (const step of STEPS)
    await sql.raw(`grant execute on function ${step} to opine_worker`).execute(superuser);
}

/** A device of `owner`: its token. */
export async function aDeviceOf(owner: Person, platform = 'android'): Promise<string> {
  const token = aDeviceToken();
  await granted(register(owner, token, platform));
  return token;
}

/** How many notifications the stream has not been told of, and how many pushes wait, or are under way. */
export async function waitingIn({
  database,
}: Pick<Opine, 'database'>): Promise<{ outbox: number; pushes: number }> {
  const { rows } = await sql<{ outbox: number; pushes: number }>`
    select
      (select count(*)::integer from app.outbox where not is_leased) as outbox,
      (select count(*)::integer from app.pushes) + (select count(*)::integer from app.outbox where is_leased) as pushes
  `.execute(database.superuser);
  return rows[0] ?? { outbox: Number.NaN, pushes: Number.NaN };
}

/** What staff see of what could not be sent to `recipient`, as staff see it. */
export async function deadLettersOf(
  { database }: Pick<Opine, 'database'>,
  { id }: Pick<Person, 'id'>,
): Promise<Json[]> {
  const { rows } = await sql<Json>`
    select * from staff.dead_letters where recipient_id = ${id} order by died_at, id
  `.execute(database.superuser);
  return rows;
}

/** Staff has a dead letter sent once more. */
export async function requeue({ database }: Pick<Opine, 'database'>, { id }: Json): Promise<void> {
  await sql`select staff.requeue_dead_letter(${id})`.execute(database.superuser);
}

/** How often the push of a notification to a device was tried, where it still waits. */
export async function triesOf(
  { database }: Pick<Opine, 'database'>,
  { id }: Pick<Json, 'id'>,
  token: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ attempt_count: number }>`
    select attempt_count from app.pushes where notification_id = ${id} and token_hash = ${hashOf(token)}
  `.execute(database.superuser);
  return rows[0]?.attempt_count;
}
