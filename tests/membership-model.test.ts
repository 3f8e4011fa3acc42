import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { type OpenActor, overHttp, throughGateway } from './builders/membership-actors.ts';
import { choice } from './builders/membership-moves.ts';
import { World } from './builders/membership-world.ts';
import { type Opine, startOpine } from './harness/opine.ts';

const started: { stop(): Promise<void> }[] = [];

afterAll(async () => {
  for (const { stop } of started.reverse()) await stop();
});

/** Everybody, in an Opine of their own: time passes in it. */
async function everybody(reach: (opine: Opine) => Promise<OpenActor>): Promise<OpenActor> {
  const opine = await startOpine();
  started.push(opine);
  const actor = await reach(opine);
  started.push({ stop: actor.close });
  return actor;
}

// Until this time is up more histories are tried, and one that fails is made shorter.
const PATIENCE_MS = 240_000;
const timeout = PATIENCE_MS + 60_000;

/** Whatever people do in Hubs is what the model says; of the moves of a history less than half mean nothing. */
async function expectNoDifference(actor: OpenActor, numRuns: number, maxLength: number): Promise<void> {
  const history = fc.array(choice, { minLength: 1, maxLength, size: 'max' });
  let tried = 0;
  const property = fc.asyncProperty(history, async (choices) => {
    const world = await World.begin(actor);
    for (const choice of choices) await world.choose(choice);
    tried += 1;
  });
  await fc.assert(property, { numRuns, interruptAfterTimeLimit: PATIENCE_MS });
  // A machine that is busy with other things may try less.
  expect(tried).toBeGreaterThan(numRuns / 3);
}

test('over HTTP, whatever happens in Hubs is what the model says', { timeout }, async () => {
  await expectNoDifference(await everybody(overHttp), 60, 30);
});

// Two at once, as CI has two cores.
test.concurrent.each([1, 2])(
  'through the gateway alone, whatever happens in Hubs is what the model says (%i)',
  { timeout },
  async () => {
    await expectNoDifference(await everybody(throughGateway), 1500, 36);
  },
);
