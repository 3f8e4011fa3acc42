create function staff.lock_reports_of(p_target_id uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('report of ' || p_target_id, 0));
end
$$;
comment on function staff.lock_reports_of(uuid) is 'Lets nobody else of staff claim or close the reports of something until the transaction ends.';

revoke all on function staff.lock_reports_of(uuid) from public;
