import { CompiledQuery, type DatabaseConnection, Kysely, PostgresDialect, sql } from 'kysely';
import type pg from 'pg';
import { currentTaskRun } from '../observability/task-run.ts';
import { createPool } from './pool.ts';
import type { Link } from './silence.ts';
import type { DB, WorkerFunctions } from './types.ts';

// Longer than the pause of any frequent task: an idle worker would spend most of its time on new connections.
const IDLE_MS = 90_000;

/** Creates the pool of the worker's login. It refuses a standby, to which a failover may lead: Kysely keeps any connection. */
export function createWorkerPool(url: string, onIdleError: () => void, link?: Link): pg.Pool {
  return createPool({
    url,
    size: 6,
    name: 'opine-worker',
    onIdleError,
    isForPrimary: true,
    idleMs: IDLE_MS,
    ...(link && { link }),
  });
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

type Name = keyof WorkerFunctions;

/**
 * Calls a function of Postgres that the worker may execute, in one statement.
 * @returns the rows of its answer in JSON: one for a function that returns no set
 */
export async function callRows<N extends Name>(
  db: Kysely<DB>,
  name: N,
  ...args: WorkerFunctions[N]['args']
): Promise<WorkerFunctions[N]['answer'][]> {
  const { rows } = await sql<{ answer: WorkerFunctions[N]['answer'] }>`
    select to_json(answer) as answer from ${sql.raw(name)}(${sql.join(args)}) as answer`.execute(db);
  return rows.map(({ answer }) => answer);
}

/** Calls a function that returns no set, as `callRows`. */
export async function callFunction<N extends Name>(
  db: Kysely<DB>,
  name: N,
  ...args: WorkerFunctions[N]['args']
): Promise<WorkerFunctions[N]['answer']> {
  const [answer] = await callRows(db, name, ...args);
  if (answer === undefined) throw new Error(`${name} returned no row.`);
  return answer;
}
