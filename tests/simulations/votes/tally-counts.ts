import { POSITIONS, type Position } from '../../support/votes.ts';
import { isLost } from './chaos-acts.ts';
import type { Aftermath } from './chaos-aftermath.ts';
import { type ReplayedVote, replayed } from './tally-replay.ts';
import { type Stored, scopeOf } from './tally-stored.ts';

/** Which of the votes that would count in a Hub if the post were shared there do. */
type Promoted = 'some' | 'those that are placed' | 'all';

/** The votes of a scope: each as the positions at which it may have been cast. */
interface Expected {
  readonly must: (readonly Position[])[];
  /** Votes that may be counted, or not yet. */
  readonly may: (readonly Position[])[];
}

/** Where the counts of `stored` are not those of the votes, as a serial replay counts them. */
export function miscounts(aftermath: Aftermath, stored: Stored, promoted: Promoted): string[] {
  const expected = new Map<string, Expected>();
  const scope = (postId: string, hubId: string | null): Expected => {
    const name = scopeOf(postId, hubId);
    const found = expected.get(name) ?? { must: [], may: [] };
    expected.set(name, found);
    return found;
  };
  const { votes } = replayed(aftermath.world, aftermath.testimony);
  const privatePosts = new Set(aftermath.world.targets.filter((post) => post.isPrivate).map(({ id }) => id));
  for (const replay of votes) {
    const { postId } = replay.vote;
    if (!stored.posts.has(postId)) continue;
    const cast = positionsOf(aftermath, replay);
    if (!privatePosts.has(postId)) scope(postId, null).must.push(cast);
    for (const hubId of replay.counted) scope(postId, hubId).must.push(cast);
    for (const hubId of replay.pending) {
      if (promoted === 'some') scope(postId, hubId).may.push(cast);
      else if (promoted === 'all' || stored.places.has(`${postId} ${hubId}`))
        scope(postId, hubId).must.push(cast);
    }
  }
  const names = new Set([...expected.keys(), ...stored.counts.keys()]);
  return [...names].flatMap((name) => {
    const counts = stored.counts.get(name) ?? POSITIONS.map(() => 0);
    const wrong = wrongIn(counts, expected.get(name) ?? { must: [], may: [] });
    return wrong === null ? [] : [`${name}: ${counts}, and not ${wrong}`];
  });
}

/** The position that somebody was answered to have voted at, or all those that they may have voted at. */
function positionsOf({ history }: Aftermath, { vote }: ReplayedVote): readonly Position[] {
  const tries = history.acts.filter(
    ({ deed, who, postId }) => deed === 'vote' && who === vote.userId && postId === vote.postId,
  );
  const counted = tries.filter(({ told }) => told === 'done');
  const possible = counted.length > 0 ? counted : tries.filter(isLost);
  return [...new Set(possible.flatMap(({ position }) => position ?? []))];
}

function wrongIn(counts: readonly number[], { must, may }: Expected): string | null {
  const ranges = POSITIONS.map((position) => ({
    least: must.filter((cast) => cast.length === 1 && cast.includes(position)).length,
    most: [...must, ...may].filter((cast) => cast.includes(position)).length,
  }));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const isTotalRight = total >= must.length && total <= must.length + may.length;
  const isRight = ranges.every(({ least, most }, index) => {
    const count = counts[index] ?? 0;
    return count >= least && count <= most;
  });
  return isTotalRight && isRight ? null : ranges.map(({ least, most }) => `${least}-${most}`).join();
}
