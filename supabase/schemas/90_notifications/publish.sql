create function app.publish(p_after uuid, p_limit integer)
returns uuid
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_rows app.outbox[] := array(
    select o
    from app.outbox as o
    where o.notification_id > p_after and o.due_at <= app.now()
    order by o.notification_id
    limit p_limit
    for update skip locked
  );
  v_ids uuid[] := array(select o.notification_id from unnest(v_rows) as o);
  v_id uuid;
begin
  -- Apart from the stream: what one cannot be told keeps nothing from the other.
  perform app.queue_pushes(array(select o.notification_id from unnest(v_rows) as o where not o.is_queued));
  begin
    perform app.publish_batch(v_ids);
  exception when others then
    -- One by one: what cannot be told keeps back nothing else.
    foreach v_id in array v_ids loop
      begin
        perform app.publish_batch(array[v_id]);
      exception when others then
        perform app.postpone_hint(v_id, sqlstate);
      end;
    end loop;
  end;
  return v_ids[p_limit];
end
$$;
comment on function app.publish(uuid, integer) is 'Tells of the first p_limit notifications that lie in the outbox behind p_after and are not being told of by another worker: the stream, and what is to be sent to devices. Answers the last, where there may be more.';

revoke all on function app.publish(uuid, integer) from public;
grant execute on function app.publish(uuid, integer) to opine_worker;
