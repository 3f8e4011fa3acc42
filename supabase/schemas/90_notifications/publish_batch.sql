create function app.publish_batch(p_ids uuid[])
returns void
language plpgsql
volatile
security invoker
set search_path = ''
-- A plan made while nothing waited would go through everything once much does.
set plan_cache_mode = force_custom_plan
as $$
declare
  v_due app.due_notifications[] := array(
    select due from app.due_notifications as due where due.id = any (p_ids) order by due.id
  );
begin
  perform realtime.send(e.envelope, 'notification', 'user:' || due.recipient_id, true)
  from unnest(v_due) as due
  join app.envelopes as e on e.id = due.id;
  -- Postgres takes at most 8,000 bytes at once.
  perform pg_notify('opine_hints', string_agg(due.recipient_id || ' ' || due.id, ',' order by due.place))
  from unnest(v_due) with ordinality as due (id, recipient_id, place)
  group by due.place / 100;
  delete from app.outbox as o where o.notification_id = any (p_ids);
end
$$;
comment on function app.publish_batch(uuid[]) is 'Tells the stream of notifications in the outbox, as far as they are due: whoever holds event streams, and Supabase Realtime; and takes them out of it.';

revoke all on function app.publish_batch(uuid[]) from public;
