create function app.active_entries(p_hub_id uuid, p_is_own boolean, p_place app.feed_place, p_limit integer)
returns app.feed_entry[]
language plpgsql
stable
security definer
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
declare
  v_since timestamptz := p_place.began_at - interval '7 days';
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
      where c.changed_by >= pg_snapshot_xmin(p_place.seen) and not pg_visible_in_snapshot(c.changed_by, p_place.seen)
      order by c.changed_by
      limit 10 * v_size
    ) as c;
    continue when cardinality(v_changed) > v_size or v_change_count = 10 * v_size;
    v_looked := array(
      select (s.score, s.post_id, null)::app.feed_entry
      from app.trending_scores as s
      where (s.score, s.post_id) < (p_place.at, p_place.id) and s.score > v_since
      order by s.score desc, s.post_id desc
      limit v_size
    );
    -- Below the last one looked at, others may come between.
    v_lowest := case when cardinality(v_looked) = v_size then v_looked[v_size] end;
    v_found := app.ranked_entries(
      app.posts_in_feed(p_hub_id, p_is_own, array(select looked.id from unnest(v_looked) as looked) || v_changed),
      p_place, v_lowest, p_limit
    );
    if cardinality(v_found) = p_limit or cardinality(v_looked) < v_size then
      return v_found;
    end if;
  end loop;
  return app.ranked_entries(app.active_in_feed(p_hub_id, p_is_own, v_since), p_place, null, p_limit);
end
$$;
comment on function app.active_entries(uuid, boolean, app.feed_place, integer) is 'The first posts behind p_place of a feed of the caller''s that had activity in the seven days before the walk began, by the trending score of then. Looks down the scores of all posts for those in the feed; where they are too rare, ranks the feed as a whole instead. Reads scores and streams, which no policy shows: the posts are for the caller to read under theirs. Args: the Hub, null for the home feed; whether the home feed has sources; the place; how many.';

revoke all on function app.active_entries(uuid, boolean, app.feed_place, integer) from public;
grant execute on function app.active_entries(uuid, boolean, app.feed_place, integer) to anon, authenticated;
