create function app.home_entries(p_after app.feed_cursor, p_limit integer) returns app.feed_entry[]
language plpgsql stable set search_path = '' as $$
declare
  v_cursor app.feed_cursor := p_after;
  v_size integer := 2 * p_limit;
  v_events app.feed_candidate[];
  v_counted app.feed_candidate[];
  v_known uuid[] := '{}'::uuid[];
  v_found app.feed_entry[] := '{}'::app.feed_entry[];
begin
  loop
    v_events := app.newest_events(v_cursor, v_size, v_known);
    v_counted := app.without_hidden(v_events, p_after);
    v_found := v_found || app.first_shown(v_counted, p_after);
    exit when cardinality(v_found) >= p_limit or cardinality(v_events) < v_size;
    v_known := v_known || array(select distinct event.id from unnest(v_counted) as event);
    v_cursor.at := v_events[v_size].at;
    v_cursor.id := v_events[v_size].id;
    v_size := least(2 * v_size, 2000);
  end loop;
  return v_found[:p_limit];
end
$$;
comment on function app.home_entries is
  'Returns the first posts after p_after in the caller''s home feed, each at its newest event (docs/product.md F1).';

-- Returns the newest of p_events for each post that the caller may see.
--
-- Leaves out posts that stand before p_after, and so were on an earlier page.
create function app.first_shown(p_events app.feed_candidate[], p_after app.feed_cursor) returns app.feed_entry[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_viewer_id uuid := app.user_id();
  v_before uuid[] := '{}'::uuid[];
begin
  if p_after.at <> 'infinity' then
    v_before := app.home_posts(
      array(select distinct event.id from unnest(p_events) as event), p_after, p_after.at, p_after.id
    );
  end if;
  return array(
    select ((newest).at, (newest).id, (newest).kind, p)::app.feed_entry
    from (
      select distinct on (event.id) event
      from unnest(p_events) as event
      order by event.id, event.at desc
    ) as event_of_post (newest)
    join app.posts_at(p_after, v_viewer_id) as p on p.id = (newest).id
    where (newest).id <> all (v_before)
    order by (newest).at desc, (newest).id desc
  );
end
$$;
comment on function app.first_shown is
  'Returns the posts of p_events that a page of the home feed shows after p_after, newest first.';

-- Returns the newest events after p_after in the caller's home feed, without the posts in p_except.
--
-- These are events of their sources, those of hidden users too, which a look at the few events found leaves
-- out for less; their own posts; and their own Hub shares where nothing else counts. It probes each source
-- once, and the sources with new events a few times more. A comparison of rows would be an index condition
-- that is checked for each event of a page; one of times begins the scan. It does not check who sees a post.
create function app.newest_events(p_after app.feed_cursor, p_limit integer, p_except uuid[])
returns app.feed_candidate[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_until timestamptz := least(p_after.at, p_after.began_at);
  v_hub_ids uuid[] := array(select hub.id from app.sources_at(p_after, '{memberships}') as hub (id));
  v_newest app.feed_candidate[];
begin
  v_newest := array(
    with sources as materialized (
      select followed.id from app.sources_at(p_after, '{follows}') as followed (id)
      union all
      select unnest(v_hub_ids)
    ),
    -- The newest N events lie in the N sources with the newest heads, so the others need no further read.
    heads as materialized (
      select source.id, head.occurred_at, head.post_id
      from sources as source
      cross join lateral (
        select e.occurred_at, e.post_id
        from app.recorded_events_at(p_after) as e
        where e.source_id = source.id
          and e.occurred_at <= v_until and (e.occurred_at < p_after.at or e.post_id < p_after.id)
          and (p_except = '{}' or e.post_id not in (select known.id from unnest(p_except) as known (id)))
        order by e.occurred_at desc, e.post_id desc
        limit 1
      ) as head
      order by head.occurred_at desc, head.post_id desc
      limit p_limit
    ),
    since as materialized (
      select case when count(*) < p_limit then '-infinity' else min(h.occurred_at) - interval '1 microsecond' end as at
      from heads as h
    )
    select (found.at, found.id, found.kind, found.actor_id)::app.feed_candidate
    from (
      select event.occurred_at, event.post_id, event.kind, event.actor_id
      from heads
      cross join since
      cross join lateral (
        select e.occurred_at, e.post_id, e.kind, e.actor_id
        from app.recorded_events_at(p_after) as e
        where e.source_id = heads.id
          and e.occurred_at <= v_until and (e.occurred_at < p_after.at or e.post_id < p_after.id)
          and e.occurred_at > since.at
          and (p_except = '{}' or e.post_id not in (select known.id from unnest(p_except) as known (id)))
        order by e.occurred_at desc, e.post_id desc
        limit p_limit
      ) as event
      union all
      (
        select p.created_at, p.id, 'published'::app.feed_event_kind, p.author_id
        from app.posts as p
        where p.author_id = (select app.user_id()) and p.is_public
          and (p.created_at, p.id) < (p_after.at, p_after.id)
          and (p_except = '{}' or p.id not in (select known.id from unnest(p_except) as known (id)))
        order by p.created_at desc, p.id desc
        limit p_limit
      )
    ) as found (at, id, kind, actor_id)
    order by found.at desc, found.id desc
    limit p_limit
  );
  if v_hub_ids = '{}' then
    return v_newest;
  end if;
  return array(
    select candidate
    from unnest(v_newest || app.newest_own_shares(p_after, p_limit, p_except, v_hub_ids)) as candidate
    order by candidate.at desc, candidate.id desc
    limit p_limit
  );
end
$$;
comment on function app.newest_events is
  'Returns the newest events after p_after that counted at page one, without the posts in p_except.';

create function app.newest_own_shares(
  p_after app.feed_cursor, p_limit integer, p_except uuid[], p_hub_ids uuid[]
) returns app.feed_candidate[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    select (own.occurred_at, own.post_id, own.kind, own.actor_id)::app.feed_candidate
    from app.own_shares_at(p_after) as own
    where own.hub_id = any (p_hub_ids)
      and (own.occurred_at, own.post_id) < (p_after.at, p_after.id)
      and own.post_id not in (select known.id from unnest(p_except) as known (id))
      and not exists (
        select
        from app.own_shares_at(p_after) as later
        where later.post_id = own.post_id and later.occurred_at > own.occurred_at
          and later.hub_id = any (p_hub_ids)
      )
      and not app.is_home_post(own.post_id, p_after)
    order by own.occurred_at desc, own.post_id desc
    limit p_limit
  );
end
$$;
comment on function app.newest_own_shares is
  'Returns the newest shares of the caller into Hubs that alone bring their posts into the home feed.';

-- Returns the posts of p_post_ids that were in the caller's home feed at page one, at (p_at, p_id) or newer.
--
-- Their own Hub shares do not count.
create function app.home_posts(p_post_ids uuid[], p_after app.feed_cursor, p_at timestamptz, p_id uuid)
returns uuid[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  -- Two events cost about as much as a probe of one source, so posts with more events are probed by source.
  v_look bigint := greatest(200, 2 * (select count(*) from app.sources_at(p_after)));
  v_found uuid[];
  v_viral uuid[];
begin
  v_found := array(
    select distinct wanted.id
    from unnest(p_post_ids) as wanted (id)
    where exists (
      select
      from (
        select e.source_id
        from app.events_at(p_after) as e
        where e.post_id = wanted.id and (e.occurred_at, e.post_id) >= (p_at, p_id)
        order by e.occurred_at desc
        limit v_look
      ) as event
      -- As an expression, the subquery is a hashed subplan. The caller's own source has their posts.
      where (event.source_id in (
        select source.id from app.sources_at(p_after) as source (id) union all select app.user_id()
      )) is true
    )
  );
  v_viral := array(
    select distinct wanted.id
    from unnest(p_post_ids) as wanted (id)
    -- Counts all events, which an index alone answers. A post with too few that count is probed too, in vain.
    where wanted.id <> all (v_found) and v_look = (
      select count(*)
      from (
        select
        from app.feed_events as e
        where e.post_id = wanted.id and (e.occurred_at, e.post_id) >= (p_at, p_id)
        limit v_look
      ) as event
    )
  );
  if v_viral = '{}' then
    return v_found;
  end if;
  return v_found || array(
    select viral.id
    from unnest(v_viral) as viral (id)
    where exists (
      select
      from app.sources_at(p_after) as source (id)
      cross join lateral (
        (
          select
          from app.events_at(p_after) as e
          where e.post_id = viral.id and e.source_id = source.id and e.ended_at is null
            and (e.occurred_at, e.post_id) >= (p_at, p_id)
          limit 1
        )
        union all
        (
          select
          from app.events_at(p_after) as e
          where e.post_id = viral.id and e.source_id = source.id and e.ended_at is not null
            and (e.occurred_at, e.post_id) >= (p_at, p_id)
          limit 1
        )
      ) as event
    ) or exists (
      select
      from app.posts as own
      where own.id = viral.id and own.author_id = app.user_id() and own.is_public
        and (own.created_at, own.id) >= (p_at, p_id)
    )
  );
end
$$;
comment on function app.home_posts is
  'Returns the posts of p_post_ids that were in the caller''s home feed at page one, at p_at or later, for a '
  'reason other than their own Hub share.';

create function app.is_home_post(p_post_id uuid, p_after app.feed_cursor) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return app.home_posts(array[p_post_id], p_after, '-infinity', '00000000-0000-0000-0000-000000000000') <> '{}';
end
$$;
comment on function app.is_home_post is
  'Returns whether a post was in the caller''s home feed at page one for a reason other than their own Hub share.';

-- Returns the feedContext of each entry of the caller's home feed, in order.
create function app.home_reasons(p_entries app.feed_entry[], p_after app.feed_cursor) returns text[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_hub_ids uuid[] := array(select hub.id from app.sources_at(p_after, '{memberships}') as hub (id));
begin
  return array(
    -- "offset 0" keeps the planner from reading all follows and co-members of the caller for twenty authors.
    select case
      when p.author_id = (select app.user_id()) then 'own_post'
      when p.is_public and exists (
        select from app.sources_at(p_after, '{follows}') as followed (id) where followed.id = p.author_id offset 0
      ) then 'followed_author'
      when p.is_public and exists (
        select from app.memberships as theirs
        where theirs.user_id = p.author_id and theirs.hub_id = any (v_hub_ids)
        offset 0
      ) then 'hub_co_member_author'
      when exists (
        select from app.placements as target
        where target.post_id = p.id and target.kind = 'targeted' and target.hub_id = any (v_hub_ids)
        offset 0
      ) then 'joined_hub_post'
      when entry.kind <> 'shared_to_hub'
        -- A look at the events of a post may read thousands, and only a post in a Hub of the caller needs one.
        or not exists (
          select from app.placements as placed
          where placed.post_id = p.id and placed.hub_id = any (v_hub_ids)
          offset 0
        )
        or app.has_other_activity(p.id, p_after) then 'friend_interaction'
      else 'shared_to_hub'
    end
    from unnest(p_entries) with ordinality as entry (at, id, kind, post, place)
    cross join lateral (select (entry.post).*) as p
    order by entry.place
  );
end
$$;
comment on function app.home_reasons is
  'Returns the feedContext of each entry of the caller''s home feed: the first reason that applies '
  '(docs/product.md F10).';

create function app.has_other_activity(p_post_id uuid, p_after app.feed_cursor) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return exists (
    select
    from app.events_at(p_after) as e
    where e.post_id = p_post_id and e.kind <> 'shared_to_hub'
      and e.source_id in (select source.id from app.sources_at(p_after) as source (id))
  );
end
$$;
comment on function app.has_other_activity is
  'Returns whether anything but a Hub share brought a post into the caller''s home feed.';

create function app.default_entries(p_after app.feed_cursor, p_limit integer) returns app.feed_entry[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_viewer_id uuid := app.user_id();
begin
  return array(
    select (newest.created_at, newest.id, 'published', newest.post)::app.feed_entry
    from app.default_users_at(p_after) as author (id)
    cross join lateral (
      select p.created_at, p.id, p as post
      from app.posts_at(p_after, v_viewer_id) as p
      where p.author_id = author.id and p.is_public
        and (p.created_at, p.id) < (p_after.at, p_after.id)
      order by p.created_at desc, p.id desc
      limit p_limit
    ) as newest
    order by newest.created_at desc, newest.id desc
    limit p_limit
  );
end
$$;
comment on function app.default_entries is
  'Returns the first public posts after p_after of the default feed users, for callers without sources of their own '
  '(docs/product.md F3).';
