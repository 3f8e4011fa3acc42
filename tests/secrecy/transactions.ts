import { deltasOf, votersIn } from './deltas.ts';
import { alone, type Finding, sumOf, type Theory } from './evidence.ts';
import type { Spoils } from './spoils.ts';
import type { Version } from './versions.ts';

/** How many transactions later something still is next to another. */
const NEAR = 30;

/**
 * Pairs what names people with what carries counts by their transactions: written by the same, between two versions
 * of the counts, or by the next ones that name as many people as there are votes.
 */
export function pairTransactions(spoils: Spoils, versions: readonly Version[]): Theory[] {
  const named = versions.filter(({ users }) => users.length > 0);
  const byTransaction = Map.groupBy(named, ({ xmin }) => xmin);
  return alone(
    deltasOf(versions).flatMap(({ post, hub, counts, after, xmin, version }) => {
      const voters = votersIn(spoils, { post, hub });
      const among = (some: readonly Version[]): string[] => {
        const users = new Set(some.flatMap((one) => one.users));
        return voters.filter((user) => users.has(user));
      };
      const ofPost = named.filter(({ posts }) => posts.includes(post));
      const between = ofPost.filter((one) => one.xmin > after && one.xmin <= xmin);
      const next = Map.groupBy(
        ofPost.filter((one) => Math.abs(one.xmin - xmin) <= NEAR),
        (one) => one.xmin,
      );
      const candidates: [how: string, users: string[]][] = [
        ['the same transaction', among(byTransaction.get(xmin) ?? [])],
        ['between two versions', among(between)],
        ...[...next.values()].map((some): [string, string[]] => ['a transaction beside it', among(some)]),
      ];
      const isSinglingOut = (users: readonly string[]) =>
        users.length === sumOf(counts) && users.length > 0 && users.length < voters.length;
      return candidates
        .filter(([, users]) => isSinglingOut(users))
        .map(([how, users]): Finding => ({ how: `${how} in ${version.table}`, post, users, counts }));
    }),
  );
}

/** By transactions, from the rows that `select` shows. */
export function byVisibleRows(spoils: Spoils): Theory[] {
  return pairTransactions(spoils, spoils.visible);
}

/** By transactions, from every version of a row that still has a place in a page. */
export function byDeadRows(spoils: Spoils): Theory[] {
  return pairTransactions(spoils, spoils.versions);
}
