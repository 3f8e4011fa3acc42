create function api.update_hub(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
begin
  perform app.hold_member(v_hub_id, 'admin');
  perform app.require_any_argument(p_args, 'name', 'description', 'profileAssetId');
  update app.hubs as h
  set name = coalesce(app.name_argument(p_args, 'name'), h.name),
    description = case when p_args ? 'description' then coalesce(app.text_argument(p_args, 'description'), '') else h.description end
  where h.id = v_hub_id;
  if p_args ? 'profileAssetId' then
    perform app.put_hub_photo(v_hub_id, (p_args ->> 'profileAssetId')::uuid);
  end if;
  return app.hub_seen(v_hub_id);
end
$$;
comment on function api.update_hub(jsonb) is 'PATCH /hubs/{hubId} (spec.md G, contract.md 8). Takes hubId and name, description or profileAssetId; null clears the last two. Answers the Hub. Raises UNAUTHORIZED, FORBIDDEN below level 4 and for outsiders, HUB_NOT_FOUND, FORBIDDEN for who is no admin, VALIDATION_FAILED for an asset that is no Hub photo of the caller''s.';

revoke all on function api.update_hub(jsonb) from public;
grant execute on function api.update_hub(jsonb) to authenticated;
