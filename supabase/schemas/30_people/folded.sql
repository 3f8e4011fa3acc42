create function app.folded(p_text text)
returns text
language sql
immutable
security invoker
set search_path = ''
begin atomic
  select lower(regexp_replace(normalize(p_text, nfkd), '[\u0300-\u036f]', '', 'g'));
end;
comment on function app.folded(text) is 'A text as searches compare it: lower case, without accents.';

revoke all on function app.folded(text) from public;
grant execute on function app.folded(text) to anon, authenticated;
