import type { IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type ServerType, serve } from '@hono/node-server';

const PATIENCE_MS = 10_000;

/** An address that is listened on. */
export interface Listener {
  readonly port: number;
  /** Takes no new connection, and ends when those under way have ended, or the patience does. */
  close(): Promise<void>;
}

/** @throws the listener's error where the address cannot be had */
export function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  hostname: string,
  port: number,
): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch, hostname, port }, (address: AddressInfo) =>
      resolve({ port: address.port, close: () => closed(server, silent) }),
    );
    const silent = silentOf(server);
    server.once('error', reject);
  });
}

/**
 * The connections that have not asked for anything yet. Browsers and pools open some in advance, and to node:http they are
 * as busy as one that is answering.
 */
function silentOf(server: ServerType): ReadonlySet<Socket> {
  const silent = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage) => silent.delete(socket));
  return silent;
}

/** Idle connections end at once, those that are answering when they have answered or the patience ends. */
function closed(server: ServerType, silent: ReadonlySet<Socket>): Promise<void> {
  for (const socket of silent) if (socket.bytesRead === 0) socket.destroy();
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
