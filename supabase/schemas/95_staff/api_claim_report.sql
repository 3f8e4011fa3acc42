create function api.claim_report(jsonb)
returns jsonb
language sql
volatile
security invoker
set search_path = ''
begin atomic
  select staff.claim_report(($1 ->> 'reportId')::uuid);
  select '{}'::jsonb;
end;
comment on function api.claim_report(jsonb) is 'POST /admin/reports/{reportId}/claim. staff.claim_report as an operation. Takes reportId; answers {}. Raises UNAUTHORIZED and FORBIDDEN in the gateway, REPORT_NOT_FOUND, REPORT_CLAIMED.';

revoke all on function api.claim_report(jsonb) from public;
grant execute on function api.claim_report(jsonb) to staff_moderator;
