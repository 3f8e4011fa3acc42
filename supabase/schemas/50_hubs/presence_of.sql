create function app.presence_of(p_at timestamptz)
returns timestamptz
language sql
immutable
security invoker
set search_path = ''
begin atomic
  select date_bin(interval '5 minutes', p_at, timestamptz 'epoch');
end;
comment on function app.presence_of(timestamptz) is 'The five minutes that a time lies in, by when they begin.';

revoke all on function app.presence_of(timestamptz) from public;
