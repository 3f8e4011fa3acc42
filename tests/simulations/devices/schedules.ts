import fc from 'fast-check';
import { granted, requestFollow } from '../../support/graph.ts';
import { failureAfter } from '../../support/stories.ts';
import { type Choice, happens, type Schedule, scheduleOf } from './choices.ts';
import { publishes, pushes } from './deliveries.ts';
import type { Device } from './devices.ts';
import { comesToRest, everythingArrives, expectTruth } from './rest.ts';
import { aStage, type Stage } from './stage.ts';
import { aPhoneWorld, type PhoneWorld, using } from './world.ts';

/** How many schedules of how many steps there are. */
interface Extent {
  readonly numRuns: number;
  readonly maxLength: number;
  /** After how long, in milliseconds, a schedule that fails is made no shorter. */
  readonly timeout: number;
  /** The npm package of the Deno on which functions are the worker; a process of Node if undefined. */
  readonly deno?: string;
}

/**
 * Whatever becomes of what is sent to phones, each shows in the end what GET /notifications says. Each schedule has people
 * and Hubs of its own.
 */
export async function expectConvergence({ numRuns, maxLength, timeout, deno }: Extent): Promise<void> {
  const [atOnce, later] = [
    await aStage({ isToldLater: false, deno }),
    await aStage({ isToldLater: true, deno }),
  ];
  const schedule = fc.oneof(
    { weight: 3, arbitrary: scheduleOf(false, maxLength) },
    { weight: 1, arbitrary: scheduleOf(true, maxLength) },
  );
  const property = fc.asyncProperty(fc.noBias(schedule), (one) =>
    plays(one.isToldLater ? later : atOnce, one),
  );
  await fc.assert(property, { numRuns, interruptAfterTimeLimit: timeout });
}

async function plays(stage: Stage, { isCalm, choices }: Schedule): Promise<void> {
  const world = await aPhoneWorld(stage, isCalm);
  const story: string[] = [];
  try {
    await begins(world);
    for (const [place, choice] of choices.entries()) {
      story.push(`${choice.name}, in vain`);
      story[place] = await happens(world, choice);
    }
    story.push('all is told');
    await allIsTold(world);
    for (const [place, device] of using(world).entries()) await ends(world, device, choices.slice(place));
    await nothingElseIsHeard(world);
  } catch (error) {
    throw failureAfter(story, [String(error)]);
  } finally {
    for (const device of [...world.devices, world.observer]) device.disconnect(false);
  }
}

/** The apps start, all but Jonas's with a stream. */
async function begins({ opine, devices }: PhoneWorld): Promise<void> {
  for (const [place, device] of devices.entries()) {
    if (place !== 1) await device.connect(opine);
    await device.ask(device.phone.refreshes());
  }
}

/** Where nothing was lost, and nobody's access has changed, what was told is enough. */
async function ends(world: PhoneWorld, device: Device, choices: readonly Choice[]): Promise<void> {
  const order = choices.map(({ thing }) => thing);
  if (!world.isCalm) return comesToRest(world, device, order, choices[0]?.isOn ?? false);
  await everythingArrives(device, order);
  await expectTruth(device);
}

/** The worker does all that there is for it to do. */
async function allIsTold(world: PhoneWorld): Promise<void> {
  await world.stage.fansOut();
  await publishes(world);
  await pushes(world, false);
  await world.stage.folds();
}

/** What a stranger does now comes behind everything that is still on its way to streams. */
async function nothingElseIsHeard(world: PhoneWorld): Promise<void> {
  const { accounts, observer } = world;
  await Promise.all(accounts.map(({ person }) => granted(requestFollow(observer.person, person))));
  await world.stage.fansOut();
  await publishes(world);
}
