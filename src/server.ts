import type { AddressInfo } from 'node:net';
import { type ServerType, serve } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { createApp } from './app.ts';
import { type Environment, readConfig } from './config.ts';
import { urlOf } from './db/logins.ts';
import { openWorkerDatabase } from './db/worker-database.ts';
import { finishDepartures } from './delivery/departures.ts';
import { createDispatch } from './delivery/dispatch.ts';
import { fanOutMilestones, foldVotes } from './delivery/fold.ts';
import { publishHints } from './delivery/hints.ts';
import { fanOut, foldInboxCounts } from './delivery/inbox.ts';
import { pushToDevices } from './delivery/push.ts';
import { createSender } from './delivery/sender.ts';
import { removeExpiredObjects, sweepUploads } from './delivery/storage-clean-up.ts';
import { upkeep } from './delivery/upkeep.ts';
import { startWorker } from './delivery/worker.ts';
import { mountDocs } from './http/docs.ts';
import type { OpenStream } from './http/event-stream.ts';
import { createImageThread } from './images/image-thread.ts';
import { createServices } from './services.ts';
import { createStreams } from './stream/streams.ts';
import { takeOver } from './stream/take-over.ts';

const PATIENCE_MS = 10_000;

/** A server that listens. */
export interface Server {
  /** Where it listens, without a path. */
  readonly url: string;
  readonly docsUrl: string;
  /** Takes no new request, finishes those under way, and ends the worker. */
  stop(): Promise<void>;
}

/**
 * Starts the service in Node: the app, its docs page and the worker.
 * @throws ConfigError for a wrong environment; the listener's error where the address cannot be had
 */
export async function startServer(env: Environment): Promise<Server> {
  const config = readConfig(env);
  const images = createImageThread();
  const services = await createServices(config, images);
  const { log, gateway, objects } = services;
  const streams = createStreams({ gateway, listenUrl: config.DATABASE_LISTEN_URL });
  const app = createApp(services, {
    streams,
    peerOf: (c) => getConnInfo(c).remote.address ?? 'gone',
    openStream,
  });
  mountDocs(app);
  const listener = await listen(app.fetch, config.HOST, config.PORT);
  const db = openWorkerDatabase(urlOf(config.DATABASE_URL, 'opine_worker'), () =>
    log.warn('lost an idle database connection'),
  );
  const sender = createSender(config);
  const dispatch = createDispatch(db, sender, services.secrets, log);
  const duties = [
    ...upkeep(db),
    foldVotes(db, config.PENDING_VOTE_KEY),
    fanOutMilestones(db),
    fanOut(db),
    foldInboxCounts(db),
    publishHints(db, dispatch),
    pushToDevices(db, dispatch),
    finishDepartures(db),
    removeExpiredObjects(db, objects),
    sweepUploads(db, objects),
  ];
  const worker = startWorker(duties, log);
  const url = `http://${config.HOST === '0.0.0.0' ? 'localhost' : config.HOST}:${listener.port}`;
  return {
    url,
    docsUrl: `${url}/docs`,
    stop: async () => {
      await Promise.all([streams.close(), listener.close(), worker.stop()]);
      await dispatch.idle();
      await Promise.all([gateway.close(), db.destroy(), images.close(), sender?.close()]);
    },
  };
}

const openStream: OpenStream = async (c, headers, subscribe) => {
  const named = { ...headers, 'X-Request-Id': c.get('requestId') };
  await takeOver(c.env.outgoing, named, subscribe);
  return RESPONSE_ALREADY_SENT;
};

interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  hostname: string,
  port: number,
): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch, hostname, port }, (address: AddressInfo) =>
      resolve({ port: address.port, close: () => closed(server) }),
    );
    server.once('error', reject);
  });
}

/** Idle connections end at once, those that are answering when they have answered or the patience ends. */
function closed(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    const impatience = setTimeout(
      () => 'closeAllConnections' in server && server.closeAllConnections(),
      PATIENCE_MS,
    );
    server.close(() => {
      clearTimeout(impatience);
      resolve();
    });
  });
}

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
