create function app.place_post(p_post_id uuid, p_hub_ids uuid[], p_kind app.placement_kind)
returns uuid[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_hub_id uuid;
  v_placed_in uuid[];
begin
  if not p_hub_ids <@ array(select mine.hub_id from app.my_hubs as mine) then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  for v_hub_id in select target.id from unnest(p_hub_ids) as target (id) order by target.id loop
    perform app.hold_member(v_hub_id);
  end loop;
  with placed as (
    insert into app.placements (post_id, hub_id, kind, placed_by)
    select (app.require_post(p_post_id)).id, target.id, p_kind, app.user_id()
    from unnest(p_hub_ids) as target (id)
    order by target.id
    on conflict (post_id, hub_id) do nothing
    returning hub_id
  )
  select array_agg(placed.hub_id) into v_placed_in from placed;
  return v_placed_in;
end
$$;
comment on function app.place_post(uuid, uuid[], app.placement_kind) is 'Places a post that the caller may see in Hubs of theirs, and answers those in which it was not before. Raises what app.hold_member does; POST_NOT_FOUND; and FORBIDDEN for a Hub that the caller is no active member of.';

revoke all on function app.place_post(uuid, uuid[], app.placement_kind) from public;
grant execute on function app.place_post(uuid, uuid[], app.placement_kind) to authenticated;
