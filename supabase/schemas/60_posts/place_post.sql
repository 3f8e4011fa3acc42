create function app.place_post(p_post_id uuid, p_hub_ids uuid[], p_kind app.placement_kind)
returns uuid[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_placed_in uuid[];
begin
  perform app.lock_own_memberships(p_hub_ids);
  -- Votes that do not see these placements wait for them (app.count_in_new_hubs).
  perform pg_advisory_xact_lock(app.placements_key(p_post_id));
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
