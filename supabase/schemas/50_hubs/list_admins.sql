create function api.list_admins(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
begin
  perform app.require_member((p_args ->> 'hubId')::uuid);
  return app.members_page(p_args, 'manager');
end
$$;
comment on function api.list_admins(jsonb) is 'GET /hubs/{hubId}/admins (spec.md G): admins and managers. Takes hubId, cursor, limit; answers items as list_members does. Raises UNAUTHORIZED, FORBIDDEN below level 4 and for outsiders, HUB_NOT_FOUND, VALIDATION_FAILED for a foreign cursor.';

revoke all on function api.list_admins(jsonb) from public;
grant execute on function api.list_admins(jsonb) to authenticated;
