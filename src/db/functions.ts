import { type Kysely, sql } from 'kysely';
import type { DB, WorkerFunctions } from './types.ts';

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
