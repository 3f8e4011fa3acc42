create function api.list_notifications(jsonb)
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
  v_state app.inbox_state;
begin
  perform app.require_level(1);
  v_page := app.inbox_entries(
    coalesce(app.argument(p_args, 'unreadOnly', 'boolean')::boolean, false), (v_from.at, v_from.id)::app.list_entry, v_limit + 1
  );
  v_state := app.my_inbox_state();
  return jsonb_build_object(
    'items', app.inbox_items(v_page[:v_limit]),
    'nextCursor', app.next_cursor(v_page, v_limit),
    'unreadCount', v_state.unread_count,
    'inboxVersion', v_state.version
  );
end
$$;
comment on function api.list_notifications(jsonb) is 'GET /notifications (spec.md H, contract.md 9). Takes cursor, limit, unreadOnly; answers items, newest first, nextCursor, unreadCount and inboxVersion, all of one moment. Raises UNAUTHORIZED, VALIDATION_FAILED for a foreign cursor.';

revoke all on function api.list_notifications(jsonb) from public;
grant execute on function api.list_notifications(jsonb) to authenticated;
