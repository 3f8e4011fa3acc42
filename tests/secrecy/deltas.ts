import { sumOf } from './evidence.ts';
import type { Scope, Spoils } from './spoils.ts';
import type { Version } from './versions.ts';

/** What a version of a row with counts has more than the one before, as far as that is known. */
export interface Delta {
  readonly post: string;
  /** The Hub whose pool it is, null for everybody's. */
  readonly hub: string | null;
  readonly counts: readonly number[];
  /** After which transaction it came, and in which. */
  readonly after: number;
  readonly xmin: number;
  readonly version: Version;
}

/** The steps in which the counts among `versions` have grown, by transactions. */
export function deltasOf(versions: readonly Version[]): Delta[] {
  const counted = versions.filter(({ counts, posts }) => counts !== null && posts.length === 1);
  return [...Map.groupBy(counted, ({ key }) => key).values()].flatMap((row) => {
    const steps = row.toSorted((one, other) => one.xmin - other.xmin);
    return steps.map((version, index): Delta => {
      const before = steps[index - 1];
      const counts = version.counts ?? [];
      const more = counts.map((count, position) => count - (before?.counts?.[position] ?? 0));
      // A row that has fewer than before was emptied meanwhile and began again.
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

/** Whose votes are in the pool that `delta` is of. */
export function votersIn({ tallies }: Spoils, { post, hub }: Pick<Scope, 'post' | 'hub'>): readonly string[] {
  return tallies.find((scope) => scope.post === post && scope.hub === hub)?.users ?? [];
}
