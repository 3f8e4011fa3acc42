import { setTimeout as pause } from 'node:timers/promises';

/** How often and when `retry` repeats its work. */
export interface RetryOptions {
  /** The number of attempts, at most. */
  readonly attempts: number;
  /** The first pause in milliseconds; each later one is twice as long. */
  readonly firstMs: number;
  /** Whether an error may be gone the next time; asked after each attempt but the last. By default every error may. */
  readonly shouldRetry?: (error: unknown) => boolean;
  /** When it aborts, a pause ends, and the next attempt is the last. */
  readonly stopping?: AbortSignal;
}

/**
 * Repeats `work` until it succeeds.
 * @throws the error of the last attempt
 */
export async function retry<T>(
  work: () => Promise<T>,
  { attempts, firstMs, shouldRetry = () => true, stopping }: RetryOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === attempts || stopping?.aborted || !shouldRetry(error)) throw error;
    }
    await sleep(backoffMs(firstMs, attempt), stopping);
  }
}

/** Pauses until the time has passed or `ending` aborts. */
export async function sleep(ms: number, ending?: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal: ending }).catch(() => {});
}

/**
 * Returns the pause before a retry in milliseconds: exponential backoff with a jitter of a quarter, so that callers who failed
 * together do not retry together.
 * @param attempt attempt number, 1-based
 */
export function backoffMs(firstMs: number, attempt: number, longestMs = Number.POSITIVE_INFINITY): number {
  return Math.min(firstMs * 2 ** (attempt - 1), longestMs) * (0.75 + Math.random() / 2);
}
