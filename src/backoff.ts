/**
 * How long to wait before the next try, in milliseconds: each time twice as long, and by chance a quarter more or less,
 * so that those who failed together do not come back together.
 * @param wait the how manieth wait it is, from 1
 */
export function backoffMs(firstMs: number, wait: number, longestMs = Number.POSITIVE_INFINITY): number {
  return Math.min(firstMs * 2 ** (wait - 1), longestMs) * (0.75 + Math.random() / 2);
}
