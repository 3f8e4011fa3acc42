import { PENDING_VOTE_KEY, VOTE_ACTIVITY_DELAY } from '../api.ts';
import { POSTS, READERS, USERS } from '../population.ts';
import { type Comparison, comparisonOf, type Sequence, sequence } from '../requests.ts';
import type { Target } from '../rounds.ts';

const COUNT = 5_000;

// Without a common factor with POSTS, so that each n is another pair of voter and post.
const SPREAD_VOTERS = 2_000;

/** Votes of one kind. */
export interface Votes {
  readonly title: string;
  readonly target?: Target;
  readonly count: number;
  readonly voter: Sequence;
  readonly post: Sequence;
}

/** Returns blocks of votes through the API and by the statement that the API sends. */
export function casting({ title, target, count, voter, post }: Votes): Comparison {
  const position = 'right';
  const call = {
    title,
    answerHolds: '"resultsVisible": true',
    operation: 'cast_vote',
    args: {
      postId: '{post}',
      position,
      activityDelay: VOTE_ACTIVITY_DELAY,
      pendingVoteKeys: [PENDING_VOTE_KEY],
    },
    path: '/posts/{post}/vote',
    body: { position },
    values: { post },
    user: voter,
    isVote: true,
  };
  return comparisonOf(call, count, target);
}

const spread = casting({
  title: 'POST /posts/{id}/vote, spread',
  target: { atLeast: 0.55 },
  count: COUNT,
  voter: sequence(READERS, { count: SPREAD_VOTERS }),
  post: sequence(0, { count: POSTS }),
});

const onePost = casting({
  title: 'POST /posts/{id}/vote, one post',
  count: COUNT,
  voter: sequence(READERS, { count: USERS - READERS }),
  // Another post each block, on which each voter is new.
  post: sequence(0, { every: COUNT }),
});

/** Casts votes, on many posts and all on one. */
export const vote = [spread, onePost];
