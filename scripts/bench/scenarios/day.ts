import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { type Api, startApi } from '../api.ts';
import { fill, hubReadySql, idOf, POSTS, READERS, USERS } from '../population.ts';
import { meterPostgres } from '../postgres-cpu.ts';
import type { ApiRequest } from '../requests.ts';
import { median, print, printTable, quantile } from '../rounds.ts';
import { connect, type World } from '../world.ts';

/** Requests of each kind whose cost is measured, and how many are under way at once. */
const COUNT = 600;
const AT_ONCE = 16;
const ROUNDS = 3;

/** How many people are active in the day that is played, and how long each of its hours lasts. */
const PEOPLE = 60_000;
const HOUR_MS = 4_000;

/** How active people are in each hour of the day, in any unit: a night, a morning, and a peak after dinner. */
const HOURS = [3, 2, 1, 1, 1, 2, 4, 7, 8, 7, 7, 8, 9, 9, 8, 8, 9, 10, 12, 14, 15, 14, 10, 6];

export const HUB = 1_000_000;
const HUB_POSTS = 30;

/** A kind of request, and how often an active person sends it in a day. */
interface Kind {
  readonly title: string;
  readonly perDay: number;
  readonly isWrite?: true;
  /** Request number `n`. Its post is drawn: few posts get most of the attention. */
  request(n: number, post: number): ApiRequest;
}

/** Somebody who has not voted in the population. There are more than numbers of a kind, so that nobody votes or follows twice. */
const writer = (n: number) => READERS + (n % (USERS - READERS));

function reads(title: string, perDay: number, path: (n: number, post: number) => string): Kind {
  return { title, perDay, request: (n, post) => ({ method: 'GET', path: path(n, post), user: n % READERS }) };
}

function writes(
  title: string,
  perDay: number,
  path: (n: number, post: number) => string,
  body: (n: number) => object = () => ({}),
): Kind {
  const request = (n: number, post: number): ApiRequest => ({
    method: 'POST',
    path: path(n, post),
    user: writer(n),
    body: body(n),
  });
  return { title, perDay, isWrite: true, request };
}

/** What an active person does in a day: an assumption, to be replaced by what an operator counts (`opine_requests_total`). */
const MIX: readonly Kind[] = [
  reads('home feed', 12, () => '/posts'),
  reads('post', 30, (_, post) => `/posts/${idOf(post)}`),
  reads('comments of a post', 10, (_, post) => `/posts/${idOf(post)}/comments`),
  reads('profile', 6, (_, post) => `/users/${idOf(post)}/profile`),
  reads('posts of a profile', 4, (_, post) => `/users/${idOf(post)}/feed`),
  reads('feed of a Hub', 6, () => `/hubs/${idOf(HUB)}/feed`),
  reads('discussions of a Hub', 3, () => `/hubs/${idOf(HUB)}/discussions`),
  reads('inbox', 10, () => '/notifications'),
  reads('search for people', 2, (n) => `/search/users?q=person_${n % 100}`),
  writes(
    'vote',
    8,
    (_, post) => `/posts/${idOf(post)}/vote`,
    () => ({ position: 'right' }),
  ),
  writes(
    'comment',
    1,
    (_, post) => `/posts/${idOf(post)}/comments`,
    () => ({ text: 'Trams until midnight.' }),
  ),
  writes(
    'post',
    0.3,
    () => '/posts',
    (n) => ({ thoughtText: `Benches instead of parking, ${n}.`, visibility: 'public' }),
  ),
  writes('follow', 0.5, (_, post) => `/users/${idOf(post)}/follow`),
  writes('saved post', 1, (_, post) => `/posts/${idOf(post)}/save`),
];

export const HUB_POPULATION = `
insert into app.hubs (id, name) values (pg_temp.id_of(${HUB}), 'Neighbours of street 1');
insert into app.memberships (hub_id, user_id, role, joined_at)
select pg_temp.id_of(${HUB}), pg_temp.id_of(n), (case n when 0 then 'admin' else 'member' end)::app.hub_role, now() - interval '2 days'
from generate_series(0, ${READERS - 1}) as n;
insert into app.placements (post_id, hub_id, kind, placed_by, placed_at, last_shared_at)
select pg_temp.id_of(n), pg_temp.id_of(${HUB}), 'shared', pg_temp.id_of(0), now() - interval '1 day', now() - interval '1 day'
from generate_series(0, ${HUB_POSTS - 1}) as n;
`;

/** Draws a post: number `k` is read in proportion to 1 / k (Zipf). @param random from 0 to 1 */
function drawPost(random: number): number {
  return Math.floor(POSTS ** random) - 1;
}

/** What a number of requests took. */
interface Cost {
  /** Microseconds of CPU, of the API with its worker and of Postgres. */
  readonly api: number;
  readonly postgres: number;
  /** Bytes. */
  readonly wal: number;
  readonly storage: number;
}

interface Meter {
  read(): Promise<Cost>;
  /** Resolves when the worker has done what requests left to it. */
  settled(): Promise<void>;
  /** Resolves when the worker has done what the population left to it, and writes next to nothing. */
  quiet(): Promise<void>;
}

/** Upkeep of an idle database writes less in this time. */
const QUIET = { ms: 10_000, bytes: 100_000 };

async function meterOf(api: Api, client: pg.Client): Promise<Meter> {
  const postgresCpu = await meterPostgres(client);
  const written = async () => {
    const { rows } = await client.query<{ wal: string }>(`select pg_current_wal_insert_lsn() - '0/0' as wal`);
    return Number(rows[0]?.wal);
  };
  return {
    quiet: async () => {
      for (let before = 0, after = await written(); after - before > QUIET.bytes; ) {
        before = after;
        await pause(QUIET.ms);
        after = await written();
      }
    },
    read: async () => {
      const { rows } = await client.query<{ wal: string; storage: string }>(`
        select pg_current_wal_insert_lsn() - '0/0' as wal, pg_database_size(current_database()) as storage`);
      const [row] = rows;
      return {
        api: await api.cpuTime(),
        postgres: postgresCpu(),
        wal: Number(row?.wal),
        storage: Number(row?.storage),
      };
    },
    settled: async () => {
      const waiting = `
        select from app.backlog() as b
        where b.outbox_count > 0 or b.fan_out_count > 0 or b.inbox_change_count > 0 or b.vote_age_seconds > 0
          or exists (select from app.fresh_votes)`;
      while ((await client.query(waiting)).rowCount !== 0) await pause(250);
    },
  };
}

function difference(after: Cost, before: Cost, count: number): Cost {
  const of = (key: keyof Cost) => (after[key] - before[key]) / count;
  return { api: of('api'), postgres: of('postgres'), wal: of('wal'), storage: of('storage') };
}

/** Sends `count` requests, a few at a time, each by `send`. */
async function sendMany(count: number, send: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let n = next++; n < count; n = next++) await send(n);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

/** Measures what one request of each kind costs, with the work that it leaves to the worker. */
async function measureCosts(api: Api, meter: Meter): Promise<ReadonlyMap<Kind, Cost>> {
  const costs = new Map<Kind, Cost>();
  let used = 0;
  for (const kind of MIX) {
    const samples: Cost[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const first = used;
      used += COUNT;
      const before = await meter.read();
      await sendMany(COUNT, (n) => api.send(kind.request(first + n, drawPost((n % 997) / 997))));
      if (kind.isWrite) await meter.settled();
      // The first round fills caches.
      if (round > 0) samples.push(difference(await meter.read(), before, COUNT));
    }
    const of = (key: keyof Cost) => median(samples.map((sample) => sample[key]));
    costs.set(kind, { api: of('api'), postgres: of('postgres'), wal: of('wal'), storage: of('storage') });
    print(`day, ${kind.title}`);
  }
  return costs;
}

/** Sends what people do in one hour, at random moments of HOUR_MS. @returns the latencies in milliseconds */
async function playHour(api: Api, share: number, numbers: Map<Kind, number>): Promise<number[]> {
  const latencies: number[] = [];
  const sends: Promise<void>[] = [];
  for (const kind of MIX) {
    const count = Math.round(PEOPLE * kind.perDay * share * (HOUR_MS / 3_600_000));
    for (let index = 0; index < count; index += 1) {
      const n = numbers.get(kind) ?? 0;
      numbers.set(kind, n + 1);
      const request = kind.request(n, drawPost(Math.random()));
      sends.push(
        pause(Math.random() * HOUR_MS).then(async () => {
          const began = performance.now();
          await api.send(request);
          latencies.push(performance.now() - began);
        }),
      );
    }
  }
  await Promise.all(sends);
  return latencies;
}

/** Measures what a day of people costs by kind of request, and plays that day by the hour. */
export async function day(world: World): Promise<void> {
  await using parts = new AsyncDisposableStack();
  const database = await world.createDatabase();
  await fill(database.superuserUrl, hubReadySql(0, USERS - 1), HUB_POPULATION);
  const api = parts.use(await startApi(world, database));
  const client = await connect(database.superuserUrl, parts);
  const meter = await meterOf(api, client);
  await meter.quiet();
  const costs = await measureCosts(api, meter);
  const cells = ({ api, postgres, wal, storage }: Cost) =>
    [api, postgres, wal, storage].map((value) => value.toFixed(0));
  const total = { api: 0, postgres: 0, wal: 0, storage: 0 };
  const rows = [...costs].map(([{ title, perDay }, cost]) => {
    for (const key of Object.keys(total) as (keyof Cost)[]) total[key] += perDay * cost[key];
    return [title, String(perDay), ...cells(cost)];
  });
  printTable(
    ['request', 'a person and day', 'API, µs of CPU', 'Postgres, µs of CPU', 'WAL, bytes', 'storage, bytes'],
    [...rows, ['all, a person and day', '', ...cells(total)]],
  );

  const sum = HOURS.reduce((all, hour) => all + hour, 0);
  // Other pairs of people and posts than those whose costs were measured.
  const numbers = new Map(MIX.map((kind) => [kind, MIX.length * (ROUNDS + 1) * COUNT]));
  const hours: string[][] = [];
  for (const [hour, activity] of HOURS.entries()) {
    // In HOUR_MS as many requests as in that time of a real hour.
    const latencies = await playHour(api, activity / sum, numbers);
    const rate = (latencies.length / HOUR_MS) * 1000;
    const at = (share: number) => quantile(latencies, share).toFixed(1);
    hours.push([String(hour), rate.toFixed(0), at(0.5), at(0.99)]);
  }
  printTable(['hour', 'requests a second', 'median, ms', '99th percentile, ms'], hours);
}
