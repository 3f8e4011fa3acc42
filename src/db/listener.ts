import type { Buffer } from 'node:buffer';
import pg from 'pg';
import { backoffMs, sleep } from '../retry.ts';
import { createSignalOpener, type Signal } from './signals.ts';
import { dropWhenSilent, findSocket } from './silence.ts';

const CHANNEL = 'opine_signals';
const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 10_000;

/** Options of a listener. */
export interface ListenerOptions {
  /** A direct connection: a pooler in transaction mode cannot LISTEN. */
  readonly url: string;
  /** Called with the signals of each genuine payload. */
  readonly onSignals: (signals: readonly Signal[]) => void;
  /** Called after a reconnection: notifications in between are lost. */
  readonly onGap: () => void;
  /** How long a connection may be silent. Default: 7.5 seconds. */
  readonly maxSilenceMs?: number;
}

/**
 * Listens for signals, with a connection that opens on first use. It reconnects when the connection is lost, or when a notification
 * that it sends to itself does not arrive: after a failover, connections stay open that hear nothing.
 */
export interface SignalListener {
  /** Connects and starts to listen. @throws if it cannot connect, or is closed */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Creates a listener without a connection. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its functions share what it holds.
export function createListener({
  url,
  onSignals,
  onGap,
  maxSilenceMs = 7_500,
}: ListenerOptions): SignalListener {
  const closing = new AbortController();
  // The one connection, or the attempt to open it, shared by all callers of start().
  let listening: Promise<pg.Client> | null = null;

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      // An idle connection may be lost silently; keepalive notices within seconds.
      keepAliveInitialDelayMillis: 10_000,
      application_name: 'opine-stream',
    });
    client.on('error', () => {});
    try {
      await client.connect();
      dropWhenSilent(findSocket(client), maxSilenceMs);
      await hearSignals(client);
      await startPulse(client);
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

  async function hearSignals(client: pg.Client): Promise<void> {
    const { rows } = await client.query<{ key: Buffer | null }>('select gateway.signal_key() as key');
    const key = rows[0]?.key;
    if (!key) throw new Error('The database has no key for signals.');
    const open = createSignalOpener(key);
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel === CHANNEL) onSignals(open(payload));
    });
    await client.query(`listen ${CHANNEL}`);
  }

  /** Ends the connection when it is silent, or leads to a standby, which cannot notify. */
  async function startPulse(client: pg.Client): Promise<void> {
    const pulse = `opine_pulse_${crypto.randomUUID().replaceAll('-', '')}`;
    const end = () => void client.end().catch(() => {});
    let heardAt = performance.now();
    client.on('notification', ({ channel }) => {
      if (channel === pulse) heardAt = performance.now();
    });
    await client.query(`listen ${pulse}`);
    const timer = setInterval(() => {
      if (performance.now() - heardAt > maxSilenceMs) end();
      else client.query(`notify ${pulse}`).catch(end);
    }, maxSilenceMs / 3);
    client.once('end', () => clearInterval(timer));
  }

  async function listen(): Promise<void> {
    closing.signal.throwIfAborted();
    listening ??= connect();
    const current = listening;
    await current.catch((error: unknown) => {
      // The next caller retries.
      if (listening === current) listening = null;
      throw error;
    });
  }

  async function recover(): Promise<void> {
    for (let failures = 1; !closing.signal.aborted; failures += 1) {
      await sleep(backoffMs(FIRST_BACKOFF_MS, failures, MAX_BACKOFF_MS), closing.signal);
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
