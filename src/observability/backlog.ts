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
export function cachedBacklog(read: () => Promise<Backlog>): () => Promise<Backlog> {
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
