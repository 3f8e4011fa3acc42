create function app.next_cursor(p_entries app.list_entry[], p_limit integer)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return case when cardinality(p_entries) > p_limit then app.encode_cursor(p_entries[p_limit].at, p_entries[p_limit].id) end;
end
$$;
comment on function app.next_cursor(app.list_entry[], integer) is 'Where the page behind this one begins, of which one entry more than p_limit was looked for; null where there is no more.';

revoke all on function app.next_cursor(app.list_entry[], integer) from public;
grant execute on function app.next_cursor(app.list_entry[], integer) to anon, authenticated;
