create function api.list_saved_posts(jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_limit integer := app.page_size(p_args, 20, 50);
  v_from record := app.decode_cursor(p_args ->> 'cursor');
  v_page app.list_entry[];
begin
  perform app.require_level(2);
  v_page := array(
    select (s.saved_at, s.post_id)::app.list_entry
    from app.saved_posts as s
    join app.posts as p on p.id = s.post_id
    where s.user_id = app.user_id() and (s.saved_at, s.post_id) < (v_from.at, v_from.id)
    order by s.saved_at desc, s.post_id desc
    limit v_limit + 1
  );
  return jsonb_build_object(
    'items', app.listed_posts(array(select entry.id from unnest(v_page[:v_limit]) as entry)),
    'nextCursor', app.next_cursor(v_page, v_limit)
  );
end
$$;
comment on function api.list_saved_posts(jsonb) is 'GET /users/me/saved-posts (contract.md 7). Takes cursor, limit; answers items (cards), last saved first, and nextCursor. Raises UNAUTHORIZED, FORBIDDEN below level 2, VALIDATION_FAILED for a foreign cursor.';

revoke all on function api.list_saved_posts(jsonb) from public;
grant execute on function api.list_saved_posts(jsonb) to authenticated;
