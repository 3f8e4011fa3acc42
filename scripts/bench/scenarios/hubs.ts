import type pg from 'pg';
import { withClient } from '../../local/connection.ts';
import { compareRates } from '../compare.ts';
import { DRAWING, FAMILY_NAMES, hubReadyPeopleSql, MEMBER_COUNTS } from '../people.ts';
import { fill, idOf, triggerCheckSql, USERS, withoutIndexes } from '../population.ts';
import { argsOf, type Call, callGateway, comparisonOf, type Sequence, sequence } from '../requests.ts';
import {
  byRound,
  measureRounds,
  median,
  medianOf,
  pooled,
  printTable,
  ratioCells,
  type Samples,
  timed,
} from '../rounds.ts';
import { connect, type Database, type World } from '../world.ts';

/** Hubs of equal size. */
const HUBS = 1_000;

/** The number of the large Hub, whose members are all people. */
const LARGE = HUBS;

/** The user whose list of Hubs is read: a member of the large Hub and of each fifth other, 200 in total. */
const LISTER = USERS;
const LISTED_EVERY = 5;

/** The share of members who used their Hub within a day. */
const ACTIVE = 0.2;

/** The data that grows. Both sizes have as many Hubs, and the lister is in as many. */
interface HubSize {
  /** People who may join Hubs: the members of the large one. */
  readonly people: number;
  /** Members of each other Hub. */
  readonly members: number;
}

const FULL: HubSize = { people: 100_000, members: 1_000 };
const HUNDREDTH: HubSize = { people: FULL.people / 100, members: FULL.members / 100 };

// Without a common factor with the people besides the lister, so that nobody is in a Hub twice.
const HUB_STEP = 997;
const PLACE_STEP = 101;

/** Returns an SQL expression for the user at a place in a Hub of equal size. Its founder has place 0. */
function memberSql({ people }: HubSize, hub: string, place: string): string {
  return `${LISTER + 1} + (${hub} * ${HUB_STEP} + ${place} * ${PLACE_STEP}) % ${people - 1}`;
}

/** Returns the users at places in Hubs of equal size. */
function membersAt(size: HubSize, hub: Sequence, place: Sequence): Sequence {
  return {
    at: (n) => LISTER + 1 + ((hub.at(n) * HUB_STEP + place.at(n) * PLACE_STEP) % (size.people - 1)),
    sql: memberSql(size, `(${hub.sql})`, `(${place.sql})`),
  };
}

function hubsSql(size: HubSize): string {
  return `
create temp table places as
select
  hub, place,
  case
    when place = ${size.members - 1} and hub > 0 and hub % ${LISTED_EVERY} = 0 then ${LISTER}
    else ${memberSql(size, 'hub', 'place')}
  end as member
from generate_series(0, ${HUBS - 1}) as hub, generate_series(0, ${size.members - 1}) as place
union all
select ${LARGE}, place, ${LISTER} + (place + 1) % ${size.people} from generate_series(0, ${size.people - 1}) as place;
insert into app.hubs (id, name, description, custom_link, member_count, last_activity_at)
select
  pg_temp.id_of(hub), 'Neighbours of street ' || hub, 'What is going on between the bakery and the park.',
  case when hub % 3 = 0 then 'street-' || hub end,
  case when hub = ${LARGE} then ${size.people} else ${size.members} end,
  now() - pg_temp.draw(hub, 20) * interval '60 days'
from generate_series(0, ${LARGE}) as hub;
insert into app.memberships (hub_id, user_id, role, joined_at, seen_at)
select
  pg_temp.id_of(hub), pg_temp.id_of(member),
  (case when place = 0 then 'admin' when place < 3 then 'manager' else 'member' end)::app.hub_role,
  joined_at,
  now() - case when pg_temp.draw(pair, 11) < ${ACTIVE}
    then pg_temp.draw(pair, 12) * interval '24 hours'
    else interval '2 days' + pg_temp.draw(pair, 12) * interval '60 days'
  end
from (
  select hub, place, member, pair, now() - interval '90 days' - (1 - pg_temp.draw(pair, 10)) * interval '600 days' as joined_at
  from (select p.*, hub * 1000000::bigint + member as pair from places as p) as numbered
) as drawn
order by joined_at;
analyze app.memberships;
`;
}

const CHECKED_HUB = `pg_temp.id_of(${LISTED_EVERY})`;

/** The members of one Hub leave and join again. */
const CHECK = triggerCheckSql({
  query: `
select 'presence' as what, p.seen_in::text as name, sum(p.member_count)::text as value
from app.hub_presence as p where p.hub_id = ${CHECKED_HUB} and p.seen_in > now() - interval '1 day'
group by p.seen_in
having sum(p.member_count) <> 0
union all
select 'name', n.name, n.user_id::text from app.member_names as n where n.hub_id = ${CHECKED_HUB}
union all
select 'count', '', h.member_count::text from app.hubs as h where h.id = ${CHECKED_HUB}`,
  rewrite: `
    create temp table checked as select m.* from app.memberships as m where m.hub_id = ${CHECKED_HUB};
    set local session_replication_role = origin;
    delete from app.memberships as m where m.hub_id = ${CHECKED_HUB};
    insert into app.memberships select * from checked;`,
});

const ROUNDS = 7;

/** Requests of a round at each size, and of a block through the API and pgbench. */
const GROWTH_COUNT = 200;
const COUNT = 5_000;

// Each number has a reader of its own, of whom there are few.
const FIRST_VISITS_COUNT = 2_000;

const TARGETS = { growth: { atMost: 2 }, pgbench: { atLeast: 0.4 } };

/** The default length of a page, and the one of Hubs that have ten members at the smaller size. */
const PAGE = 30;
const SHORT_PAGE = HUNDREDTH.members;

/** Page 50 of a list of 100,000, and the last full page of a list of 1,000. */
const DEEP_PAGE = { full: 50, hundredth: Math.floor(HUNDREDTH.people / PAGE) };

/** Places of members who read Hubs of equal size, and readers of the large Hub: as many at every size. */
const FIRST_READING_PLACE = 1;
const READING_PLACES = 2;
const LARGE_READERS = 900;

/** From here on are members who visit a Hub for the first time. */
const FIRST_QUIET_PLACE = 10;
const FIRST_QUIET_READER = LISTER + 1 + LARGE_READERS;

/** Searches of each kind. */
const EACH = 40;

/** Members of each Hub to choose the searched ones from. */
const SAMPLE = 500;

/** Requests to Hubs by their members. */
interface Visits {
  readonly hub: Sequence;
  readonly reader: Sequence;
}

const equalHubs = sequence(0, { count: HUBS });
const largeHub = sequence(LARGE, { count: 1 });

const visitsToEqual = (size: HubSize): Visits => ({
  hub: equalHubs,
  reader: membersAt(size, equalHubs, sequence(FIRST_READING_PLACE, { every: HUBS, count: READING_PLACES })),
});
const visitsToLarge: Visits = { hub: largeHub, reader: sequence(LISTER + 1, { count: LARGE_READERS }) };

const firstVisitsToEqual: Visits = {
  hub: equalHubs,
  reader: membersAt(FULL, equalHubs, sequence(FIRST_QUIET_PLACE, { every: HUBS })),
};
const firstVisitsToLarge: Visits = { hub: largeHub, reader: sequence(FIRST_QUIET_READER, {}) };

const hubPage = (title: string, { hub, reader }: Visits): Call => ({
  title,
  answerHolds: '"viewerStatus": "member"',
  operation: 'get_hub',
  args: { hubId: '{hub}' },
  path: '/hubs/{hub}',
  values: { hub },
  user: reader,
});

/** A page of members. @param options.q texts to search for, in turn */
function members(
  title: string,
  { hub, reader }: Visits,
  { limit = PAGE, cursor, q }: { limit?: number; cursor?: string | undefined; q?: readonly string[] } = {},
): Call {
  const part = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  return {
    title,
    answerHolds: q === undefined ? '"phoneNumber": "+1303' : '"items": [',
    operation: 'list_members',
    args: { cursor, limit, ...(q !== undefined && { q: '{q}' }), hubId: '{hub}' },
    path: `/hubs/{hub}/members?limit=${limit}${part}${q === undefined ? '' : '&q={q}'}`,
    values: { hub, ...(q !== undefined && { q }) },
    user: reader,
  };
}

/** The Hubs of a member of 200. */
const ownHubs: Call = {
  title: 'GET /users/me/hubs, 200 Hubs',
  answerHolds: '"viewerStatus": "member"',
  operation: 'list_my_hubs',
  args: { limit: PAGE },
  path: `/users/me/hubs?limit=${PAGE}`,
  values: {},
  user: sequence(LISTER, { count: 1 }),
};

interface Member {
  readonly username: string;
  readonly fullName: string;
}

/** A text that finds the first of some members by name. */
type SearchText = (members: readonly Member[]) => string;

const given: SearchText = ([member]) => member?.fullName.split(' ')[0] ?? '';
const family: SearchText = ([member]) => member?.fullName.split(' ')[1] ?? '';
const rareFamily: SearchText = (all) =>
  all.map((member) => family([member])).find((name) => !FAMILY_NAMES.includes(name)) ?? family(all);
const startOf = (text: string, length: number) => Array.from(text).slice(0, length).join('');

const KINDS: readonly (readonly [title: string, text: SearchText])[] = [
  ['one letter', (all) => startOf(given(all), 1)],
  ['two letters', (all) => startOf(family(all), 2)],
  ['given name', given],
  ['rare family name', rareFamily],
  ['username', ([member]) => member?.username ?? ''],
  ['a name of nobody', ([member]) => `qxz ${member?.username}`],
];

const SEARCHES = EACH * KINDS.length;

/** The distance of the Hubs of equal size in which successive searches are. */
const SEARCHED_EVERY = Math.floor(HUBS / SEARCHES);

/** Searches for members. @param kind the place of a kind; by default all kinds in turn */
function search(
  title: string,
  where: 'equal' | 'large',
  { size, texts }: Findings,
  { kind, limit = PAGE }: { kind?: number; limit?: number } = {},
): Call {
  const [first, step] = kind === undefined ? [0, 1] : [kind, KINDS.length];
  const q = texts[where].filter((_, n) => n % step === first);
  const count = q.length;
  const equal = sequence(first * SEARCHED_EVERY, { count, step: step * SEARCHED_EVERY });
  const visits = {
    equal: { hub: equal, reader: membersAt(size, equal, sequence(FIRST_READING_PLACE, { count: 1 })) },
    large: { hub: largeHub, reader: sequence(LISTER + 1 + first, { count, step }) },
  };
  return members(title, visits[where], { limit, q });
}

type Findings = Awaited<ReturnType<typeof prepare>>;

/** Fills a database, and finds texts to search for and the start of a deep page of the large Hub's members. */
async function prepare(world: World, size: HubSize, deepPage: number) {
  const database = await world.createDatabase();
  const tables = ['app.profiles', 'app.memberships', 'app.hub_presence', 'app.member_names'];
  const people = hubReadyPeopleSql(LISTER, LISTER + size.people - 1);
  const sql = withoutIndexes(tables, people + hubsSql(size) + MEMBER_COUNTS);
  await fill(database.superuserUrl, DRAWING, sql, CHECK);
  const texts = { equal: [] as string[], large: [] as string[] };
  await withClient(database.superuserUrl, async (client) => {
    const inLarge = await membersOf(client, LARGE);
    for (let n = 0; n < SEARCHES; n += 1) {
      const textOf = KINDS[n % KINDS.length]?.[1] ?? given;
      texts.equal.push(textOf(await membersOf(client, n * SEARCHED_EVERY)));
      texts.large.push(textOf(inLarge.slice(n)));
    }
  });
  return { database, size, texts, cursor: await cursorOf(database, deepPage) };
}

/** Returns members who have no other name inside Hubs. */
async function membersOf(client: pg.Client, hub: number): Promise<Member[]> {
  const { rows } = await client.query<Member>(
    `select p.username, p.full_name as "fullName"
     from app.memberships as m join app.profiles as p on p.user_id = m.user_id
     where m.hub_id = $1 and not exists (select from app.hub_profiles as h where h.user_id = m.user_id)
     order by m.user_id
     limit ${SAMPLE}`,
    [idOf(hub)],
  );
  return rows;
}

/** Returns the start of a page of the large Hub's members, found by reading the pages before it. */
function cursorOf(database: Database, page: number): Promise<string> {
  return withClient(database.urlAs('opine_gateway'), async (client) => {
    let cursor: string | undefined;
    for (let number = 1; number < page; number += 1) {
      const call = members('members', visitsToLarge, { cursor });
      cursor = JSON.parse(await send(client, call, 0)).nextCursor;
    }
    if (typeof cursor !== 'string') throw new Error(`the large Hub has no page ${page} of members`);
    return cursor;
  });
}

/** Sends request number `n` as the gateway does. @throws Error unless the answer is the expected one */
async function send(client: pg.Client, call: Call, n: number): Promise<string> {
  const answer = await callGateway(client, call.operation, call.user?.at(n) ?? null, argsOf(call, n));
  if (!answer.includes(call.answerHolds)) throw new Error(`unexpected answer: ${call.title}`);
  return answer;
}

/** Calls at each size whose growth is judged together. */
type Growth = readonly [title: string, ...calls: CallIn[]];
type CallIn = (findings: Findings) => Call;

const EQUAL = 'Hubs of 1,000 or 10';
const ONE_LARGE = 'the Hub of 100,000 or 1,000';

function searchGrowth(title: string, where: 'equal' | 'large', limit: number): Growth {
  const calls = KINDS.map(([name], kind): CallIn => {
    return (findings) => search(`${title}: ${name}`, where, findings, { kind, limit });
  });
  return [title, ...calls];
}

const GROWTHS: readonly Growth[] = [
  [`GET /hubs/{id}, ${EQUAL}`, ({ size }) => hubPage(EQUAL, visitsToEqual(size))],
  [`GET /hubs/{id}, ${ONE_LARGE}`, () => hubPage(ONE_LARGE, visitsToLarge)],
  [
    `members, page 1 of ten each, ${EQUAL}`,
    ({ size }) => members(EQUAL, visitsToEqual(size), { limit: SHORT_PAGE }),
  ],
  [`members, page 1, ${ONE_LARGE}`, () => members(ONE_LARGE, visitsToLarge)],
  [`members, page 50 or 33, ${ONE_LARGE}`, ({ cursor }) => members(ONE_LARGE, visitsToLarge, { cursor })],
  searchGrowth(`members, q, ten each, ${EQUAL}`, 'equal', SHORT_PAGE),
  searchGrowth(`members, q, ${ONE_LARGE}`, 'large', PAGE),
  [ownHubs.title, () => ownHubs],
];

/** Measures how the time of the SQL grows from a hundredth of the data, and prints a table. */
async function measureGrowth(full: Findings, hundredth: Findings): Promise<void> {
  await using parts = new AsyncDisposableStack();
  const onFull = await connect(full.database.urlAs('opine_gateway'), parts);
  const onHundredth = await connect(hundredth.database.urlAs('opine_gateway'), parts);
  const variantOf = (client: pg.Client, call: Call) => timed(call.title, (n) => send(client, call, n));
  const growths = GROWTHS.map(([title, ...calls]) => ({
    title,
    pairs: calls.map((callIn) => ({
      full: variantOf(onFull, callIn(full)),
      hundredth: variantOf(onHundredth, callIn(hundredth)),
    })),
  }));
  const groups = growths.flatMap(({ pairs }) => pairs.map((pair) => [pair.full, pair.hundredth]));
  const resultsOf = await measureRounds(groups, {
    name: 'hubs',
    rounds: ROUNDS,
    passes: GROWTH_COUNT,
    // The worker folds every minute what the first visits of all readers have written.
    afterWarmUp: async () => {
      for (const { database } of [full, hundredth]) {
        await withClient(database.urlAs('opine_worker'), (client) =>
          client.query('select app.fold_presence()'),
        );
      }
    },
  });
  const rowOf = (title: string, ofFull: Samples, ofHundredth: Samples, isJudged: boolean) => {
    const ratios = byRound(ofFull, ofHundredth);
    const medians = [ofFull, ofHundredth].map((samples) => medianOf(samples).toFixed(2));
    return [title, ...medians, ...ratioCells(median(ratios), ratios, isJudged ? TARGETS.growth : undefined)];
  };
  const rows = growths.flatMap(({ title, pairs }) => {
    const parts = pairs.map((pair) =>
      rowOf(pair.full.title, resultsOf(pair.full), resultsOf(pair.hundredth), false),
    );
    const all = (size: 'full' | 'hundredth') => pooled(pairs.map((pair) => resultsOf(pair[size])));
    return [...(parts.length > 1 ? parts : []), rowOf(title, all('full'), all('hundredth'), true)];
  });
  const headings = ['all', 'a hundredth', 'ratio', 'lowest to highest', 'target'];
  printTable(['milliseconds a request in Postgres', ...headings], rows);
}

/** Reads Hubs, of which one is large: growth with the data, and rates through the API and pgbench. */
export async function hubs(world: World, pgbench: string): Promise<void> {
  const full = await prepare(world, FULL, DEEP_PAGE.full);
  await measureGrowth(full, await prepare(world, HUNDREDTH, DEEP_PAGE.hundredth));
  const { cursor, database } = full;
  const judged = [
    hubPage('GET /hubs/{id}, Hubs of 1,000', visitsToEqual(FULL)),
    hubPage('GET /hubs/{id}, the Hub of 100,000', visitsToLarge),
    members('members, page 1, Hubs of 1,000', visitsToEqual(FULL)),
    members('members, page 1, the Hub of 100,000', visitsToLarge),
    members('members, page 50, the Hub of 100,000', visitsToLarge, { cursor }),
    search('members, q, Hubs of 1,000', 'equal', full),
    search('members, q, the Hub of 100,000', 'large', full),
    ownHubs,
  ];
  const firstVisits = [
    hubPage('GET /hubs/{id}, Hubs of 1,000, first visits', firstVisitsToEqual),
    hubPage('GET /hubs/{id}, the Hub of 100,000, first visits', firstVisitsToLarge),
  ];
  const comparisons = [
    ...judged.map((call) => comparisonOf(call, COUNT, TARGETS.pgbench)),
    ...firstVisits.map((call) => comparisonOf(call, FIRST_VISITS_COUNT)),
  ];
  // All of them read, so one database serves them.
  await compareRates(world, pgbench, comparisons, database);
}
