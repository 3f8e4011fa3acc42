import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import type { Duty } from './duty.ts';

/** How often cron calls edge functions: a task with a longer interval may not be due. */
const CALL_INTERVAL_MS = 60_000;

/** Returns the task as edge functions run it: not before its interval has passed. They forget when it ran, so Postgres keeps that. */
export function whenDue(db: Kysely<DB>, task: Duty): Duty {
  const { name, everyMs } = task;
  if (everyMs <= CALL_INTERVAL_MS) return task;
  return {
    ...task,
    run: async (stopping) => {
      const { rows } = await sql<{ is_due: boolean }>`
        select app.start_task(${name}, ${everyMs} * interval '1 millisecond') as is_due`.execute(db);
      if (rows[0]?.is_due) await task.run(stopping);
    },
  };
}
