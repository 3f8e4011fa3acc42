import fc from 'fast-check';
import { onTestFinished } from 'vitest';
import type { OpenFeedActor } from './actors.ts';
import { choice } from './moves.ts';
import { type FeedActor, FeedWorld } from './world.ts';

/** The moves of a history. */
const histories = (maxLength: number) => fc.array(choice, { minLength: 1, maxLength, size: 'max' });

/** How many histories of how many moves there are, and how much of them is looked at. */
interface Extent {
  readonly numRuns: number;
  readonly maxLength: number;
  /** How many times fewer looks are taken than there is time for elsewhere. */
  readonly rarity?: number;
  /** After how long, in milliseconds, a history that fails is made no shorter. */
  readonly timeout?: number;
}

/** Whatever people do with posts, everybody sees what the model says. */
export async function expectNoDifference(reach: () => Promise<OpenFeedActor>, extent: Extent): Promise<void> {
  const { numRuns, maxLength, rarity = 1, timeout } = extent;
  const actor = await reach();
  onTestFinished(() => actor.close());
  await fc.assert(property(actor, maxLength, rarity), {
    numRuns,
    ...(timeout !== undefined && { interruptAfterTimeLimit: timeout }),
  });
}

/** Histories that come from a seed, each by its number from 0. */
export interface Histories {
  readonly seed: number;
  readonly maxLength: number;
}

/** The number of the first of `numRuns` histories that shows a difference; null where none does. */
export async function firstDifference(
  actor: FeedActor,
  { seed, maxLength }: Histories,
  numRuns: number,
): Promise<number | null> {
  const details = await fc.check(property(actor, maxLength), { seed, numRuns, endOnFailure: true });
  return details.failed ? details.numRuns - 1 : null;
}

/** What one history shows that differs from the model; null where nothing does. */
export async function differenceIn(
  actor: FeedActor,
  { seed, maxLength }: Histories,
  number: number,
): Promise<string | null> {
  const replay = { seed, path: `${number}`, numRuns: 1, endOnFailure: true };
  const details = await fc.check(property(actor, maxLength), replay);
  return details.failed ? String(details.errorInstance) : null;
}

/** Nobody sees anything else than the model says. */
export function property(actor: FeedActor, maxLength: number, rarity = 1) {
  let hasFailed = false;
  return fc.asyncProperty(histories(maxLength), async (choices) => {
    try {
      const world = await FeedWorld.begin(actor, rarity);
      for (const one of choices) await world.choose(one);
      // To make one that fails shorter, so that its end shows it.
      if (hasFailed) await world.lookAtAll();
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  });
}
