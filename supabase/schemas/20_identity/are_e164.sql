create function app.are_e164(variadic p_numbers text[])
returns boolean
language sql
immutable
security invoker
set search_path = ''
begin atomic
  select bool_and(number ~ '^\+[1-9][0-9]{6,14}$') from unnest(p_numbers) as number;
end;
comment on function app.are_e164(text[]) is 'Whether these are phone numbers in E.164 form; null where there is none.';

revoke all on function app.are_e164(text[]) from public;
grant execute on function app.are_e164(text[]) to authenticated;
