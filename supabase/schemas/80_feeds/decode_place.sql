create function app.decode_place(p_cursor text)
returns app.feed_place
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_place app.feed_place;
begin
  select c.at, c.id into v_place.at, v_place.id from app.decode_cursor(left(p_cursor, 32)) as c;
  if p_cursor is null then
    v_place.began_at := app.now();
    v_place.seen := pg_current_snapshot();
    return v_place;
  end if;
  if char_length(p_cursor) > 4000 or substr(p_cursor, 33, 14) !~ '^[0-9a-f]{14}$' then
    perform app.refuse_cursor();
  end if;
  v_place.began_at := timestamptz 'epoch' + (('x00' || substr(p_cursor, 33, 14))::bit(64)::bigint || ' microseconds')::interval;
  if not pg_input_is_valid(translate(substr(p_cursor, 47), '._', ':,'), 'pg_catalog.pg_snapshot') then
    perform app.refuse_cursor();
  end if;
  v_place.seen := translate(substr(p_cursor, 47), '._', ':,');
  return v_place;
end
$$;
comment on function app.decode_place(text) is 'Where a page of a feed begins: what app.encode_place wrote, or the very top, now, for null. Raises VALIDATION_FAILED for anything else.';

revoke all on function app.decode_place(text) from public;
grant execute on function app.decode_place(text) to anon, authenticated;
