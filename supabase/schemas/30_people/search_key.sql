create function app.search_key(p_query text)
returns text
language sql
immutable
security invoker
set search_path = ''
begin atomic
  select regexp_replace(app.folded(btrim(p_query)), '^@', '');
end;
comment on function app.search_key(text) is 'What somebody typed, as usernames and names are searched by it.';

revoke all on function app.search_key(text) from public;
grant execute on function app.search_key(text) to anon, authenticated;
