create function gateway.beat()
returns void
language sql
volatile
security definer
set search_path = ''
begin atomic
  insert into gateway.heartbeat as h (beaten_at) values (app.now())
  on conflict (is_singleton) do update set beaten_at = excluded.beaten_at;
end;
comment on function gateway.beat() is 'Upkeep: says that the primary lives, for gateway.staleness.';

revoke all on function gateway.beat() from public;
grant execute on function gateway.beat() to opine_worker;
