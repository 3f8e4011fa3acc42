import fc from 'fast-check';
import { onTestFinished } from 'vitest';
import { type Opine, startOpine } from '../../support/opine.ts';
import type { OpenActor } from './actors.ts';
import { choice } from './moves.ts';
import { World } from './world.ts';

/**
 * Whatever people do in Hubs is what the model says, in so many histories; of the moves of a history less than half mean
 * nothing. Everybody is in an Opine of their own, as time passes in it.
 */
export async function expectNoDifference(
  reach: (opine: Opine) => Promise<OpenActor>,
  numRuns: number,
  maxLength: number,
): Promise<void> {
  const opine = await startOpine();
  onTestFinished(() => opine.stop());
  const actor = await reach(opine);
  onTestFinished(() => actor.close());
  const history = fc.array(choice, { minLength: 1, maxLength, size: 'max' });
  const property = fc.asyncProperty(history, async (choices) => {
    const world = await World.begin(actor);
    for (const choice of choices) await world.choose(choice);
  });
  await fc.assert(property, { numRuns });
}
