import type { Cost, CostScenario } from './cost.ts';
import { idOf, POSTS, READERS, refreshTokenOf } from './population.ts';

const COUNT = 2_000;
const TARGET = 300;
const HANDLE_LENGTH = 30;

const ofPost = (n: number) => ({ method: 'GET', path: `/posts/${idOf(n % POSTS)}` }) as const;

// Each number has another token: another user, or the next token of the same.
const withBearer = (n: number) => ({ ...ofPost(n), user: n % READERS, issue: Math.floor(n / READERS) });

const guest: Cost = {
  title: 'GET /posts/{id}, guest',
  count: COUNT,
  status: 200,
  answerHolds: '"canComment": false',
  request: ofPost,
};

const newBearer: Cost = {
  title: 'GET /posts/{id}, bearer new to the API',
  baselines: [guest],
  target: TARGET,
  count: COUNT,
  status: 200,
  answerHolds: '"canComment": true',
  request: withBearer,
};

/** The very requests that the round has just made, whose tokens the API has verified by then. */
const knownBearer: Cost = { ...newBearer, title: 'GET /posts/{id}, the same bearer again' };

/** One round trip whose answer passes a handler, as refresh's does, and neither a body to read nor a token. */
const config: Cost = {
  title: 'GET /auth/login-config',
  count: COUNT,
  status: 200,
  answerHolds: '"methods":',
  request: () => ({ method: 'GET', path: '/auth/login-config' }),
};

/** One round trip with a small body, as refresh's is; wherever a body is no proof of its own, a bearer comes with it. */
const handle: Cost = {
  title: 'POST /users/handles/availability, known bearer',
  baselines: [config],
  count: COUNT,
  status: 200,
  answerHolds: '"available": true',
  request: (n) => ({
    ...withBearer(n),
    method: 'POST',
    path: '/users/handles/availability',
    body: { username: `nobody_${n}`.padEnd(HANDLE_LENGTH, '_') },
  }),
};

const refresh: Cost = {
  title: 'POST /auth/session/refresh',
  baselines: [config, handle],
  target: TARGET,
  count: COUNT,
  status: 200,
  answerHolds: '"accessToken":',
  request: (n) => ({
    method: 'POST',
    path: '/auth/session/refresh',
    body: { refreshToken: refreshTokenOf(n) },
  }),
};

/** What identity costs: checking a bearer, and refreshing a session. */
export const identity: CostScenario = {
  name: 'identity',
  costs: [guest, newBearer, knownBearer, config, handle, refresh],
  lookUp: { guest, bearer: newBearer },
};
