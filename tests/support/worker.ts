import { expect } from 'vitest';
import type { Environment } from '../../src/config.ts';
import { openWorkerDatabase } from '../../src/db/worker-database.ts';
import { createObjects } from '../../src/storage/objects.ts';
import { finishAccountDeletions, removeExpiredObjects, sweepUploads } from '../../src/worker/tasks.ts';
import type { Opine } from './opine.ts';

/** How long a test waits for the worker of a server, which takes a turn about every second. */
export const TIMEOUT = { timeout: 40_000, interval: 50 };

/** Where a worker works, with the storage of it where there is one. */
export interface Workplace extends Pick<Opine, 'database'> {
  readonly storage?: { readonly environment: Environment };
}

/** Another worker ends what is left of accounts, and removes objects that are of no more use: one turn of each. */
export async function anotherWorkerTurns({ database, storage }: Workplace): Promise<void> {
  const db = openWorkerDatabase(database.urlAs('opine_worker'), () => {});
  const tasks = [finishAccountDeletions(db)];
  if (storage !== undefined) {
    const { SUPABASE_URL: url = '', SUPABASE_SECRET_KEY: secretKey = '' } = storage.environment;
    const objects = createObjects({ url, secretKey });
    // What is gone from storage lets account_deletions end.
    tasks.push(removeExpiredObjects(db, objects), sweepUploads(db, objects), finishAccountDeletions(db));
  }
  try {
    for (const task of tasks) await task.run(new AbortController().signal);
  } finally {
    await db.destroy();
  }
}

/**
 * Waits for what workers bring about, as `expect.poll` does. Another one takes a turn before each look, so that nobody
 * waits for the rhythm of that of the server: that this one works as well has tests of its own, by `TIMEOUT` alone.
 */
export function expectOnceWorked<T>(workplace: Workplace, look: () => Promise<T> | T) {
  return expect.poll(async () => {
    await anotherWorkerTurns(workplace);
    return look();
  }, TIMEOUT);
}
