create function staff.close_reports_of(p_target_id uuid)
returns uuid[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_report_ids uuid[];
begin
  perform staff.lock_reports_of(p_target_id);
  with closed as (
    update app.reports as r set state = 'closed' where r.target_id = p_target_id and r.state = 'open' returning r.id
  )
  select coalesce(array_agg(c.id order by c.id), '{}') into v_report_ids from closed as c;
  delete from staff.claims as c where c.target_id = p_target_id;
  return v_report_ids;
end
$$;
comment on function staff.close_reports_of(uuid) is 'Closes all reports of something about which staff has decided, whoever had claimed them. Answers which those were.';

revoke all on function staff.close_reports_of(uuid) from public;
