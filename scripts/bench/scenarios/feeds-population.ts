import { DRAWING, hubReadyPeopleSql, MEMBER_COUNTS } from '../people.ts';
import { fill, triggerCheckSql, USERS, withoutIndexes } from '../population.ts';

/** The amount of data in a database of feeds. */
export interface FeedSize {
  /** People who may join Hubs. */
  readonly people: number;
  readonly hubs: number;
  /** Members of each Hub. */
  readonly members: number;
  readonly posts: number;
  /** Public activities: rows of app.feed_events in people's own sources. */
  readonly events: number;
  /** How many people each viewer follows. */
  readonly followees: { readonly dense: number; readonly sparse: number; readonly blocks: number };
  /** Blocks between the viewer `blocks` and others. */
  readonly blocks: number;
  /** Hubs of the viewer `hubs`. */
  readonly joined: number;
}

/** The full size. */
export const FULL: FeedSize = {
  people: 100_000,
  hubs: 750,
  members: 200,
  posts: 2_000_000,
  events: 5_000_000,
  followees: { dense: 2_000, sparse: 200, blocks: 500 },
  blocks: 1_000,
  joined: 50,
};

/** A hundredth of what grows. The viewers have as many sources, so that no answer is shorter. */
export const HUNDREDTH: FeedSize = { ...FULL, posts: FULL.posts / 100, events: FULL.events / 100 };

/** Whose feeds are read. */
export type ViewerName = 'dense' | 'sparse' | 'hubs' | 'blocks';

/** All viewers: the last people. */
export const VIEWERS: readonly ViewerName[] = ['dense', 'sparse', 'hubs', 'blocks'];

// People are numbered by activity: active people, the most active first, then silent ones, then the viewers.

/** Returns the number of the person at a place. */
export function personAt(place: number): number {
  return USERS + place;
}

/** Returns the place of a viewer. */
export function placeOf(viewer: ViewerName, { people }: FeedSize): number {
  return people - VIEWERS.length + VIEWERS.indexOf(viewer);
}

const viewerAt = (viewer: ViewerName, size: FeedSize) => personAt(placeOf(viewer, size));
const activePeople = ({ people, followees }: FeedSize) => people - followees.sparse - VIEWERS.length;

/** SQL for drawing with more digits than `pg_temp.draw`. */
const FRACTION = `
create function pg_temp.fraction(p_number bigint, p_what bigint) returns float8 language sql immutable
return (hashint8extended(p_number, p_what) & 1099511627775) / 1099511627776.0;
`;

/** Returns an SQL expression for the place of a drawn person: the more active, the more often. */
function drawnPlace(size: FeedSize, number: string, what: number): string {
  return `floor(${activePeople(size)} * pg_temp.fraction(${number}, ${what}) ^ 1.5)::integer`;
}

/** Returns SQL that creates Hubs, and a table `hub_members` of the numbers of Hubs and members. */
function hubsSql(size: FeedSize): string {
  const every = size.hubs / size.joined;
  return `
create temp table hub_members as
select
  hub,
  -- A stride without a common factor with the people, so that nobody is in a Hub twice. Every second person may be in Hubs.
  case
    when place = ${size.members - 1} and hub % ${every} = 0 then ${viewerAt('hubs', size)}
    else ${USERS} + 2 * (
      ((hashint4extended(hub, 61) & 1048575) + place * (10 * (hashint4extended(hub, 62) & 65535) + 1)) % ${size.people * 0.4}
    )
  end::integer as member
from generate_series(0, ${size.hubs - 1}) as hub, generate_series(0, ${size.members - 1}) as place;
insert into app.hubs (id, name, description, member_count, last_activity_at)
select pg_temp.id_of(hub), 'Neighbours of street ' || hub, 'What is going on.', ${size.members}, now()
from generate_series(0, ${size.hubs - 1}) as hub;
insert into app.memberships (hub_id, user_id, role, joined_at, seen_at)
select
  pg_temp.id_of(c.hub), pg_temp.id_of(c.member),
  (case when row_number() over (partition by c.hub order by c.member) = 1 then 'admin' else 'member' end)::app.hub_role,
  joined_at, joined_at
from hub_members as c
cross join lateral (
  select now() - interval '1 day' - pg_temp.fraction(c.hub * 1000000::bigint + c.member, 63) * interval '600 days' as joined_at
) as drawn
order by joined_at;
analyze hub_members, app.memberships;
`;
}

/** Returns SQL that adds follows, blocks and the users of the default feed. */
function relationsSql(size: FeedSize): string {
  const { dense, sparse, blocks } = size.followees;
  const followed = (viewer: 'dense' | 'blocks', count: number, offset: number) =>
    `select ${viewerAt(viewer, size)}, ${USERS + offset} + 5 * k from generate_series(0, ${count - 1}) as k`;
  const blocksViewer = `pg_temp.id_of(${viewerAt('blocks', size)})`;
  return `
insert into app.follows (follower_id, followee_id, created_at)
select pg_temp.id_of(follower), pg_temp.id_of(followee), now() - pg_temp.fraction(follower, followee) * interval '300 days'
from (
  select distinct ${USERS} + place as follower, ${USERS} + ${drawnPlace(size, `place * 10::bigint + k`, 51)} as followee
  from generate_series(0, ${activePeople(size) - 1}) as place, generate_series(1, 10) as k
  union all
  ${followed('dense', dense, 0)}
  union all
  ${followed('blocks', blocks, 1)}
  union all
  select ${viewerAt('sparse', size)}, ${USERS + activePeople(size)} + k from generate_series(0, ${sparse - 1}) as k
) as drawn
where follower <> followee;
insert into app.follow_counts (user_id, follower_count, following_count)
select side.user_id, sum(side.followers), sum(side.following)
from (
  select f.followee_id as user_id, 1 as followers, 0 as following from app.follows as f
  union all
  select f.follower_id, 0, 1 from app.follows as f
) as side
group by 1;
insert into app.blocks (blocker_id, blocked_id)
select case when is_by_other then other else ${blocksViewer} end, case when is_by_other then ${blocksViewer} else other end
from (
  select pg_temp.id_of(${USERS + 2} + 5 * k) as other, k < ${size.blocks / 10} as is_by_other
  from generate_series(0, ${size.blocks - 1}) as k
) as drawn;
insert into app.default_feed_users (user_id)
select pg_temp.id_of(${USERS} + k) from generate_series(0, 19) as k;
`;
}

/** Returns SQL that draws posts into a table `drawn_posts`; `i` is the number, and the last are the newest. */
function drawnPostsSql(size: FeedSize): string {
  const { posts, followees } = size;
  const step = Math.floor(posts / (VIEWERS.length * 3));
  const firstViewer = personAt(size.people - VIEWERS.length);
  return `
create temp table hubs_of as
select c.member, array_agg(c.hub order by c.hub) as hubs from hub_members as c group by c.member;
create temp table candidates as
select
  d.i, d.author, d.created_at, d.source,
  (case
    when h.hubs is null or d.spread >= 0.3 then 'public' when d.spread < 0.2 then 'public_hub' else 'private_locked_hub'
  end)::app.post_visibility as visibility,
  case when d.spread < 0.3 then array(
    select distinct h.hubs[1 + floor(cardinality(h.hubs) * pg_temp.fraction(d.i, target))::integer]
    from generate_series(21, 21 + d.i % 2) as target where h.hubs is not null
  ) else '{}' end as targets
from (
  select
    i, pg_temp.fraction(i, 2) as spread,
    -- Each viewer has three posts, and one in 250 older posts is by a silent person.
    case
      when i % ${step} = ${step - 2} then ${firstViewer} + i / ${step} % ${VIEWERS.length}
      when i % 250 = 1 and i < ${posts / 2} then ${personAt(activePeople(size))} + i / 250 % ${followees.sparse}
      else ${personAt(0)} + ${drawnPlace(size, 'i', 1)}
    end as author,
    now() - interval '365 days' * (1 - (i + pg_temp.fraction(i, 3)) / ${posts}) as created_at,
    -- Every tenth post is a repost, if its source is public.
    case when i % 10 = 9 then (i - 1 - floor(i * 0.1 * pg_temp.fraction(i, 4) ^ 3)::integer) / 10 * 10 + i / 10 % 9 end as source
  from generate_series(0, ${posts - 1}) as i
) as d
left join hubs_of as h on h.member = d.author;
create temp table drawn_posts as
select f.i, f.author, f.created_at, f.visibility, f.targets, f.i % 4 <> 3 as has_slider, s.i as source
from candidates as f
left join candidates as s on s.i = f.source and s.i < f.i and s.visibility <> 'private_locked_hub';
create index on drawn_posts (i);
analyze drawn_posts;
`;
}

/** Returns SQL that draws votes, comments and shares into `reactions`, and all public activities into `activities`. */
function activitiesSql(size: FeedSize): string {
  const { posts, events, followees } = size;
  // Some are drawn twice.
  const drawn = Math.ceil((events - posts) * 1.4);
  const step = Math.floor(posts / 6 / 20);
  return `
create temp table reactions as
select d.post, d.actor, d.kind, max(d.done_at) as done_at
from (
  select
    a.n, f.i as post, a.actor,
    case when f.has_slider and a.sort < 0.6 then 'voted' when a.sort < 0.8 then 'commented' else 'shared_to_feed' end as kind,
    f.created_at + case
      when f.created_at + a.delay < now() then a.delay else (now() - f.created_at) * pg_temp.fraction(a.n, 16)
    end as done_at
  from (
    select
      n, pg_temp.fraction(n, 15) as sort, interval '36 hours' * -ln(1 - pg_temp.fraction(n, 11)) as delay,
      -- 20 posts of the last two months have a fifth of all activities. The prime scatters other popular posts in time.
      case
        when n % 5 = 0 then (${posts} - (1 + n / 5 % 20) * ${step}) / 10 * 10
        else floor(${posts} * pg_temp.fraction(n, 13) ^ 3)::bigint * 7368787 % case when is_by_silent then ${posts / 2} else ${posts} end
      end as post,
      ${personAt(0)} + case
        when is_by_silent then ${activePeople(size)} + n / 250 % ${followees.sparse}
        when n % 5 = 0 then floor(${activePeople(size)} * pg_temp.fraction(n, 12) ^ 1.2)::integer
        else ${drawnPlace(size, 'n', 14)}
      end as actor
    from (select n, n % 250 = 7 as is_by_silent from generate_series(0, ${drawn - 1}) as n) as numbered
  ) as a
  join drawn_posts as f on f.i = a.post and f.visibility <> 'private_locked_hub'
) as d
group by d.post, d.actor, d.kind
order by min(d.n)
limit ${events} - (
  select count(*) + count(distinct (f.source, f.author)) filter (where f.source is not null)
  from drawn_posts as f where f.visibility <> 'private_locked_hub'
);
analyze reactions;
create temp table activities as
select f.author as actor, f.i as post, 'published' as kind, f.created_at as done_at
from drawn_posts as f where f.visibility <> 'private_locked_hub'
union all
select f.author, f.source, 'reposted', max(f.created_at)
from drawn_posts as f where f.source is not null and f.visibility <> 'private_locked_hub' group by f.author, f.source
union all
select a.actor, a.post, a.kind, a.done_at from reactions as a;
`;
}

/** Returns SQL that writes posts, placements, votes, comments and shares. */
function postsSql(size: FeedSize): string {
  return `
create temp table drawn_placements as
select f.i as post, f.author as actor, hub, 'targeted' as kind, f.created_at as placed_at
from drawn_posts as f, unnest(f.targets) as hub;
insert into drawn_placements (post, actor, hub, kind, placed_at)
select distinct on (d.post, d.hub) d.post, c.member, d.hub, 'shared', f.created_at + (now() - f.created_at) * pg_temp.fraction(d.n, 32)
from (
  select hub, hub * 100 + n as n, floor(${size.posts} * pg_temp.fraction(hub * 100 + n, 31))::integer as post
  from generate_series(0, ${size.hubs - 1}) as hub, generate_series(0, 99) as n
) as d
join drawn_posts as f on f.i = d.post and f.visibility <> 'private_locked_hub' and not d.hub = any (f.targets)
join (select hub, min(member) as member from hub_members group by hub) as c on c.hub = d.hub;
-- Trending scores have a half-life of 12 hours.
create temp table totals as
select
  post,
  count(*) filter (where kind = 'voted') as votes,
  count(*) filter (where kind = 'commented') as comments,
  count(*) filter (where kind = 'reposted') as reposts,
  sum(weight * 2 ^ (extract(epoch from done_at - created_at)::float8 / 43200)) as score,
  max(done_at) as active_at
from (
  select a.post, a.kind, a.done_at, f.created_at, case a.kind when 'voted' then 1 else 2 end as weight
  from reactions as a join drawn_posts as f on f.i = a.post
  union all
  select f.source, 'reposted', f.created_at, s.created_at, 3
  from drawn_posts as f join drawn_posts as s on s.i = f.source
) as activity
group by post;
analyze totals;
insert into app.articles (id, author_id, url, title, body, created_at)
select
  pg_temp.id_of(f.i), pg_temp.id_of(f.author), 'https://example.com/articles/' || f.i, 'The old town goes car-free',
  'From spring on, only trams, bicycles and deliveries before ten enter the old town.', f.created_at
from drawn_posts as f where f.i % 4 = 0;
insert into app.posts (
  id, author_id, article_id, thought_text, slider_text, left_label, right_label, visibility, created_at,
  source_post_id, comment_count, repost_count
)
select
  pg_temp.id_of(f.i), pg_temp.id_of(f.author), case when f.i % 4 = 0 then pg_temp.id_of(f.i) end,
  'My street lost its parking in May. I would not give the benches back.',
  case when f.has_slider then 'Should the centre be car-free?' end,
  case when f.has_slider then 'Keep the cars' end, case when f.has_slider then 'Car-free' end,
  f.visibility, f.created_at,
  pg_temp.id_of(f.source), coalesce(t.comments, 0), coalesce(t.reposts, 0)
from drawn_posts as f left join totals as t on t.post = f.i order by f.i;
insert into app.trending_scores (post_id, score, active_at)
select pg_temp.id_of(t.post), f.created_at + make_interval(secs => 43200 * ln(t.score) / ln(2)), t.active_at
from totals as t join drawn_posts as f on f.i = t.post order by t.active_at;
insert into app.placements (post_id, hub_id, kind, placed_by, placed_at, last_shared_at)
select pg_temp.id_of(p.post), pg_temp.id_of(p.hub), p.kind::app.placement_kind, pg_temp.id_of(p.actor), p.placed_at, p.placed_at
from drawn_placements as p order by p.placed_at;
select app.add_to_pool(pg_temp.id_of(t.post), null, (0, t.votes / 2, 0, t.votes - t.votes / 2, 0))
from totals as t where t.votes > 0 order by t.post;
insert into app.vote_receipts (post_id, user_id, voted_at)
select pg_temp.id_of(a.post), pg_temp.id_of(a.actor), date_trunc('minute', a.done_at)
from reactions as a where a.kind = 'voted' order by a.post, a.actor;
insert into app.comments (id, post_id, author_id, body, created_at)
select
  pg_temp.id_of(row_number() over (order by a.done_at)), pg_temp.id_of(a.post), pg_temp.id_of(a.actor),
  'I would miss the market.', a.done_at
from reactions as a where a.kind = 'commented';
insert into app.feed_shares (user_id, post_id, id, shared_at)
select pg_temp.id_of(a.actor), pg_temp.id_of(a.post), pg_temp.id_of(row_number() over (order by a.done_at)), a.done_at
from reactions as a where a.kind = 'shared_to_feed';
`;
}

/** SQL that writes what triggers write: the sources of people and of Hubs. */
const EVENTS = `
insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at)
select pg_temp.id_of(hub), pg_temp.id_of(actor), pg_temp.id_of(post), kind::app.feed_event_kind, done_at
from (
  select null::integer as hub, d.actor, d.post, d.kind, d.done_at from activities as d
  union all
  select c.hub, d.actor, d.post, d.kind, d.done_at from activities as d join hub_members as c on c.member = d.actor
  union all
  select p.hub, p.actor, p.post, case p.kind when 'shared' then 'shared_to_hub' else p.kind end, p.placed_at from drawn_placements as p
  order by done_at
) as event;
`;

/** SQL that chooses the post of the check, which has placements, comments and shares. */
const CHOOSE_POST = `
create temp table checked_post as
select pg_temp.id_of(min(f.i)) as id
from drawn_posts as f where f.visibility = 'public_hub'
  and f.i in (select a.post from reactions as a where a.kind = 'commented')
  and f.i in (select a.post from reactions as a where a.kind = 'shared_to_feed');
`;
const CHECKED_POST = '(select c.id from checked_post as c)';
const PARTS = ['placements', 'comments', 'feed_shares'];
const POST_COLUMNS = `
  id, author_id, article_id, source_post_id, thought_text, slider_text, left_label, right_label, visibility,
  comment_count, repost_count, vote_count, created_at`;

const CHECK = triggerCheckSql({
  query: `
select e.hub_id, e.actor_id, e.kind, e.occurred_at
from app.feed_events as e
where e.post_id = ${CHECKED_POST} and e.kind not in ('voted', 'reposted')`,
  rewrite: `
    create temp table checked_posts as select p.* from app.posts as p where p.id = ${CHECKED_POST};
    ${PARTS.map((part) => `create temp table checked_${part} as select t.* from app.${part} as t where t.post_id = ${CHECKED_POST};`).join('\n')}
    ${['feed_events', ...PARTS].map((part) => `delete from app.${part} as t where t.post_id = ${CHECKED_POST};`).join('\n')}
    delete from app.posts as p where p.id = ${CHECKED_POST};
    set local session_replication_role = origin;
    insert into app.posts (${POST_COLUMNS}) select ${POST_COLUMNS} from checked_posts;
    ${PARTS.map((part) => `insert into app.${part} select * from checked_${part};`).join('\n')}`,
});

const TABLES = `
  profiles follows memberships hub_presence member_names articles posts trending_scores placements vote_receipts comments
  feed_shares feed_events`;

/** Replaces the data of a database with people and their activities of a year. */
export function addFeeds(superuserUrl: string, size: FeedSize): Promise<void> {
  const steps = [
    hubReadyPeopleSql(personAt(0), personAt(size.people - 1)),
    hubsSql(size),
    MEMBER_COUNTS,
    relationsSql(size),
    drawnPostsSql(size),
    activitiesSql(size),
    postsSql(size),
    EVENTS,
  ];
  const sql = withoutIndexes(
    TABLES.trim()
      .split(/\s+/)
      .map((table) => `app.${table}`),
    steps.join('\n'),
  );
  return fill(superuserUrl, 'truncate app.users cascade', DRAWING, FRACTION, sql, CHOOSE_POST, CHECK);
}
