create function app.folded(p_text text)
returns text
language sql
immutable
security invoker
set search_path = ''
begin atomic
  select translate(
    replace(replace(replace(replace(
      lower(regexp_replace(normalize(p_text, nfkd), '[\u0300-\u036f]', '', 'g')), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    'łøđðħıŧ', 'loddhit'
  );
end;
comment on function app.folded(text) is 'A text as searches compare it: lower case, without accents, and in letters that every keyboard has where it is Latin.';

revoke all on function app.folded(text) from public;
grant execute on function app.folded(text) to anon, authenticated;
