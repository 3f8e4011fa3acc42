-- Names the tasks of the worker whose queues have rows, so that an idle worker runs no others.
--
-- One probe of each queue. The tasks themselves say what is due, in more detail; the worker runs each of them
-- every half minute anyway (src/worker/tasks.ts), so what this function misses is late and not lost.
create function app.waiting_tasks() returns text[]
language plpgsql stable security definer set search_path = ''
-- As in app.backlog.
set enable_seqscan = off
set enable_bitmapscan = off
-- A lock on one queue delays its task alone: after a look that fails, the worker runs all tasks.
set lock_timeout = '100ms'
as $$
declare
  v_now timestamptz := app.now();
begin
  return array_remove(array[
    case when exists (
      select from app.outbox as o
      where o.notification_id > app.first_id_within(interval '2 seconds') and o.due_at <= v_now
    ) then 'deliver outbox' end,
    case when exists (select from app.fan_outs) then 'fan out' end,
    case when exists (select from app.milestones) then 'fan out milestones' end,
    case when exists (select from app.inbox_counts as c where not c.is_folded) then 'fold inbox counts' end,
    case when exists (select from app.pushes as p where p.due_at <= v_now)
      or exists (select from app.push_leases as l where l.lapses_at <= v_now) then 'push to devices' end,
    case when exists (select from app.account_deletions as d where d.due_at <= v_now)
      then 'finish account deletions' end,
    case when exists (select from app.stored_objects as o where o.expires_at <= v_now)
      then 'remove expired objects' end
  ], null);
end
$$;
comment on function app.waiting_tasks is 'Returns the names of the tasks of the worker that have something to do.';
grant execute on function app.waiting_tasks to opine_worker;
