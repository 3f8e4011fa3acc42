import { POSITIONS, type Position } from '../../support/votes.ts';
import { type ReplayedVote, replay } from './replay.ts';
import { isLost } from './requests.ts';
import type { SimulationResult } from './simulation.ts';
import { type Stored, scopeOf } from './stored-votes.ts';

/** Which pending votes the fold has promoted. */
type Promoted = 'some' | 'placed' | 'all';

/** The votes of a scope, each as its possible positions. */
interface Expected {
  readonly must: (readonly Position[])[];
  /** Votes that may be counted already. */
  readonly may: (readonly Position[])[];
}

/** Returns the stored counts that differ from those of the serial replay. */
export function miscounts(result: SimulationResult, stored: Stored, promoted: Promoted): string[] {
  const expected = new Map<string, Expected>();
  const scope = (postId: string, hubId: string | null): Expected => {
    const name = scopeOf(postId, hubId);
    const found = expected.get(name) ?? { must: [], may: [] };
    expected.set(name, found);
    return found;
  };
  const { votes } = replay(result.world, result.commits);
  const privatePosts = new Set(result.world.targets.filter((post) => post.isPrivate).map(({ id }) => id));
  for (const one of votes) {
    const { postId } = one.vote;
    if (!stored.posts.has(postId)) continue;
    const cast = positionsOf(result, one);
    if (!privatePosts.has(postId)) scope(postId, null).must.push(cast);
    for (const hubId of one.counted) scope(postId, hubId).must.push(cast);
    for (const hubId of one.pending) {
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

/** Returns the acknowledged position of a vote, or all positions that a lost call may have cast. */
function positionsOf({ history }: SimulationResult, { vote }: ReplayedVote): readonly Position[] {
  const tries = history.calls.filter(
    ({ action, callerId, postId }) => action === 'vote' && callerId === vote.userId && postId === vote.postId,
  );
  const counted = tries.filter(({ outcome }) => outcome === 'done');
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
