create function app.most_attempts()
returns integer
language plpgsql
immutable
security invoker
set search_path = ''
as $$
begin
  return 10;
end
$$;
comment on function app.most_attempts() is 'How often the stream or a device is tried before staff has to look: for about an hour.';

revoke all on function app.most_attempts() from public;
