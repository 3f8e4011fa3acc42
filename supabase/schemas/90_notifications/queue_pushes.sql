create function app.queue_pushes(p_due app.due_notifications[], p_tried_ids uuid[])
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_now timestamptz := app.now();
begin
  insert into app.pushes (notification_id, token_hash, due_at, attempt_count)
  select due.id, d.token_hash, v_now, (due.id = any (p_tried_ids))::integer
  from unnest(p_due) as due
  join app.device_tokens as d on d.user_id = due.recipient_id
  on conflict do nothing;
end
$$;
comment on function app.queue_pushes(app.due_notifications[], uuid[]) is 'Has notifications wait for workers to send them (app.claim_pushes), to each device of their recipients; some have been tried once.';

revoke all on function app.queue_pushes(app.due_notifications[], uuid[]) from public;
