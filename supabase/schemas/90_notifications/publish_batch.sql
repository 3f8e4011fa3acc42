create function app.publish_batch(p_ids uuid[], p_due app.due_notifications[])
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform realtime.send(due.envelope, 'notification', 'user:' || due.recipient_id, true)
  from unnest(p_due) as due
  where due.id = any (p_ids);
  -- Postgres takes at most 8,000 bytes at once.
  perform pg_notify('opine_hints', string_agg(due.recipient_id || ' ' || due.id, ',' order by due.place))
  from unnest(p_due) with ordinality as due (id, recipient_id, envelope, place)
  where due.id = any (p_ids)
  group by due.place / 100;
  delete from app.outbox as o where o.notification_id = any (p_ids);
end
$$;
comment on function app.publish_batch(uuid[], app.due_notifications[]) is 'Tells the stream of notifications in the outbox, as far as they are due: whoever holds event streams, and Supabase Realtime; and takes them out of it.';

revoke all on function app.publish_batch(uuid[], app.due_notifications[]) from public;
