import type { Hub } from '../../support/hubs.ts';
import type { Person } from '../../support/people.ts';
import type { Contents } from './contents.ts';
import type { People } from './people.ts';

/** The non-members, from least to most related to the Hub. */
export const CALLERS = [
  'a guest',
  'an anonymous',
  'a registered',
  'a confirmed',
  'an unrelated user',
  'an invited',
  'a pending',
  'a rejected',
  'a removed',
  'a former',
  'a member elsewhere',
  'an admin elsewhere',
] as const;

export const ELSEWHERE = ['a member elsewhere', 'an admin elsewhere'];

/** A non-member of the Hub or, for comparison, its admin. */
export interface Caller {
  readonly name: string;
  readonly level: number;
  readonly accessToken?: string;
  readonly id?: string;
  /** Another Hub, and whether the caller is its member. */
  readonly elsewhere: Hub;
  readonly isElsewhere: boolean;
  /** Whether the caller has an invitation or a join request. */
  readonly isAwaited: boolean;
}

export function callerOf(name: string, level: number, { id, session }: Person, elsewhere: Hub): Caller {
  const isElsewhere = ELSEWHERE.includes(name);
  const isAwaited = name === 'an invited' || name === 'a pending';
  return { name, level, id, accessToken: session.accessToken, elsewhere, isElsewhere, isAwaited };
}

export function callersOf(
  { anonymous, registered, confirmed, ready }: People,
  { choir, realm }: Contents,
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
