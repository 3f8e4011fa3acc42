create function app.forget_objects(p_ids uuid[])
returns void
language sql
volatile
security definer
set search_path = ''
begin atomic
  with gone as (
    delete from app.stored_objects as o where o.id = any (p_ids) and o.expires_at is not null returning o.owner_id
  )
  update app.departures as d
  set due_at = least(d.due_at, app.now())
  where d.user_id in (select gone.owner_id from gone);
end;
comment on function app.forget_objects(uuid[]) is 'Forgets objects that the worker has removed from storage. Where their owner has left, there may be nothing else to wait for.';

revoke all on function app.forget_objects(uuid[]) from public;
grant execute on function app.forget_objects(uuid[]) to opine_worker;
