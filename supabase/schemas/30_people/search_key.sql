create function app.search_key(p_query text)
returns text
language plpgsql
immutable
security invoker
set search_path = ''
as $$
declare
  v_key text := regexp_replace(app.folded(btrim(p_query)), '^@', '');
begin
  -- ASCII that no username has: nobody is called by that alone.
  return case when v_key ~ '^[ -/:-@\[-^`{-~]*$' then '' else v_key end;
end
$$;
comment on function app.search_key(text) is 'What somebody typed, as usernames and names are searched by it; empty where there is nothing in it to be called by.';

revoke all on function app.search_key(text) from public;
grant execute on function app.search_key(text) to anon, authenticated;
