create function app.publish_batch(p_ids uuid[], p_due app.due_notifications[])
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_lines text[] := array(select due.recipient_id || ' ' || due.id from unnest(p_due) as due where due.id = any (p_ids));
begin
  perform realtime.send(due.envelope, 'notification', 'user:' || due.recipient_id, true)
  from unnest(p_due) as due
  where due.id = any (p_ids);
  -- Postgres takes at most 8,000 bytes at once.
  perform pg_notify('opine_hints', array_to_string(v_lines[first : first + 99], ','))
  from generate_series(1, cardinality(v_lines), 100) as first;
  delete from app.outbox as o where o.notification_id = any (p_ids);
end
$$;
comment on function app.publish_batch(uuid[], app.due_notifications[]) is 'Tells the stream of notifications in the outbox, as far as they are due: whoever holds event streams, and Supabase Realtime; and takes them out of it.';

revoke all on function app.publish_batch(uuid[], app.due_notifications[]) from public;
