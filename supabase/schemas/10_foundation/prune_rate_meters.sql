create function app.prune_rate_meters()
returns void
language sql
volatile
security definer
set search_path = ''
begin atomic
  delete from app.rate_meters
  where (kind, subject) in (
    -- A use under way holds its meter, and has filled it anew.
    select m.kind, m.subject from app.rate_meters as m where m.empty_at <= app.now() for update skip locked
  );
end;
comment on function app.prune_rate_meters() is 'Upkeep: forgets meters that time has emptied, which say the same as none.';

revoke all on function app.prune_rate_meters() from public;
grant execute on function app.prune_rate_meters() to opine_worker;
