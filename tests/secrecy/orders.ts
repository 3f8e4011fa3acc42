import type { AttackerView } from './attacker-view.ts';
import { deltasOf, votersIn } from './deltas.ts';
import { type Finding, sumOf, type Theory } from './evidence.ts';
import type { Version } from './versions.ts';

/** Single votes of a scope in the order of counting, without their voters. */
export interface Sequence {
  readonly how: string;
  readonly post: string;
  readonly hub: string | null;
  readonly votes: readonly (readonly number[])[];
}

/** The voters of a post in an order that the database stores. */
export interface Ordering {
  readonly how: string;
  readonly post: string;
  readonly users: readonly string[];
}

/** Fewer votes than these fit the totals in too many orders to mean anything. */
const FEWEST = 3;

/** Pairs votes with voters by rank. Each pair of orders is one theory. */
export function pairByRank(
  view: AttackerView,
  sequences: readonly Sequence[],
  orderings: readonly Ordering[],
): Theory[] {
  return sequences
    .filter(({ votes }) => votes.length >= FEWEST)
    .flatMap(({ how, post, hub, votes }) => {
      const voters = new Set(votersIn(view, { post, hub }));
      return orderings
        .filter((ordering) => ordering.post === post)
        .flatMap((ordering) => {
          const users = ordering.users.filter((user) => voters.has(user));
          const candidates = users.length === votes.length ? [users] : [];
          // Fewer votes than voters: the remaining votes are the last ones.
          if (users.length > votes.length) candidates.push(users.slice(-votes.length));
          return candidates.map(
            (candidate): Theory =>
              candidate.map((user, index): Finding => {
                return { how: `${how} by ${ordering.how}`, post, users: [user], counts: votes[index] ?? [] };
              }),
          );
        });
    });
}

/** Returns the orders in which counts among `versions` grew by single votes. */
export function sequencesIn(versions: readonly Version[]): Sequence[] {
  const single = deltasOf(versions).filter(({ counts }) => sumOf(counts) === 1);
  const scopes = Map.groupBy(single, ({ post, hub, version }) => `${version.table} ${post} ${hub}`);
  return [...scopes.values()].flatMap((deltas) => {
    const [first] = deltas;
    if (first === undefined) return [];
    const sorted = (how: string, keyOf: (version: Version) => number): Sequence => ({
      how: `${first.version.table} in order of ${how}`,
      post: first.post,
      hub: first.hub,
      votes: deltas
        .toSorted((one, other) => keyOf(one.version) - keyOf(other.version))
        .map(({ counts }) => counts),
    });
    return [sorted('ctid', placeOf), sorted('xmin', ({ xmin }) => xmin)];
  });
}

/** Returns the voters of each post in every stored order: place, transaction, each number and each time. */
export function orderingsIn(view: AttackerView, versions: readonly Version[]): Ordering[] {
  const naming = versions.filter(({ users }) => users.length === 1);
  return [...Map.groupBy(naming, ({ table }) => table)].flatMap(([table, rows]) => {
    const columns = new Set(rows.flatMap(({ numbers }) => Object.keys(numbers)));
    const timed = new Set(rows.flatMap(({ times }) => Object.keys(times)));
    const keys: [how: string, (version: Version) => number | undefined][] = [
      ['ctid', placeOf],
      ['xmin', ({ xmin }) => xmin],
      ...[...columns].map((name): [string, (one: Version) => number | undefined] => [
        name,
        (one) => one.numbers[name],
      ]),
      ...[...timed].map((name): [string, (one: Version) => number | undefined] => [
        name,
        (one) => one.times[name],
      ]),
    ];
    const namesPosts = rows.some(({ posts }) => posts.length > 0);
    return [...new Set(view.receipts.map(({ post }) => post))].flatMap((post) => {
      const ofPost = namesPosts ? rows.filter(({ posts }) => posts.includes(post)) : rows;
      return keys.flatMap(([how, keyOf]) => ordering(`${table}.${how}`, post, ofPost, keyOf));
    });
  });
}

/** Orders users by the least and by the greatest of their keys; empty if two users share a key. */
function ordering(
  how: string,
  post: string,
  rows: readonly Version[],
  keyOf: (version: Version) => number | undefined,
): Ordering[] {
  const keys = new Map<string, number[]>();
  for (const row of rows) {
    const [key, user = ''] = [keyOf(row), row.users[0]];
    if (key !== undefined) keys.set(user, [...(keys.get(user) ?? []), key]);
  }
  const isManifold = [...keys.values()].some(({ length }) => length > 1);
  const ends = [[how, Math.min] as const, ...(isManifold ? [[`last ${how}`, Math.max] as const] : [])];
  return ends.flatMap(([name, end]) => {
    const places = [...keys].map(([user, some]): [string, number] => [user, end(...some)]);
    const isUnique = new Set(places.map(([, key]) => key)).size === places.length;
    if (!isUnique || places.length === 0) return [];
    return [
      { how: name, post, users: places.sort(([, one], [, other]) => one - other).map(([user]) => user) },
    ];
  });
}

function placeOf({ ctid }: Version): number {
  const [page = 0, line = 0] = ctid.slice(1, -1).split(',').map(Number);
  return page * 10_000 + line;
}
