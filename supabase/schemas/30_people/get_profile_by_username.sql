create function api.get_profile_by_username(jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  p_args jsonb := app.admit($1);
  v_user_id uuid := (select p.user_id from app.profiles as p where p.username = p_args ->> 'username');
begin
  perform app.require_person(v_user_id);
  return app.public_profile(v_user_id);
end
$$;
comment on function api.get_profile_by_username(jsonb) is 'GET /users/by-username/{username} (spec.md D). Takes username; answers the public profile of whose it is now. Raises USER_NOT_FOUND, also for whom somebody has blocked.';

revoke all on function api.get_profile_by_username(jsonb) from public;
grant execute on function api.get_profile_by_username(jsonb) to anon, authenticated;
