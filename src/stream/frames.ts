import type { OpenedSignal } from '../db/gateway.ts';

const encoder = new TextEncoder();

/** The first bytes of a stream: how long to wait before the next, and how the inbox is. `inbox` is JSON. */
export function ready(inbox: string): Uint8Array {
  return encoder.encode(`retry: 3000\n\nevent: ready\ndata: ${inbox}\n\n`);
}

/** A signal: the payload of push messages, and how new the inbox is (docs/product.md N16, N18). */
export function notification(signal: OpenedSignal['signal']): Uint8Array {
  return encoder.encode(
    `event: notification\nid: ${signal.notificationId}\ndata: ${JSON.stringify(signal)}\n\n`,
  );
}

/** Keeps what lies between from taking the connection for dead. */
export const COMMENT: Uint8Array = encoder.encode(': here\n\n');

/** The last bytes of a stream: the client is to open the next one. */
export const RECONNECT: Uint8Array = encoder.encode('event: reconnect\ndata: {}\n\n');
