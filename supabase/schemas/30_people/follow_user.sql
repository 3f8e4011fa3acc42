create function api.follow_user(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_followee_id uuid := (p_args ->> 'userId')::uuid;
begin
  perform app.require_level(2);
  perform app.lock_pair(app.user_id(), v_followee_id);
  perform app.require_person(v_followee_id);
  perform app.put_follow(v_followee_id);
  return '{"following": true}'::jsonb;
end
$$;
comment on function api.follow_user(jsonb) is 'POST /users/{userId}/follow (spec.md D). Takes userId; answers following. Raises UNAUTHORIZED, USER_NOT_FOUND, FORBIDDEN below level 2 and for whom the caller blocks, CANNOT_FOLLOW_SELF by follows_are_of_others, ALREADY_FOLLOWING by follows_pkey.';

revoke all on function api.follow_user(jsonb) from public;
grant execute on function api.follow_user(jsonb) to authenticated;
