create function app.last_word(p_text text)
returns text
language sql
immutable
security invoker
set search_path = ''
begin atomic
  select regexp_replace(p_text, '^.*\s', '');
end;
comment on function app.last_word(text) is 'What follows the last white space of a text, mostly a family name; the whole text where there is none.';

revoke all on function app.last_word(text) from public;
grant execute on function app.last_word(text) to anon, authenticated;
