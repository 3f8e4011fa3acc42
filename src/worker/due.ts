import type { Kysely } from 'kysely';
import type { DB } from '../db/types.ts';
import { callFunction } from '../db/worker-database.ts';
import type { Task } from './worker.ts';

/** Cron calls the function `upkeep` once in this interval. It calls `push` more often, whose tasks all have shorter intervals. */
const CALL_INTERVAL_MS = 60_000;

/**
 * Returns the task as an edge function runs it: skipped until its interval has passed. Postgres keeps the time of the
 * last run, because a function keeps no state between calls.
 */
export function whenDue(db: Kysely<DB>, task: Task): Task {
  const { name, everyMs } = task;
  if (everyMs <= CALL_INTERVAL_MS) return task;
  return {
    ...task,
    run: async (stopping) => {
      if (await callFunction(db, 'app.start_task', name, `${everyMs} ms`)) await task.run(stopping);
    },
  };
}
