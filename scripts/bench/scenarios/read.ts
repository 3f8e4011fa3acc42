import { POSTS, READERS } from '../population.ts';
import { type Call, comparisonOf, sequence } from '../requests.ts';

const COUNT = 10_000;
const TARGET = { atLeast: 0.4 };

const postAsGuest: Call = {
  title: 'GET /posts/{id}, guest',
  answerHolds: '"canComment" : false',
  operation: 'get_post',
  args: { postId: '{post}' },
  path: '/posts/{post}',
  values: { post: sequence(0, { count: POSTS }) },
};

const postWithBearer: Call = {
  ...postAsGuest,
  title: 'GET /posts/{id}, bearer',
  answerHolds: '"canComment" : true',
  user: sequence(0, { count: READERS }),
};

/** Reads one post: card, vote summary, permissions. */
export const read = [postAsGuest, postWithBearer].map((call) => comparisonOf(call, COUNT, TARGET));

// The authors of posts. The readers among them have votes and follows too.
const PEOPLE = POSTS;

const profileAsGuest: Call = {
  title: 'GET /users/{userId}/profile, guest',
  answerHolds: '"viewer": null',
  operation: 'get_profile',
  args: { userId: '{person}' },
  path: '/users/{person}/profile',
  values: { person: sequence(0, { count: PEOPLE }) },
};

const profileWithBearer: Call = {
  ...profileAsGuest,
  title: 'GET /users/{userId}/profile, bearer',
  answerHolds: '"viewer": {',
  user: sequence(0, { count: READERS }),
};

/** Reads a public profile: counts, activity, and the relation to the viewer. */
export const profile = [profileAsGuest, profileWithBearer].map((call) => comparisonOf(call, COUNT, TARGET));
