import type { AttackerView, Scope } from './attacker-view.ts';
import { sumOf } from './evidence.ts';
import type { Version } from './versions.ts';

/** The growth of counts from one row version to the next. */
export interface Delta {
  readonly post: string;
  /** The Hub of the pool, null for the global pool. */
  readonly hub: string | null;
  readonly counts: readonly number[];
  /** The transactions of the version before and of this one. */
  readonly after: number;
  readonly xmin: number;
  readonly version: Version;
}

/** Returns each growth of counts among `versions`, in the order of transactions. */
export function deltasOf(versions: readonly Version[]): Delta[] {
  const counted = versions.filter(({ counts, posts }) => counts !== null && posts.length === 1);
  return [...Map.groupBy(counted, ({ key }) => key).values()].flatMap((row) => {
    const steps = row.toSorted((one, other) => one.xmin - other.xmin);
    return steps.map((version, index): Delta => {
      const before = steps[index - 1];
      const counts = version.counts ?? [];
      const more = counts.map((count, position) => count - (before?.counts?.[position] ?? 0));
      // A row with fewer counts than before was emptied in between and started again.
      const grew = more.every((count) => count >= 0) && sumOf(more) > 0;
      return {
        post: version.posts[0] ?? '',
        hub: version.hubs[0] ?? null,
        counts: grew ? more : counts,
        after: before?.xmin ?? 0,
        xmin: version.xmin,
        version,
      };
    });
  });
}

/** Returns the users whose votes are in the pool. */
export function votersIn(
  { tallies }: AttackerView,
  { post, hub }: Pick<Scope, 'post' | 'hub'>,
): readonly string[] {
  return tallies.find((scope) => scope.post === post && scope.hub === hub)?.users ?? [];
}
