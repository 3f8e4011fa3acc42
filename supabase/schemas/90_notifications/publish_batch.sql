create function app.publish_batch(p_due app.due_notifications[])
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_lines text[] := array(select due.recipient_id || ' ' || due.id from unnest(p_due) as due);
begin
  -- A project may run without Realtime, or its first start may still be ahead.
  if to_regprocedure('realtime.send(jsonb,text,text,boolean)') is not null then
    perform realtime.send(due.envelope, 'notification', 'user:' || due.recipient_id, true) from unnest(p_due) as due;
  end if;
  -- Postgres takes at most 8,000 bytes at once.
  perform pg_notify('opine_hints', array_to_string(v_lines[first : first + 99], ','))
  from generate_series(1, cardinality(v_lines), 100) as first;
end
$$;
comment on function app.publish_batch(app.due_notifications[]) is 'Tells the stream of notifications: whoever holds event streams, and Supabase Realtime.';

revoke all on function app.publish_batch(app.due_notifications[]) from public;
