import type pg from 'pg';
import { withClient } from '../../local/connection.ts';
import { PENDING_VOTE_KEY, VOTE_ACTIVITY_DELAY } from '../api.ts';
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

interface Clients {
  readonly gateway: pg.Client;
  readonly serializable: pg.Client;
}

/** A write, sent as the gateway sends it. */
type Write = readonly [title: string, send: (clients: Clients, n: number) => Promise<unknown>];

const WRITES: readonly Write[] = [
  [
    'a post',
    ({ gateway }, n) =>
      callGateway(gateway, 'create_post', userOf(n), {
        thoughtText: 'My street lost its parking in May.',
        visibility: 'public',
      }),
  ],
  [
    'a comment',
    ({ gateway }, n) =>
      callGateway(gateway, 'create_comment', userOf(n), {
        postId: idOf(n % POSTS),
        text: 'Trams until midnight.',
      }),
  ],
  [
    'a follow',
    ({ gateway }, n) => callGateway(gateway, 'follow_user', userOf(n), { userId: idOf(n % READERS) }),
  ],
  [
    'a share to the feed',
    ({ gateway }, n) => callGateway(gateway, 'share_to_feed', userOf(n), { postId: idOf(n % POSTS) }),
  ],
  [
    'a vote',
    ({ serializable }, n) =>
      serializable.query("call gateway.call_serializable('cast_vote', $1, $2, null, null, null, null)", [
        {
          postId: idOf(n % POSTS),
          position: 'right',
          activityDelay: VOTE_ACTIVITY_DELAY,
          pendingVoteKeys: [PENDING_VOTE_KEY],
        },
        claimsOf(userOf(n)),
      ]),
  ],
];

async function connectTo(database: Database, parts: AsyncDisposableStack): Promise<Clients> {
  return {
    gateway: await connect(database.urlAs('opine_gateway'), parts),
    serializable: await connect(database.urlAs('opine_serializable'), parts),
  };
}

/** Measures what counting the uses of a person costs writes in Postgres, against a function that counts nothing. */
export async function limits(world: World): Promise<void> {
  await using parts = new AsyncDisposableStack();
  const database = await world.createDatabase();
  await fill(database.superuserUrl, hubReadySql(READERS, USERS - 1));
  const bare = await world.createDatabase(database);
  await withClient(bare.superuserUrl, (client) => client.query(withoutLimits));
  const counting = await connectTo(database, parts);
  const notCounting = await connectTo(bare, parts);
  const ratios = WRITES.map(([title, send]): Ratio => {
    const counted = timed(title, (n) => send(counting, n));
    return [counted, timed(`${title}, not counted`, (n) => send(notCounting, n)), TARGET];
  });
  const resultsOf = await measureRounds(
    ratios.map((ratio) => variantsIn([ratio])),
    {
      name: 'limits',
      rounds: ROUNDS,
      passes: COUNT,
      alternates: true,
    },
  );
  printRatios({ unit: 'milliseconds a request in Postgres', column: 'median', digits: 2 }, ratios, resultsOf);
}
