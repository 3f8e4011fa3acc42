create function api.get_profile(jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  p_args jsonb := app.admit($1);
begin
  perform app.require_person((p_args ->> 'userId')::uuid);
  return app.public_profile((p_args ->> 'userId')::uuid);
end
$$;
comment on function api.get_profile(jsonb) is 'GET /users/{userId}/profile (spec.md D). Takes userId; answers the public profile. Raises USER_NOT_FOUND, also for whom somebody has blocked.';

revoke all on function api.get_profile(jsonb) from public;
grant execute on function api.get_profile(jsonb) to anon, authenticated;
