import { claimsOf } from './bearers.ts';
import type { Comparison, Scenario } from './comparison.ts';
import { FIRST_ID, idOf, POSTS, READERS, sqlOf, USERS } from './population.ts';

const COUNT = 5_000;

// Without a factor in common with POSTS: so (n % SPREAD_VOTERS, n % POSTS) is another pair for every n.
const SPREAD_VOTERS = 2_000;

// More than COUNT, since each of a block's votes on its one post needs another voter.
const HOT_VOTERS = USERS - READERS;

const position = 'right';

const sql = `call gateway.invoke_then_read(
  'cast_vote', ${sqlOf(claimsOf(0), 'voter')}, ${sqlOf({ postId: idOf(0), position }, 'post')}, null
);`;

function voteOf(voter: number, post: number) {
  return { method: 'POST', path: `/posts/${idOf(post)}/vote`, user: voter, body: { position } } as const;
}

const spread: Comparison = {
  title: 'POST /posts/{id}/vote, spread',
  target: 0.55,
  count: COUNT,
  status: 201,
  answerHolds: '"resultsVisible": true',
  request: (n) => voteOf(READERS + (n % SPREAD_VOTERS), n % POSTS),
  login: 'opine_serializable',
  sql: `\\set voter ${FIRST_ID + READERS} + :n % ${SPREAD_VOTERS}
\\set post ${FIRST_ID} + :n % ${POSTS}
${sql}`,
};

const hot: Comparison = {
  title: 'POST /posts/{id}/vote, one post',
  count: COUNT,
  status: 201,
  answerHolds: '"resultsVisible": true',
  request: (n) => voteOf(READERS + (n % HOT_VOTERS), Math.floor(n / COUNT)),
  login: 'opine_serializable',
  sql: `\\set voter ${FIRST_ID + READERS} + :n % ${HOT_VOTERS}
\\set post ${FIRST_ID} + :n / ${COUNT}
${sql}`,
};

/** Voting, each voter once on a post: on many posts, and all on the same one. */
export const vote: Scenario = { name: 'vote', comparisons: [spread, hot] };
