import { Hono } from 'hono';
import { createSecrets } from './auth/secrets.ts';
import { type Config, ConfigError, type Environment } from './config.ts';
import { ApiError } from './contract/errors.ts';
import { buildLoginUrl } from './db/pool.ts';
import { openWorkerDatabase } from './db/worker-database.ts';
import { readEdgeConfig } from './edge-config.ts';
import { answerError, fail, succeed } from './http/answer.ts';
import { isBearer } from './http/caller.ts';
import type { Variables } from './http/requests.ts';
import { requestId, requestLog } from './http/requests.ts';
import { createLog, type Log, type Write } from './log.ts';
import { UNWATCHED } from './observability/watch.ts';
import { createSender } from './push/sender.ts';
import { createObjects } from './storage/objects.ts';
import { createDispatch } from './worker/dispatch.ts';
import { whenDue } from './worker/due.ts';
import { createTasks, type Tasks } from './worker/tasks.ts';
import { runTask, type Task } from './worker/worker.ts';

/** How long a call may start work: shorter than the platform's limit of a function and than the timeout of pg_net. */
const LIMIT_MS = { push: 30_000, upkeep: 50_000 } as const satisfies Record<keyof Tasks, number>;

/** How long one task may start work while others wait. */
const TASK_LIMIT_MS = 15_000;

/**
 * Creates the app of the edge function `push` or `upkeep`, for projects without a worker. A call with the bearer PUSH_SECRET
 * runs each due task once.
 * @param write writes to the log
 */
export function createTaskFunction(
  name: keyof Tasks,
  env: Environment,
  write: Write,
): Hono<{ Variables: Variables }>['fetch'] {
  const app = new Hono<{ Variables: Variables }>();
  app.notFound((c) => fail(c, new ApiError('ROUTE_NOT_FOUND')));
  app.onError(answerError);
  try {
    const config = readEdgeConfig(env);
    const { PUSH_SECRET: secret } = config;
    if (secret === undefined) throw new ConfigError('Wrong configuration: PUSH_SECRET is missing.');
    const log = createLog(config.LOG_LEVEL, write);
    const runTasks = createRun(name, config, log);
    app.use(requestId, requestLog(log));
    app.post('/*', async (c) => {
      if (!isBearer(c.req.header('authorization'), secret)) throw new ApiError('UNAUTHORIZED');
      await runTasks();
      return succeed(c, { status: 200, message: 'Done.' }, '{}');
    });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    write(`${error.message}\n`);
    app.use(requestId);
    app.notFound((c) => fail(c, new ApiError('SERVICE_UNAVAILABLE')));
  }
  return app.fetch;
}

/**
 * Returns a function that runs each due task once.
 * It throws an ApiError SERVICE_UNAVAILABLE at the end if a task has failed.
 */
function createRun(name: keyof Tasks, config: Config, log: Log): () => Promise<void> {
  const db = openWorkerDatabase(buildLoginUrl(config.DATABASE_URL, 'opine_worker'), () =>
    log.warn('lost an idle database connection'),
  );
  const dispatch = createDispatch(
    db,
    createSender(config),
    createSecrets(config.HASH_SECRET),
    log,
    UNWATCHED.meters,
  );
  const objects = createObjects({ url: config.SUPABASE_URL, secretKey: config.SUPABASE_SECRET_KEY });
  const tasks = createTasks({
    db,
    dispatch,
    objects,
    keys: config.PENDING_VOTE_KEY,
    activityMinimum: config.VOTE_ACTIVITY_MINIMUM,
    notificationDays: config.NOTIFICATIONS_KEEP_DAYS ?? null,
    runsOncePerMinute: true,
  })[name];
  const due = tasks.map((task) => whenDue(db, task));
  return async () => {
    const hasSucceeded = await runTasks(due, log, { all: LIMIT_MS[name], each: TASK_LIMIT_MS });
    await dispatch.idle();
    if (!hasSucceeded) throw new ApiError('SERVICE_UNAVAILABLE');
  };
}

/**
 * Runs tasks one after the other. Neither a failure nor a backlog of one task stops the others. Tasks without time left are
 * logged; the next call runs them.
 * @param limits how many milliseconds all tasks, and each task, may start work
 * @returns false if a task failed
 */
export async function runTasks(
  tasks: readonly Task[],
  log: Log,
  limits: { readonly all: number; readonly each: number },
): Promise<boolean> {
  const stopping = AbortSignal.timeout(limits.all);
  const skipped: string[] = [];
  let hasSucceeded = true;
  for (const task of tasks) {
    if (stopping.aborted) {
      skipped.push(task.name);
    } else {
      const timeout = AbortSignal.any([stopping, AbortSignal.timeout(limits.each)]);
      hasSucceeded = (await runTask(task, { log, watch: UNWATCHED }, timeout)) && hasSucceeded;
    }
  }
  if (skipped.length > 0) log.warn({ skipped }, 'tasks had no time left');
  return hasSucceeded;
}
