import { OpineError, retryAfterSeconds } from './error.ts';
import type { FetchResponse } from './platform.ts';

const MAX_ATTEMPTS = 4;
const FIRST_BACKOFF_MS = 500;
const MAX_RETRY_AFTER_SECONDS = 10;
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Sends a request that may be repeated, up to four times: after a lost connection, and after 429, 502, 503 and 504.
 * Waits as long as `Retry-After` says, or returns the response at once if that is more than 10 seconds.
 * @throws the error of the last attempt
 */
export async function retry(
  send: () => Promise<FetchResponse>,
  signal?: AbortSignal,
): Promise<FetchResponse> {
  for (let attempt = 1; ; attempt += 1) {
    let minimum = 0;
    try {
      const response = await send();
      if (!TRANSIENT_STATUSES.has(response.status) || attempt === MAX_ATTEMPTS) return response;
      minimum = retryAfterSeconds(response) ?? 0;
      if (minimum > MAX_RETRY_AFTER_SECONDS) return response;
      // Frees the connection.
      await response.text();
    } catch (error) {
      // An error of the service is its answer: the session has ended.
      if (signal?.aborted || error instanceof OpineError || attempt === MAX_ATTEMPTS) throw error;
    }
    await wait(minimum * 1_000 + jittered(FIRST_BACKOFF_MS * 2 ** (attempt - 1)), signal);
  }
}

/** Waits for `ms`, or until `signal` aborts. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, signal?.aborted ? 0 : ms);
    signal?.addEventListener('abort', done);
  });
}

/** Returns a random duration between half of `ms` and `ms`, so that clients do not return all at once. */
export function jittered(ms: number): number {
  return ms * (0.5 + Math.random() / 2);
}
