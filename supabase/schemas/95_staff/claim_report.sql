create function staff.claim_report(p_report_id uuid)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_report staff.reports := staff.lock_report(p_report_id);
begin
  insert into staff.claims (target_id, claimed_by) values (v_report.target_id, staff.actor())
  on conflict (target_id) do update set claimed_by = excluded.claimed_by, claimed_at = app.now();
  perform staff.audit(staff.actor(), 'claim_report', staff.target_of(v_report));
end
$$;
comment on function staff.claim_report(uuid) is 'Says that the member of staff at work looks into a report and all others of the same thing, for an hour. Raises REPORT_NOT_FOUND, REPORT_CLAIMED.';

revoke all on function staff.claim_report(uuid) from public;
grant execute on function staff.claim_report(uuid) to staff_moderator;
