import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { createAdaptorServer } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { onTestFinished } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { type OpenStream, openBody } from '../../src/http/event-stream.ts';
import { createServices } from '../../src/services.ts';
import { createStreams } from '../../src/stream/streams.ts';
import { takeOver } from '../../src/stream/take-over.ts';
import { type Opine, testEnvironment } from './opine.ts';

/** A second process on the database of an Opine, as it were, of which a test sees what it holds. */
export interface Streaming {
  readonly url: string;
  /** How many streams it holds. */
  readonly count: number;
  /** How many connections. */
  connections(): Promise<number>;
}

/** As src/server.ts opens streams: connections that were taken from node:http. */
export const openConnection: OpenStream = async (c, headers, subscribe) => {
  await takeOver(c.env.outgoing, { ...headers, 'X-Request-Id': c.get('requestId') }, subscribe);
  return RESPONSE_ALREADY_SENT;
};

/** The two ways in which streams are opened, by what they are. */
export const WAYS = [
  ['a connection', openConnection],
  ['a body', openBody],
] as const;

/** What a streaming process is made with. */
export interface StreamingOptions {
  readonly openStream?: OpenStream;
  /** Of node:http: how long it waits for what. */
  readonly timeout?: Partial<Pick<Server, 'keepAliveTimeout' | 'headersTimeout' | 'requestTimeout'>>;
}

/** Starts what holds streams and has no worker. It ends with the test that asked for it. */
export async function aStreaming(
  { database }: Pick<Opine, 'database'>,
  { openStream = openConnection, timeout = {} }: StreamingOptions = {},
): Promise<Streaming> {
  const config = readConfig(testEnvironment(database));
  const services = await createServices(config, { prepare: () => Promise.resolve(null) });
  const streams = createStreams({ gateway: services.gateway, listenUrl: config.DATABASE_URL });
  const { fetch } = createApp(services, { streams, openStream });
  const server = createAdaptorServer({ fetch }) as Server;
  Object.assign(server, timeout);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    await streams.close();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
    await services.gateway.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get count() {
      return streams.count;
    },
    connections: () => promisify(server.getConnections.bind(server))(),
  };
}
