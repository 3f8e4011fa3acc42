create function app.forget_objects(p_ids uuid[])
returns void
language sql
volatile
security definer
set search_path = ''
begin atomic
  delete from app.stored_objects as o where o.id = any (p_ids) and o.expires_at is not null;
end;
comment on function app.forget_objects(uuid[]) is 'Forgets objects that the worker has removed from storage.';

revoke all on function app.forget_objects(uuid[]) from public;
grant execute on function app.forget_objects(uuid[]) to opine_worker;
