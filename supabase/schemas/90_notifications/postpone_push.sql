create function app.postpone_push(p_notification_id uuid, p_token_hash bytea, p_failure text)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_count integer;
begin
  update app.pushes as p
  set due_at = app.now() + app.soon(p.attempt_count - 1)
  where p.notification_id = p_notification_id and p.token_hash = p_token_hash
  returning p.attempt_count into v_count;
  if v_count >= app.most_attempts() then
    insert into app.dead_letters (notification_id, token_hash, attempt_count, failure)
    select n.id, p_token_hash, v_count, p_failure from app.notifications as n where n.id = p_notification_id
    on conflict do nothing;
    delete from app.pushes as p where p.notification_id = p_notification_id and p.token_hash = p_token_hash;
  end if;
end
$$;
comment on function app.postpone_push(uuid, bytea, text) is 'After a device could not be sent a notification: tries again later, or, when that was tried often enough, leaves it to staff.';

revoke all on function app.postpone_push(uuid, bytea, text) from public;
