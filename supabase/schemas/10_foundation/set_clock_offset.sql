create function app.set_clock_offset(p_offset interval)
returns timestamptz
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  if to_regclass('embedded.stack') is null then
    raise exception 'The clock is shifted only in a database that the embedded stack made.';
  end if;
  insert into app.clock as c (shift) values (p_offset)
  on conflict (is_singleton) do update set shift = excluded.shift;
  return app.now();
end
$$;
comment on function app.set_clock_offset(interval) is 'Shifts app.now() by p_offset for everybody and answers the new time (contract.md 10). For a superuser of the embedded stack; refuses in any other database.';

revoke all on function app.set_clock_offset(interval) from public;
