import fc from 'fast-check';
import { MOVES, pick } from './moves.ts';
import { comesToRest } from './rest.ts';
import { TURNS, type Turn } from './turns.ts';
import { NAMES, type PhoneWorld, using } from './world.ts';

/** What is chosen of a step: a move of people, or a turn of something else, and whatever it needs to be told. */
export interface Choice {
  readonly name: string;
  readonly by: number;
  readonly to: number;
  readonly thing: number;
  readonly isOn: boolean;
  /** Of three moves that change what somebody may see one is looked at before and after. */
  readonly watch: number;
}

/** What happens, and whether the worker tells of what several people are to be told. */
export interface Schedule {
  /** Whether nothing is lost, and nobody who has a device may see more or less than before. */
  readonly isCalm: boolean;
  readonly isToldLater: boolean;
  readonly choices: readonly Choice[];
}

export function scheduleOf(isCalm: boolean, maxLength: number): fc.Arbitrary<Schedule> {
  const moves = Object.entries(MOVES).filter(([, [, calm]]) => calm !== 'nobody' || !isCalm);
  const turns = Object.entries(TURNS).filter(([, [, mayBe]]) => mayBe || !isCalm);
  const name = fc.oneof(
    ...[...moves, ...turns].map(([step, [weight]]) => ({ weight, arbitrary: fc.constant(step) })),
  );
  const choice = fc.record({
    name,
    by: fc.nat(4),
    to: fc.nat(4),
    thing: fc.nat(30),
    isOn: fc.boolean(),
    watch: fc.nat(2),
  });
  const choices = fc.array(choice, { minLength: 1, maxLength, size: 'max' });
  return fc.record({ isCalm: fc.constant(isCalm), isToldLater: fc.boolean(), choices });
}

/** Does what was chosen; answers what that was. */
export function happens(world: PhoneWorld, choice: Choice): Promise<string> {
  const turn = TURNS[choice.name];
  return turn === undefined ? isDone(world, choice) : comesAround(world, choice, turn);
}

async function comesAround(
  world: PhoneWorld,
  { name, by, thing, isOn }: Choice,
  [, , act]: Turn,
): Promise<string> {
  const device = pick(using(world), by);
  if (device === undefined) throw new Error('There is no device.');
  const told = await act({ world, device, place: thing, isOn });
  return `${name} (${device.name}, ${thing}, ${isOn}): ${told ?? 'done'}`;
}

async function isDone(world: PhoneWorld, { name, by, to, thing, isOn, watch }: Choice): Promise<string> {
  const [, calm, act] = MOVES[name] ?? [];
  const who = world.isCalm && calm === 'Lena' ? NAMES.indexOf(calm) : by;
  const [actor, other, hub] = [pick(world.people, who), pick(world.people, to), pick(world.hubs, thing)];
  if (actor === undefined || other === undefined || hub === undefined || act === undefined)
    throw new Error(`Nothing is called ${name}.`);
  const isWatched = watch === 2 && calm !== 'everybody' && !world.isCalm;
  const watching = using(world).find(({ account }) => isWatched && account.person === actor);
  if (watching !== undefined) await comesToRest(world, watching, [thing, 0], true);
  const reply = await act({ world, actor, other, hub, thing, isOn });
  if (reply !== undefined && reply.status >= 500) throw new Error(`${name} failed.`);
  if (watching !== undefined) await comesToRest(world, watching, [thing, 0], false);
  const look = watching === undefined ? '' : ', watched';
  return `${NAMES[who]} ${name} (${NAMES[to]}, ${hub.name}, ${thing}, ${isOn}${look}): ${reply?.status}`;
}
