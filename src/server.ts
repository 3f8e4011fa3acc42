import { setTimeout as pause } from 'node:timers/promises';
import { getConnInfo } from '@hono/node-server/conninfo';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { MiddlewareHandler } from 'hono';
import { mountStaffPage } from './admin/page.ts';
import { createApp, createHealthApp } from './app.ts';
import { type Environment, readConfig } from './config.ts';
import { ROUTES } from './domains/all.ts';
import { hasBody } from './early-answer.ts';
import type { BodyOf } from './http/body.ts';
import { createDeadline } from './http/deadline.ts';
import { mountDocs } from './http/docs.ts';
import type { OpenStream } from './http/event-stream.ts';
import type { PeerOf } from './http/mount.ts';
import { createImageThread } from './images/image-thread.ts';
import { listen } from './listen.ts';
import { createServices, type Services } from './services.ts';
import { createStreams, type Streams } from './stream/streams.ts';
import { takeOver } from './stream/take-over.ts';
import { createWatching } from './telemetry.ts';
import { startWorkerProcess } from './worker/start.ts';

/** When a stopping server answers 503 to what it has not answered. */
const ANSWER_MS = 2_500;
/** When a stop gives up on unfinished work. The stack around the server needs the rest of five seconds. */
const STOP_MS = 3_500;

/** A server that listens. */
export interface Server {
  /** Where it listens, without a path. */
  readonly url: string;
  readonly docsUrl: string;
  /** Where Prometheus scrapes it, null where nobody is to. */
  readonly metricsUrl: string | null;
  /**
   * Takes no new connection, answers the requests under way (503 after 2.5 seconds) and ends the worker. Gives up on unfinished
   * work after 3.5 seconds.
   */
  stop(): Promise<void>;
}

/**
 * Starts the service in Node, as the configuration's PROCESS says: the app with its docs page and that of staff, the worker, or both. A worker
 * alone listens as well, and tells how it is.
 * @throws ConfigError for a wrong environment; the listener's error where the address cannot be had
 */
export async function startServer(env: Environment): Promise<Server> {
  const config = readConfig(env);
  const { HOST, PORT, PROCESS } = config;
  const images = createImageThread();
  const watching = await createWatching(config);
  const services = await createServices(config, images, { watch: watching });
  const { gateway, log } = services;
  const streams = createStreams({ gateway, listenUrl: config.DATABASE_LISTEN_URL });
  const deadline = createDeadline();
  const app =
    PROCESS === 'worker'
      ? createHealthApp(services, deadline.middleware)
      : createFullApp(services, streams, deadline.middleware);
  const listener = await listen(app.fetch, HOST, PORT, ({ requestId, status, reason }) =>
    log.info({ requestId, status, reason }, 'refused'),
  );
  const delivery = PROCESS === 'api' ? null : startWorkerProcess(services);
  const metricsUrl = await watching.open({
    pools: () => [...gateway.poolUse(), ...(delivery ? [delivery.poolUse()] : [])],
    streams: PROCESS === 'worker' ? null : streams,
    backlog: delivery && (() => delivery.backlog()),
  });
  const url = `http://${HOST === '0.0.0.0' ? 'localhost' : HOST}:${listener.port}`;
  log.info({ process: PROCESS, url, metricsUrl }, 'started');
  return {
    url,
    docsUrl: `${url}/docs`,
    metricsUrl,
    stop: async () => {
      log.info('stopping');
      const end = async () => {
        await Promise.all([streams.close(), listener.close(), delivery?.stop()]);
        await Promise.all([gateway.close(), images.close(), watching.close()]);
        return true;
      };
      const answers = setTimeout(deadline.pass, ANSWER_MS);
      const isComplete = await Promise.race([end(), pause(STOP_MS, false, { ref: false })]);
      clearTimeout(answers);
      log.info({ isComplete }, 'stopped');
    },
  };
}

function createFullApp(
  services: Services,
  streams: Streams,
  within: MiddlewareHandler,
): ReturnType<typeof createApp> {
  const peerOf: PeerOf = (c) => getConnInfo(c).remote.address ?? 'gone';
  const app = createApp(services, { streams, peerOf, bodyOf, openStream }, within);
  mountDocs(app);
  mountStaffPage(app, services, ROUTES);
  return app;
}

/** The web request hides the body of a GET. The iterator leaves the connection open where the body is too large. */
const bodyOf: BodyOf = ({ env: { incoming } }) =>
  hasBody(incoming) ? incoming.iterator({ destroyOnReturn: false }) : null;

const openStream: OpenStream = async (c, headers, subscribe) => {
  // Of the middleware, whose `Vary` comes too late for an answer that Hono does not send.
  const named = { ...Object.fromEntries(c.res.headers), ...headers, Vary: `${headers.Vary}, Origin` };
  await takeOver(c.env.outgoing, named, subscribe);
  return RESPONSE_ALREADY_SENT;
};

if (import.meta.main) {
  const server = await startServer(process.env).catch((error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, async () => {
      await server.stop();
      process.exit(0);
    });
  }
}
