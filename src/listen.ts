import type { AddressInfo } from 'node:net';
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
