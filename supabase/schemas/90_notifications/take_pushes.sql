create function app.take_pushes(p_due app.due_notifications[])
returns json
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_ids uuid[];
  v_messages json;
  v_lapses_at timestamptz := app.now() + app.push_lease();
begin
  select
    array_agg(due.id),
    json_agg((encode(d.token_hash, 'hex'), d.platform, encode(d.sealed_token, 'base64'), due.envelope)::app.push_message)
  into v_ids, v_messages
  from unnest(p_due) as due
  join app.device_tokens as d on d.user_id = due.recipient_id;
  update app.outbox as o set is_told = true, due_at = v_lapses_at where o.notification_id = any (v_ids);
  return coalesce(v_messages, '[]');
end
$$;
comment on function app.take_pushes(app.due_notifications[]) is 'Takes notifications in the outbox, of which the stream has been told, to send them to the devices of their recipients, for a while (app.push_lease): if that is not settled until then (app.settle_published), they wait for another worker. Answers what to send (app.push_message).';

revoke all on function app.take_pushes(app.due_notifications[]) from public;
