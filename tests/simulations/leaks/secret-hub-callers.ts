import type { Hub } from '../../support/hubs.ts';
import type { Person } from '../../support/people.ts';
import type { People } from './secret-hub-people.ts';
import type { Things } from './secret-hub-things.ts';

/** The non-members who try what they can, in the order of how much they have to do with the Hub. */
export const CALLERS = [
  'a guest',
  'an anonymous',
  'a registered',
  'a confirmed',
  'a stranger',
  'an invited',
  'a pending',
  'a rejected',
  'a removed',
  'a former',
  'a member elsewhere',
  'an admin elsewhere',
] as const;

export const ELSEWHERE = ['a member elsewhere', 'an admin elsewhere'];

/** Somebody who calls: an non-member of the Hub or, to compare, its admin. */
export interface Caller {
  readonly name: string;
  readonly level: number;
  readonly accessToken?: string;
  readonly id?: string;
  /** Another Hub, and whether they are in it. */
  readonly elsewhere: Hub;
  readonly isElsewhere: boolean;
  /** Whether they are invited, or ask to be let in. */
  readonly isAwaited: boolean;
}

export function callerOf(name: string, level: number, { id, session }: Person, elsewhere: Hub): Caller {
  const isElsewhere = ELSEWHERE.includes(name);
  const isAwaited = name === 'an invited' || name === 'a pending';
  return { name, level, id, accessToken: session.accessToken, elsewhere, isElsewhere, isAwaited };
}

export function callersOf(
  { anonymous, registered, confirmed, ready }: People,
  { choir, realm }: Things,
): Caller[] {
  return [
    { name: 'a guest', level: 0, elsewhere: choir, isElsewhere: false, isAwaited: false },
    callerOf('an anonymous', 1, anonymous, choir),
    callerOf('a registered', 2, registered, choir),
    callerOf('a confirmed', 3, confirmed, choir),
    ...Object.entries(ready).map(([name, person]) =>
      callerOf(name, 4, person, name === 'an admin elsewhere' ? realm : choir),
    ),
  ];
}
