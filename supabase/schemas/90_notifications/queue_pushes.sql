create function app.queue_pushes(p_ids uuid[])
returns void
language plpgsql
volatile
security invoker
set search_path = ''
-- A plan made while nothing waited would go through everything once much does.
set plan_cache_mode = force_custom_plan
as $$
begin
  insert into app.pushes (notification_id, token_hash)
  select n.id, d.token_hash
  from app.notifications as n
  join app.device_tokens as d on d.user_id = n.recipient_id
  where n.id = any (p_ids)
  on conflict do nothing;
end
$$;
comment on function app.queue_pushes(uuid[]) is 'Notes that notifications are to be sent to the devices of their recipients. Whether they may be is asked when they are.';

revoke all on function app.queue_pushes(uuid[]) from public;
