import { type Kysely, sql } from 'kysely';
import { urlOf } from '../db/logins.ts';
import { useOf } from '../db/pool.ts';
import type { DB } from '../db/types.ts';
import { createWorkerPool, workerDatabase } from '../db/worker-database.ts';
import type { Backlog } from '../observability/backlog.ts';
import { inTaskRun } from '../observability/task-run.ts';
import type { PoolUse } from '../observability/watch.ts';
import { createSender } from '../push/sender.ts';
import type { Services } from '../services.ts';
import { createDispatch } from './dispatch.ts';
import { createTasks } from './tasks.ts';
import { startWorker } from './worker.ts';

/** A worker with everything that it does. */
export interface Delivery {
  poolUse(): PoolUse;
  /** What waits for it, or for another worker. */
  backlog(): Promise<Backlog>;
  /** Begins nothing more, and ends when what is under way has been noted. */
  stop(): Promise<void>;
}

/** Starts a worker with all its tasks, and connections of its own. */
export function startDelivery({ config, log, secrets, objects, watch }: Services): Delivery {
  const pool = createWorkerPool(urlOf(config.DATABASE_URL, 'opine_worker'), () =>
    log.warn('lost an idle database connection'),
  );
  const db = workerDatabase(pool);
  const sender = createSender(config);
  const dispatch = createDispatch(db, sender, secrets, log, watch.meters);
  const { push, upkeep } = createTasks({
    db,
    dispatch,
    objects,
    keys: config.PENDING_VOTE_KEY,
    runsOncePerMinute: false,
  });
  const worker = startWorker([...upkeep, ...push], { log, watch });
  return {
    poolUse: () => useOf(pool, 'worker'),
    backlog: () => inTaskRun('metrics', () => readBacklog(db)),
    stop: async () => {
      await worker.stop();
      await dispatch.idle();
      await Promise.all([db.destroy(), sender?.close()]);
    },
  };
}

/** Counts what waits for the worker. */
export async function readBacklog(db: Kysely<DB>): Promise<Backlog> {
  const { rows } = await sql<{ backlog: Backlog }>`select to_json(app.backlog()) as backlog`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('app.backlog() answered nothing.');
  return row.backlog;
}
