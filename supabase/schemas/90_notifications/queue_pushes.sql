create function app.queue_pushes(p_due app.due_notifications[], p_queued_ids uuid[], p_room integer)
returns json
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_now timestamptz := app.now();
  v_lease interval := app.push_lease();
  v_messages json;
begin
  with waiting as materialized (
    select due.id, due.envelope, d.token_hash, d.platform, d.sealed_token, row_number() over () <= p_room as is_taken
    from unnest(p_due) as due
    join app.device_tokens as d on d.user_id = due.recipient_id
    where due.id <> all (p_queued_ids)
  ),
  queued as (
    insert into app.pushes (notification_id, token_hash, due_at, attempt_count)
    select w.id, w.token_hash, case when w.is_taken then v_now + v_lease else v_now end, w.is_taken::integer
    from waiting as w
    on conflict do nothing
  )
  select json_agg((encode(w.token_hash, 'hex'), w.platform, encode(w.sealed_token, 'base64'), w.envelope)::app.push_message) into v_messages
  from waiting as w
  where w.is_taken;
  return coalesce(v_messages, '[]');
end
$$;
comment on function app.queue_pushes(app.due_notifications[], uuid[], integer) is 'Notes that notifications are to be sent to the devices of their recipients, all but those of which that was noted before. The first p_room are taken at once by whoever asks, as if by app.claim_pushes: answers what to send (app.push_message).';

revoke all on function app.queue_pushes(app.due_notifications[], uuid[], integer) from public;
