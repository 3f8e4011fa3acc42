import type { AttackerView } from './attacker-view.ts';
import { votersIn } from './deltas.ts';
import { alone, type Finding, sumOf, type Theory } from './evidence.ts';
import type { Version } from './versions.ts';

/** Units in which two times may coincide, in milliseconds. */
const UNITS = { second: 1_000, minute: 60_000, hour: 3_600_000 };

/** Attacks by time: joins rows with counts and rows that name voters, by second, minute and hour. */
export function byTime(view: AttackerView, versions: readonly Version[] = view.visible): Theory[] {
  const timed = versions.filter(({ counts, times }) => counts !== null && Object.keys(times).length > 0);
  return alone(
    timed.flatMap((total) => {
      const [post = '', hub = null] = [total.posts[0], total.hubs[0]];
      const people = votersOf(view, post, hub);
      const naming = view.visible.filter(({ posts, users }) => posts.includes(post) && users.length === 1);
      return Object.entries(total.times).flatMap(([column, time]) =>
        Object.entries(UNITS).flatMap(([unit, length]) =>
          [...Map.groupBy(naming, ({ table }) => table)].flatMap(([table, rows]) => {
            const near = rows.filter(({ times }) =>
              Object.values(times).some((other) => Math.floor(other / length) === Math.floor(time / length)),
            );
            const named = new Set(near.flatMap(({ users }) => users));
            const users = people.filter((user) => named.has(user));
            const counts = total.counts ?? [];
            const how = `the ${unit} of ${total.table}.${column} in ${table}`;
            return users.length > 0 && users.length === sumOf(counts)
              ? [{ how, post, users, counts } satisfies Finding]
              : [];
          }),
        ),
      );
    }),
  );
}

/** Returns the possible voters of a total: those of its pool or, before the post is in the Hub, of its Hub. */
function votersOf(view: AttackerView, post: string, hub: string | null): readonly string[] {
  const counted = votersIn(view, { post, hub });
  if (counted.length > 0 || hub === null) return counted;
  const members = view.visible.filter(({ table, hubs }) => table === 'app.memberships' && hubs.includes(hub));
  const inside = new Set(members.flatMap(({ users }) => users));
  const voters = view.receipts.filter((receipt) => receipt.post === post);
  return voters.map(({ user }) => user).filter((user) => inside.has(user));
}
