create function app.hub_reasons(p_hub_id uuid, p_entries app.feed_entry[])
returns text[]
language plpgsql
stable
security invoker
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
begin
  return array(
    select case placed.kind when 'targeted' then 'joined_hub_post' else 'shared_to_hub' end
    from unnest(p_entries) with ordinality as entry (at, id, kind, place)
    left join app.placements as placed on placed.post_id = entry.id and placed.hub_id = p_hub_id
    order by entry.place
  );
end
$$;
comment on function app.hub_reasons(uuid, app.feed_entry[]) is 'Why posts are in the feed of a Hub of the caller''s (feedContext), in their order: as a target or as an onward share.';

revoke all on function app.hub_reasons(uuid, app.feed_entry[]) from public;
grant execute on function app.hub_reasons(uuid, app.feed_entry[]) to authenticated;
