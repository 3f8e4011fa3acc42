/** The share of a block that nobody times: new connections of pgbench first fill the caches of their backends. */
export const RUN_UP = 0.2;

/**
 * Requests a second after the run-up.
 * @param finished when each request of a block ended, in seconds, in any order
 * @param runUp the share of them that is not timed
 */
export function rateOf(finished: readonly number[], runUp: number): number {
  const inOrder = finished.toSorted((a, b) => a - b);
  const start = Math.floor(inOrder.length * runUp);
  const [from = 0, to = 0] = [inOrder[start], inOrder.at(-1)];
  return (inOrder.length - 1 - start) / (to - from);
}

/** The middle one of an odd number of values. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
