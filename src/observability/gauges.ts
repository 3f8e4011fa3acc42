import { Counter, Gauge, type Registry } from 'prom-client';
import { type Backlog, cachedBacklog } from './backlog.ts';
import type { PoolUse } from './watch.ts';

/** What is asked at each scrape. */
export interface GaugeSources {
  pools(): readonly PoolUse[];
  /** Null where the process holds none. */
  readonly streams: { readonly count: number; readonly sentCount: number } | null;
  /** Null where the process does not work. */
  readonly backlog: (() => Promise<Backlog>) | null;
}

const BACKLOG: readonly [name: string, help: string, field: keyof Backlog][] = [
  ['opine_outbox_rows', 'Notifications to be told, counted to 100,000.', 'outbox_count'],
  ['opine_outbox_age_seconds', 'For how long the oldest has been due.', 'outbox_age_seconds'],
  ['opine_pushes_waiting', 'Push messages to be sent, counted to 100,000.', 'push_count'],
  ['opine_pushes_age_seconds', 'For how long the oldest has been due.', 'push_age_seconds'],
  ['opine_dead_letters', 'What could not be sent, counted to 100,000.', 'dead_letter_count'],
  ['opine_fan_outs_waiting', 'Events of which many are still to be told.', 'fan_out_count'],
  ['opine_account_deletions_waiting', 'Ended accounts of which something is left.', 'account_deletion_count'],
  ['opine_vote_fold_age_seconds', 'Age of the oldest vote not folded, to ten seconds.', 'vote_age_seconds'],
  ['opine_inbox_counts_unfolded', 'Counts of inboxes not folded, to 100,000.', 'inbox_change_count'],
];

const POOLS: readonly [name: string, help: string, field: 'limit' | 'total' | 'idle' | 'waiting'][] = [
  ['opine_pool_limit', 'The most connections that a pool may have.', 'limit'],
  ['opine_pool_connections', 'Connections that a pool has.', 'total'],
  ['opine_pool_idle', 'Connections that nobody uses.', 'idle'],
  ['opine_pool_waiting', 'Statements that wait for a connection.', 'waiting'],
];

/** Has `registry` show what these say, as of each scrape. */
export function showGauges(registry: Registry, { pools, streams, backlog }: GaugeSources): void {
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
  if (streams !== null) showStreams(registry, streams);
  if (backlog !== null) showBacklog(registry, cachedBacklog(backlog));
}

function showStreams(registry: Registry, streams: NonNullable<GaugeSources['streams']>): void {
  const registers = [registry];
  new Gauge({
    name: 'opine_streams',
    help: 'Event streams that are open.',
    registers,
    collect() {
      this.set(streams.count);
    },
  });
  new Counter({
    name: 'opine_signals_sent_total',
    help: 'Hints told on event streams.',
    registers,
    collect() {
      this.reset();
      this.inc(streams.sentCount);
    },
  });
}

function showBacklog(registry: Registry, look: () => Promise<Backlog>): void {
  for (const [name, help, field] of BACKLOG) {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const backlog = await look().catch(() => null);
        // What nobody knows is left out: an old number would look like a good one.
        if (backlog === null) this.remove();
        else this.set(backlog[field]);
      },
    });
  }
}
