create function gateway.is_ready()
returns boolean
language sql
stable
security invoker
set search_path = ''
begin atomic
  select true;
end;
comment on function gateway.is_ready() is 'Answers where the database is up and its schema is there: what GET /readyz asks.';

revoke all on function gateway.is_ready() from public;
grant execute on function gateway.is_ready() to opine_gateway, opine_serializable;
