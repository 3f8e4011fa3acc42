create function staff.release_report(p_report_id uuid)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_report staff.reports := staff.lock_report(p_report_id);
begin
  delete from staff.claims as c where c.target_id = v_report.target_id;
  if found then
    perform staff.audit(staff.actor(), 'release_report', staff.target_of(v_report));
  end if;
end
$$;
comment on function staff.release_report(uuid) is 'Leaves a report, and all others of the same thing, to whoever comes. Raises REPORT_NOT_FOUND, REPORT_CLAIMED where another has it.';

revoke all on function staff.release_report(uuid) from public;
grant execute on function staff.release_report(uuid) to staff_moderator;
