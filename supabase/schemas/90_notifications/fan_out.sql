create function app.fan_out()
returns boolean
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_limit integer := 2000;
  v_job app.fan_outs;
  v_event app.events;
  v_user_ids uuid[];
begin
  select * into v_job from app.fan_outs as f order by f.turn_count, f.event_id limit 1 for update skip locked;
  if v_job.event_id is null then
    return false;
  end if;
  select * into v_event from app.events as e where e.id = v_job.event_id;
  v_user_ids := app.candidates_for(v_event, v_job.after_user_id, v_limit);
  perform app.tell(v_event, v_user_ids);
  if cardinality(v_user_ids) = v_limit then
    update app.fan_outs
    set after_user_id = v_user_ids[v_limit], turn_count = turn_count + 1
    where event_id = v_job.event_id;
  else
    delete from app.fan_outs where event_id = v_job.event_id;
  end if;
  return true;
end
$$;
comment on function app.fan_out() is 'Tells the next of those who are to be told of an event. Answers whether there may be more.';

revoke all on function app.fan_out() from public;
grant execute on function app.fan_out() to opine_worker;
