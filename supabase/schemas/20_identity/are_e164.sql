create function app.are_e164(variadic p_numbers text[])
returns boolean
language sql
immutable
security invoker
set search_path = ''
begin atomic
  select bool_and(coalesce(number ~ '^\+[1-9][0-9]{6,14}$', false)) from unnest(p_numbers) as number;
end;
comment on function app.are_e164(text[]) is 'Whether each of these is a phone number in E.164 form; null where there is none of them.';

revoke all on function app.are_e164(text[]) from public;
grant execute on function app.are_e164(text[]) to authenticated;
