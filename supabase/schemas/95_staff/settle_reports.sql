create function staff.settle_reports(p_report staff.reports, p_action text, p_reason text)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform staff.note(p_action, p_reason, jsonb_build_object(
    'targetKind', p_report.target_kind, 'targetId', p_report.target_id, 'reportIds', staff.close_reports_of(p_report.target_id)
  ));
end
$$;
comment on function staff.settle_reports(staff.reports, text, text) is 'Closes a report that is locked, and all others of the same thing. Raises REASON_MISSING.';

revoke all on function staff.settle_reports(staff.reports, text, text) from public;
