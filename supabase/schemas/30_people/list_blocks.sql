create function api.list_blocks(jsonb)
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
  perform app.require_level(1);
  v_page := array(
    select (b.created_at, b.blocked_id)::app.list_entry
    from app.blocks as b
    join app.profiles as p on p.user_id = b.blocked_id
    where b.blocker_id = app.user_id() and (b.created_at, b.blocked_id) < (v_from.at, v_from.id)
    order by b.created_at desc, b.blocked_id desc
    limit v_limit + 1
  );
  return jsonb_build_object(
    'items', (
      select coalesce(jsonb_agg(
        app.user_lite(p) || jsonb_build_object('blockedAt', app.iso(entry.at)) order by entry.place
      ), '[]')
      from unnest(v_page[:v_limit]) with ordinality as entry (at, id, place)
      join app.profiles as p on p.user_id = entry.id
    ),
    'nextCursor', app.next_cursor(v_page, v_limit)
  );
end
$$;
comment on function api.list_blocks(jsonb) is 'GET /users/me/blocks (docs/decisions/015-own-data.md): whom the caller blocks. Takes cursor, limit; answers items (UserLite and blockedAt), newest first, and nextCursor. Raises UNAUTHORIZED, VALIDATION_FAILED for a foreign cursor.';

revoke all on function api.list_blocks(jsonb) from public;
grant execute on function api.list_blocks(jsonb) to authenticated;
