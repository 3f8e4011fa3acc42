create function app.home_entries(p_after app.feed_position, p_limit integer) returns app.feed_entry[]
language plpgsql stable set search_path = '' as $$
declare
  v_place app.feed_position := p_after;
  v_size integer := 2 * p_limit;
  v_events app.feed_candidate[];
  v_known uuid[] := '{}'::uuid[];
  v_found app.feed_entry[] := '{}'::app.feed_entry[];
begin
  loop
    v_events := array(select event from app.newest_events(v_place, v_size, v_known) as event);
    v_found := v_found || app.first_shown(v_events, p_after);
    exit when cardinality(v_found) >= p_limit or cardinality(v_events) < v_size;
    v_known := v_known || array(select distinct event.id from unnest(v_events) as event);
    v_place.at := v_events[v_size].at;
    v_place.id := v_events[v_size].id;
    v_size := least(2 * v_size, 2000);
  end loop;
  return v_found[:p_limit];
end
$$;
comment on function app.home_entries is 'Returns the first posts after p_after in the caller''s home feed, each at its newest event.';
grant execute on function app.home_entries to authenticated;

create function app.first_shown(p_events app.feed_candidate[], p_after app.feed_position) returns app.feed_entry[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_before uuid[] := '{}'::uuid[];
begin
  if p_after.at <> 'infinity' then
    v_before := app.shown_before(array(select distinct event.id from unnest(p_events) as event), p_after);
  end if;
  return array(
    select ((newest).at, (newest).id, (newest).kind, p)::app.feed_entry
    from (
      select distinct on (event.id) event
      from unnest(p_events) as event
      order by event.id, event.at desc
    ) as event_of_post (newest)
    join app.posts as p on p.id = (newest).id
    where (newest).id <> all (v_before)
    order by (newest).at desc, (newest).id desc
  );
end
$$;
comment on function app.first_shown is 'Returns the newest of p_events for each post that the caller may see, without posts that have their position before p_after.';
grant execute on function app.first_shown to authenticated;

create function app.newest_events(p_after app.feed_position, p_limit integer, p_except uuid[])
returns setof app.feed_candidate
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_activity_until timestamptz := app.activity_until(p_after);
begin
  return query
  -- The newest N events lie in the N streams with the newest heads, so the others need no further read.
  with heads as materialized (
    select source.source_id, head.occurred_at, head.post_id
    from app.my_sources as source
    cross join lateral (
      select e.occurred_at, e.post_id
      from app.counted_events as e
      where e.source_id = source.source_id and (e.occurred_at, e.post_id) < (p_after.at, p_after.id) and not e.is_own_share
        and (e.kind in ('published', 'targeted', 'shared_to_hub') or e.occurred_at <= v_activity_until)
        and e.post_id not in (select known.id from unnest(p_except) as known (id))
      order by e.occurred_at desc, e.post_id desc
      limit 1
    ) as head
    order by head.occurred_at desc, head.post_id desc
    limit p_limit
  ),
  since as materialized (
    select case when count(*) < p_limit then '-infinity' else min(h.occurred_at) - interval '1 microsecond' end as at from heads as h
  )
  select event.occurred_at, event.post_id, event.kind
  from heads
  cross join since
  cross join lateral (
    select e.occurred_at, e.post_id, e.kind
    from app.counted_events as e
    where e.source_id = heads.source_id and (e.occurred_at, e.post_id) < (p_after.at, p_after.id) and e.occurred_at > since.at
      and not e.is_own_share
      and (e.kind in ('published', 'targeted', 'shared_to_hub') or e.occurred_at <= v_activity_until)
      and e.post_id not in (select known.id from unnest(p_except) as known (id))
    order by e.occurred_at desc, e.post_id desc
    limit p_limit
  ) as event
  union all
  (
    select p.created_at, p.id, 'published'::app.feed_event_kind
    from app.posts as p
    where p.author_id = (select app.user_id()) and p.is_public
      and (p.created_at, p.id) < (p_after.at, p_after.id)
      and p.id not in (select known.id from unnest(p_except) as known (id))
    order by p.created_at desc, p.id desc
    limit p_limit
  )
  union all
  (
    select e.occurred_at, e.post_id, e.kind
    from app.counted_events as e
    where e.actor_id = (select app.user_id()) and e.kind = 'shared_to_hub' and e.hub_id in (select mine.hub_id from app.my_hubs as mine)
      and (e.occurred_at, e.post_id) < (p_after.at, p_after.id)
      and e.post_id not in (select known.id from unnest(p_except) as known (id))
      and not app.is_home_post(e.post_id, p_after)
    order by e.occurred_at desc, e.post_id desc
    limit p_limit
  )
  union all
  -- Pinned pagination keeps a post at its position of page one, although its event was repeated since.
  (
    select former.occurred_at, former.post_id, former.kind
    from app.feed_activity as former
    where p_after.part = 'quiet' and former.ended_by >= pg_snapshot_xmin(p_after.seen)
      and not pg_visible_in_snapshot(former.ended_by, p_after.seen)
      and former.source_id in (select s.source_id from app.my_sources as s)
      and (former.occurred_at, former.post_id) < (p_after.at, p_after.id) and not former.is_own_share
      and (former.kind in ('published', 'targeted', 'shared_to_hub') or former.occurred_at <= v_activity_until)
      and former.post_id not in (select known.id from unnest(p_except) as known (id))
      and exists (
        select from app.counted_events as e
        where e.post_id = former.post_id and e.source_id = former.source_id and e.actor_id = former.actor_id
          and e.kind = former.kind
      )
    order by former.occurred_at desc, former.post_id desc
    limit p_limit
  )
  order by 1 desc, 2 desc
  limit p_limit;
end
$$;
comment on function app.newest_events is 'Returns the newest events after p_after that count for the caller, without the posts in p_except: events of their sources, their own posts, and their own Hub shares where nothing else counts. It probes each stream once, and the streams with new events a few times more. A definer function, because no policy shows streams; the caller reads the posts under policies.';
grant execute on function app.newest_events to authenticated;

create function app.shown_before(p_post_ids uuid[], p_after app.feed_position) returns uuid[]
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_until timestamptz := app.position_until(p_after);
  v_activity_until timestamptz := app.activity_until(p_after);
  v_source_ids uuid[] := array(
    select s.source_id from app.my_sources as s union select lost.id from app.lost_sources(p_after) as lost (id)
  );
  v_own_shares uuid[] := array(
    select a.post_id
    from app.feed_activity as a
    where a.actor_id = app.user_id() and a.kind = 'shared_to_hub' and a.post_id = any (p_post_ids)
      and (a.occurred_at, a.post_id) >= (p_after.at, p_after.id) and a.occurred_at <= v_until
      and (a.ended_by is null or not pg_visible_in_snapshot(a.ended_by, p_after.seen))
      and a.source_id = any (v_source_ids)
  );
  -- Reading twenty events costs as much as probing one source, so posts with more newer events are probed by source.
  v_look integer := greatest(200, 20 * cardinality(v_source_ids));
begin
  return array(
    select wanted.id
    from unnest(p_post_ids) as wanted (id)
    where exists (
      select
      from (
        (
          select a.source_id, a.actor_id, a.kind, a.occurred_at, a.ended_by, a.is_own_share
          from app.feed_activity as a
          where a.post_id = wanted.id and (a.occurred_at, a.post_id) >= (p_after.at, p_after.id) and a.occurred_at <= v_until
          order by a.occurred_at desc
          limit v_look
        )
        union all
        select a.source_id, a.actor_id, a.kind, a.occurred_at, a.ended_by, a.is_own_share
        from (
          select count(*) as count
          from (
            select from app.feed_activity as a
            where a.post_id = wanted.id and (a.occurred_at, a.post_id) >= (p_after.at, p_after.id) and a.occurred_at <= v_until
            limit v_look
          ) as newer
        ) as newer
        cross join lateral (
          select a.source_id, a.actor_id, a.kind, a.occurred_at, a.ended_by, a.is_own_share
          from app.feed_activity as a
          where a.post_id = wanted.id and (a.occurred_at, a.post_id) >= (p_after.at, p_after.id) and a.occurred_at <= v_until
            and a.ended_at is not null
          union all
          select live.*
          from unnest(v_source_ids) as s (source_id)
          cross join lateral (
            select a.source_id, a.actor_id, a.kind, a.occurred_at, a.ended_by, a.is_own_share
            from app.feed_activity as a
            where a.post_id = wanted.id and (a.occurred_at, a.post_id) >= (p_after.at, p_after.id) and a.occurred_at <= v_until
              and a.ended_at is null and a.source_id = s.source_id
            limit v_look
          ) as live
        ) as a
        where newer.count = v_look
      ) as activity
      -- As an expression, the subquery is a hashed subplan; otherwise it becomes a join, which runs again for each post.
      where (activity.source_id in (select s.source_id from unnest(v_source_ids) as s (source_id))) is true
        and not activity.is_own_share
        and (activity.kind in ('published', 'targeted', 'shared_to_hub') or activity.occurred_at <= v_activity_until)
        and (activity.ended_by is null or not pg_visible_in_snapshot(activity.ended_by, p_after.seen))
        and (
          activity.kind in ('targeted', 'shared_to_hub')
          or activity.actor_id not in (select h.user_id from app.hidden_users as h where h.since <= p_after.began_at)
        )
        -- An event after page one that has ended since was on no page, so it must not hide its post.
        and (
          activity.occurred_at <= p_after.began_at
          or (
            activity.ended_by is null
            and activity.source_id in (select s.source_id from app.my_sources as s)
            and (activity.kind in ('targeted', 'shared_to_hub') or activity.actor_id not in (select h.user_id from app.hidden_users as h))
          )
        )
    ) or (wanted.id = any (v_own_shares) and not app.was_home_post(wanted.id, p_after))
  );
end
$$;
comment on function app.shown_before is 'Returns the posts of p_post_ids that have their position in the caller''s home feed before p_after: a newer event counts, or counted at page one. An own Hub share counts only where nothing else did. A definer function, because it reads streams, former ones included, and no policy shows these.';
grant execute on function app.shown_before to anon, authenticated;

create function app.is_home_post(p_post_id uuid, p_after app.feed_position) returns boolean
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_until timestamptz := app.position_until(p_after);
  v_activity_until timestamptz := app.activity_until(p_after);
begin
  return exists (
    select
    from app.counted_events as e
    where e.post_id = p_post_id and not e.is_own_share and e.occurred_at <= v_until
      and (e.kind in ('published', 'targeted', 'shared_to_hub') or e.occurred_at <= v_activity_until)
      and e.source_id in (select s.source_id from app.my_sources as s)
  ) or exists (
    select from app.posts as p
    where p.id = p_post_id and p.author_id = app.user_id() and p.is_public
  );
end
$$;
comment on function app.is_home_post is 'Returns whether a post is in the caller''s home feed for a reason other than their own Hub share. For definer functions only, because it reads streams. Args: p_post_id; p_after (cursor position, with the time up to which events count).';

create function app.was_home_post(p_post_id uuid, p_after app.feed_position) returns boolean
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return exists (
    select
    from app.feed_activity as a
    where a.post_id = p_post_id and not a.is_own_share and a.occurred_at <= p_after.began_at
      and (a.ended_by is null or not pg_visible_in_snapshot(a.ended_by, p_after.seen))
      and a.source_id in (
        select s.source_id from app.my_sources as s where s.since <= p_after.began_at
        union all
        select lost.id from app.lost_sources(p_after) as lost (id)
      )
      and (
        a.kind in ('targeted', 'shared_to_hub')
        or (
          a.actor_id not in (select s.user_id from app.hidden_users as s where s.since <= p_after.began_at)
          -- A person who joined after page one brought older activity into the Hub's stream.
          and not exists (
            select from app.memberships as m
            where m.hub_id = a.hub_id and m.user_id = a.actor_id and m.joined_at > p_after.began_at
          )
        )
      )
  ) or exists (
    select from app.posts as p
    where p.id = p_post_id and p.author_id = app.user_id() and p.is_public
  );
end
$$;
comment on function app.was_home_post is 'Returns whether a post was in the caller''s home feed at page one of p_after for a reason other than their own Hub share. For definer functions only, because it reads streams.';

create function app.home_reasons(p_entries app.feed_entry[]) returns text[]
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    -- "offset 0" keeps the planner from reading all follows and co-members of the caller for twenty authors.
    select case
      when p.author_id = (select app.user_id()) then 'own_post'
      when p.is_public and exists (
        select from app.follows as f
        where f.follower_id = (select app.user_id()) and f.followee_id = p.author_id
        offset 0
      ) then 'followed_author'
      when p.is_public and exists (
        select from app.memberships as theirs
        where theirs.user_id = p.author_id and theirs.hub_id in (select mine.hub_id from app.my_hubs as mine)
        offset 0
      ) then 'hub_co_member_author'
      when exists (
        select from app.placements as target
        join app.my_hubs as mine on mine.hub_id = target.hub_id
        where target.post_id = p.id and target.kind = 'targeted'
      ) then 'joined_hub_post'
      when entry.kind <> 'shared_to_hub'
        -- A look at the events of a post may read thousands, and only a post in a Hub of the caller needs one.
        or not exists (
          select from app.placements as placed join app.my_hubs as mine on mine.hub_id = placed.hub_id where placed.post_id = p.id
        )
        or app.has_other_activity(p.id) then 'friend_interaction'
      else 'shared_to_hub'
    end
    from unnest(p_entries) with ordinality as entry (at, id, kind, post, place)
    cross join lateral (select (entry.post).*) as p
    order by entry.place
  );
end
$$;
comment on function app.home_reasons is 'Returns the feedContext of each entry of the caller''s home feed, in order: the first reason that applies (docs/product.md F10). A definer function, because policies of follows, memberships and placements would cost more than their rows.';
grant execute on function app.home_reasons to authenticated;

create function app.has_other_activity(p_post_id uuid) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return exists (
    select
    from app.counted_events as e
    where e.post_id = p_post_id and e.kind <> 'shared_to_hub' and e.occurred_at <= app.now()
      and e.source_id in (select s.source_id from app.my_sources as s)
  );
end
$$;
comment on function app.has_other_activity is 'Returns whether anything but a Hub share brings a post into the caller''s home feed. For definer functions only, because it reads streams.';

create view app.feed_activity with (security_invoker = true) as
select
  e.source_id, e.hub_id, e.actor_id, e.post_id, e.kind, e.occurred_at, e.ended_at, e.ended_by,
  e.kind = 'shared_to_hub' and e.actor_id is not distinct from (select app.user_id()) as is_own_share
from app.feed_events as e
where e.kind in ('published', 'targeted', 'shared_to_hub') or e.actor_id is distinct from (select app.user_id());
comment on view app.feed_activity is 'Events without the caller''s own votes, comments, reposts and feed shares, because these move nothing in their own home feed (docs/product.md F8). is_own_share marks the caller''s Hub shares, which place a card only if nothing else does (docs/product.md F9).';

create view app.counted_events with (security_invoker = true) as
select a.source_id, a.hub_id, a.actor_id, a.post_id, a.kind, a.occurred_at, a.is_own_share
from app.feed_activity as a
where a.ended_at is null
  and (a.kind in ('targeted', 'shared_to_hub') or a.actor_id not in (select h.user_id from app.hidden_users as h));
comment on view app.counted_events is 'Events that count now in the caller''s home feed. Activity of hidden users does not count; their placements in a common Hub do (docs/product.md P20). Queries choose the streams themselves.';

create function app.default_entries(p_after app.feed_position, p_limit integer) returns app.feed_entry[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  -- Here a post that a lost source had brought up stands at its publication, where it would be shown again.
  v_has_lost_sources boolean := p_after.at <> 'infinity' and exists (select from app.lost_sources(p_after));
begin
  return array(
    select (newest.created_at, newest.id, 'published', newest.post)::app.feed_entry
    from app.default_feed_users as d
    cross join lateral (
      select p.created_at, p.id, p as post
      from app.posts as p
      where p.author_id = d.user_id and p.is_public
        and (p.created_at, p.id) < (p_after.at, p_after.id)
        and (not v_has_lost_sources or app.shown_before(array[p.id], p_after) = '{}')
      order by p.created_at desc, p.id desc
      limit p_limit
    ) as newest
    order by newest.created_at desc, newest.id desc
    limit p_limit
  );
end
$$;
comment on function app.default_entries is 'Returns the first public posts after p_after of the default feed users, for callers without sources of their own (docs/product.md F3), without what their home feed has shown before they lost their last source.';
grant execute on function app.default_entries to anon, authenticated;

create function app.lost_sources(p_after app.feed_position) returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select f.source_id
  from app.former_sources as f
  where f.user_id = app.user_id() and not pg_visible_in_snapshot(f.ended_by, p_after.seen);
end
$$;
comment on function app.lost_sources is 'Returns the sources of the caller''s home feed (followed people and Hubs) that they have lost since page one of p_after. A definer function, because no policy shows former sources.';
grant execute on function app.lost_sources to anon, authenticated;
