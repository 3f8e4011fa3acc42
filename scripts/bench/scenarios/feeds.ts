import { idOf } from '../population.ts';
import { callGateway } from '../requests.ts';
import {
  measureRounds,
  medianOf,
  printRatios,
  printTable,
  type Ratio,
  timed,
  type Variant,
  variantsIn,
} from '../rounds.ts';
import { connect, type Database, type World } from '../world.ts';
import {
  addFeeds,
  FULL,
  HUNDREDTH,
  personAt,
  placeOf,
  VIEWERS,
  type ViewerName,
} from './feeds-population.ts';

const ROUNDS = 7;

/** How often each feed is read in a round. */
const PASSES = 20;

const DEEP_PAGE = 50;

const TARGETS = {
  probes: { dense: { atMost: 2 }, sparse: { atMost: 2.5 }, hubs: { atMost: 2 }, blocks: { atMost: 2.5 } },
  deepPage: { atMost: 1.2 },
  growth: { atMost: 2 },
};

/** The newest events of each source. */
const probe = (limit: number) => `
cross join lateral (
  select e.occurred_at, e.post_id
  from app.feed_events as e where e.source_id = source.id and e.ended_at is null
  order by e.occurred_at desc, e.post_id desc limit ${limit}
) as probe`;

/** Probes without policies: the minimum work of a feed. They are counted, so that their time is the index alone. */
const probesSql = (limit: number) =>
  `select count(probe.post_id), max(probe.occurred_at) from unnest($1::uuid[]) as source (id) ${probe(limit)}`;

const CO_MEMBERS = `
select theirs.user_id as id
from app.memberships as mine join app.memberships as theirs on theirs.hub_id = mine.hub_id
where mine.user_id = $1`;

/** The rejected alternative for Hubs: a probe of each co-member's source instead of each Hub's. */
const CO_MEMBER_PROBES = `
select probe.post_id, probe.occurred_at
from (select distinct c.id from (${CO_MEMBERS}) as c where c.id <> $1) as source ${probe(21)}
order by probe.occurred_at desc, probe.post_id desc
limit 21`;

/** The sources of a home feed: the viewer, followees, Hubs and co-members. */
const SOURCES = `
select $1::uuid as id
union select f.followee_id from app.follows as f where f.follower_id = $1
union select m.hub_id from app.memberships as m where m.user_id = $1
union ${CO_MEMBERS}`;

interface FeedArgs {
  readonly cursor?: string | undefined;
  readonly sort?: 'trending';
  readonly hubId?: string;
  readonly userId?: string;
}

interface FeedPage {
  readonly items: readonly { readonly id: string }[];
  readonly nextCursor: string | null;
}

type Connections = Awaited<ReturnType<typeof connectTo>>;

/** What is timed for one viewer: ratios, and times without a baseline. */
interface Measures {
  readonly ratios: readonly Ratio[];
  readonly figures: readonly Variant[];
}

/** Connects as the gateway, and as a superuser whose plans are made once. */
async function connectTo(database: Database, parts: AsyncDisposableStack) {
  const superuser = await connect(database.superuserUrl, parts);
  await superuser.query('set plan_cache_mode = force_generic_plan');
  return { gateway: await connect(database.urlAs('opine_gateway'), parts), superuser };
}

/** Reads a page as the gateway does. @param user null for a guest @throws Error if the page is empty */
async function readFeed(
  { gateway }: Connections,
  operation: 'get_home_feed' | 'get_hub_feed' | 'get_profile_feed',
  user: number | null,
  args: FeedArgs,
): Promise<string> {
  const answer = await callGateway(gateway, operation, user, args);
  if (!answer.startsWith('{"items" : [{')) throw new Error(`the page of ${operation} is empty`);
  return answer;
}

/** Reads a home feed up to a page, or to its last one. @returns the page's number, 1-based, and cursor */
async function findPage(full: Connections, user: number, page: number, args: FeedArgs = {}) {
  let cursor: string | undefined;
  for (let number = 1; number < page; number += 1) {
    const answer = await readFeed(full, 'get_home_feed', user, { ...args, cursor });
    const { nextCursor }: FeedPage = JSON.parse(answer);
    if (nextCursor === null) return { page: number, cursor };
    cursor = nextCursor;
  }
  return { page, cursor };
}

async function measuresOf(viewer: ViewerName, full: Connections, hundredth: Connections): Promise<Measures> {
  const user = personAt(placeOf(viewer, FULL));
  const sources = (await full.superuser.query<{ id: string }>(SOURCES, [idOf(user)])).rows;
  const deep = await findPage(full, user, DEEP_PAGE);
  const second = await findPage(full, user, 2, { sort: 'trending' });
  const home = (title: string, args: FeedArgs = {}, size = full) =>
    timed(`${viewer}: ${title}`, () => readFeed(size, 'get_home_feed', user, args));
  const ids = `{${sources.map(({ id }) => id).join()}}`;
  const probes = (limit: 1 | 21, suffix = '', { superuser } = full) =>
    timed(`${viewer}: ${sources.length} probes of ${limit}${suffix}`, () =>
      superuser.query({ name: `probe ${limit}`, text: probesSql(limit), values: [ids] }),
    );
  const [minimum, first] = [probes(1), home('page 1')];
  const ratios: Ratio[] = [
    [first, minimum, TARGETS.probes[viewer]],
    [first, probes(21)],
    [home(`page ${deep.page}`, { cursor: deep.cursor }), first, TARGETS.deepPage],
    [first, home('page 1, a hundredth', {}, hundredth), TARGETS.growth],
    [minimum, probes(1, ', a hundredth', hundredth)],
    [home('trending', { sort: 'trending' }), first],
    [home('page 2 of it', { sort: 'trending', cursor: second.cursor }), first],
  ];
  const coMembers = timed('hubs: a probe for each co-member', () =>
    full.superuser.query({ name: 'co-members', text: CO_MEMBER_PROBES, values: [idOf(user)] }),
  );
  return { ratios, figures: viewer === 'hubs' ? [coMembers] : [] };
}

/** Trending feeds of a guest and a Hub, and feeds of one person and one Hub. */
function otherMeasures(full: Connections, hundredth: Connections): Measures {
  const [dense, member] = [personAt(placeOf('dense', FULL)), personAt(placeOf('hubs', FULL))];
  const home = (title: string, user: number | null, args: FeedArgs) =>
    timed(title, () => readFeed(full, 'get_home_feed', user, args));
  const trending = (reader: string, user: number | null, args: FeedArgs): Ratio => [
    home(`${reader}: trending`, user, { ...args, sort: 'trending' }),
    home(`${reader}: page 1`, user, args),
  ];
  const figuresOf = (suffix: string, size: Connections) => [
    timed(`the profile feed of the busiest${suffix}`, () =>
      readFeed(size, 'get_profile_feed', dense, { userId: idOf(personAt(0)) }),
    ),
    timed(`the feed of a Hub${suffix}`, () => readFeed(size, 'get_hub_feed', member, { hubId: idOf(0) })),
  ];
  return {
    ratios: [trending('a guest', null, {}), trending('a Hub', member, { hubId: idOf(0) })],
    figures: [...figuresOf('', full), ...figuresOf(', a hundredth', hundredth)],
  };
}

/** Reads the home feeds of four viewers at two sizes of the data. */
export async function feeds(world: World): Promise<void> {
  const [full, hundredth] = [await world.createDatabase(), await world.createDatabase()];
  await addFeeds(full.superuserUrl, FULL);
  await addFeeds(hundredth.superuserUrl, HUNDREDTH);
  await using parts = new AsyncDisposableStack();
  const [onFull, onHundredth] = [await connectTo(full, parts), await connectTo(hundredth, parts)];
  const measures: Measures[] = [];
  for (const viewer of VIEWERS) measures.push(await measuresOf(viewer, onFull, onHundredth));
  measures.push(otherMeasures(onFull, onHundredth));
  const groups = measures.map(({ ratios, figures }) => [...variantsIn(ratios), ...figures]);
  const resultsOf = await measureRounds(groups, { name: 'feeds', rounds: ROUNDS, passes: PASSES });
  const unit = 'milliseconds in Postgres';
  const ratios = measures.flatMap((of) => of.ratios);
  printRatios({ unit, column: 'median', digits: 2 }, ratios, resultsOf);
  printTable(
    [unit, 'median'],
    measures.flatMap((of) =>
      of.figures.map((figure) => [figure.title, medianOf(resultsOf(figure)).toFixed(2)]),
    ),
  );
}
