-- No other worker gets them before app.backoff has passed.
create function app.claim_expired_objects(p_limit integer) returns setof app.stored_objects
language sql security definer set search_path = '' as $$
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
  returning o.*;
$$;
comment on function app.claim_expired_objects is
  'Claims expired objects for the worker, which removes them from storage and then calls app.delete_objects.';
grant execute on function app.claim_expired_objects to opine_worker;

create function app.delete_objects(p_ids uuid[]) returns void
language sql security definer set search_path = ''
begin atomic
  with gone as (
    delete from app.stored_objects as o where o.id = any (p_ids) and o.expires_at is not null returning o.owner_id
  )
  update app.account_deletions as d
  set due_at = least(d.due_at, app.now())
  where d.user_id in (select gone.owner_id from gone);
end;
comment on function app.delete_objects is
  'Deletes the rows of objects that the worker has removed from storage, and makes the account deletion of their owner '
  'due, because these objects may be the last it waits for.';
grant execute on function app.delete_objects to opine_worker;

create function app.dead_upload_keys(p_keys text[]) returns setof text
language sql stable security definer set search_path = ''
begin atomic
  select given.key
  from unnest(p_keys) as given (key)
  left join app.uploads as u
    on u.id = case when given.key ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then given.key::uuid end
    and u.asset_id is null
    -- The service may still be checking a file that arrived in time.
    and u.expires_at + interval '30 seconds' > app.now()
  where u.id is null;
end;
comment on function app.dead_upload_keys is
  'Returns those of the keys of the bucket uploads that belong to no open upload; their files are garbage.';
grant execute on function app.dead_upload_keys to opine_worker;

create function app.prune_uploads() returns void
language sql security definer set search_path = ''
begin atomic
  delete from app.uploads as u where u.asset_id is null and u.expires_at <= app.now() - interval '1 day';
end;
comment on function app.prune_uploads is 'Upkeep: deletes upload intents that expired a day ago without completion.';
grant execute on function app.prune_uploads to opine_worker;
