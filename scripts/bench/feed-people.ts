import { activePeople, type FeedSize, hubPeople, placeOf } from './feed-sizes.ts';
import { LISTER } from './hub-sizes.ts';

/** How many default feed users there are. */
const DEFAULT_FEED_USERS = 20;

/** How many people somebody follows. */
const FOLLOWS = 10;

/** The share of blocks that the viewer has not made, but met. */
const MET = 0.1;

/** Whom the viewers choose among the busiest: every fifth, each viewer others. */
const STRIDE = 5;

/** How much busier the busier people are: the exponent of what is drawn. */
const SKEW = 1.5;

/** SQL for drawing what people do: more finely than a population of Hubs needs. */
export const FEED_DRAWING = `
create function pg_temp.fraction(p_number bigint, p_what bigint) returns float8 language sql immutable
return (hashint8extended(p_number, p_what) & 1099511627775) / 1099511627776.0;
`;

/** An SQL expression for the place of a drawn person, as often as they are busy. */
export function drawnPlace(size: FeedSize, number: string, what: number): string {
  return `floor(${activePeople(size)} * pg_temp.fraction(${number}, ${what}) ^ ${SKEW})::integer`;
}

const numberOf = (viewer: Parameters<typeof placeOf>[0], size: FeedSize) => LISTER + placeOf(viewer, size);

/** SQL that lets people follow each other. */
export function followsOf(size: FeedSize): string {
  const { dense, sparse, blocks } = size.followees;
  const chosen = (viewer: 'dense' | 'blocks', count: number, offset: number) =>
    `select ${numberOf(viewer, size)}, ${LISTER + offset} + ${STRIDE} * k from generate_series(0, ${count - 1}) as k`;
  return `
insert into app.follows (follower_id, followee_id, created_at)
select pg_temp.id_of(follower), pg_temp.id_of(followee), now() - pg_temp.fraction(follower, followee) * interval '300 days'
from (
  select distinct ${LISTER} + place as follower, ${LISTER} + ${drawnPlace(size, `place * ${FOLLOWS}::bigint + k`, 51)} as followee
  from generate_series(0, ${activePeople(size) - 1}) as place, generate_series(1, ${FOLLOWS}) as k
  union all
  ${chosen('dense', dense, 0)}
  union all
  ${chosen('blocks', blocks, 1)}
  union all
  select ${numberOf('sparse', size)}, ${LISTER + activePeople(size)} + k from generate_series(0, ${sparse - 1}) as k
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
`;
}

/** SQL that chooses whose posts guests see: the busiest. */
export const DEFAULT_FEED = `
insert into app.default_feed_users (user_id)
select pg_temp.id_of(${LISTER} + k) from generate_series(0, ${DEFAULT_FEED_USERS - 1}) as k;
`;

/** SQL that puts blocks between a viewer and many of the busiest. */
export function blocksOf(size: FeedSize): string {
  const viewer = `pg_temp.id_of(${numberOf('blocks', size)})`;
  return `
insert into app.blocks (blocker_id, blocked_id)
select case when is_met then other else ${viewer} end, case when is_met then ${viewer} else other end
from (
  select pg_temp.id_of(${LISTER + 2} + ${STRIDE} * k) as other, k < ${size.blocks * MET} as is_met
  from generate_series(0, ${size.blocks - 1}) as k
) as drawn;
`;
}

/** SQL that makes Hubs, and a table `circle` of who is in which: numbers. */
export function hubsOf(size: FeedSize): string {
  const every = size.hubs / size.joined;
  return `
create temp table circle as
select
  hub,
  case
    when place = ${size.members - 1} and hub % ${every} = 0 then ${numberOf('hubs', size)}
    -- A stride that shares no factor with the people: no Hub has anybody twice.
    else ${LISTER} + 2 * (
      ((hashint4extended(hub, 61) & 1048575) + place * (10 * (hashint4extended(hub, 62) & 65535) + 1)) % ${hubPeople(size)}
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
from circle as c
cross join lateral (
  select now() - interval '1 day' - pg_temp.fraction(c.hub * 1000000::bigint + c.member, 63) * interval '600 days' as joined_at
) as drawn
order by joined_at;

analyze circle, app.memberships;
`;
}
