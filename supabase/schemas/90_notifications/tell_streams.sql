create function app.tell_streams(p_due app.due_notifications[])
returns uuid[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_one app.due_notifications;
  v_untold_ids uuid[] := '{}'::uuid[];
begin
  begin
    perform app.publish_batch(p_due);
  exception when others then
    -- One by one: what cannot be told keeps back nothing else.
    foreach v_one in array p_due loop
      begin
        perform app.publish_batch(array[v_one]);
      exception when others then
        perform app.postpone_hint(v_one.id, sqlstate);
        v_untold_ids := v_untold_ids || v_one.id;
      end;
    end loop;
  end;
  return v_untold_ids;
end
$$;
comment on function app.tell_streams(app.due_notifications[]) is 'Tells the stream of notifications in the outbox. Answers those of which it could not be told: they are tried again.';

revoke all on function app.tell_streams(app.due_notifications[]) from public;
