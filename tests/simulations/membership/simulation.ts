/**
 * Simulation of Hub memberships.
 * Model: the rules of docs/product.md H10 in memory (model.ts), for six people and three Hubs.
 * Random: who does what to which Hub, invitation, link or request, and how many days pass (actions.ts).
 * Compared after each step: the answer, the stored rows, and what everybody sees of the Hub (world.ts, views.ts).
 * A difference fails the test with the shortest history that fast-check finds.
 */

import fc from 'fast-check';
import { onTestFinished } from 'vitest';
import { choice } from './actions.ts';
import type { MembershipDriver } from './drivers.ts';
import { World } from './world.ts';

/** Runs `numRuns` histories of up to `maxLength` steps in an Opine of their own, whose clock they move. */
export async function expectNoDifference(
  connect: () => Promise<MembershipDriver>,
  numRuns: number,
  maxLength: number,
): Promise<void> {
  const driver = await connect();
  onTestFinished(() => driver.close());
  const history = fc.array(choice, { minLength: 1, maxLength, size: 'max' });
  const property = fc.asyncProperty(history, async (choices) => {
    const world = await World.begin(driver);
    for (const choice of choices) await world.apply(choice);
  });
  await fc.assert(property, { numRuns });
}
