create function app.push_lease()
returns interval
language plpgsql
immutable
security invoker
set search_path = ''
as $$
begin
  return interval '2 minutes';
end
$$;
comment on function app.push_lease() is 'For how long what a worker has taken to send is left to it: longer than it tries.';

revoke all on function app.push_lease() from public;
