create function api.requeue_dead_letter(jsonb)
returns jsonb
language sql
volatile
security invoker
set search_path = ''
begin atomic
  select staff.requeue_dead_letter(($1 ->> 'deadLetterId')::uuid);
  select '{}'::jsonb;
end;
comment on function api.requeue_dead_letter(jsonb) is 'POST /admin/dead-letters/{deadLetterId}/requeue. staff.requeue_dead_letter as an operation. Takes deadLetterId; answers {}. Raises UNAUTHORIZED and FORBIDDEN in the gateway, DEAD_LETTER_NOT_FOUND.';

revoke all on function api.requeue_dead_letter(jsonb) from public;
grant execute on function api.requeue_dead_letter(jsonb) to staff_admin;
