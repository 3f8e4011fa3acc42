import { type Delta, deltasOf, votersIn } from './deltas.ts';
import { alone, type Finding, sumOf, type Theory } from './evidence.ts';
import type { Spoils } from './spoils.ts';
import type { Version } from './versions.ts';

/** How many transactions later something still is next to another. */
const NEAR = 30;

/** Ways to find who may be meant by what a version of counts has more than the one before, the surest first. */
const WAYS: readonly [how: string, those: (named: readonly Version[], delta: Delta) => Version[][]][] = [
  ['the same transaction', (named, { xmin }) => [named.filter((one) => one.xmin === xmin)]],
  [
    'between two versions',
    (named, { post, after, xmin }) => [
      named.filter((one) => one.posts.includes(post) && one.xmin > after && one.xmin <= xmin),
    ],
  ],
  [
    'a transaction beside it',
    (named, { post, xmin }) => {
      const near = named.filter((one) => one.posts.includes(post) && Math.abs(one.xmin - xmin) <= NEAR);
      return [...Map.groupBy(near, (one) => one.xmin).values()];
    },
  ],
];

/**
 * Pairs what names people with what carries counts by their transactions: written by the same, between two versions
 * of the counts, or by one beside it, where it names as many people as there are votes.
 */
export function pairTransactions(spoils: Spoils, versions: readonly Version[]): Theory[] {
  const named = versions.filter(({ users }) => users.length > 0);
  const deltas = deltasOf(versions);
  const findings = WAYS.flatMap(([how, those]) =>
    deltas.flatMap((delta) => {
      const voters = votersIn(spoils, delta);
      return those(named, delta).flatMap((some): Finding[] => {
        const meant = new Set(some.flatMap((one) => one.users));
        const users = voters.filter((user) => meant.has(user));
        // Where all are meant it is the total itself.
        if (users.length !== sumOf(delta.counts) || users.length === voters.length) return [];
        return [{ how: `${how} in ${delta.version.table}`, post: delta.post, users, counts: delta.counts }];
      });
    }),
  );
  return alone(findings);
}

/** By transactions, from the rows that `select` shows. */
export function byVisibleRows(spoils: Spoils): Theory[] {
  return pairTransactions(spoils, spoils.visible);
}

/** By transactions, from every version of a row that still has a place in a page. */
export function byDeadRows(spoils: Spoils): Theory[] {
  return pairTransactions(spoils, spoils.versions);
}
