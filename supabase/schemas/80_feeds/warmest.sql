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
    select (ranked.trending_at, p.id, entry.kind)::app.feed_entry
    from app.trending_then(array(select e.id from unnest(p_entries) as e), p_place.seen) as ranked
    join app.posts as p on p.id = ranked.post_id
    join unnest(p_entries) as entry on entry.id = p.id
    where p.created_at <= p_place.began_at and (ranked.trending_at, p.id) < (p_place.at, p_place.id)
    order by ranked.trending_at desc, p.id desc
    limit p_limit
  );
end
$$;
comment on function app.warmest(app.feed_entry[], app.feed_place, integer) is 'The warmest of these posts behind p_place, as trending ordered them when the walk began.';

revoke all on function app.warmest(app.feed_entry[], app.feed_place, integer) from public;
grant execute on function app.warmest(app.feed_entry[], app.feed_place, integer) to anon, authenticated;
