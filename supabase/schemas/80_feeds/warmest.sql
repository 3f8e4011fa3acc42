create function app.warmest(p_entries app.feed_entry[], p_place app.feed_place, p_limit integer)
returns app.feed_entry[]
language plpgsql
stable
security invoker
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
begin
  return array(
    select (ranked.at, ranked.id, ranked.kind)::app.feed_entry
    from (
      select
        p.id, entry.kind,
        least(p.trending_at, (
          select min(w.trending_before)
          from app.warmings as w
          where w.post_id = p.id and not pg_visible_in_snapshot(w.warmed_by, p_place.seen)
        )) as at
      from unnest(p_entries) as entry
      join app.posts as p on p.id = entry.id
      where p.created_at <= p_place.began_at
    ) as ranked
    where (ranked.at, ranked.id) < (p_place.at, p_place.id)
    order by ranked.at desc, ranked.id desc
    limit p_limit
  );
end
$$;
comment on function app.warmest(app.feed_entry[], app.feed_place, integer) is 'The warmest of these posts behind p_place, as trending ordered them when the walk began: posts only get warmer.';

revoke all on function app.warmest(app.feed_entry[], app.feed_place, integer) from public;
grant execute on function app.warmest(app.feed_entry[], app.feed_place, integer) to anon, authenticated;
