// New connections, pgbench's in every round, first fill the caches of their backends.
const RUN_UP = 0.2;

/**
 * Requests a second of a block, its first fifth not timed.
 * @param finished when each request ended, in seconds, in any order
 */
export function rateOf(finished: readonly number[]): number {
  const [from = 0, ...timed] = afterRunUp(finished.toSorted((a, b) => a - b));
  return timed.length / ((timed.at(-1) ?? 0) - from);
}

/** What a block has behind its first fifth. */
export function afterRunUp<T>(block: readonly T[]): T[] {
  return block.slice(Math.floor(block.length * RUN_UP));
}

/** The middle one of an odd number of values. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value that a share of all do not exceed. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.max(Math.ceil(values.length * share) - 1, 0)] ?? Number.NaN;
}
