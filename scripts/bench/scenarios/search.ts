import { withClient } from '../../local/connection.ts';
import { startApi } from '../api.ts';
import { DRAWING, FAMILY_NAMES, GIVEN_NAMES, namesSql } from '../people.ts';
import { fill, idOf, POSTS, READERS, USERS, withoutIndexes } from '../population.ts';
import type { Requests } from '../requests.ts';
import {
  afterWarmUp,
  measureRounds,
  printTable,
  quantile,
  type Target,
  type Variant,
  verdict,
} from '../rounds.ts';
import type { Database, World } from '../world.ts';

const ROUNDS = 5;

/** Requests of each kind in a round. */
const COUNT = 25;

/** Milliseconds of the median. */
const MEDIAN = { atMost: 25 };

/** People in the database, including those of the population. */
const PEOPLE = 1_000_000;

/** People who are searched for. */
const SAMPLE = 1_000;

const AUDIENCE = `
insert into app.users (id, terms_version, terms_accepted_at)
select p.id, '1', now() from people as p order by p.n;
insert into app.profiles (user_id, username, full_name, bio)
select
  id,
  left(handle, 23) || coalesce(translate(nullif(row_number() over (
    partition by app.handle_skeleton(left(handle, 23)) order by n
  ), 1)::text, '01', 'zx'), ''),
  full_name, bio
from (
  select n, id, full_name, bio, case when handle ~ '^[a-z0-9_]{3}' then handle else 'person' end as handle
  from (
    select
      p.n, p.id,
      p.given_name || case
        when pg_temp.draw(n, 4) < 0.4 then ' ' || chr(65 + floor(26 * pg_temp.draw(n, 5))::integer) || '.' else ''
      end || ' ' || p.family_name as full_name,
      case floor(6 * pg_temp.draw(n, 6))::integer
        when 0 then p.given_handle || '_' || p.family_handle
        when 1 then p.given_handle || p.family_handle
        when 2 then left(p.given_handle, 1) || p.family_handle
        when 3 then p.family_handle || p.given_handle
        when 4 then p.given_handle || '_' || 1950 + floor(60 * pg_temp.draw(n, 7))::integer
        else 'the_' || p.given_handle || left(p.family_handle, 1)
      end as handle,
      case when pg_temp.draw(n, 8) < 0.3 then 'Gardens, trams and long walks with the dog.' end as bio
    from people as p
  ) as drawn
) as person
order by n;
`;

interface Person {
  readonly username: string;
  readonly fullName: string;
}

/** A text that people type into a search, and whether it finds something: always, never, or depending on the text. */
export type Query = readonly [
  title: string,
  finds: 'some' | 'none' | 'maybe',
  text: (n: number) => string,
  /** Milliseconds of its median for one client. */
  target?: Target,
];

/** Returns the queries of people who search for one of the given people. */
function queriesFor(people: readonly Person[]): Query[] {
  const username = (n: number) => at(people, n).username;
  const fullName = (n: number) => at(people, n).fullName;
  const given = (n: number) => fullName(n).split(' ')[0] ?? '';
  const family = (n: number) => fullName(n).split(' ').at(-1) ?? '';
  const rare = people.map((_, n) => family(n)).filter((name) => !FAMILY_NAMES.includes(name));
  const isLong = (name: string) => name.length > 4;
  const frequent = [FAMILY_NAMES, GIVEN_NAMES].flatMap((names) => names.slice(0, 10).filter(isLong));
  return [
    ['exact handle', 'some', username, { atMost: 5 }],
    ['two letters of a handle', 'some', (n) => username(n).slice(0, 2)],
    ['three letters of a handle', 'some', (n) => username(n).slice(0, 3)],
    ['five letters of a handle', 'some', (n) => username(n).slice(0, 5)],
    ['given name and an initial', 'some', (n) => fullName(n).slice(0, given(n).length + 2)],
    ['full name', 'some', fullName],
    ['the most frequent family name', 'some', () => at(FAMILY_NAMES, 0)],
    ['rare family name', 'some', (n) => at(rare, n)],
    ['frequent name with a typo', 'maybe', (n) => typoIn(at(frequent, n), n)],
    ['rare family name with a typo', 'maybe', (n) => typoIn(at(rare, n), n)],
    ['two names with a typo in each', 'maybe', (n) => `${typoIn(given(n), n)} ${typoIn(family(n), n + 1)}`],
    ['a name of nobody', 'none', (n) => `qxz${n}jvk`],
  ];
}

/** Swaps two letters, leaves one out or doubles one, anywhere but at the start. */
function typoIn(name: string, n: number): string {
  const letters = Array.from(name);
  const place = 1 + (n % Math.max(letters.length - 2, 1));
  const [letter = '', next = ''] = letters.slice(place);
  const typo = [next + letter, next, letter + letter + next][n % 3] ?? '';
  return [...letters.slice(0, place), typo, ...letters.slice(place + 2)].join('');
}

function at<T>(list: readonly T[], n: number): T {
  const item = list[n % list.length];
  if (item === undefined) throw new Error('the list is empty');
  return item;
}

function get(title: string, answerHolds: string, pathOf: (n: number) => string): Requests {
  const request = (n: number) => ({ method: 'GET', path: pathOf(n) }) as const;
  return { title, count: COUNT, status: 200, answerHolds, request };
}

const config = get('GET /auth/login-config', '"methods":', () => '/auth/login-config');
const post = get('GET /posts/{id}', '"canComment" : false', (n) => `/posts/${idOf(n % POSTS)}`);

function searchFor(path: string, [title, finds, text]: Query): Requests {
  const answerHolds = { some: '[{"id"', none: '[], "nextCursor"', maybe: '"items"' }[finds];
  return get(title, answerHolds, (n) => `${path}?${new URLSearchParams({ q: text(n) })}`);
}

/** The same requests with bearers. @param answerHolds a text that answers to guests lack */
function withBearer(requests: Requests, answerHolds = requests.answerHolds): Requests {
  return { ...requests, answerHolds, request: (n) => ({ ...requests.request(n), user: n % READERS }) };
}

/** Clients that send their next request after the last answer: a mix of searches, and requests that search nothing. */
function clientsFor({ path, queries, ofMembers }: Searches) {
  const guests = { mix: queries.map((query) => searchFor(path, query)), others: [config, post] };
  const mix = queries.map((query) =>
    withBearer(searchFor(path, query), query[1] === 'some' ? ofMembers : undefined),
  );
  const readers = { mix, others: [config, withBearer(post, '"canComment" : true')] };
  return [
    { title: 'one guest', count: 1, target: MEDIAN, ...guests },
    { title: 'one with a bearer', count: 1, target: MEDIAN, ...readers },
    { title: 'four guests at once', count: 4, target: undefined, ...guests },
  ];
}

/** Measures the latency of searches for people among a million: the first page. */
export async function search(world: World): Promise<void> {
  const database = await world.createDatabase();
  const people = namesSql(USERS, PEOPLE - 1);
  await fill(database.superuserUrl, DRAWING, people, withoutIndexes(['app.profiles'], AUDIENCE));
  const queries = queriesFor(await sampleOf(database));
  await measureSearches(world, database, { path: '/search/users', queries, ofMembers: '"viewerFollows":' });
}

/** Searches of one kind. */
export interface Searches {
  readonly path: string;
  readonly queries: readonly Query[];
  /** A text that only answers to members hold. */
  readonly ofMembers: string;
  /** The milliseconds that the slowest answer of one client may take. */
  readonly maximum?: Target;
}

/** Measures searches and prints a table for each kind of client. */
export async function measureSearches(world: World, database: Database, searches: Searches): Promise<void> {
  await using api = await startApi(world, database);
  const all = clientsFor(searches).map(({ title, mix, others, target, count }) => {
    const variantOf = (requests: Requests): Variant => ({
      title: requests.title,
      measure: async (round) => {
        const timings = await api.load(requests, round * COUNT, count);
        return afterWarmUp(timings).map(([sent, answered]) => (answered - sent) * 1000);
      },
    });
    return { title, target, mix: mix.map(variantOf), others: others.map(variantOf) };
  });
  const groups = all.map(({ mix, others }) => [...others, ...mix]);
  const resultsOf = await measureRounds(groups, { name: searches.path, rounds: ROUNDS });
  const timesOf = (variants: readonly Variant[]) => variants.flatMap((variant) => resultsOf(variant).flat());
  const cellsOf = (times: readonly number[]) =>
    [0.5, 0.95, 1].map((share) => quantile(times, share).toFixed(1));
  for (const { title, target, mix, others } of all) {
    const mixTimes = timesOf(mix);
    printTable(
      [`milliseconds an answer: ${title}`, 'median', '95th percentile', 'maximum', 'target'],
      [
        ...mix.map((variant, index) => {
          const times = timesOf([variant]);
          const ofQuery = target && searches.queries[index]?.[3];
          return [variant.title, ...cellsOf(times), verdict(quantile(times, 0.5), ofQuery, String)];
        }),
        ['all of these', ...cellsOf(mixTimes), verdict(quantile(mixTimes, 0.5), target, String)],
        ...(target && searches.maximum
          ? [
              [
                'the slowest of these',
                '',
                '',
                quantile(mixTimes, 1).toFixed(1),
                verdict(quantile(mixTimes, 1), searches.maximum, String),
              ],
            ]
          : []),
        ...others.map((variant) => [`beside them: ${variant.title}`, ...cellsOf(timesOf([variant])), '']),
      ],
    );
  }
}

/** Returns people from all over the audience, the same in every run. */
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
