create function staff.settle_reports(p_report staff.reports, p_action text, p_reason text, p_outcome jsonb default '{}')
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform staff.note(
    p_action, p_reason,
    staff.target_of(p_report) || jsonb_build_object('reportIds', staff.close_reports_of(p_report.target_id)) || p_outcome
  );
end
$$;
comment on function staff.settle_reports(staff.reports, text, text, jsonb) is 'Closes a report that is locked, and all others of the same thing, and writes that down with what came of it. Raises REASON_MISSING.';

revoke all on function staff.settle_reports(staff.reports, text, text, jsonb) from public;
