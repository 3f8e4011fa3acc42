create function api.get_own_profile(jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  perform app.require_level(1);
  return app.own_profile();
end
$$;
comment on function api.get_own_profile(jsonb) is 'GET /users/me/profile (spec.md D). Takes nothing; answers the own profile. Raises UNAUTHORIZED.';

revoke all on function api.get_own_profile(jsonb) from public;
grant execute on function api.get_own_profile(jsonb) to authenticated;
