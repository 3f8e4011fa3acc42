create function api.mark_notifications_read(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_id uuid := (p_args ->> 'notificationId')::uuid;
  v_updated bigint;
begin
  perform app.require_level(1);
  if (v_id is not null) = (p_args -> 'all' is not distinct from 'true') then
    perform app.refuse_argument('{}', 'invalid_union', 'Either notificationId or all is to be given.');
  end if;
  if v_id is not null then
    perform app.require_notification(v_id);
  end if;
  v_updated := app.mark_read(v_id);
  return jsonb_build_object('updated', v_updated, 'unreadCount', (app.my_inbox_state()).unread_count);
end
$$;
comment on function api.mark_notifications_read(jsonb) is 'PATCH /notifications/read (spec.md H, contract.md 9). Takes notificationId, or all (true); answers updated (how many were unread and are read now; none where the caller may not see it) and unreadCount. Raises UNAUTHORIZED, NOTIFICATION_NOT_FOUND, VALIDATION_FAILED.';

revoke all on function api.mark_notifications_read(jsonb) from public;
grant execute on function api.mark_notifications_read(jsonb) to authenticated;
