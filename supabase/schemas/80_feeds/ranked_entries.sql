create function app.ranked_entries(p_post_ids uuid[], p_place app.feed_place, p_lowest app.feed_entry, p_limit integer)
returns app.feed_entry[]
language plpgsql
stable
security invoker
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
begin
  return array(
    select (s.score, s.post_id, null)::app.feed_entry
    from app.scores_then(p_post_ids, p_place) as s
    where (s.score, s.post_id) < (p_place.at, p_place.id)
      and (p_lowest.id is null or (s.score, s.post_id) >= (p_lowest.at, p_lowest.id))
    order by s.score desc, s.post_id desc
    limit p_limit
  );
end
$$;
comment on function app.ranked_entries(uuid[], app.feed_place, app.feed_entry, integer) is 'Ranks posts by the trending score that they had when the walk began. Args: distinct posts; the place that they come behind; the last one that they may come to, null for none; how many.';

revoke all on function app.ranked_entries(uuid[], app.feed_place, app.feed_entry, integer) from public;
