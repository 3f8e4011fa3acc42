import { POSITIONS } from '../support/votes.ts';
import { byBytes, rowsInBytes } from './bytes.ts';
import { type Claim, claimsOf, type Theory, voteOf } from './evidence.ts';
import { byOrder } from './indexes.ts';
import { byFingerprints, byWords } from './records.ts';
import { bySeals, keysIn } from './sealed.ts';
import type { Spoils } from './spoils.ts';
import { byStatistics } from './statistics.ts';
import { byTime } from './times.ts';
import { byDeadRows, byVisibleRows } from './transactions.ts';

export type Attack = (spoils: Spoils) => Theory[] | Promise<Theory[]>;

/** Every way to read votes out of what lies in the database. */
export const ATTACKS: readonly (readonly [name: string, attack: Attack])[] = [
  ['transactions of visible rows', byVisibleRows],
  ['transactions of dead rows', byDeadRows],
  ['the order of rows', byOrder],
  ['times', (spoils) => byTime(spoils)],
  ['bytes of pages', async (spoils) => byBytes(spoils, await rowsInBytes(spoils))],
  ['what is sealed', async (spoils) => bySeals(spoils, await keysIn(spoils))],
  ['words beside a voter', byWords],
  ['fingerprints of requests', byFingerprints],
  ['statistics of the planner', byStatistics],
];

/** What `attack` finds out beyond what totals and receipts imply: by each of its theories, and by all together. */
export async function claimsBy(attack: Attack, spoils: Spoils): Promise<Claim[]> {
  const theories = await attack(spoils);
  const alone = theories.flatMap((theory) => claimsOf(spoils.tallies, [theory]));
  return [...alone, ...claimsOf(spoils.tallies, theories)];
}

/** How many votes were found: by those ways of finding that never err, as chance does. */
export function rightAmong(claims: readonly Claim[], truth: ReadonlyMap<string, string>): number {
  const isRight = ({ post, user, position }: Claim) => truth.get(voteOf(post, user)) === position;
  const ways = [...Map.groupBy(claims, ({ how, post }) => `${how} ${post}`).values()].filter((some) =>
    some.every(isRight),
  );
  return new Set(ways.flat().map(({ post, user }) => voteOf(post, user))).size;
}

/** How many votes each theory that pairs whole orders has right, of so many. */
export function rightOf(theories: readonly Theory[], truth: ReadonlyMap<string, string>): [string, number][] {
  return theories.map((theory) => {
    const right = theory.filter(({ post, users: [user = ''], counts }) => {
      return truth.get(voteOf(post, user)) === POSITIONS[counts.indexOf(1)];
    });
    return [theory[0]?.how ?? '', right.length];
  });
}
