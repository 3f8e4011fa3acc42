import { sql } from 'kysely';
import { vi } from 'vitest';
import type { TestDatabase } from './database.ts';

/** How many connections a worker has. */
const WORKER_CONNECTIONS = 4;
const TIMEOUT = { timeout: 30_000, interval: 20 };

/**
 * Runs `use` while every connection of the worker on `database` waits for one of the locks that a test holds.
 * @param locks as Postgres reads them: tables and modes
 */
export function whileItsWorkerWaits<T>(
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

/** What the worker waits for is cancelled, as Postgres does when it takes too long. */
export async function waitingIsCancelled(database: TestDatabase): Promise<void> {
  const pids = await waitingWorkers(database);
  await sql`select pg_cancel_backend(pid) from unnest(${pids}::integer[]) as pid`.execute(database.superuser);
}

/** Runs `use` while Postgres has no connection to `database` left for the service, which loses those it had. */
export async function whileNoConnectionIsFree<T>(
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

async function waitingWorkers({ superuser }: TestDatabase): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity
    where datname = current_database() and usename = 'opine_worker' and wait_event_type = 'Lock'`.execute(
    superuser,
  );
  return rows.map(({ pid }) => pid);
}
