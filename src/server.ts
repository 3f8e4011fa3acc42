import { setTimeout as pause } from 'node:timers/promises';
import { getConnInfo } from '@hono/node-server/conninfo';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { MiddlewareHandler } from 'hono';
import { mountStaffPage } from './admin/page.ts';
import { createApp, createHealthApp } from './app.ts';
import { type Environment, readConfig } from './config.ts';
import { startPulse } from './db/pulse.ts';
import { mountDocs } from './docs/docs.ts';
import { ROUTES } from './domains/all.ts';
import { hasBody } from './early-answer.ts';
import { createDeadline } from './http/deadline.ts';
import type { OpenStream } from './http/event-stream.ts';
import type { ReadBody } from './http/input.ts';
import type { FindPeer } from './http/mount.ts';
import { mountWebApp } from './http/web-app.ts';
import { createImages } from './images/images.ts';
import { createNodePreviews } from './images/node-previews.ts';
import { listen } from './listen.ts';
import type { Write } from './log.ts';
import { createServices, type Services } from './services.ts';
import { createStreams, type Streams } from './stream/streams.ts';
import { takeOver } from './stream/take-over.ts';
import { createTelemetry } from './telemetry.ts';

/** When a stopping server answers 503 to open requests. */
const ANSWER_MS = 2_500;
/** When a stop gives up on unfinished work. The stack around the server needs the rest of five seconds. */
const STOP_MS = 3_500;

/** A running server. */
export interface Server {
  /** The base URL. */
  readonly url: string;
  readonly docsUrl: string;
  /** The URL for Prometheus, or null without METRICS_PORT. */
  readonly metricsUrl: string | null;
  /**
   * Accepts no new connection, answers the open requests (503 after 2.5 seconds) and stops the worker. Gives up on
   * unfinished work after 3.5 seconds.
   */
  stop(): Promise<void>;
}

/**
 * Starts the service in Node. PROCESS selects the app with its pages, the worker, or both. A worker alone
 * serves the health routes.
 * @param write writes the log and printed text messages, to standard output by default
 * @throws ConfigError for a wrong environment; the error of `listen` if the address is not available
 */
export async function startServer(env: Environment, write?: Write): Promise<Server> {
  const config = readConfig(env);
  const { HOST, PORT, PROCESS } = config;
  const telemetry = await createTelemetry(config);
  const services = await createServices(config, createImages(createNodePreviews()), {
    watch: telemetry,
    ...(write && { write }),
  });
  const { gateway, log } = services;
  const streams = createStreams({ gateway, listenUrl: config.DATABASE_LISTEN_URL });
  const deadline = createDeadline();
  const app =
    PROCESS === 'worker'
      ? createHealthApp(services, deadline.middleware)
      : createFullApp(services, streams, deadline.middleware);
  const listener = await listen(app.fetch, HOST, PORT, {
    keepAliveMs: config.KEEP_ALIVE_SECONDS * 1000,
    onRefusal: ({ requestId, status, reason }) => log.info({ requestId, status, reason }, 'refused'),
  });
  const pulse = startPulse(config.DATABASE_URL, services.link);
  // The API does without the modules of the worker, two fifths of all.
  const worker = PROCESS === 'api' ? null : (await import('./worker/start.ts')).startWorkerProcess(services);
  const metricsUrl = await telemetry.open({
    pools: () => [...gateway.poolUse(), ...(worker ? [worker.poolUse()] : [])],
    streams: PROCESS === 'worker' ? null : streams,
    backlog: worker && (() => worker.backlog()),
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
        await Promise.all([streams.close(), listener.close(), worker?.stop()]);
        await Promise.all([gateway.close(), pulse.stop(), telemetry.close()]);
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
  const findPeer: FindPeer = (c) => getConnInfo(c).remote.address ?? 'gone';
  const app = createApp(services, { streams, findPeer, readBody, openStream }, within);
  mountDocs(app, services);
  mountStaffPage(app, services, ROUTES);
  if (services.config.WEB_APP) mountWebApp(app, services);
  return app;
}

/** Reads Node's body, because the web request hides the body of a GET. A body over the limit leaves the connection open. */
const readBody: ReadBody = ({ env: { incoming } }) =>
  hasBody(incoming) ? incoming.iterator({ destroyOnReturn: false }) : null;

const openStream: OpenStream = async (c, headers, subscribe) => {
  // Hono does not send this answer, so the headers of the middleware and its `Vary` go in here.
  const allHeaders = { ...Object.fromEntries(c.res.headers), ...headers, Vary: `${headers.Vary}, Origin` };
  await takeOver(c.env.outgoing, allHeaders, subscribe);
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
