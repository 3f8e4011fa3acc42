/**
 * Returns the pause before a retry in milliseconds: exponential backoff with a jitter of a quarter, so that callers who failed
 * together do not retry together.
 * @param attempt attempt number, 1-based
 */
export function backoffMs(firstMs: number, attempt: number, longestMs = Number.POSITIVE_INFINITY): number {
  return Math.min(firstMs * 2 ** (attempt - 1), longestMs) * (0.75 + Math.random() / 2);
}
