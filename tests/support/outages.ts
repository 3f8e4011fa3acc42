import { sql } from 'kysely';
import type pg from 'pg';
import { inject, onTestFinished, vi } from 'vitest';
import { withClient } from '../../scripts/local/connection.ts';
import type { Json, Reply } from './client.ts';
import type { TestDatabase } from './database.ts';
import { anOpine, type Opine, WITH_WORKER, type WithDatabase } from './opine.ts';
import { aGuest, type Person } from './people.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
import { castVote } from './votes.ts';

/** Starts an Opine whose connection to its database the test can cut. */
export async function anOpineOnAWire(): Promise<{ opine: Opine; wire: TcpProxy }> {
  const { port } = inject('postgres');
  const wire = await startTcpProxy(port);
  const opine = await anOpine((database) => {
    const url = new URL(database.urlAs('opine_gateway'));
    url.port = String(wire.port);
    return { ...WITH_WORKER, DATABASE_URL: url.href };
  });
  onTestFinished(() => wire.cut());
  return { opine, wire };
}

/** Whether a worker has written a heartbeat in the last second. */
export async function isWorkerAlive({ database }: WithDatabase): Promise<boolean> {
  const { rows } = await sql<{ isAlive: boolean }>`
    select recorded_at > clock_timestamp() - interval '1 second' as "isAlive" from gateway.heartbeat`.execute(
    database.superuser,
  );
  return rows[0]?.isAlive ?? false;
}

/** Returns the status of a GET. */
export async function statusOf(opine: Opine, path: string): Promise<number> {
  const response = await fetch(opine.url + path, { signal: AbortSignal.timeout(30_000) });
  await response.body?.cancel();
  return response.status;
}

/** Sends one request of each kind: reads without and with a bearer, sign-ins, a write, a vote. */
export function requestsOf(opine: Opine, person: Person, post: Json): Promise<Reply>[] {
  const guest = aGuest(opine);
  return [
    guest.get('/posts'),
    person.get(`/posts/${post.id}`),
    person.get('/users/me/onboarding/status'),
    guest.post('/auth/anonymous/session', { deviceId: 'install in an outage' }),
    guest.post('/auth/session/refresh', { refreshToken: 'a token in an outage' }),
    person.post('/posts', { thoughtText: 'Now?', visibility: 'public' }),
    castVote(person, post),
  ];
}

/** Closes all connections to `database` and refuses new ones during `use`. */
export async function withoutDatabase<T>(database: TestDatabase, use: () => Promise<T>): Promise<T> {
  const { name } = database;
  const elsewhere = new URL(database.superuserUrl);
  elsewhere.pathname = '/postgres';
  return withClient(elsewhere.href, async (client) => {
    await client.query(`alter database ${name} with allow_connections false`);
    try {
      await closeConnections(client, name);
      return await use();
    } finally {
      await client.query(`alter database ${name} with allow_connections true`);
    }
  });
}

/** Waits for connections to end, so that no pool lends a dying one. */
async function closeConnections(client: pg.Client, database: string): Promise<void> {
  // A connection being opened is not in pg_stat_activity yet, but locks its database.
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_locks
     where classid = 'pg_database'::regclass and objid = (select oid from pg_database where datname = $1)`,
    [database],
  );
  await client.query(
    `select pg_terminate_backend(pid, 10000)
     from (select unnest($2::integer[]) union select pid from pg_stat_activity where datname = $1) as open (pid)`,
    [database, rows.map(({ pid }) => pid)],
  );
}

/** Makes every insert into `table` fail during `use`, with an error that quotes the row. */
export async function whileInsertsFail<T>(
  { superuser }: TestDatabase,
  table: string,
  use: () => Promise<T>,
): Promise<T> {
  await sql`alter table ${sql.table(table)} add constraint refused_by_test check (false) not valid`.execute(
    superuser,
  );
  try {
    return await use();
  } finally {
    await sql`alter table ${sql.table(table)} drop constraint refused_by_test`.execute(superuser);
  }
}

/** Renames `column` during `use`. */
export async function withoutColumn<T>(
  { superuser }: TestDatabase,
  table: string,
  column: string,
  use: () => Promise<T>,
): Promise<T> {
  const rename = (from: string, to: string) =>
    sql`alter table ${sql.table(table)} rename column ${sql.ref(from)} to ${sql.ref(to)}`.execute(superuser);
  await rename(column, 'renamed_by_test');
  try {
    return await use();
  } finally {
    await rename('renamed_by_test', column);
  }
}

/** Blocks reads of `table` during `use`. */
export function whileReadsBlock<T>(
  { superuser }: TestDatabase,
  table: string,
  use: () => Promise<T>,
): Promise<T> {
  return superuser.transaction().execute(async (transaction) => {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(transaction);
    return use();
  });
}

/** Blocks writes to `table`, and no reads, during `use`. */
export function whileWritesBlock<T>(
  { superuser }: TestDatabase,
  table: string,
  use: () => Promise<T>,
): Promise<T> {
  return superuser.transaction().execute(async (transaction) => {
    await sql`lock table ${sql.table(table)} in exclusive mode`.execute(transaction);
    return use();
  });
}

const WORKER_CONNECTIONS = 6;
const TIMEOUT = { timeout: 60_000, interval: 20 };

/**
 * Runs `use` while locks block every connection of the worker.
 * @param locks tables and modes, as in `lock table`
 */
export function whileWorkerIsBlocked<T>(
  database: TestDatabase,
  locks: readonly string[],
  use: () => Promise<T>,
): Promise<T> {
  const { superuser } = database;
  return superuser.transaction().execute(async (holder) => {
    for (const lock of locks) await sql.raw(`lock table ${lock}`).execute(holder);
    const areAllTaken = async () => (await waitingWorkers(database)).length === WORKER_CONNECTIONS;
    await vi.waitUntil(areAllTaken, TIMEOUT);
    return use();
  });
}

/** Cancels the blocked queries of the worker, as a timeout would. */
export async function cancelBlockedQueries(database: TestDatabase): Promise<void> {
  const pids = await waitingWorkers(database);
  await sql`select pg_cancel_backend(pid) from unnest(${pids}::integer[]) as pid`.execute(database.superuser);
}

/** Runs `use` while Postgres allows the service no connection. */
export async function withoutConnections<T>(
  { name, superuser }: TestDatabase,
  use: () => Promise<T>,
): Promise<T> {
  const letIn = (count: number) =>
    sql`alter database ${sql.id(name)} with connection limit ${sql.lit(count)}`.execute(superuser);
  await letIn(0);
  try {
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = ${name} and usename like 'opine%'`.execute(superuser);
    return await use();
  } finally {
    await letIn(-1);
  }
}

/** Returns the process ids of blocked tasks; a look for work waits for a moment only. */
async function waitingWorkers({ superuser }: TestDatabase): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity
    where datname = current_database() and usename = 'opine_worker' and wait_event_type = 'Lock'
      and application_name <> 'opine-worker look for work'`.execute(superuser);
  return rows.map(({ pid }) => pid);
}
