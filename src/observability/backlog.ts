/** What waits for the worker, as `app.backlog` counts it. Times are seconds. */
export interface Backlog {
  readonly outbox_count: number;
  readonly outbox_age_seconds: number;
  readonly push_count: number;
  readonly push_age_seconds: number;
  readonly dead_letter_count: number;
  readonly fan_out_count: number;
  readonly account_deletion_count: number;
  readonly vote_age_seconds: number;
  readonly inbox_change_count: number;
}

const FRESH_MS = 5_000;
const TIMEOUT_MS = 3_000;

/**
 * Looks at most every few seconds, whoever asks how often; a look that takes too long counts as one that failed.
 * @returns what says what the last look saw, and throws where it failed
 */
export function cachedBacklog(look: () => Promise<Backlog>): () => Promise<Backlog> {
  let last: Promise<Backlog> | null = null;
  let staleAt = 0;
  return () => {
    if (last !== null && performance.now() < staleAt) return last;
    staleAt = performance.now() + FRESH_MS;
    last = beforeDeadline(look());
    return last;
  };
}

async function beforeDeadline(work: Promise<Backlog>): Promise<Backlog> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('late')), TIMEOUT_MS);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
