create function api.suspend_hub(jsonb)
returns jsonb
language sql
volatile
security invoker
set search_path = ''
begin atomic
  select staff.suspend_hub(($1 ->> 'hubId')::uuid, $1 ->> 'reason');
  select '{}'::jsonb;
end;
comment on function api.suspend_hub(jsonb) is 'POST /admin/hubs/{hubId}/suspend. staff.suspend_hub as an operation. Takes hubId, reason; answers {}. Raises UNAUTHORIZED and FORBIDDEN in the gateway, HUB_NOT_FOUND, REASON_MISSING.';

revoke all on function api.suspend_hub(jsonb) from public;
grant execute on function api.suspend_hub(jsonb) to staff_moderator;
