import { Hono } from 'hono';
import { createSecrets } from './auth/secrets.ts';
import { type Config, ConfigError, type Environment } from './config.ts';
import { ApiError } from './contract/errors.ts';
import { urlOf } from './db/logins.ts';
import { openWorkerDatabase } from './db/worker-database.ts';
import { readEdgeConfig } from './edge-config.ts';
import { answerError, fail, succeed } from './http/answer.ts';
import { isBearer } from './http/bearer.ts';
import { requestId } from './http/request-id.ts';
import { requestLog } from './http/request-log.ts';
import type { Variables } from './http/variables.ts';
import { createLog, type Log, type Write } from './log.ts';
import { UNWATCHED } from './observability/watch.ts';
import { createSender } from './push/sender.ts';
import { createObjects } from './storage/objects.ts';
import { createDispatch } from './worker/dispatch.ts';
import { whenDue } from './worker/due.ts';
import { createTasks, type Tasks } from './worker/tasks.ts';
import { runTask, type Task } from './worker/worker.ts';

/** For how long one call starts work: less than the platform gives a function, and less than pg_net waits for an answer. */
const LIMIT_MS = { push: 30_000, upkeep: 50_000 } as const satisfies Record<keyof Tasks, number>;

/** For how long one task may start work while others wait. */
const TASK_LIMIT_MS = 15_000;

/**
 * Creates the app of the function `push` or `upkeep`: each call with the bearer PUSH_SECRET runs those of the worker's tasks that are
 * due, once, for projects without a worker.
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
    if (secret === undefined) throw new ConfigError('Wrong configuration: PUSH_SECRET: is missing.');
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

/** Returns a function that runs each task once. A task that fails does not stop the others; then it throws at the end. */
function createRun(name: keyof Tasks, config: Config, log: Log): () => Promise<void> {
  const db = openWorkerDatabase(urlOf(config.DATABASE_URL, 'opine_worker'), () =>
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
    runsOncePerMinute: true,
  })[name];
  const due = tasks.map((task) => whenDue(db, task));
  return async () => {
    const isDone = await runTasks(due, log, { all: LIMIT_MS[name], each: TASK_LIMIT_MS });
    await dispatch.idle();
    if (!isDone) throw new ApiError('SERVICE_UNAVAILABLE');
  };
}

/**
 * Runs tasks one after the other, so that neither a failure nor a backlog of one keeps the others from their turn. What `all` leaves
 * no time for is logged; the next call does it.
 * @param limits milliseconds for which all, and each, may start work
 * @returns whether none failed
 */
export async function runTasks(
  tasks: readonly Task[],
  log: Log,
  limits: { readonly all: number; readonly each: number },
): Promise<boolean> {
  const stopping = AbortSignal.timeout(limits.all);
  const skipped: string[] = [];
  let isDone = true;
  for (const task of tasks) {
    if (stopping.aborted) {
      skipped.push(task.name);
    } else {
      const ending = AbortSignal.any([stopping, AbortSignal.timeout(limits.each)]);
      isDone = (await runTask(task, { log, watch: UNWATCHED }, ending)) && isDone;
    }
  }
  if (skipped.length > 0) log.warn({ skipped }, 'tasks had no time left');
  return isDone;
}
