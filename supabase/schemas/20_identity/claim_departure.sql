create function app.claim_departure()
returns table (user_id uuid, objects jsonb)
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  -- What was merged into an account ends with it.
  update app.departures as d
  set merged_into_id = null
  from app.users as u
  where u.id = d.merged_into_id and u.ended_at is not null;
  return query
  update app.departures as d
  set due_at = app.now() + least(interval '1 minute' * 2 ^ least(d.attempt_count, 10), interval '1 hour') * (0.75 + random() / 2),
    attempt_count = d.attempt_count + 1
  where d.user_id = (
    select due.user_id
    from app.departures as due
    where due.due_at <= app.now()
    order by due.due_at
    limit 1
    for update skip locked
  )
  returning d.user_id, (
    select coalesce(jsonb_agg(to_jsonb(object)), '[]')
    from (
      select o.id, o.bucket, o.object_key as "objectKey"
      from app.stored_objects as o
      where o.owner_id = d.user_id and d.merged_into_id is null
      limit 1000
    ) as object
  );
end
$$;
comment on function app.claim_departure() is 'Takes a departure for the worker: whose it is, and up to 1,000 stored objects (id, bucket, objectKey) to remove before app.finish_departure. Nobody else gets it for about a minute, longer each time it fails, about an hour at most. No row where none is due.';

revoke all on function app.claim_departure() from public;
grant execute on function app.claim_departure() to opine_worker;
