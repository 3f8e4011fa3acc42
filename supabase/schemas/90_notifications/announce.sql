create function app.announce(p_event app.events)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  -- So many at most are told within a transaction, whatever it does: nobody waits for thousands of others to be told.
  v_left integer := 1000 - coalesce(nullif(current_setting('app.told_count', true), ''), '0')::integer;
  v_user_ids uuid[] := app.candidates_for(p_event, '00000000-0000-0000-0000-000000000000', v_left + 1);
begin
  if cardinality(v_user_ids) > v_left then
    insert into app.fan_outs (event_id) values (p_event.id);
  else
    perform set_config('app.told_count', (1000 - v_left + cardinality(v_user_ids))::text, true);
    perform app.tell(p_event, v_user_ids);
  end if;
end
$$;
comment on function app.announce(app.events) is 'Tells everybody of an event whom it is for, or lets the worker do so where they are many.';

revoke all on function app.announce(app.events) from public;
