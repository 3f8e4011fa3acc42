create function staff.settle_reports(p_report staff.reports, p_action text, p_reason text)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_report_ids uuid[] := array(select r.id from staff.reports as r where r.target_id = p_report.target_id and r.state = 'open');
begin
  update app.reports as r set state = 'closed' where r.id = any (v_report_ids);
  delete from staff.claims as c where c.target_id = p_report.target_id;
  perform staff.note(p_action, p_reason, jsonb_build_object(
    'targetKind', p_report.target_kind, 'targetId', p_report.target_id, 'reportIds', to_jsonb(v_report_ids)
  ));
end
$$;
comment on function staff.settle_reports(staff.reports, text, text) is 'Closes a report that is locked, and all others of the same thing. Raises REASON_MISSING.';

revoke all on function staff.settle_reports(staff.reports, text, text) from public;
