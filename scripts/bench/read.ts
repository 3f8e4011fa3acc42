import { PHOTOS_URL } from './api.ts';
import { claimsOf } from './bearers.ts';
import type { Comparison, Scenario } from './comparison.ts';
import { FIRST_ID, idOf, POSTS, READERS, sqlOf } from './population.ts';

const COUNT = 10_000;
const TARGET = 0.4;

const argsSql = sqlOf({ postId: idOf(0) }, 'post');

const guest: Comparison = {
  title: 'GET /posts/{id}, guest',
  target: TARGET,
  count: COUNT,
  status: 200,
  answerHolds: '"canComment": false',
  request: (n) => ({ method: 'GET', path: `/posts/${idOf(n % POSTS)}` }),
  login: 'opine_gateway',
  sql: `\\set post ${FIRST_ID} + :n % ${POSTS}
select answer from gateway.call('caller', 'get_post', ${argsSql}, null, true, '${PHOTOS_URL}');`,
};

const bearer: Comparison = {
  title: 'GET /posts/{id}, bearer',
  target: TARGET,
  count: COUNT,
  status: 200,
  answerHolds: '"canComment": true',
  request: (n) => ({ method: 'GET', path: `/posts/${idOf(n % POSTS)}`, user: n % READERS }),
  login: 'opine_gateway',
  // The fifth argument is false, unlike the API's, so that a bearer that is not accepted fails loudly.
  sql: `\\set post ${FIRST_ID} + :n % ${POSTS}
\\set reader ${FIRST_ID} + :n % ${READERS}
select answer from gateway.call('caller', 'get_post', ${argsSql}, ${sqlOf(claimsOf(0), 'reader')}, false, '${PHOTOS_URL}');`,
};

/** Reading one post: card, vote summary, permissions. */
export const read: Scenario = { name: 'read', comparisons: [guest, bearer] };
