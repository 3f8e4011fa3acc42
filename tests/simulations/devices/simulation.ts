/**
 * Simulation of phones that follow their inbox by signals, pushes and pages.
 * Model: who may be notified of what (model.ts), and what each device was sent (deliveries.ts).
 * Random: actions of five people (actions.ts), and the order, loss and repetition of deliveries, worker tasks and
 * worker crashes (system-events.ts).
 * Compared: every signal and push with the model, and in the end each phone with `GET /notifications`.
 */

import fc from 'fast-check';
import { expectOk } from '../../support/client.ts';
import { requestFollow } from '../../support/graph.ts';
import { failureAfter } from '../../support/models.ts';
import { type Choice, runStep, type Schedule, scheduleOf } from './choices.ts';
import { arriveAll, converge, expectInboxShown } from './convergence.ts';
import { publish, sendPushes } from './deliveries.ts';
import type { Device } from './devices.ts';
import { type Harness, startHarness } from './harness.ts';
import { activeDevices, createWorld, type World } from './world.ts';

interface Options {
  readonly numRuns: number;
  readonly maxLength: number;
  /** Stops shrinking a failing schedule after so many milliseconds. */
  readonly timeout: number;
  /** The npm package of the Deno that runs the worker as edge functions; undefined for Node. */
  readonly deno?: string;
}

/** Runs random schedules, each with its own people and Hubs. */
export async function expectConvergence({ numRuns, maxLength, timeout, deno }: Options): Promise<void> {
  const [atOnce, later] = [
    await startHarness({ isFannedOut: false, deno }),
    await startHarness({ isFannedOut: true, deno }),
  ];
  const schedule = fc.oneof(
    { weight: 3, arbitrary: scheduleOf(false, maxLength) },
    { weight: 1, arbitrary: scheduleOf(true, maxLength) },
  );
  const property = fc.asyncProperty(fc.noBias(schedule), (one) =>
    runSchedule(one.isFannedOut ? later : atOnce, one),
  );
  await fc.assert(property, { numRuns, interruptAfterTimeLimit: timeout });
}

async function runSchedule(harness: Harness, { isCalm, choices }: Schedule): Promise<void> {
  const world = await createWorld(harness, isCalm);
  const steps: string[] = [];
  try {
    await startApps(world);
    for (const [index, choice] of choices.entries()) {
      steps.push(`${choice.name} (failed)`);
      steps[index] = await runStep(world, choice);
    }
    steps.push('the worker finishes');
    await finishWork(world);
    for (const [index, device] of activeDevices(world).entries())
      await checkDevice(world, device, choices.slice(index));
    await expectNothingElse(world);
  } catch (error) {
    throw failureAfter(steps, [String(error)]);
  } finally {
    for (const device of [...world.devices, world.observer]) device.disconnect(false);
  }
}

/** Starts the apps, all but Jonas's with a stream. */
async function startApps({ opine, devices }: World): Promise<void> {
  for (const [index, device] of devices.entries()) {
    if (index !== 1) await device.connect(opine);
    await device.request(device.phone.onRefresh());
  }
}

/** Checks the final state: after a calm schedule without refreshing the device first. */
async function checkDevice(world: World, device: Device, choices: readonly Choice[]): Promise<void> {
  const order = choices.map(({ item }) => item);
  if (!world.isCalm) return converge(world, device, order, choices[0]?.isOn ?? false);
  await arriveAll(device, order);
  await expectInboxShown(device);
}

/** Runs every worker task. */
async function finishWork(world: World): Promise<void> {
  await world.harness.fanOut();
  await publish(world);
  await sendPushes(world, false);
  await world.harness.foldInboxCounts();
}

/** Sends one more event, which streams deliver after all earlier ones, and checks that nothing else came. */
async function expectNothingElse(world: World): Promise<void> {
  const { accounts, observer } = world;
  await Promise.all(accounts.map(({ person }) => expectOk(requestFollow(observer.person, person))));
  await world.harness.fanOut();
  await publish(world);
}
