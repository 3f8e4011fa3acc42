import { withClient } from '../local/connection.ts';
import { addAudience, PEOPLE } from './audience.ts';
import type { Requests } from './comparison.ts';
import type { Clients, LatencyScenario } from './latency.ts';
import { idOf, POSTS, READERS, USERS } from './population.ts';
import { type Person, type Query, queriesFor } from './queries.ts';
import type { Database } from './world.ts';

const COUNT = 25;
const TARGET = 25;

/** How many of the audience are looked for. */
const SAMPLE = 1_000;

const config: Requests = {
  title: 'GET /auth/login-config',
  count: COUNT,
  status: 200,
  answerHolds: '"methods":',
  request: () => ({ method: 'GET', path: '/auth/login-config' }),
};

const post: Requests = {
  title: 'GET /posts/{id}',
  count: COUNT,
  status: 200,
  answerHolds: '"canComment": false',
  request: (n) => ({ method: 'GET', path: `/posts/${idOf(n % POSTS)}` }),
};

function searchFor({ title, finds, text }: Query): Requests {
  return {
    title,
    count: COUNT,
    status: 200,
    answerHolds: { somebody: '"items": [{"id"', nobody: '"items": []', maybe: '"items": [' }[finds],
    request: (n) => ({ method: 'GET', path: `/search/users?${new URLSearchParams({ q: text(n) })}` }),
  };
}

/** The same with a bearer. @param answerHolds what only somebody with a bearer is told */
function withBearer(requests: Requests, answerHolds = requests.answerHolds): Requests {
  return { ...requests, answerHolds, request: (n) => ({ ...requests.request(n), user: n % READERS }) };
}

async function prepare(database: Database): Promise<Clients[]> {
  await addAudience(database.superuserUrl);
  const queries = queriesFor(await sampleOf(database));
  const asGuest = queries.map(searchFor);
  const asReader = queries.map((query) =>
    withBearer(searchFor(query), query.finds === 'somebody' ? '"viewerFollows":' : undefined),
  );
  const baselines = [config, post];
  const readersBaselines = [config, withBearer(post, '"canComment": true')];
  return [
    { title: 'one guest', count: 1, target: TARGET, mix: asGuest, baselines },
    { title: 'one with a bearer', count: 1, target: TARGET, mix: asReader, baselines: readersBaselines },
    { title: 'four guests at once', count: 4, mix: asGuest, baselines },
  ];
}

/** People from all over the audience, the same in every run. */
function sampleOf({ superuserUrl }: Database): Promise<Person[]> {
  const step = Math.floor((PEOPLE - USERS) / SAMPLE);
  const ids = Array.from({ length: SAMPLE }, (_, place) => idOf(USERS + place * step));
  return withClient(superuserUrl, async (client) => {
    const { rows } = await client.query<Person>(
      'select username, full_name as "fullName" from app.profiles where user_id = any($1) order by user_id',
      [ids],
    );
    return rows;
  });
}

/** Looking for people, of whom there are a million: the first page. */
export const search: LatencyScenario = { name: 'search', prepare };
