import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { backoffMs } from '../backoff.ts';

const CHANNEL = 'opine_signals';
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;

/** What a listener is made with. */
export interface ListenerOptions {
  /** Connection URL that keeps a session: no pooler in transaction mode can listen. */
  readonly url: string;
  /** Told of what comes. */
  readonly onPayload: (payload: string) => void;
  /** Told when it listens again after the connection was lost: what came in between is unknown. */
  readonly onGap: () => void;
}

/** Listens for hints, with a connection that is made when it is first needed and made anew when it is lost. */
export interface Listener {
  /** Resolves when it listens. @throws the error of a connection that cannot be made, or where it was closed */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Opens nothing yet. */
export function createListener({ url, onPayload, onGap }: ListenerOptions): Listener {
  const closing = new AbortController();
  // What listens, or is about to: one connection, whoever asks for it.
  let listening: Promise<pg.Client> | null = null;

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      // It may hear nothing for hours: one that was lost without a word must be known within seconds.
      keepAliveInitialDelayMillis: 10_000,
      application_name: 'opine-stream',
    });
    client.on('error', () => {});
    client.on('notification', ({ payload = '' }) => onPayload(payload));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
    client.once('end', () => {
      listening = null;
      void recover();
    });
    return client;
  }

  async function listen(): Promise<void> {
    closing.signal.throwIfAborted();
    listening ??= connect();
    const current = listening;
    await current.catch((error: unknown) => {
      // Whoever is next tries again.
      if (listening === current) listening = null;
      throw error;
    });
  }

  async function recover(): Promise<void> {
    for (let failures = 1; !closing.signal.aborted; failures += 1) {
      const waitMs = backoffMs(FIRST_WAIT_MS, failures, LONGEST_WAIT_MS);
      await pause(waitMs, undefined, { signal: closing.signal }).catch(() => {});
      const isBack = await listen().then(
        () => true,
        () => false,
      );
      if (isBack) return onGap();
    }
  }

  return {
    start: listen,
    close: async () => {
      closing.abort();
      const client = await listening?.catch(() => null);
      await client?.end();
    },
  };
}
