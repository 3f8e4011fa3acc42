create function app.now()
returns timestamptz
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return pg_catalog.now() + coalesce((select c.shift from app.clock as c), interval '0');
end
$$;
comment on function app.now() is 'The clock of every rule: the transaction''s time, shifted by app.clock in tests and demos.';

revoke all on function app.now() from public;
grant execute on function app.now() to anon, authenticated;
