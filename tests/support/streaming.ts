import type { Server } from 'node:http';
import { promisify } from 'node:util';
import { createAdaptorServer } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { onTestFinished } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { type OpenStream, openBody } from '../../src/http/event-stream.ts';
import { createServices } from '../../src/services.ts';
import { createStreams, type StreamsOptions } from '../../src/stream/streams.ts';
import { takeOver } from '../../src/stream/take-over.ts';
import { close, listen } from './loopback.ts';
import { testEnvironment, type WithDatabase } from './opine.ts';

/** A second process on the database of an Opine with visible streams. */
export interface StreamServer {
  readonly url: string;
  /** Open streams. */
  readonly count: number;
  /** Open connections. */
  connections(): Promise<number>;
}

/** Opens streams as src/server.ts does, on connections taken over from node:http. */
const openConnection: OpenStream = async (c, headers, subscribe) => {
  await takeOver(c.env.outgoing, { ...headers, 'X-Request-Id': c.get('requestId') }, subscribe);
  return RESPONSE_ALREADY_SENT;
};

/** Both implementations of streams. */
export const TRANSPORTS = [
  ['a connection', openConnection],
  ['a body', openBody],
] as const;

interface StreamingOptions extends Partial<Pick<StreamsOptions, 'listenUrl' | 'maxSilenceMs'>> {
  readonly openStream?: OpenStream;
  /** Timeouts of node:http. */
  readonly timeout?: Partial<Pick<Server, 'keepAliveTimeout' | 'headersTimeout' | 'requestTimeout'>>;
}

/** Starts a stream server without a worker; it stops with the test. */
export async function startStreamServer(
  { database }: WithDatabase,
  { openStream = openConnection, timeout = {}, ...options }: StreamingOptions = {},
): Promise<StreamServer> {
  const config = readConfig(testEnvironment(database));
  const services = await createServices(config, { prepare: async () => 'not_decodable' as const });
  const streams = createStreams({ gateway: services.gateway, listenUrl: config.DATABASE_URL, ...options });
  const { fetch } = createApp(services, { streams, openStream });
  const server = createAdaptorServer({ fetch }) as Server;
  Object.assign(server, timeout);
  const port = await listen(server);
  onTestFinished(async () => {
    await streams.close();
    await close(server);
    await services.gateway.close();
  });
  return {
    url: `http://127.0.0.1:${port}`,
    get count() {
      return streams.count;
    },
    connections: () => promisify(server.getConnections.bind(server))(),
  };
}
