import path from 'node:path';
import { type Api, startApi } from '../api.ts';
import { NAIVE_SCHEMA } from '../naive-service.ts';
import { fill, idOf, POSTS, postsSql } from '../population.ts';
import { meterPostgres } from '../postgres-cpu.ts';
import { type Requests, sequence } from '../requests.ts';
import {
  measureRounds,
  median,
  print,
  printRatios,
  printTable,
  type Ratio,
  type Target,
  type Variant,
  variantsIn,
  verdict,
} from '../rounds.ts';
import { connect, type World } from '../world.ts';

const ROUNDS = 7;
const AUTHORS = 2_000;
const ALL_POSTS = 20_000;
const FOLLOWS = 200;

/** Users who read, and those who vote. None of them wrote a post. */
export const VIEWERS = { first: 5_000, count: 500 };
export const VOTERS = { first: 6_000, count: 10_007 };

const TARGETS = {
  read: { atLeast: 0.9 },
  feed: { atLeast: 0.9 },
  vote: { atLeast: 0.85 },
  mixed: { atLeast: 0.95 },
  memory: { atMost: 190 },
};

/** The CPU of the naive service for a request, Node and Postgres, divided by ours. */
const CPU_TARGETS = { read: { atLeast: 0.4 }, feed: { atLeast: 0.4 }, vote: { atLeast: 0.62 } };

const THOUGHT = 'My street lost its parking in May.';

const viewers = sequence(VIEWERS.first, { count: VIEWERS.count });
const posts = sequence(0, { count: ALL_POSTS });

/** Reads of one post. @param every each request with a number divisible by it is a guest's; 0 for none */
const reading = (title: string, every: number): Requests => ({
  title,
  count: 4_000,
  status: 200,
  answerHolds: THOUGHT,
  request: (n) => ({
    method: 'GET',
    path: `/posts/${idOf(posts.at(n * 7))}`,
    ...((every === 0 || n % every !== 0) && { user: viewers.at(n) }),
  }),
});

const read = reading('read one post, member', 0);
const mixed = reading('read one post, every fifth request a guest', 5);

const feed: Requests = {
  title: 'home feed, 200 follows',
  count: 1_500,
  status: 200,
  answerHolds: THOUGHT,
  request: (n) => ({ method: 'GET', path: '/posts', user: viewers.at(n) }),
};

const vote: Requests = {
  title: 'vote, spread',
  count: 3_000,
  status: 201,
  answerHolds: 'right',
  request: (n) => ({
    method: 'POST',
    path: `/posts/${idOf(posts.at(n))}/vote`,
    user: VOTERS.first + (n % VOTERS.count),
    body: { position: 'right' },
  }),
};

/** Posts of few authors, and viewers who follow a tenth of them. */
export const BESIDE_POPULATION = `
${postsSql(POSTS, ALL_POSTS - 1, 0, AUTHORS)}
insert into app.follows (follower_id, followee_id)
select pg_temp.id_of(viewer), pg_temp.id_of((viewer * 13 + n * 10) % ${AUTHORS})
from generate_series(${VIEWERS.first}, ${VIEWERS.first + VIEWERS.count - 1}) as viewer, generate_series(0, ${FOLLOWS - 1}) as n;
`;

/** The microseconds of CPU for a request in each block, by the title of its variant. */
type CpuTimes = Map<string, number[]>;

/** A service that answers blocks of requests, each number once. */
function loadedBy(name: string, api: Api, postgresCpu: () => number, cpuTimes: CpuTimes) {
  const used = new Map<Requests, number>();
  return (requests: Requests): Variant => {
    const title = `${name}: ${requests.title}`;
    const times: number[] = [];
    cpuTimes.set(title, times);
    return {
      title,
      measure: async () => {
        const first = used.get(requests) ?? 0;
        used.set(requests, first + requests.count);
        const before = postgresCpu() + (await api.cpuTime());
        const rate = await api.rate(requests, first);
        times.push((postgresCpu() + (await api.cpuTime()) - before) / requests.count);
        return rate;
      },
    };
  };
}

/** Prints what each request takes of CPU, beside the naive service. */
function printCpu(ratios: readonly (readonly [Ratio, Target])[], cpuTimes: CpuTimes): void {
  const timeOf = ({ title }: Variant) => median(cpuTimes.get(title) ?? []);
  printTable(
    ['CPU of Node and Postgres for a request', 'µs', 'baseline', 'µs', 'ratio', 'target'],
    ratios.map(([[ours, naive], target]) => {
      const ratio = timeOf(naive) / timeOf(ours);
      return [
        ours.title,
        timeOf(ours).toFixed(0),
        naive.title,
        timeOf(naive).toFixed(0),
        ratio.toFixed(2),
        verdict(ratio, target, (bound) => bound.toFixed(2)),
      ];
    }),
  );
}

/** Compares the API with a service of the same work without policies and guarantees, both with as many connections. */
export async function beside(world: World): Promise<void> {
  await using parts = new AsyncDisposableStack();
  const database = await world.createDatabase();
  await fill(database.superuserUrl, BESIDE_POPULATION, NAIVE_SCHEMA);
  const startOurs = () => startApi(world, database, { environment: { PROCESS: 'api' } });
  // An image has compiled the sources before its first start.
  await (await startOurs())[Symbol.asyncDispose]();
  const api = parts.use(await startOurs());
  const program = path.join(import.meta.dirname, '../naive-service.ts');
  const environment = { DATABASE_URL: database.superuserUrl };
  const naive = parts.use(await startApi(world, database, { program, environment }));
  const postgresCpu = await meterPostgres(await connect(database.superuserUrl, parts));
  const cpuTimes: CpuTimes = new Map();
  const ours = loadedBy('Opine', api, postgresCpu, cpuTimes);
  const theirs = loadedBy('naive', naive, postgresCpu, cpuTimes);
  const ratioOf = (requests: Requests, target: Target): Ratio => [ours(requests), theirs(requests), target];
  const [reads, feeds, votes] = [
    ratioOf(read, TARGETS.read),
    ratioOf(feed, TARGETS.feed),
    ratioOf(vote, TARGETS.vote),
  ];
  const withGuests: Ratio = [ours(mixed), reads[0], TARGETS.mixed];
  const groups = [[reads, withGuests], [feeds], [votes]];
  const resultsOf = await measureRounds(groups.map(variantsIn), {
    name: 'beside',
    rounds: ROUNDS,
    alternates: true,
  });
  printRatios({ unit: 'requests a second', column: 'rate', digits: 0 }, groups.flat(), resultsOf);
  printCpu(
    [
      [reads, CPU_TARGETS.read],
      [feeds, CPU_TARGETS.feed],
      [votes, CPU_TARGETS.vote],
    ],
    cpuTimes,
  );
  const megabytes = (await api.memory(false)) / 1e6;
  const isMet = verdict(megabytes, TARGETS.memory, (bound) => `${bound} MB`);
  print(`\nmemory of the API process after the load: ${megabytes.toFixed(0)} MB; target ${isMet}`);
}
