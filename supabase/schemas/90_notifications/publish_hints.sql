create function app.publish_hints(p_after uuid, p_limit integer, p_room integer, out last uuid, out messages json)
returns record
language plpgsql
volatile
security definer
set search_path = ''
-- By indexes, however much waits: never by going through all people and devices.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  v_after uuid := coalesce(p_after, app.first_id_within(interval '2 seconds'));
  v_now timestamptz := app.now();
  v_rows app.outbox[] := array(
    select o
    from app.outbox as o
    where o.notification_id > v_after and o.due_at <= v_now
    order by o.notification_id
    limit p_limit
    for update skip locked
  );
  v_ids uuid[] := array(select o.notification_id from unnest(v_rows) as o);
  v_due app.due_notifications[] := array(
    select due from app.due_notifications as due where due.id = any (v_ids) order by due.id
  );
  -- Whoever took them never said what came of it.
  v_lapsed_ids uuid[] := array(select o.notification_id from unnest(v_rows) as o where o.is_told);
  v_queued_ids uuid[] := array(select o.notification_id from unnest(v_rows) as o where o.is_queued);
  v_waiting_ids uuid[] := v_lapsed_ids || app.tell_streams(array(select due from unnest(v_due) as due where due.id <> all (v_lapsed_ids)));
begin
  last := v_ids[p_limit];
  v_due := array(select due from unnest(v_due) as due where due.id <> all (v_queued_ids));
  messages := app.take_pushes(array(select due from unnest(v_due[:p_room]) as due where due.id <> all (v_waiting_ids)));
  perform app.queue_pushes(array(select due from unnest(v_due[:p_room]) as due where due.id = any (v_waiting_ids)), v_lapsed_ids);
  perform app.queue_pushes(v_due[p_room + 1:], v_lapsed_ids);
  -- What was taken, or is tried again, rests from now on.
  delete from app.outbox as o where o.notification_id = any (v_ids) and o.due_at <= v_now;
end
$$;
comment on function app.publish_hints(uuid, integer, integer) is 'Tells of the first p_limit notifications that lie in the outbox behind p_after, or for null have come within two seconds, and are not being told of by another worker: the stream, and what is to be sent to devices, which of the first p_room is the caller''s to send (app.push_message). Answers the last, where there may be more.';

revoke all on function app.publish_hints(uuid, integer, integer) from public;
grant execute on function app.publish_hints(uuid, integer, integer) to opine_worker;
