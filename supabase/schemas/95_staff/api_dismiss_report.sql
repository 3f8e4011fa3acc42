create function api.dismiss_report(jsonb)
returns jsonb
language sql
volatile
security invoker
set search_path = ''
begin atomic
  select staff.dismiss_report(($1 ->> 'reportId')::uuid, $1 ->> 'reason');
  select '{}'::jsonb;
end;
comment on function api.dismiss_report(jsonb) is 'POST /admin/reports/{reportId}/dismiss. staff.dismiss_report as an operation. Takes reportId, reason; answers {}. Raises UNAUTHORIZED and FORBIDDEN in the gateway, REPORT_NOT_FOUND, REPORT_CLAIMED, REASON_MISSING.';

revoke all on function api.dismiss_report(jsonb) from public;
grant execute on function api.dismiss_report(jsonb) to staff_moderator;
