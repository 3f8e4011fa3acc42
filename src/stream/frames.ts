import type { OpenedSignal } from '../db/gateway.ts';

const encoder = new TextEncoder();

/** Encodes the first event: the retry interval and the inbox state. @param inbox JSON */
export function ready(inbox: string): Uint8Array {
  return encoder.encode(`retry: 3000\n\nevent: ready\ndata: ${inbox}\n\n`);
}

/** Encodes a signal: the data of the push message, and the inbox version (docs/product.md N16, N18). */
export function notification(signal: OpenedSignal['signal']): Uint8Array {
  return encoder.encode(
    `event: notification\nid: ${signal.notificationId}\ndata: ${JSON.stringify(signal)}\n\n`,
  );
}

/** A comment, which keeps proxies from closing an idle connection. */
export const COMMENT: Uint8Array = encoder.encode(': here\n\n');

/** The last event, which makes the client reconnect. */
export const RECONNECT: Uint8Array = encoder.encode('event: reconnect\ndata: {}\n\n');
