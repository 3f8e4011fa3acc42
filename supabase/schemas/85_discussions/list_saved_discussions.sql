create function api.list_saved_discussions(jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_from record := app.decode_cursor(p_args ->> 'cursor');
  v_page app.list_entry[];
begin
  perform app.require_level(4);
  v_page := array(
    select (s.saved_at, s.discussion_id)::app.list_entry
    from app.saved_discussions as s
    join app.discussions as d on d.id = s.discussion_id
    where s.user_id = app.user_id() and (s.saved_at, s.discussion_id) < (v_from.at, v_from.id)
    order by s.saved_at desc, s.discussion_id desc
    limit v_limit + 1
  );
  return jsonb_build_object(
    'items', (
      select coalesce(jsonb_agg(app.saved_discussion(d) order by entry.place), '[]')
      from unnest(v_page[:v_limit]) with ordinality as entry (at, id, place)
      join app.discussions as d on d.id = entry.id
    ),
    'nextCursor', app.next_cursor(v_page, v_limit)
  );
end
$$;
comment on function api.list_saved_discussions(jsonb) is 'GET /users/me/saved-discussions (spec.md D, contract.md 8): those of the caller''s Hubs. Takes cursor, limit; answers items, last saved first, and nextCursor. Raises UNAUTHORIZED, FORBIDDEN below level 4, VALIDATION_FAILED for a foreign cursor.';

revoke all on function api.list_saved_discussions(jsonb) from public;
grant execute on function api.list_saved_discussions(jsonb) to authenticated;
