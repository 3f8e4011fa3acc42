import fc from 'fast-check';
import { onTestFinished } from 'vitest';
import type { OpenFeedActor } from './feed-actors.ts';
import { choice } from './feed-moves.ts';
import { type FeedActor, FeedWorld } from './feed-world.ts';

/** The moves of a history. */
const histories = (maxLength: number) => fc.array(choice, { minLength: 1, maxLength, size: 'max' });

/** How many histories of how many moves there are, and how much of them is looked at. */
interface Extent {
  readonly numRuns: number;
  readonly maxLength: number;
  /** How many times fewer looks are taken than there is time for elsewhere. */
  readonly rarity?: number;
  /** After how long, in milliseconds, a history that fails is made no shorter. */
  readonly patience?: number;
}

/** Whatever people do with posts, everybody sees what the model says. */
export async function expectNoDifference(reach: () => Promise<OpenFeedActor>, extent: Extent): Promise<void> {
  const { numRuns, maxLength, rarity = 1, patience } = extent;
  const actor = await reach();
  onTestFinished(() => actor.close());
  await fc.assert(property(actor, maxLength, rarity), {
    numRuns,
    ...(patience !== undefined && { interruptAfterTimeLimit: patience }),
  });
}

/** How many of `numRuns` histories it takes to notice a difference; null where none of them does. */
export async function historiesUntilADifference(
  actor: FeedActor,
  options: { readonly numRuns: number; readonly maxLength: number; readonly seed: number },
): Promise<{ readonly count: number; readonly error: string } | null> {
  const { maxLength, ...rest } = options;
  const details = await fc.check(property(actor, maxLength), { ...rest, endOnFailure: true });
  return details.failed ? { count: details.numRuns, error: String(details.errorInstance) } : null;
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
