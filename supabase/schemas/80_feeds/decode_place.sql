create function app.decode_place(p_cursor text)
returns app.feed_place
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_began text := substr(p_cursor, 33);
begin
  if p_cursor is not null and v_began !~ '^[0-9a-f]{14}$' then
    perform app.refuse_cursor();
  end if;
  return (
    select (
      c.at, c.id,
      coalesce(timestamptz 'epoch' + ((('x' || lpad(v_began, 16, '0'))::bit(64)::bigint) || ' microseconds')::interval, app.now())
    )::app.feed_place
    from app.decode_cursor(left(p_cursor, 32)) as c
  );
end
$$;
comment on function app.decode_place(text) is 'Where a page of a feed begins: what app.encode_place wrote, or the very top for null. Raises VALIDATION_FAILED for anything else.';

revoke all on function app.decode_place(text) from public;
grant execute on function app.decode_place(text) to anon, authenticated;
