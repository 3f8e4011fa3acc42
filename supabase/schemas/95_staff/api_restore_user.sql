create function api.restore_user(jsonb)
returns jsonb
language sql
volatile
security invoker
set search_path = ''
begin atomic
  select staff.restore_user(($1 ->> 'userId')::uuid, $1 ->> 'reason');
  select '{}'::jsonb;
end;
comment on function api.restore_user(jsonb) is 'POST /admin/users/{userId}/restore. staff.restore_user as an operation. Takes userId, reason; answers {}. Raises UNAUTHORIZED and FORBIDDEN in the gateway, USER_NOT_FOUND, REASON_MISSING.';

revoke all on function api.restore_user(jsonb) from public;
grant execute on function api.restore_user(jsonb) to staff_moderator;
