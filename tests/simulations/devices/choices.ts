import fc from 'fast-check';
import type { Json } from '../../support/client.ts';
import type { Person } from '../../support/people.ts';
import { itemAt } from '../random.ts';
import { ACTIONS } from './actions.ts';
import { converge } from './convergence.ts';
import { SYSTEM_EVENTS, type SystemEvent } from './system-events.ts';
import { activeDevices, NAMES, type World } from './world.ts';

/** The random values of a step: the name of an action or a system event, and indexes. */
export interface Choice {
  readonly name: string;
  readonly by: number;
  readonly to: number;
  readonly item: number;
  readonly isOn: boolean;
  /** One of three actions that change access is checked before and after. */
  readonly watch: number;
}

export interface Schedule {
  /** Whether nothing is lost and the access of device owners does not change. */
  readonly isCalm: boolean;
  readonly isFannedOut: boolean;
  readonly choices: readonly Choice[];
}

export function scheduleOf(isCalm: boolean, maxLength: number): fc.Arbitrary<Schedule> {
  const actions = Object.entries(ACTIONS).filter(([, [, calmActor]]) => calmActor !== 'nobody' || !isCalm);
  const events = Object.entries(SYSTEM_EVENTS).filter(([, [, mayBeCalm]]) => mayBeCalm || !isCalm);
  const name = fc.oneof(
    ...[...actions, ...events].map(([step, [weight]]) => ({ weight, arbitrary: fc.constant(step) })),
  );
  const choice = fc.record({
    name,
    by: fc.nat(4),
    to: fc.nat(4),
    item: fc.nat(30),
    isOn: fc.boolean(),
    watch: fc.nat(2),
  });
  const choices = fc.array(choice, { minLength: 1, maxLength, size: 'max' });
  return fc.record({ isCalm: fc.constant(isCalm), isFannedOut: fc.boolean(), choices });
}

/** Runs a step and describes it. */
export function runStep(world: World, choice: Choice): Promise<string> {
  const event = SYSTEM_EVENTS[choice.name];
  return event === undefined ? runAction(world, choice) : runSystemEvent(world, choice, event);
}

async function runSystemEvent(
  world: World,
  { name, by, item, isOn }: Choice,
  [, , run]: SystemEvent,
): Promise<string> {
  const device = itemAt(activeDevices(world), by);
  const text = await run({ world, device, index: item, isOn });
  return `${name} (${device.name}, ${item}, ${isOn}): ${text ?? 'done'}`;
}

async function runAction(world: World, { name, by, to, item, isOn, watch }: Choice): Promise<string> {
  const [, calmActor, run] = ACTIONS[name] ?? [];
  const who = world.isCalm && calmActor === 'Lena' ? NAMES.indexOf(calmActor) : by;
  if (run === undefined) throw new Error(`There is no action ${name}.`);
  const [actor, other] = [itemAt<Person>(world.people, who), itemAt<Person>(world.people, to)];
  const hub = itemAt<Json>(world.hubs, item);
  const isWatched = watch === 2 && calmActor !== 'everybody' && !world.isCalm;
  const watching = activeDevices(world).find(({ account }) => isWatched && account.person === actor);
  if (watching !== undefined) await converge(world, watching, [item, 0], true);
  const reply = await run({ world, actor, other, hub, item, isOn });
  if (reply !== undefined && reply.status >= 500) throw new Error(`${name} failed.`);
  if (watching !== undefined) await converge(world, watching, [item, 0], false);
  const suffix = watching === undefined ? '' : ', watched';
  return `${NAMES[who]} ${name} (${NAMES[to]}, ${hub.name}, ${item}, ${isOn}${suffix}): ${reply?.status}`;
}
