import { setTimeout as pause } from 'node:timers/promises';
import { openWorkerDatabase } from '../../../src/db/worker-database.ts';
import { foldVotes } from '../../../src/worker/tasks.ts';
import { withClient } from '../../local/connection.ts';
import { PENDING_VOTE_KEY, POOL_SIZE } from '../api.ts';
import { openSides } from '../compare.ts';
import { fill, hubReadySql, POSTS, postsSql, READERS, USERS, usersSql } from '../population.ts';
import { type Comparison, type Sequence, sequence } from '../requests.ts';
import {
  measureRounds,
  median,
  printRatios,
  printTable,
  type Ratio,
  type Results,
  type Variant,
  verdict,
} from '../rounds.ts';
import type { Database, World } from '../world.ts';
import { casting } from './vote.ts';

const CLIENTS = [32, 64];
const ROUNDS = { posts: 7, members: 3 };
const TARGETS = {
  onePost: { atLeast: 0.9 },
  statement: { atLeast: 0.6 },
  manyHubs: { atMost: 8 },
  retries: { atMost: 0.01 },
};

// The worker folds every 10 seconds, which is longer than a block.
const FOLD_INTERVAL_MS = 1_000;

/** Posts to vote on, including those of the population. */
const VOTED_POSTS = 10_000;

/** The last posts are in every Hub, the others in none. */
const PLACED_POSTS = 200;

/** Members of each group of people: in no Hub, in some, and in all. */
const MEMBERS = 2_001;
const HUBS_OF_GROUPS = [0, 20, 200] as const;
const HUBS = Math.max(...HUBS_OF_GROUPS);

// Multiples of 10, 32 and 64 connections. Each vote of a member costs the fold up to 50 ms.
const COUNT = 3_200;
const MEMBERS_COUNT = 320;

/** The numbers of a block, half of them spare. */
const BLOCK = 2 * COUNT;

// Without a common factor with VOTED_POSTS, and few enough that the API caches the tokens of all.
const SPREAD_VOTERS = 9_599;

const onePost = casting({
  title: 'one post',
  count: COUNT,
  voter: sequence(READERS, { count: BLOCK }),
  post: sequence(0, { every: BLOCK }),
});

const spread = casting({
  title: `${VOTED_POSTS.toLocaleString('en')} posts`,
  count: COUNT,
  voter: sequence(READERS, { count: SPREAD_VOTERS }),
  post: sequence(0, { count: VOTED_POSTS }),
});

const unplaced = sequence(0, { count: PLACED_POSTS });
const placed = sequence(VOTED_POSTS - PLACED_POSTS, { count: PLACED_POSTS });

/** Votes of one group. MEMBERS and PLACED_POSTS have no common factor, so nobody votes twice on a post. */
function byMembers(group: number, title: string, post: Sequence): Comparison {
  const voter = sequence(USERS + group * MEMBERS, { count: MEMBERS });
  return casting({ title, count: MEMBERS_COUNT, voter, post });
}

const inNone = byMembers(0, 'in no Hub', unplaced);
const inSome = byMembers(1, `in ${HUBS_OF_GROUPS[1]} Hubs, pending in all`, unplaced);
const inMany = byMembers(2, `in ${HUBS_OF_GROUPS[2]} Hubs, pending in all`, unplaced);
const inManyPlaced = byMembers(2, `in ${HUBS_OF_GROUPS[2]} Hubs, all of which have the post`, placed);

// Triggers are off: votes read neither lists of members nor feeds.
const MEMBERS_OF_HUBS = `
set session_replication_role = replica;
${usersSql(USERS, USERS + HUBS_OF_GROUPS.length * MEMBERS - 1)}
${hubReadySql(USERS, USERS + HUBS_OF_GROUPS.length * MEMBERS - 1)}
create temp table members as
select ${USERS} + (member_group.place - 1) * ${MEMBERS} + n as n, member_group.hubs
from unnest(array[${HUBS_OF_GROUPS.join(', ')}]) with ordinality as member_group (hubs, place),
  generate_series(0, ${MEMBERS - 1}) as n;
insert into app.hubs (id, name, member_count)
select pg_temp.id_of(hub), 'Neighbours of street ' || hub, (select count(*) from members as m where hub < m.hubs)
from generate_series(0, ${HUBS - 1}) as hub;
insert into app.memberships (hub_id, user_id, role, joined_at)
select pg_temp.id_of(hub), pg_temp.id_of(m.n), 'member', now() - interval '90 days'
from members as m, generate_series(0, m.hubs - 1) as hub;
insert into app.placements (post_id, hub_id, kind, placed_by)
select pg_temp.id_of(post), pg_temp.id_of(hub), 'shared', pg_temp.id_of(${USERS + 2 * MEMBERS})
from generate_series(${VOTED_POSTS - PLACED_POSTS}, ${VOTED_POSTS - 1}) as post, generate_series(0, ${HUBS - 1}) as hub;
`;

// Vote slots stay as they are, as in production.
const UNFOLDED = 'select 1 from app.fresh_votes union all select 1 from app.pending_ballots limit 1';

/** How votes are sent: by as many pgbench connections as the API's pool has (`pool`), or as there are clients. */
type Way = 'API' | 'pool' | 'pgbench';

/** Votes of one kind, sent in one way. */
interface Voting extends Variant {
  readonly count: number;
  /** Milliseconds of the fold per vote in each round, the warm-up included. */
  readonly foldMs: number[];
  retries: number;
}

/** What voting with a number of clients measures. */
interface Trial {
  readonly votings: readonly Voting[];
  readonly ratios: readonly Ratio[];
  readonly resultsOf: Results;
}

type FoldedSides = Awaited<ReturnType<typeof openFolded>>;

/** Opens a copy of a database in which the fold runs while votes are cast. */
async function openFolded(world: World, template: Database, pgbench: string) {
  await using parts = new AsyncDisposableStack();
  const database = await world.createDatabase(template);
  const sides = parts.use(await openSides(world, database, pgbench));
  const db = openWorkerDatabase(database.urlAs('opine_worker'), () => {});
  parts.defer(() => db.destroy());
  const fold = foldVotes(db, [PENDING_VOTE_KEY]);
  const opened = parts.move();
  return {
    sides,
    /** Runs the fold beside a block and then to its end, so that each variant pays for its own votes. */
    whileFolding: async <T>(cast: () => Promise<T>) => {
      const done = new AbortController();
      const never = new AbortController().signal;
      let foldedMs = 0;
      const runFold = async () => {
        const began = performance.now();
        await fold.run(never);
        foldedMs += performance.now() - began;
      };
      const folding = (async () => {
        while (true) {
          await pause(FOLD_INTERVAL_MS, undefined, { signal: done.signal }).catch(() => {});
          if (done.signal.aborted) return;
          await runFold();
        }
      })();
      const result = await cast().finally(async () => {
        done.abort();
        await folding;
      });
      await withClient(database.superuserUrl, async (client) => {
        while ((await client.query(UNFOLDED)).rowCount !== 0) await runFold();
      });
      return { result, foldedMs };
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** @param isTime whether the samples are milliseconds per vote instead of votes per second */
function votingOf(
  votes: Comparison,
  way: Way,
  clients: number,
  { sides, whileFolding }: FoldedSides,
  isTime = false,
): Voting {
  const connections = way === 'pool' ? POOL_SIZE : clients;
  const cast = async () =>
    way === 'API'
      ? { rate: await sides.throughApi(votes, clients), retries: 0 }
      : await sides.throughPgbench(votes, { connections });
  const place = way === 'API' ? `API, ${clients} clients` : `pgbench, ${connections} connections`;
  const voting: Voting = {
    title: `${votes.title}, ${place}`,
    count: votes.count,
    foldMs: [],
    retries: 0,
    measure: async () => {
      const { result, foldedMs } = await whileFolding(cast);
      voting.foldMs.push(foldedMs / votes.count);
      voting.retries += result.retries;
      return isTime ? 1000 / result.rate : result.rate;
    },
  };
  return voting;
}

/** Votes on one post and on many, each kind in a database of its own. */
async function voteOnPosts(clients: number, open: () => Promise<FoldedSides>): Promise<Trial> {
  await using ofSpread = await open();
  await using ofOnePost = await open();
  const groupOf = (way: Way) => ({
    many: votingOf(spread, way, clients, ofSpread),
    one: votingOf(onePost, way, clients, ofOnePost),
  });
  const [api, pool, pgbenches] = [groupOf('API'), groupOf('pool'), groupOf('pgbench')];
  const groups = [api, pool, pgbenches].map(({ many, one }) => [many, one]);
  const name = `votes on posts, ${clients} clients`;
  const resultsOf = await measureRounds(groups, { name, rounds: ROUNDS.posts, alternates: true });
  api.many.retries = (await ofSpread.sides.close()) - pool.many.retries - pgbenches.many.retries;
  api.one.retries = (await ofOnePost.sides.close()) - pool.one.retries - pgbenches.one.retries;
  const ratios: Ratio[] = [
    [api.one, api.many, TARGETS.onePost],
    [pgbenches.one, pgbenches.many, TARGETS.onePost],
    [pool.one, pool.many],
    [api.many, pool.many, TARGETS.statement],
    [api.one, pool.one, TARGETS.statement],
  ];
  return { votings: groups.flat(), ratios, resultsOf };
}

/** Votes of people in no, some and many Hubs through the API. */
async function voteInHubs(clients: number, open: () => Promise<FoldedSides>): Promise<Trial> {
  await using folded = await open();
  const votingIn = (kind: Comparison) => votingOf(kind, 'API', clients, folded, true);
  const baseline = votingIn(inNone);
  const [some, many, manyPlaced] = [votingIn(inSome), votingIn(inMany), votingIn(inManyPlaced)];
  const votings = [baseline, some, many, manyPlaced];
  const name = `votes in Hubs, ${clients} clients`;
  const resultsOf = await measureRounds([votings], { name, rounds: ROUNDS.members, alternates: true });
  const ratios: Ratio[] = [
    [some, baseline],
    [many, baseline, TARGETS.manyHubs],
    [manyPlaced, baseline],
  ];
  return { votings, ratios, resultsOf };
}

function printTrials(unit: string, column: string, digits: number, trials: readonly Trial[]): void {
  const resultsOf: Results = (variant) => trials.flatMap((trial) => trial.resultsOf(variant));
  const ratios = trials.flatMap((trial) => trial.ratios);
  printRatios({ unit, column, digits }, ratios, resultsOf);
}

function printRetries(votings: readonly Voting[]): void {
  const percent = (share: number) => `${(share * 100).toFixed(2)} %`;
  printTable(
    ['run again', 'votes', 'run again', 'share', 'target'],
    votings.map(({ title, count, foldMs: rounds, retries }) => {
      const cast = count * rounds.length;
      const share = retries / (cast + retries);
      return [title, String(cast), String(retries), percent(share), verdict(share, TARGETS.retries, percent)];
    }),
  );
}

/** Casts votes of many at once, on one post or many, in no Hub or many, while the worker's fold runs. */
export async function votes(world: World, pgbench: string): Promise<void> {
  const template = await world.createDatabase();
  await fill(template.superuserUrl, postsSql(POSTS, VOTED_POSTS - 1, 0), MEMBERS_OF_HUBS);
  const open = () => openFolded(world, template, pgbench);
  const onPosts: Trial[] = [];
  const inHubs: Trial[] = [];
  for (const clients of CLIENTS) {
    onPosts.push(await voteOnPosts(clients, open));
    inHubs.push(await voteInHubs(clients, open));
  }
  printTrials('votes a second', 'rate', 0, onPosts);
  printRetries(onPosts.flatMap((trial) => trial.votings));
  printTrials('milliseconds a vote', 'time', 2, inHubs);
  printTable(
    ['the fold', 'milliseconds a vote'],
    [...onPosts, ...inHubs].flatMap((trial) =>
      trial.votings.map(({ title, foldMs: [, ...rounds] }) => [title, median(rounds).toFixed(2)]),
    ),
  );
}
