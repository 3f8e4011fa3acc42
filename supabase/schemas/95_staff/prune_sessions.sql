create function staff.prune_sessions()
returns void
language sql
volatile
security definer
set search_path = ''
begin atomic
  delete from staff.sessions where expires_at <= app.now();
end;
comment on function staff.prune_sessions() is 'Upkeep: deletes staff sessions that have expired.';

revoke all on function staff.prune_sessions() from public;
grant execute on function staff.prune_sessions() to opine_worker;
grant usage on schema staff to opine_worker;
