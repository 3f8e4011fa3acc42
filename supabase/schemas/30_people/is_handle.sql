create function app.is_handle(p_text text)
returns boolean
language sql
immutable
security invoker
set search_path = ''
begin atomic
  select p_text ~ '^[a-z0-9_]{3,30}$';
end;
comment on function app.is_handle(text) is 'Whether a text is a username in canonical form (spec.md "Identifiers").';

revoke all on function app.is_handle(text) from public;
grant execute on function app.is_handle(text) to authenticated;
