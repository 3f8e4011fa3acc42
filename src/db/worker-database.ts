import { CompiledQuery, type DatabaseConnection, Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { currentTaskRun } from '../observability/task-run.ts';
import { createPool } from './pool.ts';
import type { DB } from './types.ts';

/** Creates the pool of the worker's login. */
export function createWorkerPool(url: string, onIdleError: () => void): pg.Pool {
  return createPool({ url, size: 4, name: 'opine-worker', onIdleError });
}

/** Creates the worker's database on a pool. Each connection shows the task that uses it. */
export function workerDatabase(pool: pg.Pool): Kysely<DB> {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool, onReserveConnection: createNaming() }) });
}

/** Connects the worker to `url`. */
export function openWorkerDatabase(url: string, onIdleError: () => void): Kysely<DB> {
  return workerDatabase(createWorkerPool(url, onIdleError));
}

/** Sets application_name to the current task, for pg_stat_activity and the log of Postgres, when it has changed. */
function createNaming(): (connection: DatabaseConnection) => Promise<void> {
  const names = new WeakMap<DatabaseConnection, string>();
  return async (connection) => {
    const name = `opine-worker ${currentTaskRun()?.task ?? ''}`.trim();
    if (names.get(connection) === name) return;
    const naming = CompiledQuery.raw("select set_config('application_name', $1, false)", [name]);
    // A broken connection surfaces on its next query; throwing here would make Kysely leak it.
    await connection.executeQuery(naming).then(
      () => names.set(connection, name),
      () => {},
    );
  };
}
