create function api.remove_admin(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
begin
  perform app.put_role((p_args ->> 'hubId')::uuid, (p_args ->> 'userId')::uuid, 'member', 'MEMBER_NOT_FOUND');
  return jsonb_build_object('userId', (p_args ->> 'userId')::uuid, 'role', 'member');
end
$$;
comment on function api.remove_admin(jsonb) is 'DELETE /hubs/{hubId}/admins/{userId} (spec.md G): makes them a member like others. Takes hubId, userId; answers userId and role. Raises UNAUTHORIZED, FORBIDDEN below level 4 and for who is no admin, HUB_NOT_FOUND, MEMBER_NOT_FOUND, LAST_ADMIN.';

revoke all on function api.remove_admin(jsonb) from public;
grant execute on function api.remove_admin(jsonb) to authenticated;
