create function api.unfollow_user(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(2);
  perform app.require_person((p_args ->> 'userId')::uuid);
  delete from app.follows as f where f.follower_id = app.user_id() and f.followee_id = (p_args ->> 'userId')::uuid;
  return '{"following": false}'::jsonb;
end
$$;
comment on function api.unfollow_user(jsonb) is 'DELETE /users/{userId}/follow (spec.md D). Takes userId; answers following, also where there was no follow. Raises UNAUTHORIZED, FORBIDDEN below level 2, USER_NOT_FOUND.';

revoke all on function api.unfollow_user(jsonb) from public;
grant execute on function api.unfollow_user(jsonb) to authenticated;
