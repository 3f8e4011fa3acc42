import type { AttackerView } from './attacker-view.ts';
import { type Delta, deltasOf, votersIn } from './deltas.ts';
import { alone, type Finding, sumOf, type Theory } from './evidence.ts';
import type { Version } from './versions.ts';

/** Transactions at most this far apart count as adjacent. */
const NEAR = 30;

/** Methods that find the voters of a delta, the most reliable first. */
const METHODS: readonly [
  how: string,
  candidatesOf: (named: readonly Version[], delta: Delta, deltas: readonly Delta[]) => Version[][],
][] = [
  ['the same transaction', (named, { xmin }) => [named.filter((one) => one.xmin === xmin)]],
  [
    'between two versions',
    (named, { post, after, xmin }) => [
      named.filter((one) => one.posts.includes(post) && one.xmin > after && one.xmin <= xmin),
    ],
  ],
  [
    // A fold writes receipts after the counts.
    'until the next version',
    (named, { post, xmin }, deltas) => {
      const next =
        deltas.find((one) => one.post === post && one.after === xmin)?.xmin ?? Number.POSITIVE_INFINITY;
      return [named.filter((one) => one.posts.includes(post) && one.xmin > xmin && one.xmin < next)];
    },
  ],
  [
    'an adjacent transaction',
    (named, { post, xmin }) => {
      const near = named.filter((one) => one.posts.includes(post) && Math.abs(one.xmin - xmin) <= NEAR);
      return [...Map.groupBy(near, (one) => one.xmin).values()];
    },
  ],
];

/**
 * Attacks by transactions: pairs rows that name users with rows that hold counts, if both come from the same, an
 * adjacent or an intermediate transaction and there are as many users as votes.
 */
export function pairTransactions(view: AttackerView, versions: readonly Version[]): Theory[] {
  const named = versions.filter(({ users }) => users.length > 0);
  const deltas = deltasOf(versions);
  const findings = METHODS.flatMap(([how, candidatesOf]) =>
    deltas.flatMap((delta) => {
      const voters = votersIn(view, delta);
      return candidatesOf(named, delta, deltas).flatMap((candidates): Finding[] => {
        const ids = new Set(candidates.flatMap((one) => one.users));
        const users = voters.filter((user) => ids.has(user));
        // A delta of all voters is the total itself.
        if (users.length !== sumOf(delta.counts) || users.length === voters.length) return [];
        return [{ how: `${how} in ${delta.version.table}`, post: delta.post, users, counts: delta.counts }];
      });
    }),
  );
  return alone(findings);
}

/** Attacks by transactions of the rows that `select` shows. */
export function byVisibleRows(view: AttackerView): Theory[] {
  return pairTransactions(view, view.visible);
}

/** Attacks by transactions of every row version with a line pointer. */
export function byDeadRows(view: AttackerView): Theory[] {
  return pairTransactions(view, view.versions);
}
