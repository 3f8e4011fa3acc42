import { OpineError, RealtimeError } from './error.ts';
import { PlatformError } from './platform.ts';
import { jittered, wait } from './retry.ts';
import type { NotificationSignal } from './schema.ts';

/** The state of the inbox. */
export interface InboxState {
  readonly unreadCount: number;
  readonly inboxVersion: number;
}

/** The payload of a signal: ids of a notification. Only Opine's event stream adds `inboxVersion`. */
export type Payload = Readonly<NotificationSignal>;

/**
 * An event. Read the inbox after each one: signals may be doubled or lost, and a new connection does not repeat them. Each
 * connection begins with `ready`.
 */
export type StreamEvent =
  | { readonly type: 'ready'; readonly inbox: InboxState }
  | { readonly type: 'notification'; readonly payload: Payload };

/** The events of one connection. A number is the server's reconnection time in milliseconds. */
export type Connection = AsyncGenerator<StreamEvent | number, void, undefined>;

const FIRST_BACKOFF_MS = 3_000;
const MAX_BACKOFF_MS = 30_000;

/**
 * Yields events and reconnects with backoff, until `signal` aborts.
 * @param connect opens one connection; returns or throws when the connection is lost
 * @throws OpineError if the session has ended or may not listen
 * @throws RealtimeError if Realtime refuses the channel, or if the Supabase client cannot start
 * @throws PlatformError if the platform cannot read a stream
 */
export async function* follow(
  connect: (signal: AbortSignal) => Connection,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent, void, undefined> {
  let base = FIRST_BACKOFF_MS;
  let failures = 0;
  while (!signal.aborted) {
    try {
      for await (const event of connect(signal)) {
        failures = 0;
        if (typeof event === 'number') base = event;
        else yield event;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof RealtimeError || error instanceof PlatformError) throw error;
      if (error instanceof OpineError && error.status < 500 && error.status !== 429) throw error;
    }
    await wait(jittered(Math.min(base * 2 ** failures, MAX_BACKOFF_MS)), signal);
    failures += 1;
  }
}
