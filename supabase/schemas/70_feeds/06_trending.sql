-- Args: p_hub_id (null for the home feed); p_after (the cursor); p_limit.
create function app.trending_entries(p_hub_id uuid, p_after app.feed_cursor, p_limit integer)
returns app.feed_entry[]
language plpgsql stable set search_path = '' as $$
declare
  v_viewer_id uuid := app.user_id();
  v_cursor app.feed_cursor := p_after;
  v_size integer := p_limit;
  v_active app.feed_candidate[];
  v_batch app.feed_entry[];
  v_found app.feed_entry[] := '{}'::app.feed_entry[];
begin
  while v_cursor.part = 'active' and cardinality(v_found) < p_limit loop
    v_active := app.active_candidates(p_hub_id, v_cursor, p_limit);
    v_found := v_found || array(
      select (active.at, active.id, active.kind, p)::app.feed_entry
      from unnest(v_active) with ordinality as active (at, id, kind, actor_id, place)
      join app.posts_at(p_after, v_viewer_id) as p on p.id = active.id
      order by active.place
    );
    if cardinality(v_active) = p_limit then
      v_cursor.at := v_active[p_limit].at;
      v_cursor.id := v_active[p_limit].id;
    else
      v_cursor.part := 'quiet';
      v_cursor.at := v_cursor.began_at;
      v_cursor.id := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
    end if;
  end loop;
  while cardinality(v_found) < p_limit loop
    v_batch := app.recent_entries(p_hub_id, v_cursor, v_size);
    v_found := v_found || array(
      select (entry.at, entry.id, entry.kind, entry.post)::app.feed_entry
      from unnest(v_batch) with ordinality as entry (at, id, kind, post, place)
      where entry.id not in (
        select s.post_id
        from app.scores_at_page_one(array(select batch.id from unnest(v_batch) as batch), v_cursor) as s
      )
      order by entry.place
    );
    exit when cardinality(v_batch) < v_size;
    v_cursor.at := v_batch[v_size].at;
    v_cursor.id := v_batch[v_size].id;
    v_size := least(2 * v_size, 500);
  end loop;
  return v_found[:p_limit];
end
$$;
comment on function app.trending_entries is
  'Returns the first posts after p_after in a trending feed of the caller''s, ranked as of page one (docs/product.md '
  'F14, F15): posts with activity in the seven days before, by trending score (their kind is null), then the others in '
  'the order of the recent feed.';

-- It searches the scores of all posts for posts in the feed. It ranks the whole feed instead if such posts
-- are too rare, or if too many scores changed since page one. It does not check who sees a post.
--
-- Args: p_hub_id (null for the home feed); p_after (the cursor); p_limit.
create function app.active_candidates(p_hub_id uuid, p_after app.feed_cursor, p_limit integer)
returns app.feed_candidate[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_since timestamptz := p_after.began_at - app.trending_period();
  v_changed uuid[];
  v_change_count bigint;
  v_looked app.feed_candidate[];
  v_lowest app.feed_candidate;
  v_found app.feed_candidate[];
  v_size integer;
begin
  foreach v_size in array array[100, 300] loop
    select coalesce(array_agg(distinct c.post_id), '{}'), count(*) into v_changed, v_change_count
    from (
      select c.post_id
      from app.score_changes as c
      where app.is_since(p_after, c.changed_by)
      order by c.changed_by
      limit 10 * v_size
    ) as c;
    continue when cardinality(v_changed) > v_size or v_change_count = 10 * v_size;
    v_looked := array(
      select (s.score, s.post_id, null, null)::app.feed_candidate
      from app.trending_scores as s
      where (s.score, s.post_id) < (p_after.at, p_after.id) and s.score > v_since
      order by s.score desc, s.post_id desc
      limit v_size
    );
    -- Posts below the last score read have no final rank yet: unread posts may come between them.
    v_lowest := case when cardinality(v_looked) = v_size then v_looked[v_size] end;
    v_found := app.ranked_candidates(
      app.posts_in_feed(p_hub_id, p_after, array(select looked.id from unnest(v_looked) as looked) || v_changed),
      p_after, v_lowest, p_limit
    );
    if cardinality(v_found) = p_limit or cardinality(v_looked) < v_size then
      return v_found;
    end if;
  end loop;
  return app.ranked_candidates(app.active_in_feed(p_hub_id, p_after), p_after, null, p_limit);
end
$$;
comment on function app.active_candidates is
  'Returns the first posts after p_after in a feed of the caller''s with activity in the seven days before page one, '
  'by their trending score as of page one.';

-- It reads the whole feed, and does not check who sees a post. p_hub_id is null for the home feed.
--
-- Returns the distinct posts of a feed of the caller's that may have activity in the seven days before page
-- one.
create function app.active_in_feed(p_hub_id uuid, p_after app.feed_cursor) returns uuid[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_since timestamptz := p_after.began_at - app.trending_period();
  v_changed uuid[] := array(
    select distinct c.post_id from app.score_changes as c where app.is_since(p_after, c.changed_by)
  );
begin
  if p_hub_id is not null then
    return app.posts_in_feed(p_hub_id, p_after, v_changed || array(
      select placed.post_id
      from app.placements as placed
      join app.trending_scores as s on s.post_id = placed.post_id
      where placed.hub_id = p_hub_id and s.active_at > v_since and placed.post_id <> all (v_changed)
    ));
  elsif not p_after.is_own then
    return app.posts_in_feed(p_hub_id, p_after, v_changed) || array(
      select p.id
      from app.default_users_at(p_after) as author (id)
      join app.posts as p on p.author_id = author.id
      join app.trending_scores as s on s.post_id = p.id
      where p.is_public and s.active_at > v_since and p.id <> all (v_changed)
    );
  end if;
  return app.posts_in_feed(p_hub_id, p_after, v_changed) || array(
    select known.post_id
    from (
      select event.post_id
      from (select own.id from app.sources_at(p_after) as own (id) union select app.user_id()) as source (id)
      -- "offset 0" keeps the planner from reading all sources.
      cross join lateral (
        select e.post_id from app.events_at(p_after) as e where e.source_id = source.id offset 0
      ) as event
      union
      select own.post_id
      from app.own_shares_at(p_after) as own
      where own.hub_id in (select hub.id from app.sources_at(p_after, '{memberships}') as hub (id))
    ) as known
    join app.trending_scores as s on s.post_id = known.post_id
    where s.active_at > v_since and known.post_id <> all (v_changed)
  );
end
$$;
comment on function app.active_in_feed is
  'Returns the posts of a feed of the caller''s with activity since seven days before page one.';

-- It does not check who sees a post. p_hub_id is null for the home feed.
--
-- Returns the distinct posts of p_post_ids that were in a feed of the caller's at page one.
create function app.posts_in_feed(p_hub_id uuid, p_after app.feed_cursor, p_post_ids uuid[]) returns uuid[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  if p_hub_id is not null then
    return array(
      select placed.post_id
      from app.placements as placed
      where placed.hub_id = p_hub_id and placed.post_id = any (p_post_ids)
        -- As in app.hub_entries.
        and (
          placed.last_shared_at <= p_after.began_at - interval '1 minute'
          or app.share_at_page_one(p_hub_id, placed.post_id, p_after) is not null
        )
    );
  elsif not p_after.is_own then
    return array(
      select p.id
      from app.posts as p
      where p.id = any (p_post_ids) and p.is_public
        and p.author_id in (select author.id from app.default_users_at(p_after) as author (id))
    );
  end if;
  return array(
    select unnest(app.home_posts(p_post_ids, p_after, '-infinity', '00000000-0000-0000-0000-000000000000'))
    union
    select own.post_id
    from app.own_shares_at(p_after) as own
    where own.post_id = any (p_post_ids)
      and own.hub_id in (select hub.id from app.sources_at(p_after, '{memberships}') as hub (id))
  );
end
$$;
comment on function app.posts_in_feed is
  'Returns the posts of p_post_ids that were in a feed of the caller''s at page one.';

-- Args: p_post_ids (distinct); p_after (the cursor); p_lowest (the last entry to return, null for no bound);
-- p_limit.
create function app.ranked_candidates(
  p_post_ids uuid[], p_after app.feed_cursor, p_lowest app.feed_candidate, p_limit integer
) returns app.feed_candidate[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    select (s.score, s.post_id, null, null)::app.feed_candidate
    from app.scores_at_page_one(p_post_ids, p_after) as s
    where (s.score, s.post_id) < (p_after.at, p_after.id)
      and (p_lowest.id is null or (s.score, s.post_id) >= (p_lowest.at, p_lowest.id))
    order by s.score desc, s.post_id desc
    limit p_limit
  );
end
$$;
comment on function app.ranked_candidates is 'Ranks posts by their trending score as of page one.';

-- Returns the trending scores that posts had at page one of p_after.
--
-- The first change since page one says what the score was. Returns no row for a post without activity in the
-- seven days before page one.
create function app.scores_at_page_one(p_post_ids uuid[], p_after app.feed_cursor)
returns table (post_id uuid, score timestamptz)
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return query
  select wanted.id, case when former.is_former then former.score else s.score end
  from unnest(p_post_ids) as wanted (id)
  left join app.trending_scores as s on s.post_id = wanted.id
  left join lateral (
    select true as is_former, c.former_score as score, c.former_active_at as active_at
    from app.score_changes as c
    where c.post_id = wanted.id and app.is_since(p_after, c.changed_by)
    order by c.id
    limit 1
  ) as former on true
  where case when former.is_former then former.active_at else s.active_at end
    > p_after.began_at - app.trending_period();
end
$$;
comment on function app.scores_at_page_one is 'Returns the trending scores that posts had at page one.';
