create function app.postpone_hint(p_notification_id uuid, p_failure text)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_count integer;
begin
  update app.outbox as o
  set attempt_count = o.attempt_count + 1, is_queued = true, due_at = app.now() + app.soon(o.attempt_count)
  where o.notification_id = p_notification_id
  returning o.attempt_count into v_count;
  if v_count >= app.most_attempts() then
    insert into app.dead_letters (notification_id, attempt_count, failure)
    select n.id, v_count, p_failure from app.notifications as n where n.id = p_notification_id
    on conflict do nothing;
    delete from app.outbox as o where o.notification_id = p_notification_id;
  end if;
end
$$;
comment on function app.postpone_hint(uuid, text) is 'After the stream could not be told of a notification: tries again later, or, when that was tried often enough, leaves it to staff.';

revoke all on function app.postpone_hint(uuid, text) from public;
