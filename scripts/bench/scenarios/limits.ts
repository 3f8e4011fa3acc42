import type pg from 'pg';
import { withClient } from '../../local/connection.ts';
import { type Api, PENDING_VOTE_KEY, startApi, VOTE_ACTIVITY_DELAY } from '../api.ts';
import { claimsOf, fill, hubReadySql, idOf, POSTS, READERS, USERS } from '../population.ts';
import { callGateway } from '../requests.ts';
import { measureRounds, printRatios, type Ratio, timed, variantsIn } from '../rounds.ts';
import { connect, type Database, type World } from '../world.ts';

const ROUNDS = 9;

/** Requests of each kind in a round. */
const COUNT = 100;

const TARGET = { atMost: 1.03 };

const withoutLimits = `
create or replace function app.use_limit(p_kind text, p_uses integer default 1) returns void
language plpgsql security definer set search_path = '' as $$ begin end $$`;

/** The user of pass number `n`. Nobody writes twice in a row, so each has a row of limits of their own. */
const userOf = (n: number) => READERS + (n % (USERS - READERS));

/** Ways to write into one database. */
interface Clients {
  readonly api: Api;
  readonly gateway: pg.Client;
  readonly serializable: pg.Client;
}

/** A write: its path below `/api/v1`, its body, and its operation with the arguments that the gateway sends. */
interface Write {
  readonly title: string;
  path(n: number): string;
  readonly body: object;
  readonly operation: string;
  args(n: number): object;
}

const thought = { thoughtText: 'My street lost its parking in May.', visibility: 'public' };
const comment = { text: 'Trams until midnight.' };
const position = { position: 'right' };

const WRITES: readonly Write[] = [
  { title: 'a post', path: () => '/posts', body: thought, operation: 'create_post', args: () => thought },
  {
    title: 'a comment',
    path: (n) => `/posts/${idOf(n % POSTS)}/comments`,
    body: comment,
    operation: 'create_comment',
    args: (n) => ({ postId: idOf(n % POSTS), ...comment }),
  },
  {
    title: 'a follow',
    path: (n) => `/users/${idOf(n % READERS)}/follow`,
    body: {},
    operation: 'follow_user',
    args: (n) => ({ userId: idOf(n % READERS) }),
  },
  {
    title: 'a share to the feed',
    path: (n) => `/posts/${idOf(n % POSTS)}/share/feed`,
    body: {},
    operation: 'share_to_feed',
    args: (n) => ({ postId: idOf(n % POSTS) }),
  },
  {
    title: 'a vote',
    path: (n) => `/posts/${idOf(n % POSTS)}/vote`,
    body: position,
    operation: 'cast_vote',
    args: (n) => ({
      postId: idOf(n % POSTS),
      ...position,
      activityDelay: VOTE_ACTIVITY_DELAY,
      pendingVoteKeys: [PENDING_VOTE_KEY],
    }),
  },
];

const sendRequest = ({ path, body }: Write, { api }: Clients, n: number) =>
  api.send({ method: 'POST', path: path(n), user: userOf(n), body });

const sendSql = ({ operation, args }: Write, { gateway, serializable }: Clients, n: number) =>
  operation === 'cast_vote'
    ? serializable.query('call gateway.cast_vote($1, $2, null, null, null, null)', [
        args(n),
        claimsOf(userOf(n)),
      ])
    : callGateway(gateway, operation, userOf(n), args(n));

async function connectTo(world: World, database: Database, parts: AsyncDisposableStack): Promise<Clients> {
  return {
    api: parts.use(await startApi(world, database, { environment: { PROCESS: 'api' } })),
    gateway: await connect(database.urlAs('opine_gateway'), parts),
    serializable: await connect(database.urlAs('opine_serializable'), parts),
  };
}

/** Measures what counting the uses of a person costs writes, through the API and in Postgres alone, against a function that counts nothing. */
export async function limits(world: World): Promise<void> {
  await using parts = new AsyncDisposableStack();
  const database = await world.createDatabase();
  await fill(database.superuserUrl, hubReadySql(READERS, USERS - 1));
  const bare = await world.createDatabase(database);
  await withClient(bare.superuserUrl, (client) => client.query(withoutLimits));
  const counting = await connectTo(world, database, parts);
  const notCounting = await connectTo(world, bare, parts);
  // The ways take turns in blocks of passes, and no write repeats one of the other way.
  const ways = [
    { title: 'through the API', send: sendRequest, first: 0, target: TARGET },
    { title: 'in Postgres', send: sendSql, first: (ROUNDS + 1) * COUNT, target: undefined },
  ];
  const ratios = ways.flatMap(({ title: way, send, first, target }) =>
    WRITES.map((write): Ratio => {
      const title = `${write.title}, ${way}`;
      const counted = timed(title, (n) => send(write, counting, first + n));
      return [counted, timed('not counted', (n) => send(write, notCounting, first + n)), target];
    }),
  );
  const resultsOf = await measureRounds(
    ratios.map((ratio) => variantsIn([ratio])),
    {
      name: 'limits',
      rounds: ROUNDS,
      passes: COUNT,
      alternates: true,
    },
  );
  printRatios({ unit: 'milliseconds a request', column: 'median', digits: 2 }, ratios, resultsOf);
}
