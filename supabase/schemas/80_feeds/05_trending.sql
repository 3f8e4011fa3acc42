create function app.trending_entries(p_hub_id uuid, p_is_own boolean, p_after app.feed_position, p_limit integer)
returns app.feed_entry[]
language plpgsql
stable
set search_path = ''
as $$
declare
  v_place app.feed_position := p_after;
  v_size integer := p_limit;
  v_batch app.feed_entry[];
  v_found app.feed_entry[] := '{}'::app.feed_entry[];
begin
  while v_place.part = 'active' and cardinality(v_found) < p_limit loop
    v_batch := app.active_entries(p_hub_id, p_is_own, v_place, p_limit);
    v_found := v_found || array(
      select (entry.at, entry.id, entry.kind)::app.feed_entry
      from unnest(v_batch) with ordinality as entry (at, id, kind, place)
      join app.posts as p on p.id = entry.id
      order by entry.place
    );
    if cardinality(v_batch) = p_limit then
      v_place.at := v_batch[p_limit].at;
      v_place.id := v_batch[p_limit].id;
    else
      v_place.part := 'quiet';
      v_place.at := v_place.began_at;
      v_place.id := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
    end if;
  end loop;
  while cardinality(v_found) < p_limit loop
    v_batch := app.recent_entries(p_hub_id, p_is_own, v_place, v_size);
    v_found := v_found || array(
      select (entry.at, entry.id, entry.kind)::app.feed_entry
      from unnest(v_batch) with ordinality as entry (at, id, kind, place)
      where entry.id not in (
        select s.post_id from app.scores_then(array(select batch.id from unnest(v_batch) as batch), v_place) as s
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
comment on function app.trending_entries is 'The first posts behind p_after of a trending feed of the caller''s, all as of the beginning of the walk: those with activity in the seven days before, by trending score (their kind is null), then the others in the order of the recent feed. Args: the Hub, null for the home feed; whether the home feed has sources; the place; how many.';
grant execute on function app.trending_entries to anon, authenticated;

create function app.active_entries(p_hub_id uuid, p_is_own boolean, p_after app.feed_position, p_limit integer)
returns app.feed_entry[]
language plpgsql
stable
security definer
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
declare
  v_since timestamptz := p_after.began_at - interval '7 days';
  v_changed uuid[];
  v_change_count bigint;
  v_looked app.feed_entry[];
  v_lowest app.feed_entry;
  v_found app.feed_entry[];
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
      select (s.score, s.post_id, null)::app.feed_entry
      from app.trending_scores as s
      where (s.score, s.post_id) < (p_after.at, p_after.id) and s.score > v_since
      order by s.score desc, s.post_id desc
      limit v_size
    );
    -- Below the last one looked at, others may come between.
    v_lowest := case when cardinality(v_looked) = v_size then v_looked[v_size] end;
    v_found := app.ranked_entries(
      app.posts_in_feed(p_hub_id, p_is_own, array(select looked.id from unnest(v_looked) as looked) || v_changed),
      p_after, v_lowest, p_limit
    );
    if cardinality(v_found) = p_limit or cardinality(v_looked) < v_size then
      return v_found;
    end if;
  end loop;
  return app.ranked_entries(app.active_in_feed(p_hub_id, p_is_own, v_since), p_after, null, p_limit);
end
$$;
comment on function app.active_entries is 'The first posts behind p_after of a feed of the caller''s that had activity in the seven days before the walk began, by the trending score of then. Looks down the scores of all posts for those in the feed; where they are too rare, ranks the feed as a whole instead. Reads scores and streams, which no policy shows: the posts are for the caller to read under theirs. Args: the Hub, null for the home feed; whether the home feed has sources; the place; how many.';
grant execute on function app.active_entries to anon, authenticated;

create function app.active_in_feed(p_hub_id uuid, p_is_own boolean, p_since timestamptz)
returns uuid[]
language plpgsql
stable
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
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
comment on function app.active_in_feed is 'The posts of a feed of the caller''s that had activity after a time, each once, whether or not policies show them. Reads the feed as a whole. For definer functions, as it reads streams. Args: the Hub, null for the home feed; whether the home feed has sources; the time.';

create function app.posts_in_feed(p_hub_id uuid, p_is_own boolean, p_post_ids uuid[])
returns uuid[]
language plpgsql
stable
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
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
  -- The own stream for what the caller published.
  v_source_ids := array(select s.source_id from app.my_sources as s union select app.user_id());
  -- To look at two events costs about as much as to probe one source: where a post has more, its sources are probed.
  v_look := greatest(200, 2 * cardinality(v_source_ids));
  v_found := array(
    select distinct wanted.id
    from unnest(p_post_ids) as wanted (id)
    where exists (
      select
      from (
        select e.source_id from app.counted_events as e where e.post_id = wanted.id and e.occurred_at <= v_now limit v_look
      ) as event
      -- As an expression it is looked up in a hash; an array would be searched from its start for each event.
      where (event.source_id in (select source.id from unnest(v_source_ids) as source (id))) is true
    )
  );
  v_viral := array(
    select distinct wanted.id
    from unnest(p_post_ids) as wanted (id)
    where wanted.id <> all (v_found) and v_look = (
      select count(*)
      from (select from app.counted_events as e where e.post_id = wanted.id and e.occurred_at <= v_now limit v_look) as event
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
comment on function app.posts_in_feed is 'Which posts are in a feed of the caller''s, each once, whether or not policies show them. For definer functions, as it reads streams. Args: the Hub, null for the home feed; whether the home feed has sources; the posts.';

create function app.ranked_entries(p_post_ids uuid[], p_after app.feed_position, p_lowest app.feed_entry, p_limit integer)
returns app.feed_entry[]
language plpgsql
stable
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
begin
  return array(
    select (s.score, s.post_id, null)::app.feed_entry
    from app.scores_then(p_post_ids, p_after) as s
    where (s.score, s.post_id) < (p_after.at, p_after.id)
      and (p_lowest.id is null or (s.score, s.post_id) >= (p_lowest.at, p_lowest.id))
    order by s.score desc, s.post_id desc
    limit p_limit
  );
end
$$;
comment on function app.ranked_entries is 'Ranks posts by the trending score that they had when the walk began. Args: distinct posts; the place that they come behind; the last one that they may come to, null for none; how many.';

create function app.scores_then(p_post_ids uuid[], p_after app.feed_position)
returns table (post_id uuid, score timestamptz)
language plpgsql
stable
security definer
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
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
  where case when former.is_former then former.active_at else s.active_at end > p_after.began_at - interval '7 days';
end
$$;
comment on function app.scores_then is 'The trending scores that posts had when the walk of p_after began. Scores only rise, so the lowest former score since is that one. Args: posts that the caller may see; the place. Returns no row for a post without activity in the seven days before the walk.';
grant execute on function app.scores_then to anon, authenticated;
