create function app.start_task(p_name text, p_interval interval)
returns boolean
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  insert into app.task_runs as r (name, started_at) values (p_name, app.now())
  on conflict (name) do update set started_at = excluded.started_at
  where r.started_at <= excluded.started_at - p_interval;
  return found;
end
$$;
comment on function app.start_task(text, interval) is 'Starts a task if it is due. Args: the task; its interval. Returns whether it is due, which is true for one of several calls at once.';

revoke all on function app.start_task(text, interval) from public;
grant execute on function app.start_task(text, interval) to opine_worker;
