import { getConnInfo } from '@hono/node-server/conninfo';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { createApp, createHealthApp } from './app.ts';
import { type Environment, readConfig } from './config.ts';
import { startDelivery } from './delivery/delivery.ts';
import { mountDocs } from './http/docs.ts';
import type { OpenStream } from './http/event-stream.ts';
import { mountStaffPage } from './http/staff/page.ts';
import { createImageThread } from './images/image-thread.ts';
import { listen } from './listen.ts';
import { ROUTES } from './operations/all.ts';
import { createServices, type Services } from './services.ts';
import { createStreams, type Streams } from './stream/streams.ts';
import { takeOver } from './stream/take-over.ts';
import { createWatching } from './watching.ts';

/** A server that listens. */
export interface Server {
  /** Where it listens, without a path. */
  readonly url: string;
  readonly docsUrl: string;
  /** Where Prometheus scrapes it, null where nobody is to. */
  readonly metricsUrl: string | null;
  /** Takes no new request, finishes those under way, and ends the worker. */
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
  const app = PROCESS === 'worker' ? createHealthApp(services) : createFullApp(services, streams);
  const listener = await listen(app.fetch, HOST, PORT);
  const delivery = PROCESS === 'api' ? null : startDelivery(services);
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
      await Promise.all([streams.close(), listener.close(), delivery?.stop()]);
      await Promise.all([gateway.close(), images.close(), watching.close()]);
      log.info('stopped');
    },
  };
}

function createFullApp(services: Services, streams: Streams): ReturnType<typeof createApp> {
  const app = createApp(services, {
    streams,
    peerOf: (c) => getConnInfo(c).remote.address ?? 'gone',
    openStream,
  });
  mountDocs(app);
  mountStaffPage(app, services, ROUTES);
  return app;
}

const openStream: OpenStream = async (c, headers, subscribe) => {
  const named = { ...headers, 'X-Request-Id': c.get('requestId') };
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
