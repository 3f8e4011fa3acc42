// New connections, pgbench's in every round, first fill the caches of their backends.
const RUN_UP = 0.2;

/**
 * Requests a second of a block, its first fifth not timed.
 * @param finished when each request ended, in seconds, in any order
 */
export function rateOf(finished: readonly number[]): number {
  const inOrder = finished.toSorted((a, b) => a - b);
  const start = Math.floor(inOrder.length * RUN_UP);
  const [from = 0, to = 0] = [inOrder[start], inOrder.at(-1)];
  return (inOrder.length - 1 - start) / (to - from);
}

/** The middle one of an odd number of values. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
