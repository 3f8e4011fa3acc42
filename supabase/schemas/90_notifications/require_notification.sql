create function app.require_notification(p_notification_id uuid)
returns void
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  if not exists (select from app.notifications as n where n.id = p_notification_id and n.recipient_id = app.user_id()) then
    raise exception using errcode = 'PT404', message = 'NOTIFICATION_NOT_FOUND';
  end if;
end
$$;
comment on function app.require_notification(uuid) is 'Raises NOTIFICATION_NOT_FOUND unless it is one of the caller''s, whether they may see it at the moment or not.';

revoke all on function app.require_notification(uuid) from public;
grant execute on function app.require_notification(uuid) to authenticated;
