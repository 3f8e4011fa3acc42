import { CompiledQuery, type DatabaseConnection, Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { currentTaskRun } from '../observability/task-run.ts';
import { createPool } from './pool.ts';
import type { DB } from './types.ts';

/** Connections of the worker to the database at `url`, by its own login. */
export function createWorkerPool(url: string, onIdleError: () => void): pg.Pool {
  return createPool({ url, size: 4, name: 'opine-worker', onIdleError });
}

/** The worker's database by these connections, each of which shows whose turn it serves. */
export function workerDatabase(pool: pg.Pool): Kysely<DB> {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool, onReserveConnection: createNaming() }) });
}

/** The worker's database at `url`. */
export function openWorkerDatabase(url: string, onIdleError: () => void): Kysely<DB> {
  return workerDatabase(createWorkerPool(url, onIdleError));
}

/** Names connections by the task that uses them, for pg_stat_activity and Postgres's log: where it is another one's than before. */
function createNaming(): (connection: DatabaseConnection) => Promise<void> {
  const names = new WeakMap<DatabaseConnection, string>();
  return async (connection) => {
    const name = `opine-worker ${currentTaskRun()?.task ?? ''}`.trim();
    if (names.get(connection) === name) return;
    const naming = CompiledQuery.raw("select set_config('application_name', $1, false)", [name]);
    // Kysely would lose a connection over it. One that is broken tells of that at what it is used for.
    await connection.executeQuery(naming).then(
      () => names.set(connection, name),
      () => {},
    );
  };
}
