create function api.remove_member(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
begin
  perform app.remove_member((p_args ->> 'hubId')::uuid, (p_args ->> 'userId')::uuid);
  return '{}'::jsonb;
end
$$;
comment on function api.remove_member(jsonb) is 'POST /hubs/{hubId}/members/{userId}/remove (spec.md G). Takes hubId, userId; answers {}. Raises UNAUTHORIZED, FORBIDDEN below level 4 and for who is no admin, HUB_NOT_FOUND, MEMBER_NOT_FOUND, LAST_ADMIN.';

revoke all on function api.remove_member(jsonb) from public;
grant execute on function api.remove_member(jsonb) to authenticated;
