import { inject } from 'vitest';
import { shareOf } from './shares.ts';

/** The share of `test:deep` that this run has: 1 is all of it. */
export const SHARE = Math.min(1, inject('depth') / 16);

/** Scales a count of `test:deep` to the depth of this run. */
export const scaled = (count: number): number => Math.ceil(count * SHARE);

/** Takes an even share of `items` for the depth of this run, one at least. */
export function sampleOf<T>(items: readonly T[]): readonly T[] {
  const sample = shareOf(items, SHARE);
  return sample.length > 0 ? sample : items.slice(0, 1);
}
