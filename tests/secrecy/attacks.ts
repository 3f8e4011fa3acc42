import { POSITIONS } from '../support/votes.ts';
import type { AttackerView } from './attacker-view.ts';
import { byBytes, rowsInBytes } from './bytes.ts';
import { type Claim, claimsOf, type Theory, voteOf } from './evidence.ts';
import { byOrder } from './indexes.ts';
import { byFingerprints, byWords } from './records.ts';
import { bySeals, keysIn } from './sealed.ts';
import { byStatistics } from './statistics.ts';
import { byTime } from './times.ts';
import { byDeadRows, byVisibleRows } from './transactions.ts';

export type Attack = (view: AttackerView) => Theory[] | Promise<Theory[]>;

/** Every way to read votes out of the stored database. */
export const ATTACKS: readonly (readonly [name: string, attack: Attack])[] = [
  ['transactions of visible rows', byVisibleRows],
  ['transactions of dead rows', byDeadRows],
  ['the order of rows', byOrder],
  ['times', (view) => byTime(view)],
  ['the bytes of pages', async (view) => byBytes(view, await rowsInBytes(view))],
  ['sealed votes with keys from the database', async (view) => bySeals(view, await keysIn(view))],
  ['positions in rows that name a voter', byWords],
  ['request fingerprints', byFingerprints],
  ['planner statistics', byStatistics],
];

/** Returns what `attack` claims beyond what totals and receipts imply: by each theory alone, and by all combined. */
export async function claimsBy(attack: Attack, view: AttackerView): Promise<Claim[]> {
  const theories = await attack(view);
  const alone = theories.flatMap((theory) => claimsOf(view.tallies, [theory]));
  return [...alone, ...claimsOf(view.tallies, theories)];
}

/** Counts the votes found by methods without a wrong claim, which rules out chance. */
export function countCorrect(claims: readonly Claim[], truth: ReadonlyMap<string, string>): number {
  const isCorrect = ({ post, user, position }: Claim) => truth.get(voteOf(post, user)) === position;
  const methods = [...Map.groupBy(claims, ({ how, post }) => `${how} ${post}`).values()].filter((group) =>
    group.every(isCorrect),
  );
  return new Set(methods.flat().map(({ post, user }) => voteOf(post, user))).size;
}

/** Counts the correct votes of each theory that pairs a whole order. */
export function correctByTheory(
  theories: readonly Theory[],
  truth: ReadonlyMap<string, string>,
): [string, number][] {
  return theories.map((theory) => {
    const correct = theory.filter(({ post, users: [user = ''], counts }) => {
      return truth.get(voteOf(post, user)) === POSITIONS[counts.indexOf(1)];
    });
    return [theory[0]?.how ?? '', correct.length];
  });
}
