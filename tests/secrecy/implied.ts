import { POSITIONS, type Position } from '../support/votes.ts';

/** The counts by position of the votes of these users on a post. */
export interface Tally {
  readonly post: string;
  readonly users: readonly string[];
  readonly counts: readonly number[];
}

/** Known votes by user. */
export type Known = ReadonlyMap<string, Position>;

/** Bounds of the unknowns: how many voters of a class took a position. */
interface Bounds {
  readonly low: number[];
  readonly high: number[];
}

/** These unknowns add up to a total. */
interface Equation {
  readonly unknowns: readonly number[];
  readonly total: number;
}

const MAX_STEPS = 200_000;

/**
 * Returns the votes that `tallies` of one post imply: those that are the same in every solution, or null without a
 * solution. Voters of the same tallies form a class, which is known as a whole or not at all.
 */
export function impliedBy(tallies: readonly Tally[]): Known | null {
  const classes = classesOf(tallies);
  const { bounds, equations } = systemOf(tallies, classes);
  const solution = solve(bounds, equations);
  if (solution === null) return null;
  const known = new Map<string, Position>();
  classes.forEach(({ users }, index) => {
    POSITIONS.forEach((position, place) => {
      const unknown = index * POSITIONS.length + place;
      if (solution[unknown] !== users.length) return;
      const high = bounds.high.with(unknown, users.length - 1);
      if (solve({ low: bounds.low, high }, equations) !== null) return;
      for (const user of users) known.set(user, position);
    });
  });
  return known;
}

interface Class {
  readonly users: readonly string[];
  readonly tallies: ReadonlySet<number>;
}

function classesOf(tallies: readonly Tally[]): Class[] {
  const membership = new Map<string, number[]>();
  tallies.forEach(({ users }, index) => {
    for (const user of users) membership.set(user, [...(membership.get(user) ?? []), index]);
  });
  const groups = Map.groupBy(membership.keys(), (user) => membership.get(user)?.join());
  return [...groups.values()].map((users) => ({ users, tallies: new Set(membership.get(users[0] ?? '')) }));
}

function systemOf(tallies: readonly Tally[], classes: readonly Class[]) {
  const sizes = classes.flatMap(({ users }) => POSITIONS.map(() => users.length));
  const bounds: Bounds = { low: sizes.map(() => 0), high: sizes };
  const equations: Equation[] = classes.map(({ users }, index) => ({
    unknowns: POSITIONS.map((_, place) => index * POSITIONS.length + place),
    total: users.length,
  }));
  tallies.forEach(({ counts }, tally) => {
    const inside = [...classes.keys()].filter((index) => classes[index]?.tallies.has(tally));
    counts.forEach((total, place) => {
      equations.push({ unknowns: inside.map((index) => index * POSITIONS.length + place), total });
    });
  });
  return { bounds, equations };
}

/** Returns values within `bounds` that satisfy all equations, or null. */
function solve(bounds: Bounds, equations: readonly Equation[]): readonly number[] | null {
  const open = [bounds];
  for (let steps = 0; open.length > 0; steps += 1) {
    if (steps > MAX_STEPS) throw new Error('The tallies take too many steps to solve.');
    const narrowed = narrow(open.pop() ?? bounds, equations);
    if (narrowed === null) continue;
    const { low, high } = narrowed;
    const widths = low.map((value, index) => (high[index] ?? 0) - value || Number.POSITIVE_INFINITY);
    const narrowest = Math.min(...widths);
    if (narrowest === Number.POSITIVE_INFINITY) return low;
    const index = widths.indexOf(narrowest);
    const middle = Math.floor(((low[index] ?? 0) + (high[index] ?? 0)) / 2);
    open.push({ low: low.with(index, middle + 1), high }, { low, high: high.with(index, middle) });
  }
  return null;
}

/** Narrows the bounds by each equation, or returns null if one cannot hold. */
function narrow(bounds: Bounds, equations: readonly Equation[]): Bounds | null {
  const low = [...bounds.low];
  const high = [...bounds.high];
  const at = (values: readonly number[], index: number): number => values[index] ?? 0;
  for (let changed = true; changed; ) {
    changed = false;
    for (const { unknowns, total } of equations) {
      const least = unknowns.reduce((sum, index) => sum + at(low, index), 0);
      const most = unknowns.reduce((sum, index) => sum + at(high, index), 0);
      if (total < least || total > most) return null;
      for (const index of unknowns) {
        const atLeast = total - (most - at(high, index));
        const atMost = total - (least - at(low, index));
        if (atLeast <= at(low, index) && atMost >= at(high, index)) continue;
        const [from, to] = [Math.max(atLeast, at(low, index)), Math.min(atMost, at(high, index))];
        changed = true;
        low[index] = from;
        high[index] = to;
        if (from > to) return null;
        // The sums of this equation are stale now: the next round takes it again.
        break;
      }
    }
  }
  return { low, high };
}
