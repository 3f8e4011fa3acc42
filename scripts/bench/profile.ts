import { PHOTOS_URL } from './api.ts';
import { claimsOf } from './bearers.ts';
import type { Comparison, Scenario } from './comparison.ts';
import { FIRST_ID, idOf, POSTS, READERS, sqlOf } from './population.ts';

const COUNT = 10_000;
const TARGET = 0.4;

// Whoever has published a post; the readers among them have votes and follows as well.
const PEOPLE = POSTS;

const argsSql = sqlOf({ userId: idOf(0) }, 'person');

const guest: Comparison = {
  title: 'GET /users/{userId}/profile, guest',
  target: TARGET,
  count: COUNT,
  status: 200,
  answerHolds: '"viewer": null',
  request: (n) => ({ method: 'GET', path: `/users/${idOf(n % PEOPLE)}/profile` }),
  login: 'opine_gateway',
  sql: `\\set person ${FIRST_ID} + :n % ${PEOPLE}
select answer from gateway.call('caller', 'get_profile', ${argsSql}, null, true, '${PHOTOS_URL}');`,
};

const bearer: Comparison = {
  title: 'GET /users/{userId}/profile, bearer',
  target: TARGET,
  count: COUNT,
  status: 200,
  answerHolds: '"viewer": {',
  request: (n) => ({ method: 'GET', path: `/users/${idOf(n % PEOPLE)}/profile`, user: n % READERS }),
  login: 'opine_gateway',
  // The fourth argument is false, unlike the API's, so that a bearer that is not accepted fails loudly.
  sql: `\\set person ${FIRST_ID} + :n % ${PEOPLE}
\\set reader ${FIRST_ID} + :n % ${READERS}
select answer from gateway.call('caller', 'get_profile', ${argsSql}, ${sqlOf(claimsOf(0), 'reader')}, false, '${PHOTOS_URL}');`,
};

/** A public profile: counts, activity, and what is between two people. */
export const profile: Scenario = { name: 'profile', comparisons: [guest, bearer] };
