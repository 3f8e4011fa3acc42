create function app.end_of_prefix(p_prefix text)
returns text
language sql
immutable
security invoker
set search_path = ''
begin atomic
  select p_prefix || chr(1114111);
end;
comment on function app.end_of_prefix(text) is 'A text behind which, in byte order, none comes that begins with p_prefix: where the range of an index ends.';

revoke all on function app.end_of_prefix(text) from public;
grant execute on function app.end_of_prefix(text) to authenticated;
