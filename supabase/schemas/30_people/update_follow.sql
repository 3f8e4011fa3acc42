create function api.update_follow(jsonb)
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
  perform app.require_arguments(p_args, 'publicPostsMuted');
  update app.follows as f
  set is_muted = app.argument(p_args, 'publicPostsMuted', 'boolean')::boolean
  where f.follower_id = app.user_id()
    and f.followee_id = (p_args ->> 'userId')::uuid
    and exists (select from app.profiles as p where p.user_id = f.followee_id);
  if not found then
    raise exception using errcode = 'PT404', message = 'FOLLOW_NOT_FOUND';
  end if;
  return jsonb_build_object('publicPostsMuted', p_args -> 'publicPostsMuted');
end
$$;
comment on function api.update_follow(jsonb) is 'PATCH /users/{userId}/notification-settings (spec.md D). Takes userId and publicPostsMuted; answers publicPostsMuted. Raises UNAUTHORIZED, FORBIDDEN below level 2, FOLLOW_NOT_FOUND.';

revoke all on function api.update_follow(jsonb) from public;
grant execute on function api.update_follow(jsonb) to authenticated;
