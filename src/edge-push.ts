import { Hono } from 'hono';
import { type Config, ConfigError, type Environment } from './config.ts';
import { ApiError } from './contract/errors.ts';
import { urlOf } from './db/logins.ts';
import { openWorkerDatabase } from './db/worker-database.ts';
import { createDispatch } from './delivery/dispatch.ts';
import { fanOutMilestones } from './delivery/fold.ts';
import { publishHints } from './delivery/hints.ts';
import { fanOut, foldInboxCounts } from './delivery/inbox.ts';
import { pushToDevices } from './delivery/push.ts';
import { createSender } from './delivery/sender.ts';
import { takeTurn } from './delivery/worker.ts';
import { readEdgeConfig } from './edge-config.ts';
import { answerError, fail, succeed } from './http/answer.ts';
import { isBearer } from './http/bearer.ts';
import { requestId } from './http/request-id.ts';
import { requestLog } from './http/request-log.ts';
import type { Variables } from './http/variables.ts';
import { createSecrets } from './identity/secrets.ts';
import { createLog, type Log, type Write } from './log.ts';
import { UNWATCHED } from './watch/watch.ts';

// Before the platform ends a function, and pg_net its patience.
const PATIENCE_MS = 30_000;

/**
 * The app of the function `push`: each call drains once what waits to be told, for projects that run no worker. It asks
 * for the bearer PUSH_SECRET.
 * @param write writes to the log
 */
export function createPushDrain(env: Environment, write: Write): Hono<{ Variables: Variables }>['fetch'] {
  const app = new Hono<{ Variables: Variables }>();
  app.notFound((c) => fail(c, new ApiError('ROUTE_NOT_FOUND')));
  app.onError(answerError);
  try {
    const config = readEdgeConfig(env);
    const { PUSH_SECRET: secret } = config;
    if (secret === undefined) throw new ConfigError('Wrong configuration: PUSH_SECRET: is missing.');
    const log = createLog(config.LOG_LEVEL, write);
    const drain = createDrain(config, log);
    app.use(requestId, requestLog(log));
    app.post('/*', async (c) => {
      if (!isBearer(c.req.header('authorization'), secret)) throw new ApiError('UNAUTHORIZED');
      await drain();
      return succeed(c, { status: 200, message: 'Drained.' }, '{}');
    });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    write(`${error.message}\n`);
    app.use(requestId);
    app.notFound((c) => fail(c, new ApiError('SERVICE_UNAVAILABLE')));
  }
  return app.fetch;
}

/** Takes one turn of each duty. What one cannot do keeps the others from nothing; whoever called is told. */
function createDrain(config: Config, log: Log): () => Promise<void> {
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
  const duties = [
    fanOutMilestones(db),
    fanOut(db),
    foldInboxCounts(db),
    publishHints(db, dispatch),
    pushToDevices(db, dispatch),
  ];
  return async () => {
    const stopping = AbortSignal.timeout(PATIENCE_MS);
    let hasFailed = false;
    for (const duty of duties) {
      const isDone = await takeTurn(duty, { log, watch: UNWATCHED }, stopping);
      hasFailed ||= !isDone;
    }
    await dispatch.idle();
    if (hasFailed) throw new ApiError('SERVICE_UNAVAILABLE');
  };
}
