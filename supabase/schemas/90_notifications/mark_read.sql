create function app.mark_read(p_notification_id uuid)
returns bigint
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_count bigint;
begin
  if p_notification_id is null then
    return app.mark_all_read();
  end if;
  update app.notifications as n
  set read_at = app.now()
  where n.id = (select v.id from app.visible_notifications as v where v.id = p_notification_id and v.recipient_id = app.user_id())
    and n.read_at is null;
  get diagnostics v_count = row_count;
  return v_count;
end
$$;
comment on function app.mark_read(uuid) is 'Marks as read a notification of the caller''s, or for null all that they may see; answers how many were unread.';

revoke all on function app.mark_read(uuid) from public;
grant execute on function app.mark_read(uuid) to authenticated;
