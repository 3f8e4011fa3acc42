create function api.get_hub_profile(jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  perform app.require_level(4);
  return app.hub_profile();
end
$$;
comment on function api.get_hub_profile(jsonb) is 'GET /users/me/hub-profile (spec.md D). Takes nothing; answers the private Hub identity. Raises UNAUTHORIZED, FORBIDDEN below level 4.';

revoke all on function api.get_hub_profile(jsonb) from public;
grant execute on function api.get_hub_profile(jsonb) to authenticated;
