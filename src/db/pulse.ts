import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { createPool, query } from './pool.ts';
import type { Link } from './silence.ts';

const PULSE_MS = 1_000;
const TIMEOUT_MS = 4_000;

/** A running check of a link. */
export interface Pulse {
  stop(): Promise<void>;
}

/**
 * Sends a statement that waits for nothing every second, on a connection of its own. If that connection falls silent and a new one
 * answers, a failover or a stalled pooler has left old connections behind: every connection of the link that has been silent as
 * long is dropped, without waiting for the timeout of its statement, which is a minute in the worker.
 */
export function startPulse(url: string, link: Link): Pulse {
  const pool = createPool({
    url,
    size: 1,
    name: 'opine-pulse',
    timeoutMs: TIMEOUT_MS,
    onIdleError: () => {},
  });
  const stopping = new AbortController();
  let dropSilent: (() => void) | null = null;

  async function beat(): Promise<void> {
    const dropSilentSinceNow = link.mark();
    try {
      await query(pool, 'select', []);
      dropSilent?.();
      dropSilent = null;
    } catch (error) {
      // An error of Postgres is an answer.
      if (!(error instanceof pg.DatabaseError)) dropSilent ??= dropSilentSinceNow;
    }
  }

  async function beatForever(): Promise<void> {
    while (!stopping.signal.aborted) {
      await beat();
      await pause(PULSE_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const beating = beatForever();
  return {
    stop: async () => {
      stopping.abort();
      await beating;
      await pool.end();
    },
  };
}
