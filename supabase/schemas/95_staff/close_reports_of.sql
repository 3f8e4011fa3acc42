create function staff.close_reports_of(p_target_id uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  update app.reports as r set state = 'closed' where p_target_id in (r.user_id, r.hub_id) and r.state = 'open';
  delete from staff.claims as c where c.target_id = p_target_id;
end
$$;
comment on function staff.close_reports_of(uuid) is 'Closes all reports of a person or a Hub about whom staff has decided.';

revoke all on function staff.close_reports_of(uuid) from public;
