create function api.remove_content(jsonb)
returns jsonb
language sql
volatile
security invoker
set search_path = ''
begin atomic
  select staff.remove_content(($1 ->> 'reportId')::uuid, $1 ->> 'reason');
  select '{}'::jsonb;
end;
comment on function api.remove_content(jsonb) is 'POST /admin/reports/{reportId}/remove. staff.remove_content as an operation. Takes reportId, reason; answers {}. Raises UNAUTHORIZED and FORBIDDEN in the gateway, REPORT_NOT_FOUND, REPORT_CLAIMED, REPORT_NOT_OF_CONTENT, REASON_MISSING.';

revoke all on function api.remove_content(jsonb) from public;
grant execute on function api.remove_content(jsonb) to staff_moderator;
