create function staff.lock_report(p_report_id uuid)
returns staff.reports
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_report staff.reports;
begin
  select * into v_report from staff.reports as r where r.id = p_report_id and r.state = 'open';
  if v_report.id is null then
    raise exception using errcode = 'PT404', message = 'REPORT_NOT_FOUND';
  end if;
  perform staff.lock_reports_of(v_report.target_id);
  if not exists (select from app.reports as r where r.id = p_report_id and r.state = 'open') then
    raise exception using errcode = 'PT404', message = 'REPORT_NOT_FOUND';
  end if;
  if staff.claimed_by(v_report.target_id) <> staff.actor() then
    raise exception using errcode = 'PT409', message = 'REPORT_CLAIMED';
  end if;
  return v_report;
end
$$;
comment on function staff.lock_report(uuid) is 'An open report that no other member of staff has claimed, of whose target nobody else decides until the transaction ends. Raises REPORT_NOT_FOUND, REPORT_CLAIMED.';

revoke all on function staff.lock_report(uuid) from public;
