create function api.stream_notifications(jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_state app.inbox_state;
begin
  perform app.require_level(1);
  v_state := app.my_inbox_state();
  return jsonb_build_object('unreadCount', v_state.unread_count, 'inboxVersion', v_state.version);
end
$$;
comment on function api.stream_notifications(jsonb) is 'GET /notifications/stream (spec.md H, contract.md 9), before the stream is opened: answers unreadCount and inboxVersion, which it tells first. Raises UNAUTHORIZED.';

revoke all on function api.stream_notifications(jsonb) from public;
grant execute on function api.stream_notifications(jsonb) to authenticated;
