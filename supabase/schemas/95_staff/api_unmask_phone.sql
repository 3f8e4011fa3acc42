create function api.unmask_phone(jsonb)
returns jsonb
language sql
volatile
security invoker
set search_path = ''
begin atomic
  select jsonb_build_object('phoneNumber', staff.unmask_phone(($1 ->> 'userId')::uuid, $1 ->> 'reason'));
end;
comment on function api.unmask_phone(jsonb) is 'POST /admin/users/{userId}/unmask: staff.unmask_phone as an operation. Takes userId, reason; answers phoneNumber. Raises UNAUTHORIZED and FORBIDDEN in the gateway, USER_NOT_FOUND, REASON_MISSING.';

revoke all on function api.unmask_phone(jsonb) from public;
grant execute on function api.unmask_phone(jsonb) to staff_support;
