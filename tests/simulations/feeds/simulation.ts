/**
 * Simulation of posts and feeds.
 * Model: the rules of docs/product.md PO and F in memory (model.ts), for eight people and three Hubs.
 * Random: who posts, comments, votes, shares, follows, blocks, joins or leaves, and how time passes (actions.ts).
 * Compared: the answer to each step, then a random part of what everybody reads (views.ts), and one pagination that
 * goes on between the steps (pagination.ts). Histories depend on their seed alone, so a mutation test can replay them.
 */

import fc from 'fast-check';
import { onTestFinished } from 'vitest';
import { choice } from './actions.ts';
import type { FeedDriver } from './drivers.ts';
import { FeedWorld } from './world.ts';

interface Options {
  readonly numRuns: number;
  /** The largest number of steps in a history. */
  readonly maxLength: number;
  /** Divides the number of reads after each step. */
  readonly rarity?: number;
  /** Stops shrinking a failing history after so many milliseconds. */
  readonly timeout?: number;
}

/** Runs random histories and fails where Opine differs from the model. */
export async function expectNoDifference(
  connect: () => Promise<FeedDriver>,
  options: Options,
): Promise<void> {
  const { numRuns, maxLength, rarity = 1, timeout } = options;
  const driver = await connect();
  onTestFinished(() => driver.close());
  await fc.assert(property(driver, maxLength, rarity), {
    numRuns,
    ...(timeout !== undefined && { interruptAfterTimeLimit: timeout }),
  });
}

/** A seeded sequence of histories, numbered from 0. */
export interface Histories {
  readonly seed: number;
  readonly maxLength: number;
}

/** Returns the number of the first of `numRuns` histories with a difference, or null. */
export async function firstDifference(
  driver: FeedDriver,
  { seed, maxLength }: Histories,
  numRuns: number,
): Promise<number | null> {
  const details = await fc.check(property(driver, maxLength), { seed, numRuns, endOnFailure: true });
  return details.failed ? details.numRuns - 1 : null;
}

/** Returns the difference that one history shows, or null. */
export async function differenceIn(
  driver: FeedDriver,
  { seed, maxLength }: Histories,
  number: number,
): Promise<string | null> {
  const replay = { seed, path: `${number}`, numRuns: 1, endOnFailure: true };
  const details = await fc.check(property(driver, maxLength), replay);
  return details.failed ? String(details.errorInstance) : null;
}

function property(driver: FeedDriver, maxLength: number, rarity = 1) {
  let hasFailed = false;
  const history = fc.array(choice, { minLength: 1, maxLength, size: 'max' });
  return fc.asyncProperty(history, async (choices) => {
    try {
      const world = await FeedWorld.begin(driver, rarity);
      for (const one of choices) await world.apply(one);
      // While shrinking, compare every read: the shortest history then shows the difference at its end.
      if (hasFailed) await world.compareAllReads();
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  });
}
