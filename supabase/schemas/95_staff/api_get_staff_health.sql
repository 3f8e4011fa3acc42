create function api.get_staff_health(jsonb)
returns jsonb
language sql
stable
security invoker
set search_path = ''
begin atomic
  select staff.health();
end;
comment on function api.get_staff_health(jsonb) is 'GET /admin/health: staff.health as an operation. Takes nothing; answers counts and ages. Raises UNAUTHORIZED and FORBIDDEN in the gateway.';

revoke all on function api.get_staff_health(jsonb) from public;
grant execute on function api.get_staff_health(jsonb) to staff_support;
