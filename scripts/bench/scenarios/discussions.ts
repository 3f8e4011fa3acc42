import { fill, hubReadySql, READERS } from '../population.ts';
import { argsOf, type Call, callGateway, sequence } from '../requests.ts';
import { measureRounds, printRatios, type Ratio, timed, variantsIn } from '../rounds.ts';
import { connect, type World } from '../world.ts';

const ROUNDS = 9;

/** Requests of each kind in a round. */
const COUNT = 60;

/** The list with unread counts, against the list in which nothing is unread. */
const TARGET = { atMost: 1.2 };

/** As many discussions as a page holds by default. */
const DISCUSSIONS = 30;
const MESSAGES = 150;

/** Readers and how many messages of each discussion are unread to them. Their number is the number of the user. */
const NOTHING_UNREAD = 1;
const FEW_UNREAD = { reader: 2, unread: 5 };
const ALL_UNREAD = { reader: 3, unread: MESSAGES };

/** The number of the Hub. It is nobody's, because feeds tell sources apart by their ids alone. */
const HUB = 1_000_000;

/** The author of all messages, who founded the Hub. */
const FOUNDER = 0;

const POPULATION = `
${hubReadySql(FOUNDER, READERS - 1)}
insert into app.hubs (id, name) values (pg_temp.id_of(${HUB}), 'Neighbours of street 1');
insert into app.memberships (hub_id, user_id, role, joined_at)
select
  pg_temp.id_of(${HUB}), pg_temp.id_of(n), (case n when ${FOUNDER} then 'admin' else 'member' end)::app.hub_role,
  now() - interval '2 days'
from generate_series(${FOUNDER}, ${ALL_UNREAD.reader}) as n;
insert into app.placements (post_id, hub_id, kind, placed_by)
select pg_temp.id_of(n), pg_temp.id_of(${HUB}), 'shared', pg_temp.id_of(${FOUNDER}) from generate_series(0, ${DISCUSSIONS - 1}) as n;
insert into app.messages (discussion_id, hub_id, author_id, body, created_at)
select d.id, d.hub_id, pg_temp.id_of(${FOUNDER}), 'Message ' || n, now() - interval '1 day' + n * interval '1 minute'
from app.discussions as d, generate_series(1, ${MESSAGES}) as n;
insert into app.discussion_reads (user_id, discussion_id, read_until)
select pg_temp.id_of(r.reader), d.id, now() - interval '1 day' + (${MESSAGES} - r.unread) * interval '1 minute'
from app.discussions as d, (values (${NOTHING_UNREAD}, 0), (${FEW_UNREAD.reader}, ${FEW_UNREAD.unread})) as r (reader, unread);
`;

const listOf = (title: string, reader: number, unreadCount: number): Call => ({
  title: `GET /hubs/{id}/discussions, ${title}`,
  answerHolds: `"unreadCount": ${unreadCount}`,
  operation: 'list_discussions',
  args: { hubId: '{hub}' },
  path: '/hubs/{hub}/discussions',
  values: { hub: sequence(HUB, { count: 1 }) },
  user: sequence(reader, { count: 1 }),
});

/** Measures what counting unread messages costs a page of discussions in Postgres. */
export async function discussions(world: World): Promise<void> {
  await using parts = new AsyncDisposableStack();
  const database = await world.createDatabase();
  await fill(database.superuserUrl, POPULATION);
  const client = await connect(database.urlAs('opine_gateway'), parts);
  const variantOf = (call: Call) =>
    timed(call.title, async (n) => {
      const answer = await callGateway(client, call.operation, call.user?.at(n) ?? null, argsOf(call, n));
      if (!answer.includes(call.answerHolds)) throw new Error(`unexpected answer: ${call.title}`);
    });
  const nothing = variantOf(listOf('nothing unread', NOTHING_UNREAD, 0));
  const few = variantOf(listOf(`${FEW_UNREAD.unread} unread in each`, FEW_UNREAD.reader, FEW_UNREAD.unread));
  const all = variantOf(listOf('100 or more unread in each', ALL_UNREAD.reader, 100));
  const ratios: readonly Ratio[] = [
    [few, nothing, TARGET],
    [all, nothing, TARGET],
  ];
  const resultsOf = await measureRounds([variantsIn(ratios)], {
    name: 'discussions',
    rounds: ROUNDS,
    passes: COUNT,
    alternates: true,
  });
  printRatios({ unit: 'milliseconds a request in Postgres', column: 'median', digits: 2 }, ratios, resultsOf);
}
