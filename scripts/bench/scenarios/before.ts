import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import type { Gateway } from '../../../src/db/gateway.ts';
import type { ApiFunction } from '../../../src/db/types.ts';
import { ROOT } from '../../db/paths.ts';
import { PENDING_VOTE_KEY } from '../api.ts';
import { claimsOf, hubReadySql, idOf, READERS, USERS } from '../population.ts';
import { PHOTOS_URL } from '../requests.ts';
import { measureRounds, printRatios, type Ratio, type Variant, variantsIn } from '../rounds.ts';
import { connect, type Database, type World } from '../world.ts';
import { BESIDE_POPULATION, VIEWERS, VOTERS } from './beside.ts';
import { HUB, HUB_POPULATION } from './day.ts';

/** The commit to compare with, as `git archive` takes it. */
const BEFORE = process.env.BENCH_BEFORE ?? 'HEAD';

const ROUNDS = 7;
/** Blocks of each side in a round, so that other load on the machine affects both. */
const PASSES = 4;
const VOTER_OF_MANY = 20_999;

/** One operation. The number `n` of a request decides who asks for what. */
interface Kind {
  readonly title: string;
  readonly operation: ApiFunction;
  /** Requests in a block. */
  readonly count: number;
  user(n: number): number;
  args(n: number): object;
}

const viewer = (n: number) => VIEWERS.first + (n % VIEWERS.count);
const reader = (n: number) => n % READERS;
const postOf = (n: number) => ({ postId: idOf((n * 7) % 2_000) });
const inHub = () => ({ hubId: idOf(HUB) });

const KINDS: readonly Kind[] = [
  { title: 'post', operation: 'get_post', count: 60, user: reader, args: postOf },
  {
    title: 'profile',
    operation: 'get_profile',
    count: 50,
    user: reader,
    args: (n) => ({ userId: idOf(reader(n * 3)) }),
  },
  {
    title: 'comments',
    operation: 'list_comments',
    count: 50,
    user: reader,
    args: postOf,
  },
  {
    title: 'inbox',
    operation: 'list_notifications',
    count: 50,
    user: reader,
    args: () => ({}),
  },
  {
    title: 'vote summary',
    operation: 'get_vote_summary',
    count: 50,
    user: reader,
    args: postOf,
  },
  {
    title: 'home feed, 200 follows',
    operation: 'get_home_feed',
    count: 15,
    user: viewer,
    args: () => ({}),
  },
  {
    title: 'feed of a Hub',
    operation: 'get_hub_feed',
    count: 15,
    user: reader,
    args: inHub,
  },
  {
    title: 'discussions of a Hub',
    operation: 'list_discussions',
    count: 15,
    user: reader,
    args: inHub,
  },
  {
    title: 'posts of a profile',
    operation: 'get_profile_feed',
    count: 15,
    user: reader,
    args: (n) => ({ userId: idOf(reader(n * 3)) }),
  },
  {
    title: 'search for people',
    operation: 'search_users',
    count: 15,
    user: reader,
    args: (n) => ({ q: `person_${n % 100}` }),
  },
  {
    title: 'own profile with 20,000 votes',
    operation: 'get_own_profile',
    count: 15,
    user: () => VOTER_OF_MANY,
    args: () => ({}),
  },
];

const VOTES = 60;

/** Somebody who has voted twenty thousand times. All votes are of former days. */
const FORMER_VOTES = `
insert into app.vote_receipts (post_id, user_id, voted_at)
select p.id, pg_temp.id_of(${VOTER_OF_MANY}), date_trunc('minute', now()) from app.posts as p
on conflict do nothing;
update app.vote_receipts set voted_at = voted_at - interval '2 days';
`;

/** One version of the service with its database: the gateway of that version, by one connection a pool. */
interface Version {
  readonly gateway: Gateway;
  /** Microseconds of CPU of the backends of a login. */
  cpu(login: string): Promise<number>;
  /** Folds all votes. Returns the microseconds of CPU that it took. */
  fold(): Promise<number>;
}

/** Unpacks a commit into a folder, which uses the packages of this tree. */
function checkOut(commit: string, directory: string): string {
  mkdirSync(directory);
  const archive = execFileSync('git', ['archive', '--format=tar', commit, 'src', 'supabase/schemas'], {
    cwd: ROOT,
    maxBuffer: 1e9,
  });
  execFileSync('tar', ['-x'], { cwd: directory, input: archive });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(directory, 'node_modules'));
  return directory;
}

/** Nanoseconds of CPU of a process. */
const schedule = (pid: number) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]);

async function createVersion(
  directory: string,
  database: Database,
  parts: AsyncDisposableStack,
): Promise<Version> {
  const source = pathToFileURL(path.join(directory, 'src/db/gateway.ts')).href;
  const { createGateway } = (await import(source)) as typeof import('../../../src/db/gateway.ts');
  const gateway = createGateway({
    url: database.urlAs('opine_gateway'),
    serializableUrl: database.urlAs('opine_serializable'),
    poolSize: 1,
    namesStatements: true,
    photosUrl: PHOTOS_URL,
    limits: null,
    onIdleError: () => {},
    onVisitLost: (error) => {
      throw error;
    },
    onRetry: () => {},
  });
  parts.defer(() => gateway.close());
  const observer = await connect(database.superuserUrl, parts);
  const worker = await connect(database.urlAs('opine_worker'), parts);
  const cpu = async (login: string) => {
    const { rows } = await observer.query<{ pid: number }>(
      'select pid from pg_stat_activity where datname = $1 and usename = $2',
      [database.name, login],
    );
    return rows.reduce((sum, { pid }) => sum + schedule(pid), 0) / 1000;
  };
  return {
    gateway,
    cpu,
    fold: async () => {
      const before = await cpu('opine_worker');
      for (const generation of [0, 1]) await worker.query('select app.fold_pools($1)', [generation]);
      while ((await foldReceipts(worker)) === true);
      return (await cpu('opine_worker')) - before;
    },
  };
}

async function foldReceipts(worker: pg.Client): Promise<boolean | undefined> {
  const { rows } = await worker.query<{ isMore: boolean }>('select app.fold_receipts() as "isMore"');
  return rows[0]?.isMore;
}

/** What the gateways of commits before rooms call three of the fields of a call. */
const FORMER_NAMES = { fallsBack: true, staleRead: null, endsRights: false };

/** Returns the variant of a kind whose samples are the microseconds of CPU of one backend for a request. */
function readBy(name: string, version: Version, { title, operation, count, user, args }: Kind): Variant {
  return {
    title: `${name}: ${title}`,
    measure: async (pass) => {
      // Connects, if this is the first call of the pool.
      const send = (n: number) =>
        version.gateway.call({
          operation,
          args: args(n),
          mode: 'reader',
          claims: claimsOf(user(n)),
          treatsEndedSessionAsGuest: true,
          isWrite: false,
          replicaRead: null,
          revokesAccess: false,
          idempotency: null,
          addressHash: null,
          requestId: 'a request of a benchmark',
          ...FORMER_NAMES,
        });
      await send(0);
      const before = await version.cpu('opine_gateway');
      for (let n = 0; n < count; n += 1) await send(pass * count + n);
      return ((await version.cpu('opine_gateway')) - before) / count;
    },
  };
}

const castVote = (version: Version, user: number, post: { readonly postId: string }) =>
  version.gateway.callSerializable({
    operation: 'cast_vote',
    args: {
      ...post,
      position: 'right',
      pendingVoteKeys: [PENDING_VOTE_KEY],
      activityDelay: { from: 300, to: 1800 },
      activityMinimum: 1,
    },
    claims: claimsOf(user),
    revokesAccess: false,
    requestId: 'a request of a benchmark',
  });

/** Returns the variants of votes: casting one, and folding it. */
function votesBy(name: string, version: Version): readonly [vote: Variant, fold: Variant] {
  let used = 0;
  const cast = async () => {
    const n = used++;
    await castVote(version, VOTERS.first + (n % VOTERS.count), postOf(n));
  };
  return [
    {
      title: `${name}: vote`,
      measure: async () => {
        await cast();
        const before = await version.cpu('opine_serializable');
        for (let n = 1; n < VOTES; n += 1) await cast();
        return ((await version.cpu('opine_serializable')) - before) / (VOTES - 1);
      },
    },
    {
      title: `${name}: fold of a vote`,
      measure: async () => {
        // Of the votes before.
        await version.fold();
        for (let n = 0; n < VOTES; n += 1) await cast();
        return (await version.fold()) / VOTES;
      },
    },
  ];
}

/** Compares the CPU of one backend for each kind of request with that of another commit, each with its own gateway and schema. */
export async function before(world: World): Promise<void> {
  await using parts = new AsyncDisposableStack();
  const directory = checkOut(BEFORE, path.join(world.directory, 'before'));
  const population = [hubReadySql(0, USERS - 1), BESIDE_POPULATION, HUB_POPULATION, FORMER_VOTES];
  const former = await world.declareDatabase(path.join(directory, 'supabase'), population);
  const present = await world.declareDatabase(path.join(ROOT, 'supabase'), population);
  const [theirs, ours] = [
    await createVersion(directory, former, parts),
    await createVersion(ROOT, present, parts),
  ];
  const ratios = KINDS.map((kind): Ratio => [readBy('before', theirs, kind), readBy('now', ours, kind)]);
  const [formerVote, formerFold] = votesBy('before', theirs);
  const [vote, fold] = votesBy('now', ours);
  const votes: Ratio[] = [
    [formerVote, vote],
    [formerFold, fold],
  ];
  const resultsOf = await measureRounds(
    [...ratios.map((ratio) => variantsIn([ratio])), ...votes.map((ratio) => variantsIn([ratio]))],
    {
      name: 'before',
      rounds: ROUNDS,
      passes: PASSES,
      alternates: true,
    },
  );
  printRatios({ unit: 'CPU of one backend', column: 'µs', digits: 0 }, [...ratios, ...votes], resultsOf);
}
