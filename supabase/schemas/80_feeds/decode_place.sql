create function app.decode_place(p_cursor text, p_feed text, p_sort text default 'recent')
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
  v_place.feed := left(md5(p_feed), 8);
  if p_cursor is null then
    v_place.began_at := app.now();
    v_place.seen := pg_current_snapshot();
    v_place.part := case p_sort when 'trending' then 'active' else 'recent' end;
    return v_place;
  end if;
  v_place.part := case p_sort || ' ' || substr(p_cursor, 47, 1)
    when 'recent r' then 'recent' when 'trending a' then 'active' when 'trending q' then 'quiet'
  end;
  if char_length(p_cursor) > 4000 or substr(p_cursor, 33, 14) !~ '^[0-9a-f]{14}$'
    or v_place.part is null or substr(p_cursor, 48, 8) <> v_place.feed then
    perform app.refuse_cursor();
  end if;
  v_place.began_at := timestamptz 'epoch' + (('x00' || substr(p_cursor, 33, 14))::bit(64)::bigint || ' microseconds')::interval;
  if not pg_input_is_valid(translate(substr(p_cursor, 56), '._', ':,'), 'pg_catalog.pg_snapshot') then
    perform app.refuse_cursor();
  end if;
  v_place.seen := translate(substr(p_cursor, 56), '._', ':,')::pg_snapshot;
  return v_place;
end
$$;
comment on function app.decode_place(text, text, text) is 'Where a page of a feed begins. Args: a cursor of app.encode_place, null for the first page; which feed it is to be of (home, or the id of a Hub or of a profile''s owner); its sort. Errors: VALIDATION_FAILED for anything else, also for a cursor of another feed or sort.';

revoke all on function app.decode_place(text, text, text) from public;
grant execute on function app.decode_place(text, text, text) to anon, authenticated;
