import { drawnPlace } from './feed-people.ts';
import { activePeople, type FeedSize, personAt, VIEWERS } from './feed-sizes.ts';

const DAYS = 365;

/** How many posts everybody does something about, all of the last two months. */
const VIRAL_POSTS = 20;
const VIRAL_SHARE = 0.2;

/** Posts that each viewer has published. */
const OWN_POSTS = 3;

/** Of so many posts that are older than half a year, one is of somebody silent; of so many acts, one. */
const SILENT_POSTS = 250;
const SILENT_ACTS = 250;

/** Of so many posts the last is a repost, where what it drew is public. */
const REPOSTS = 10;

/** More acts are drawn than there are to be, as some are drawn twice. */
const SPARE = 1.4;

/** Shares of members' posts into each Hub. */
const ONWARD_SHARES = 100;

// A prime, so that posts that are much talked about lie anywhere in time.
const SCATTER = 7_368_787;

// Trending scores decay by half in this time.
const HALF_LIFE_SECONDS = 12 * 3600;

function authorOf(size: FeedSize): string {
  const { posts, followees } = size;
  const step = Math.floor(posts / (VIEWERS.length * OWN_POSTS));
  const firstViewer = personAt(size.people - VIEWERS.length);
  return `case
    when i % ${step} = ${step - 2} then ${firstViewer} + i / ${step} % ${VIEWERS.length}
    when i % ${SILENT_POSTS} = 1 and i < ${posts / 2} then ${personAt(activePeople(size))} + i / ${SILENT_POSTS} % ${followees.sparse}
    else ${personAt(0)} + ${drawnPlace(size, 'i', 1)}
  end`;
}

/** SQL that draws posts, of which the last are the newest: a table `frames`, `i` their number. */
export function framesOf(size: FeedSize): string {
  return `
create temp table hubs_of as
select c.member, array_agg(c.hub order by c.hub) as hubs from circle as c group by c.member;

create temp table drawn_frames as
select
  d.i, d.author, d.created_at, d.source,
  (case
    when h.hubs is null or d.spread >= 0.3 then 'public' when d.spread < 0.2 then 'public_hub' else 'private_locked_hub'
  end)::app.post_visibility as visibility,
  case when d.spread < 0.3 then array(
    select distinct h.hubs[1 + floor(cardinality(h.hubs) * pg_temp.fraction(d.i, target))::integer]
    from generate_series(21, 21 + d.i % 2) as target
    where h.hubs is not null
  ) else '{}' end as targets
from (
  select
    i, pg_temp.fraction(i, 2) as spread, ${authorOf(size)} as author,
    now() - interval '${DAYS} days' * (1 - (i + pg_temp.fraction(i, 3)) / ${size.posts}) as created_at,
    case when i % ${REPOSTS} = ${REPOSTS - 1} then
      (i - 1 - floor(i * 0.1 * pg_temp.fraction(i, 4) ^ 3)::integer) / ${REPOSTS} * ${REPOSTS} + i / ${REPOSTS} % (${REPOSTS} - 1)
    end as source
  from generate_series(0, ${size.posts - 1}) as i
) as d
left join hubs_of as h on h.member = d.author;

-- What is drawn by a repost may be private.
create temp table frames as
select f.i, f.author, f.created_at, f.visibility, f.targets, f.i % 4 <> 3 as has_slider, s.i as source
from drawn_frames as f
left join drawn_frames as s on s.i = f.source and s.i < f.i and s.visibility <> 'private_locked_hub';
create index on frames (i);
analyze frames;
`;
}

/** SQL that draws what people do about posts: a table `acts`, and one of all that they do in public, `doings`. */
export function doingsOf(size: FeedSize): string {
  const { posts, events, followees } = size;
  const drawn = Math.ceil((events - posts) * SPARE);
  const step = Math.floor(posts / 6 / VIRAL_POSTS);
  return `
create temp table acts as
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
      case
        when n % 5 < ${VIRAL_SHARE * 5} then (${posts} - (1 + n / 5 % ${VIRAL_POSTS}) * ${step}) / ${REPOSTS} * ${REPOSTS}
        else floor(${posts} * pg_temp.fraction(n, 13) ^ 3)::bigint * ${SCATTER} % case when is_of_silent then ${posts / 2} else ${posts} end
      end as post,
      ${personAt(0)} + case
        when is_of_silent then ${activePeople(size)} + n / ${SILENT_ACTS} % ${followees.sparse}
        when n % 5 < ${VIRAL_SHARE * 5} then floor(${activePeople(size)} * pg_temp.fraction(n, 12) ^ 1.2)::integer
        else ${drawnPlace(size, 'n', 14)}
      end as actor
    from (select n, n % ${SILENT_ACTS} = 7 as is_of_silent from generate_series(0, ${drawn - 1}) as n) as numbered
  ) as a
  join frames as f on f.i = a.post and f.visibility <> 'private_locked_hub'
) as d
group by d.post, d.actor, d.kind
order by min(d.n)
limit ${events} - (
  select count(*) + count(distinct (f.source, f.author)) filter (where f.source is not null)
  from frames as f
  where f.visibility <> 'private_locked_hub'
);
analyze acts;

create temp table doings as
select f.author as actor, f.i as post, 'published' as kind, f.created_at as done_at
from frames as f
where f.visibility <> 'private_locked_hub'
union all
select f.author, f.source, 'reposted', max(f.created_at)
from frames as f
where f.source is not null and f.visibility <> 'private_locked_hub'
group by f.author, f.source
union all
select a.actor, a.post, a.kind, a.done_at from acts as a;
`;
}

/** SQL that writes what was drawn: posts, and what is said about them. */
export function postsOf(size: FeedSize): string {
  return `
create temp table placed as
select f.i as post, f.author as actor, hub, 'targeted' as kind, f.created_at as placed_at
from frames as f, unnest(f.targets) as hub;

insert into placed (post, actor, hub, kind, placed_at)
select distinct on (d.post, d.hub) d.post, c.member, d.hub, 'shared', f.created_at + (now() - f.created_at) * pg_temp.fraction(d.n, 32)
from (
  select
    hub, hub * ${ONWARD_SHARES} + n as n, floor(${size.posts} * pg_temp.fraction(hub * ${ONWARD_SHARES} + n, 31))::integer as post
  from generate_series(0, ${size.hubs - 1}) as hub, generate_series(0, ${ONWARD_SHARES - 1}) as n
) as d
join frames as f on f.i = d.post and f.visibility <> 'private_locked_hub' and not d.hub = any (f.targets)
join (select hub, min(member) as member from circle group by hub) as c on c.hub = d.hub;

create temp table told as
select
  post,
  count(*) filter (where kind = 'voted') as votes,
  count(*) filter (where kind = 'commented') as comments,
  count(*) filter (where kind = 'reposted') as reposts,
  sum(weight * 2 ^ (extract(epoch from done_at - created_at)::float8 / ${HALF_LIFE_SECONDS})) as score,
  max(done_at) as active_at
from (
  select a.post, a.kind, a.done_at, f.created_at, case a.kind when 'voted' then 1 else 2 end as weight
  from acts as a
  join frames as f on f.i = a.post
  union all
  select f.source, 'reposted', f.created_at, s.created_at, 3
  from frames as f
  join frames as s on s.i = f.source
) as doing
group by post;
analyze told;

insert into app.articles (id, author_id, url, title, body, created_at)
select
  pg_temp.id_of(f.i), pg_temp.id_of(f.author), 'https://example.com/articles/' || f.i, 'The old town goes car-free',
  'From spring on, only trams, bicycles and deliveries before ten enter the old town.', f.created_at
from frames as f
where f.i % 4 = 0;

insert into app.posts (
  id, author_id, article_id, thought_text, slider_text, left_label, right_label, visibility, is_shareable, created_at,
  source_post_id, comment_count, repost_count
)
select
  pg_temp.id_of(f.i), pg_temp.id_of(f.author), case when f.i % 4 = 0 then pg_temp.id_of(f.i) end,
  'My street lost its parking in May. I would not give the benches back.',
  case when f.has_slider then 'Should the centre be car-free?' end,
  case when f.has_slider then 'Keep the cars' end, case when f.has_slider then 'Car-free' end,
  f.visibility, f.visibility <> 'private_locked_hub' or cardinality(f.targets) > 1, f.created_at,
  pg_temp.id_of(f.source), coalesce(t.comments, 0), coalesce(t.reposts, 0)
from frames as f
left join told as t on t.post = f.i
order by f.i;

insert into app.trending_scores (post_id, score, active_at)
select pg_temp.id_of(t.post), f.created_at + make_interval(secs => ${HALF_LIFE_SECONDS} * ln(t.score) / ln(2)), t.active_at
from told as t
join frames as f on f.i = t.post
order by t.active_at;

insert into app.placements (post_id, hub_id, kind, placed_by, placed_at, last_shared_at)
select pg_temp.id_of(p.post), pg_temp.id_of(p.hub), p.kind::app.placement_kind, pg_temp.id_of(p.actor), p.placed_at, p.placed_at
from placed as p
order by p.placed_at;

insert into app.vote_pools (post_id, left_count, right_count)
select pg_temp.id_of(t.post), t.votes / 2, t.votes - t.votes / 2 from told as t where t.votes > 0 order by t.post;

insert into app.vote_receipts (post_id, user_id, voted_at)
select pg_temp.id_of(a.post), pg_temp.id_of(a.actor), date_trunc('minute', a.done_at)
from acts as a
where a.kind = 'voted'
order by a.post, a.actor;

insert into app.comments (id, post_id, author_id, body, created_at)
select
  pg_temp.id_of(row_number() over (order by a.done_at)::integer), pg_temp.id_of(a.post), pg_temp.id_of(a.actor),
  'I would miss the market.', a.done_at
from acts as a
where a.kind = 'commented';

insert into app.feed_shares (user_id, post_id, id, shared_at)
select
  pg_temp.id_of(a.actor), pg_temp.id_of(a.post), pg_temp.id_of(row_number() over (order by a.done_at)::integer), a.done_at
from acts as a
where a.kind = 'shared_to_feed';
`;
}

/** SQL that writes what the triggers of all that would have written: the streams of people and of Hubs. */
export const EVENTS = `
insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at)
select pg_temp.id_of(hub), pg_temp.id_of(actor), pg_temp.id_of(post), kind::app.feed_event_kind, done_at
from (
  select null as hub, d.actor, d.post, d.kind, d.done_at from doings as d
  union all
  select c.hub, d.actor, d.post, d.kind, d.done_at from doings as d join circle as c on c.member = d.actor
  union all
  select p.hub, p.actor, p.post, case p.kind when 'shared' then 'shared_to_hub' else p.kind end, p.placed_at from placed as p
  order by done_at
) as event;
`;
