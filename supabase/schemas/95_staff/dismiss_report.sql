create function staff.dismiss_report(p_report_id uuid, p_reason text)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  perform staff.settle_reports(staff.lock_report(p_report_id), 'dismiss_report', p_reason);
end
$$;
comment on function staff.dismiss_report(uuid, text) is 'Decides that a report, and all others of the same thing, need no more to be done. Raises REPORT_NOT_FOUND, REPORT_CLAIMED, REASON_MISSING.';

revoke all on function staff.dismiss_report(uuid, text) from public;
grant execute on function staff.dismiss_report(uuid, text) to staff_moderator;
