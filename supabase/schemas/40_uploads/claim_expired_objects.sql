create function app.claim_expired_objects(p_limit integer)
returns table (id uuid, bucket text)
language sql
volatile
security definer
set search_path = ''
begin atomic
  update app.stored_objects as o
  set expires_at = app.now() + app.backoff(o.attempt_count),
    attempt_count = o.attempt_count + 1
  where o.id = any (array(
    select due.id
    from app.stored_objects as due
    where due.expires_at <= app.now()
    order by due.expires_at
    limit p_limit
    for update skip locked
  ))
  returning o.id, o.bucket;
end;
comment on function app.claim_expired_objects(integer) is 'Takes objects for the worker that are to be removed from storage, for app.forget_objects afterwards. Nobody else gets them before app.backoff has passed.';

revoke all on function app.claim_expired_objects(integer) from public;
grant execute on function app.claim_expired_objects(integer) to opine_worker;
