import { sql } from 'kysely';
import { type Environment, readConfig } from '../../src/config.ts';
import { openWorkerDatabase } from '../../src/db/worker-database.ts';
import { fanOutMilestones, foldVotes } from '../../src/worker/tasks.ts';
import type { Opine } from './opine.ts';
import { testEnvironment } from './opine.ts';

/** The worker of `opine` folds its votes to the end, and fans out their milestones; `changes` are of its environment. */
export async function votesAreFolded(
  { database }: Pick<Opine, 'database'>,
  changes: Environment = {},
): Promise<void> {
  const db = openWorkerDatabase(database.urlAs('opine_worker'), () => {});
  const { PENDING_VOTE_KEY } = readConfig({ ...testEnvironment(database), ...changes });
  const tasks = [foldVotes(db, PENDING_VOTE_KEY), fanOutMilestones(db)];
  try {
    // Both halves of the slots, as the worker does by turns.
    await sql`select app.fold_pools(0::smallint), app.fold_pools(1::smallint)`.execute(db);
    for (const task of tasks) await task.run(new AbortController().signal);
  } finally {
    await db.destroy();
  }
}
