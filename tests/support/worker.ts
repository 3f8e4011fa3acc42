import { sql } from 'kysely';
import { expect } from 'vitest';
import { type Environment, readConfig } from '../../src/config.ts';
import { callFunction, openWorkerDatabase } from '../../src/db/worker-database.ts';
import { createObjects } from '../../src/storage/objects.ts';
import {
  fanOutMilestones,
  finishAccountDeletions,
  foldVotes,
  removeExpiredObjects,
  sweepUploads,
} from '../../src/worker/tasks.ts';
import type { TestDatabase } from './database.ts';
import { advanceTime, testEnvironment, type WithDatabase } from './opine.ts';

/** Timeout for the worker of a server, which runs about every second. */
export const WORKER_TIMEOUT = { timeout: 40_000, interval: 50 };

interface OpineWithWorker extends WithDatabase {
  readonly storage?: { readonly environment: Environment };
}

/** Finishes account deletions, and removes closed Hubs and unused objects, once. */
export async function runWorkerTasks({ database, storage }: OpineWithWorker): Promise<void> {
  await withWorkerDatabase(database, async (db) => {
    await callFunction(db, 'app.prune_closed_hubs');
    const tasks = [finishAccountDeletions(db)];
    if (storage !== undefined) {
      const { SUPABASE_URL: url = '', SUPABASE_SECRET_KEY: secretKey = '' } = storage.environment;
      const objects = createObjects({ url, secretKey });
      // Account deletions wait for the removal of their objects.
      tasks.push(removeExpiredObjects(db, objects), sweepUploads(db, objects), finishAccountDeletions(db));
    }
    for (const task of tasks) await task.run(new AbortController().signal);
  });
}

/** Runs `use` with the connections of a worker. */
export async function withWorkerDatabase(
  { urlAs }: Pick<TestDatabase, 'urlAs'>,
  use: (db: ReturnType<typeof openWorkerDatabase>) => Promise<void>,
): Promise<void> {
  const db = openWorkerDatabase(urlAs('opine_worker'), () => {});
  try {
    await use(db);
  } finally {
    await db.destroy();
  }
}

/**
 * Polls `look` like `expect.poll`, running the worker's tasks before each look: tests need not wait for the
 * server's worker. Tests of that worker use `WORKER_TIMEOUT` alone.
 */
export function expectAfterWorker<T>(opine: OpineWithWorker, look: () => Promise<T> | T) {
  return expect.poll(async () => {
    await runWorkerTasks(opine);
    return look();
  }, WORKER_TIMEOUT);
}

/** Folds all votes and fans out their milestones; `changes` are of the environment. */
export async function foldAllVotes({ database }: WithDatabase, changes: Environment = {}): Promise<void> {
  const { PENDING_VOTE_KEY } = readConfig({ ...testEnvironment(database), ...changes });
  await withWorkerDatabase(database, async (db) => {
    // The two halves of the slots, which the worker alternates.
    await sql`select app.fold_pools(0::smallint), app.fold_pools(1::smallint)`.execute(db);
    for (const task of [foldVotes(db, PENDING_VOTE_KEY), fanOutMilestones(db)])
      await task.run(new AbortController().signal);
  });
}

/** Counts the rows of `table` with `id` in `column`. */
export async function countRows(
  { database }: WithDatabase,
  table: string,
  column: string,
  id: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where ${sql.ref(column)} = ${id}
  `.execute(database.superuser);
  return rows[0]?.count ?? 0;
}

/** Runs the worker until the deletion of the account is complete. */
export async function waitUntilDeleted(opine: OpineWithWorker, userId: string): Promise<void> {
  await advanceTime(opine, '61 seconds');
  await expectAfterWorker(opine, () => countRows(opine, 'app.account_deletions', 'user_id', userId)).toBe(0);
  expect(await countRows(opine, 'app.posts', 'author_id', userId)).toBe(0);
}
