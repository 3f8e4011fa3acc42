import { buildLoginUrl, poolGauges } from '../db/pool.ts';
import { callFunction, createWorkerPool, workerDatabase } from '../db/worker-database.ts';
import type { Backlog } from '../observability/gauges.ts';
import { inTaskRun } from '../observability/task-run.ts';
import type { PoolUse } from '../observability/watch.ts';
import { createSender } from '../push/sender.ts';
import type { Services } from '../services.ts';
import { createDispatch } from './dispatch.ts';
import { createTasks, lookInto } from './tasks.ts';
import { startWorker } from './worker.ts';

/** A running worker process. */
export interface WorkerProcess {
  poolUse(): PoolUse;
  /** Counts the work that waits for any worker. */
  backlog(): Promise<Backlog>;
  /** Starts nothing more, and waits for what is in progress. */
  stop(): Promise<void>;
}

/** Starts a worker with all tasks and a pool of its own. */
export function startWorkerProcess({ config, link, log, secrets, objects, watch }: Services): WorkerProcess {
  const onIdleError = () => log.warn('lost an idle database connection');
  const pool = createWorkerPool(buildLoginUrl(config.DATABASE_URL, 'opine_worker'), onIdleError, link);
  const db = workerDatabase(pool);
  const sender = createSender(config);
  const dispatch = createDispatch(db, sender, secrets, log, watch.meters);
  const { push, upkeep } = createTasks({
    db,
    dispatch,
    objects,
    keys: config.PENDING_VOTE_KEY,
    activityMinimum: config.VOTE_ACTIVITY_MINIMUM,
    notificationDays: config.NOTIFICATIONS_KEEP_DAYS ?? null,
    runsOncePerMinute: false,
  });
  const worker = startWorker([...upkeep, ...push], lookInto(db), { log, watch });
  return {
    poolUse: () => poolGauges(pool, 'worker'),
    backlog: () => inTaskRun('metrics', () => callFunction(db, 'app.backlog')),
    stop: async () => {
      await worker.stop();
      await dispatch.idle();
      await Promise.all([db.destroy(), sender?.close()]);
    },
  };
}
