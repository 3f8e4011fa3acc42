create function app.claim_departure()
returns uuid
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_user_id uuid;
begin
  -- What was merged into an account ends with it.
  update app.departures as d
  set merged_into_id = null
  from app.users as u
  where u.id = d.merged_into_id and u.ended_at is not null;
  update app.departures as d
  set due_at = app.now() + app.backoff(d.attempt_count),
    attempt_count = d.attempt_count + 1
  where d.user_id = (
    select due.user_id
    from app.departures as due
    where due.due_at <= app.now()
    order by due.due_at
    limit 1
    for update skip locked
  )
  returning d.user_id into v_user_id;
  return v_user_id;
end
$$;
comment on function app.claim_departure() is 'Takes a departure for the worker and answers whose it is, null where none is due. Nobody else gets it before app.backoff has passed.';

revoke all on function app.claim_departure() from public;
grant execute on function app.claim_departure() to opine_worker;
