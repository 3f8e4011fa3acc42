import { startApi } from '../api.ts';
import { idOf, POSTS, READERS, refreshTokenOf } from '../population.ts';
import type { ApiRequest, Requests } from '../requests.ts';
import {
  byRound,
  measureRounds,
  median,
  medianOf,
  print,
  printTable,
  span,
  type Variant,
  verdict,
} from '../rounds.ts';
import { type Database, onceAlone, type World } from '../world.ts';

const COUNT = 2_000;
const ROUNDS = 7;

// The first rounds after a start cost up to twice as much.
const WARM_UPS = 3;

/** Microseconds that a request may add to each baseline. */
const TARGET = { atMost: 300 };
const HANDLE_LENGTH = 30;

function requestsOf(title: string, answerHolds: string, request: (n: number) => ApiRequest): Requests {
  return { title, count: COUNT, status: 200, answerHolds, request };
}

const readPost = (n: number): ApiRequest => ({ method: 'GET', path: `/posts/${idOf(n % POSTS)}` });

// Each number has another token: of another user, or the next one of the same user.
const withBearer = (n: number) => ({ ...readPost(n), user: n % READERS, issue: Math.floor(n / READERS) });

const guest = requestsOf('GET /posts/{id}, guest', '"canComment" : false', readPost);
const newBearer = requestsOf('GET /posts/{id}, bearer new to the API', '"canComment" : true', withBearer);

/** The same requests as those before it in the round, whose tokens the API has cached. */
const cachedBearer = { ...newBearer, title: 'GET /posts/{id}, the same bearer again' };

/** One round trip without body and token. Its answer passes a handler, as that of a refresh. */
const config = requestsOf('GET /auth/login-config', '"methods":', () => ({
  method: 'GET',
  path: '/auth/login-config',
}));

/** One round trip with a small body, as a refresh has. Every such operation needs a bearer. */
const handle = requestsOf('POST /users/handles/availability, known bearer', '"available": true', (n) => ({
  ...withBearer(n),
  method: 'POST',
  path: '/users/handles/availability',
  body: { username: `nobody_${n}`.padEnd(HANDLE_LENGTH, '_') },
}));

const refresh = requestsOf('POST /auth/session/refresh', '"accessToken":', (n) => ({
  method: 'POST',
  path: '/auth/session/refresh',
  body: { refreshToken: refreshTokenOf(n) },
}));

/** The requests of a round in order, their baselines, and whether the target applies. */
const COSTS: readonly (readonly [requests: Requests, baselines: readonly Requests[], isJudged: boolean])[] = [
  [guest, [], false],
  [newBearer, [guest], true],
  [cachedBearer, [guest], true],
  [config, [], false],
  [handle, [config], false],
  [refresh, [config, handle], true],
];

const COST_HEADINGS = ['µs of CPU a request', 'median', 'lowest to highest'];
const ADDED_HEADINGS = ['baseline', 'adds', 'lowest to highest', 'target'];

/** Measures the CPU time of checking a bearer and refreshing a session, and checks the lookup of sessions. */
export async function identity(world: World): Promise<void> {
  const database = await world.createDatabase();
  const finding = await checkSessionLookup(world, database);
  await using api = await startApi(world, database);
  const variantOf = (requests: Requests): Variant => ({
    title: requests.title,
    measure: async (round) => {
      const before = await api.cpuTime();
      await api.load(requests, round * COUNT);
      return ((await api.cpuTime()) - before) / COUNT;
    },
  });
  const variants = new Map(COSTS.map(([requests]) => [requests, variantOf(requests)]));
  const options = { name: 'identity', rounds: ROUNDS, warmUps: WARM_UPS };
  const resultsOf = await measureRounds([[...variants.values()]], options);
  const samplesOf = (requests: Requests) => {
    const variant = variants.get(requests);
    return variant === undefined ? [] : resultsOf(variant);
  };
  const rows = COSTS.flatMap(([requests, baselines, isJudged]) => {
    const samples = samplesOf(requests);
    const start = [requests.title, medianOf(samples).toFixed(0), span(samples.flat(), 0)];
    if (baselines.length === 0) return [[...start, '', '', '', '']];
    return baselines.map((baseline) => {
      const added = byRound(samples, samplesOf(baseline), (cost, base) => cost - base);
      const target = isJudged ? TARGET : undefined;
      const judged = verdict(median(added), target, String);
      return [...start, baseline.title, median(added).toFixed(0), span(added, 0), judged];
    });
  });
  printTable([...COST_HEADINGS, ...ADDED_HEADINGS], rows);
  print(`\n${finding}`);
}

/**
 * Checks that a bearer costs Postgres one index scan of its session. The worker reads sessions when the API starts, so
 * the scans during as many requests of guests are subtracted.
 * @returns a line with the scans
 * @throws Error if sessions are read otherwise
 */
async function checkSessionLookup(world: World, database: Database): Promise<string> {
  const ofGuest = await scansDuring(world, database, guest);
  const ofBearer = await scansDuring(world, database, newBearer);
  const [primaryKey = 0, index = 0, sequential = 0] = difference(ofBearer, ofGuest);
  const finding = `app.sessions, ${COUNT} requests with a bearer: ${primaryKey} scans of its primary key, ${index - primaryKey} of other indexes, ${sequential} sequential`;
  if (index !== COUNT || sequential !== 0) {
    throw new Error(`a request with a bearer is not one index scan of sessions: ${finding}`);
  }
  return `${finding}; target: primary key alone, ${primaryKey === COUNT ? 'met' : 'MISSED'}`;
}

/** Returns the scans of an API's lifetime with one block of requests. */
async function scansDuring(world: World, database: Database, requests: Requests): Promise<number[]> {
  const before = await scansOf(database);
  {
    await using api = await startApi(world, database);
    await api.load(requests, 0);
  }
  return difference(await scansOf(database), before);
}

/** Returns the scans of `app.sessions`: by its primary key, by any index, and sequential. */
function scansOf(database: Database): Promise<number[]> {
  return onceAlone(database, async (client) => {
    const { rows } = await client.query<{ scans: number[] }>(
      `select array[i.idx_scan, t.idx_scan, t.seq_scan]::integer[] as scans
       from pg_stat_user_tables as t
       join pg_stat_user_indexes as i on i.relid = t.relid and i.indexrelname = 'sessions_pkey'
       where t.relid = 'app.sessions'::regclass`,
    );
    if (rows[0] === undefined) throw new Error('app.sessions has no index "sessions_pkey"');
    return rows[0].scans;
  });
}

function difference(scans: readonly number[], less: readonly number[]): number[] {
  return scans.map((count, kind) => count - (less[kind] ?? 0));
}
