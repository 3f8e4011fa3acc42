create function app.first_entry(p_cursor text)
returns app.list_entry
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  if p_cursor is null then
    return ('-infinity'::timestamptz, '00000000-0000-0000-0000-000000000000'::uuid)::app.list_entry;
  end if;
  return (select (c.at, c.id)::app.list_entry from app.decode_cursor(p_cursor) as c);
end
$$;
comment on function app.first_entry(text) is 'Behind what a page of a list begins that has the oldest first: what app.encode_cursor wrote, or the very top for null. Raises VALIDATION_FAILED for anything else.';

revoke all on function app.first_entry(text) from public;
grant execute on function app.first_entry(text) to anon, authenticated;
