import { PENDING_VOTE_KEY, VOTE_ACTIVITY_DELAY } from './api.ts';
import { claimsOf } from './bearers.ts';
import type { Comparison, Scenario } from './comparison.ts';
import { FIRST_ID, idOf, POSTS, READERS, sqlOf, USERS } from './population.ts';

const COUNT = 5_000;

// Without a factor in common with POSTS: so (n % SPREAD_VOTERS, n % POSTS) is another pair for every n.
const SPREAD_VOTERS = 2_000;

// More than COUNT, since each of a block's votes on its one post needs another voter.
const HOT_VOTERS = USERS - READERS;

const position = 'right';

/** Votes of one kind. */
export interface Votes {
  readonly title: string;
  readonly target?: number;
  readonly count: number;
  /** The number of the user whose vote it is, and the same as pgbench computes it from `:n`. */
  readonly voter: readonly [of: (n: number) => number, sql: string];
  /** The number of the post, likewise. */
  readonly post: readonly [of: (n: number) => number, sql: string];
}

/** Casts votes through the API, and by the statement that the API sends. */
export function casting({
  voter: [voterOf, voterSql],
  post: [postOf, postSql],
  ...votes
}: Votes): Comparison {
  const args = {
    postId: idOf(0),
    position,
    activityDelay: VOTE_ACTIVITY_DELAY,
    pendingVoteKeys: [PENDING_VOTE_KEY],
  };
  return {
    ...votes,
    status: 201,
    answerHolds: '"resultsVisible": true',
    request: (n) => ({
      method: 'POST',
      path: `/posts/${idOf(postOf(n))}/vote`,
      user: voterOf(n),
      body: { position },
    }),
    login: 'opine_serializable',
    sql: `\\set voter ${FIRST_ID} + ${voterSql}
\\set post ${FIRST_ID} + ${postSql}
call gateway.call_serializable('cast_vote', ${sqlOf(args, 'post')}, ${sqlOf(claimsOf(0), 'voter')}, null, null);`,
  };
}

const spread = casting({
  title: 'POST /posts/{id}/vote, spread',
  target: 0.55,
  count: COUNT,
  voter: [(n) => READERS + (n % SPREAD_VOTERS), `${READERS} + :n % ${SPREAD_VOTERS}`],
  post: [(n) => n % POSTS, `:n % ${POSTS}`],
});

const hot = casting({
  title: 'POST /posts/{id}/vote, one post',
  count: COUNT,
  voter: [(n) => READERS + (n % HOT_VOTERS), `${READERS} + :n % ${HOT_VOTERS}`],
  post: [(n) => Math.floor(n / COUNT), `:n / ${COUNT}`],
});

/** Voting, each voter once on a post: on many posts, and all on the same one. */
export const vote: Scenario = { name: 'vote', comparisons: [spread, hot] };
