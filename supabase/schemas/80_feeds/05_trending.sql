create function app.trending_entries(p_hub_id uuid, p_is_own boolean, p_after app.feed_position, p_limit integer)
returns app.feed_entry[]
language plpgsql stable set search_path = '' as $$
declare
  v_place app.feed_position := p_after;
  v_size integer := p_limit;
  v_active app.feed_candidate[];
  v_batch app.feed_entry[];
  v_found app.feed_entry[] := '{}'::app.feed_entry[];
begin
  while v_place.part = 'active' and cardinality(v_found) < p_limit loop
    v_active := app.active_candidates(p_hub_id, p_is_own, v_place, p_limit);
    v_found := v_found || array(
      select (active.at, active.id, active.kind, p)::app.feed_entry
      from unnest(v_active) with ordinality as active (at, id, kind, place)
      join app.posts as p on p.id = active.id
      order by active.place
    );
    if cardinality(v_active) = p_limit then
      v_place.at := v_active[p_limit].at;
      v_place.id := v_active[p_limit].id;
    else
      v_place.part := 'quiet';
      v_place.at := v_place.began_at;
      v_place.id := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
    end if;
  end loop;
  while cardinality(v_found) < p_limit loop
    v_batch := app.recent_entries(p_hub_id, p_is_own, v_place, v_size);
    v_found := v_found || array(
      select (entry.at, entry.id, entry.kind, entry.post)::app.feed_entry
      from unnest(v_batch) with ordinality as entry (at, id, kind, post, place)
      where entry.id not in (
        select s.post_id from app.scores_at_page_one(array(select batch.id from unnest(v_batch) as batch), v_place) as s
      )
      order by entry.place
    );
    exit when cardinality(v_batch) < v_size;
    v_place.at := v_batch[v_size].at;
    v_place.id := v_batch[v_size].id;
    v_size := least(2 * v_size, 500);
  end loop;
  return v_found[:p_limit];
end
$$;
comment on function app.trending_entries is 'Returns the first posts after p_after in a trending feed of the caller''s, ranked as of page one (docs/product.md F14, F15): posts with activity in the seven days before, by trending score (their kind is null), then the others in the order of the recent feed. Args: p_hub_id (null for the home feed); p_is_own (the home feed has sources of its own); p_after (cursor position); p_limit.';
grant execute on function app.trending_entries to anon, authenticated;

create function app.trending_period() returns interval language sql immutable
return interval '7 days';
comment on function app.trending_period is 'Returns for how long activity makes a post trend (docs/product.md F14).';

create function app.active_candidates(p_hub_id uuid, p_is_own boolean, p_after app.feed_position, p_limit integer)
returns app.feed_candidate[]
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
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
      where c.changed_by >= pg_snapshot_xmin(p_after.seen) and not pg_visible_in_snapshot(c.changed_by, p_after.seen)
      order by c.changed_by
      limit 10 * v_size
    ) as c;
    continue when cardinality(v_changed) > v_size or v_change_count = 10 * v_size;
    v_looked := array(
      select (s.score, s.post_id, null)::app.feed_candidate
      from app.trending_scores as s
      where (s.score, s.post_id) < (p_after.at, p_after.id) and s.score > v_since
      order by s.score desc, s.post_id desc
      limit v_size
    );
    -- Posts below the last score read have no final rank yet: unread posts may come between them.
    v_lowest := case when cardinality(v_looked) = v_size then v_looked[v_size] end;
    v_found := app.ranked_candidates(
      app.posts_in_feed(p_hub_id, p_is_own, array(select looked.id from unnest(v_looked) as looked) || v_changed),
      p_after, v_lowest, p_limit
    );
    if cardinality(v_found) = p_limit or cardinality(v_looked) < v_size then
      return v_found;
    end if;
  end loop;
  return app.ranked_candidates(app.active_in_feed(p_hub_id, p_is_own, v_since), p_after, null, p_limit);
end
$$;
comment on function app.active_candidates is 'Returns the first posts after p_after in a feed of the caller''s with activity in the seven days before page one, by their trending score as of page one. It searches the scores of all posts for posts in the feed. It ranks the whole feed instead if such posts are too rare, or if too many scores changed since page one. A definer function, because no policy shows scores and streams; the caller reads the posts under policies. Args: p_hub_id (null for the home feed); p_is_own (the home feed has sources of its own); p_after (cursor position); p_limit.';
grant execute on function app.active_candidates to anon, authenticated;

create function app.active_in_feed(p_hub_id uuid, p_is_own boolean, p_since timestamptz) returns uuid[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_now timestamptz := app.now();
begin
  if p_hub_id is not null then
    return array(
      select placed.post_id
      from app.placements as placed
      join app.trending_scores as s on s.post_id = placed.post_id
      where placed.hub_id = p_hub_id and placed.hub_id in (select mine.hub_id from app.my_hubs as mine) and s.active_at > p_since
    );
  elsif not p_is_own then
    return array(
      select p.id
      from app.default_feed_users as d
      join app.posts as p on p.author_id = d.user_id
      join app.trending_scores as s on s.post_id = p.id
      where p.is_public and s.active_at > p_since
    );
  end if;
  return array(
    select known.post_id
    from (
      select distinct e.post_id
      from (select s.source_id from app.my_sources as s union select app.user_id()) as source
      join app.counted_events as e on e.source_id = source.source_id
      where e.occurred_at <= v_now
    ) as known
    join app.trending_scores as s on s.post_id = known.post_id
    where s.active_at > p_since
  );
end
$$;
comment on function app.active_in_feed is 'Returns the distinct posts of a feed of the caller''s with activity after p_since, without a check of visibility. It reads the whole feed. For definer functions only, because it reads streams. Args: p_hub_id (null for the home feed); p_is_own (the home feed has sources of its own); p_since.';

create function app.posts_in_feed(p_hub_id uuid, p_is_own boolean, p_post_ids uuid[]) returns uuid[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_now timestamptz := app.now();
  v_source_ids uuid[];
  v_look integer;
  v_found uuid[];
  v_viral uuid[];
begin
  if p_hub_id is not null then
    return array(
      select placed.post_id
      from app.placements as placed
      where placed.hub_id = p_hub_id and placed.hub_id in (select mine.hub_id from app.my_hubs as mine)
        and placed.post_id = any (p_post_ids)
    );
  elsif not p_is_own then
    return array(
      select p.id
      from app.posts as p
      where p.id = any (p_post_ids) and p.is_public
        and p.author_id in (select d.user_id from app.default_feed_users as d)
    );
  end if;
  -- The caller's own stream has their posts.
  v_source_ids := array(select s.source_id from app.my_sources as s union select app.user_id());
  -- Reading two events costs about as much as probing one source, so posts with more events are probed by source.
  v_look := greatest(200, 2 * cardinality(v_source_ids));
  v_found := array(
    select distinct wanted.id
    from unnest(p_post_ids) as wanted (id)
    where exists (
      select
      from (
        select e.source_id from app.counted_events as e where e.post_id = wanted.id and e.occurred_at <= v_now limit v_look
      ) as event
      -- As an expression, the subquery is a hashed subplan; an array would be searched from its start for each event.
      where (event.source_id in (select source.id from unnest(v_source_ids) as source (id))) is true
    )
  );
  v_viral := array(
    select distinct wanted.id
    from unnest(p_post_ids) as wanted (id)
    -- Counts all events, which an index alone answers. A post with too few that count is probed as well, with the same result.
    where wanted.id <> all (v_found) and v_look = (
      select count(*) from (select from app.feed_events as e where e.post_id = wanted.id limit v_look) as event
    )
  );
  return v_found || array(
    select viral.id
    from unnest(v_viral) as viral (id)
    where exists (
      select
      from unnest(v_source_ids) as source (id)
      cross join lateral (
        select from app.counted_events as e
        where e.post_id = viral.id and e.source_id = source.id and e.occurred_at <= v_now
        limit 1
      ) as event
    )
  );
end
$$;
comment on function app.posts_in_feed is 'Returns the distinct posts of p_post_ids that are in a feed of the caller''s, without a check of visibility. For definer functions only, because it reads streams. Args: p_hub_id (null for the home feed); p_is_own (the home feed has sources of its own); p_post_ids.';

create function app.ranked_candidates(p_post_ids uuid[], p_after app.feed_position, p_lowest app.feed_candidate, p_limit integer)
returns app.feed_candidate[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    select (s.score, s.post_id, null)::app.feed_candidate
    from app.scores_at_page_one(p_post_ids, p_after) as s
    where (s.score, s.post_id) < (p_after.at, p_after.id)
      and (p_lowest.id is null or (s.score, s.post_id) >= (p_lowest.at, p_lowest.id))
    order by s.score desc, s.post_id desc
    limit p_limit
  );
end
$$;
comment on function app.ranked_candidates is 'Ranks posts by their trending score as of page one. Args: p_post_ids (distinct); p_after (cursor position); p_lowest (the last entry to return, null for no bound); p_limit.';

create function app.scores_at_page_one(p_post_ids uuid[], p_after app.feed_position)
returns table (post_id uuid, score timestamptz)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return query
  select wanted.id, case when former.is_former then former.score else s.score end
  from unnest(p_post_ids) as wanted (id)
  join app.trending_scores as s on s.post_id = wanted.id
  left join lateral (
    select true as is_former, c.former_score as score, c.former_active_at as active_at
    from app.score_changes as c
    where c.post_id = wanted.id and c.changed_by >= pg_snapshot_xmin(p_after.seen)
      and not pg_visible_in_snapshot(c.changed_by, p_after.seen)
    order by c.former_score nulls first
    limit 1
  ) as former on true
  where case when former.is_former then former.active_at else s.active_at end > p_after.began_at - app.trending_period();
end
$$;
comment on function app.scores_at_page_one is 'Returns the trending scores that posts had at page one of p_after. Scores only rise, so the lowest former score since page one is the score at page one. Returns no row for a post without activity in the seven days before page one.';
grant execute on function app.scores_at_page_one to anon, authenticated;
