import { Counter, Gauge, type Registry } from 'prom-client';
import type { PoolUse } from './watch.ts';

/** The sources that each scrape reads. */
export interface GaugeSources {
  pools(): readonly PoolUse[];
  /** Null in a process without streams. */
  readonly streams: { readonly count: number; readonly sentCount: number } | null;
  /** Null in a process without a worker. */
  readonly backlog: (() => Promise<Backlog>) | null;
}

const BACKLOG: readonly [name: string, help: string, field: keyof Backlog][] = [
  ['opine_outbox_rows', 'Notifications to deliver, counted to 100,000.', 'outbox_count'],
  ['opine_outbox_age_seconds', 'How long the oldest notification has been due.', 'outbox_age_seconds'],
  ['opine_pushes_waiting', 'Push messages to send, counted to 100,000.', 'push_count'],
  ['opine_pushes_age_seconds', 'How long the oldest push message has been due.', 'push_age_seconds'],
  ['opine_dead_letters', 'Dead letters, counted to 100,000.', 'dead_letter_count'],
  ['opine_fan_outs_waiting', 'Events that are not fanned out to all recipients.', 'fan_out_count'],
  ['opine_account_deletions_waiting', 'Account deletions that are not finished.', 'account_deletion_count'],
  ['opine_vote_fold_age_seconds', 'Age of the oldest unfolded vote, to ten seconds.', 'vote_age_seconds'],
  [
    'opine_inbox_counts_unfolded',
    'Unfolded changes of inbox counts, counted to 100,000.',
    'inbox_change_count',
  ],
];

const POOLS: readonly [name: string, help: string, field: 'limit' | 'total' | 'idle' | 'waiting'][] = [
  ['opine_pool_limit', 'Maximum number of connections of a pool.', 'limit'],
  ['opine_pool_connections', 'Open connections of a pool.', 'total'],
  ['opine_pool_idle', 'Idle connections of a pool.', 'idle'],
  ['opine_pool_waiting', 'Statements waiting for a connection.', 'waiting'],
];

/** Registers gauges that read their sources at each scrape. */
export function registerGauges(registry: Registry, { pools, streams, backlog }: GaugeSources): void {
  const registers = [registry];
  for (const [name, help, field] of POOLS) {
    new Gauge({
      name,
      help,
      labelNames: ['pool'],
      registers,
      collect() {
        for (const use of pools()) this.set({ pool: use.pool }, use[field]);
      },
    });
  }
  if (streams !== null) registerStreams(registry, streams);
  if (backlog !== null) registerBacklog(registry, cachedBacklog(backlog));
}

function registerStreams(registry: Registry, streams: NonNullable<GaugeSources['streams']>): void {
  const registers = [registry];
  new Gauge({
    name: 'opine_streams',
    help: 'Open event streams.',
    registers,
    collect() {
      this.set(streams.count);
    },
  });
  new Counter({
    name: 'opine_signals_sent_total',
    help: 'Signals sent on event streams.',
    registers,
    collect() {
      this.reset();
      this.inc(streams.sentCount);
    },
  });
}

function registerBacklog(registry: Registry, read: () => Promise<Backlog>): void {
  for (const [name, help, field] of BACKLOG) {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const value = await read().then(
          (backlog) => backlog[field],
          () => null,
        );
        // A failed read removes the gauge, because an old number would look current.
        if (value === null) this.remove();
        else this.set(value);
      },
    });
  }
}

/** The work that waits for workers, a row of `app.backlog()`. */
export type Backlog = Readonly<Record<BacklogField, number | null>>;

type BacklogField =
  | 'outbox_count'
  | 'outbox_age_seconds'
  | 'push_count'
  | 'push_age_seconds'
  | 'dead_letter_count'
  | 'fan_out_count'
  | 'account_deletion_count'
  | 'vote_age_seconds'
  | 'inbox_change_count';

const FRESH_MS = 5_000;
const TIMEOUT_MS = 3_000;

/** Returns a reader that caches the backlog for five seconds. It throws if the last read failed or timed out. */
function cachedBacklog(read: () => Promise<Backlog>): () => Promise<Backlog> {
  let last: Promise<Backlog> | null = null;
  let staleAt = 0;
  return () => {
    if (last !== null && performance.now() < staleAt) return last;
    staleAt = performance.now() + FRESH_MS;
    last = withTimeout(read());
    return last;
  };
}

async function withTimeout(work: Promise<Backlog>): Promise<Backlog> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('reading the backlog timed out')), TIMEOUT_MS);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
