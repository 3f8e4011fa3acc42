create function app.prune_rate_meters()
returns void
language sql
volatile
security definer
set search_path = ''
begin atomic
  delete from app.rate_meters where empty_at <= app.now();
end;
comment on function app.prune_rate_meters() is 'Upkeep: forgets meters that time has emptied, which say the same as none.';

revoke all on function app.prune_rate_meters() from public;
grant execute on function app.prune_rate_meters() to opine_worker;
