create function api.add_admin(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_role app.hub_role := coalesce(app.choice_argument(p_args, 'role', 'admin', 'manager'), 'admin')::app.hub_role;
begin
  perform app.require_level(4);
  perform app.require_arguments(p_args, 'userId');
  perform app.put_role((p_args ->> 'hubId')::uuid, (p_args ->> 'userId')::uuid, v_role);
  return jsonb_build_object('userId', (p_args ->> 'userId')::uuid, 'role', v_role);
end
$$;
comment on function api.add_admin(jsonb) is 'POST /hubs/{hubId}/admins (spec.md G, contract.md 8). Takes hubId, userId and role, admin or manager; answers userId and role. Raises UNAUTHORIZED, FORBIDDEN below level 4 and for outsiders, HUB_NOT_FOUND, FORBIDDEN for who is no admin, MEMBER_NOT_FOUND, LAST_ADMIN.';

revoke all on function api.add_admin(jsonb) from public;
grant execute on function api.add_admin(jsonb) to authenticated;
