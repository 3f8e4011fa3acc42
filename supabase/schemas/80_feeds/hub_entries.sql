create function app.hub_entries(p_hub_id uuid, p_place app.feed_place, p_limit integer)
returns app.feed_entry[]
language plpgsql
stable
security invoker
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
begin
  return array(
    select (entry.at, entry.id, 'shared_to_hub')::app.feed_entry
    from (
      (
        select placed.last_shared_at as at, placed.post_id as id
        from app.placements as placed
        join app.posts as p on p.id = placed.post_id
        where placed.hub_id = p_hub_id and (placed.last_shared_at, placed.post_id) < (p_place.at, p_place.id)
          and placed.last_shared_at <= p_place.began_at
        order by placed.last_shared_at desc, placed.post_id desc
        limit p_limit
      )
      union all
      -- Shared again since the first page: still where it was then.
      select former.at, placed.post_id
      from app.placements as placed
      join app.posts as p on p.id = placed.post_id
      cross join app.shared_then(p_hub_id, placed.post_id, p_place) as former (at)
      where placed.hub_id = p_hub_id and placed.last_shared_at > p_place.began_at
        and (former.at, placed.post_id) < (p_place.at, p_place.id)
    ) as entry
    order by entry.at desc, entry.id desc
    limit p_limit
  );
end
$$;
comment on function app.hub_entries(uuid, app.feed_place, integer) is 'The first posts behind p_place in a Hub of the caller''s, by when they were last placed or shared there before the walk began.';

revoke all on function app.hub_entries(uuid, app.feed_place, integer) from public;
grant execute on function app.hub_entries(uuid, app.feed_place, integer) to authenticated;
