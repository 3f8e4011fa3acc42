create function app.hub_entries(p_hub_id uuid, p_since timestamptz, p_place app.feed_place, p_limit integer)
returns app.feed_entry[]
language plpgsql
stable
security invoker
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
begin
  return array(
    select (
      placed.placed_at, placed.post_id, case placed.kind when 'targeted' then 'targeted' else 'shared_to_hub' end
    )::app.feed_entry
    from app.placements as placed
    join app.posts as p on p.id = placed.post_id
    where placed.hub_id = p_hub_id and (placed.placed_at, placed.post_id) < (p_place.at, p_place.id) and placed.placed_at > p_since
    order by placed.placed_at desc, placed.post_id desc
    limit p_limit
  );
end
$$;
comment on function app.hub_entries(uuid, timestamptz, app.feed_place, integer) is 'The first posts behind p_place, and after p_since, in a Hub of the caller''s, by when they were placed there.';

revoke all on function app.hub_entries(uuid, timestamptz, app.feed_place, integer) from public;
grant execute on function app.hub_entries(uuid, timestamptz, app.feed_place, integer) to authenticated;
