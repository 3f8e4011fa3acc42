create function api.create_hub(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_hub_id uuid := app.found_hub(
    app.name_argument(p_args, 'name'), app.text_argument(p_args, 'description'), app.text_argument(p_args, 'customLink'),
    (p_args ->> 'profileAssetId')::uuid
  );
begin
  perform app.require_member(v_hub_id);
  return app.hub_seen(v_hub_id);
end
$$;
comment on function api.create_hub(jsonb) is 'POST /hubs (spec.md G, contract.md 8). Takes name, description, profileAssetId, customLink; answers the Hub, whose admin the caller is. Raises UNAUTHORIZED, FORBIDDEN below level 4, CUSTOM_LINK_TAKEN, VALIDATION_FAILED for an asset that is no Hub photo of the caller''s.';

revoke all on function api.create_hub(jsonb) from public;
grant execute on function api.create_hub(jsonb) to authenticated;
