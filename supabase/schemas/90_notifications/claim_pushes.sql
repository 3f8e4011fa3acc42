create function app.claim_pushes(p_limit integer)
returns setof app.claimed_push
language plpgsql
volatile
security definer
set search_path = ''
-- A plan made while nothing waited would go through everything once much does.
set plan_cache_mode = force_custom_plan
as $$
begin
  -- Whoever took them so often died of it, or never came back to say.
  perform app.postpone_push(lost.notification_id, lost.token_hash, 'unsettled')
  from (
    select p.notification_id, p.token_hash
    from app.pushes as p
    where p.due_at <= app.now() and p.attempt_count >= app.most_attempts()
    limit p_limit
    for update skip locked
  ) as lost;
  return query
  -- By itself: as a part of a join it could be asked again and again, and take as many each time.
  with next as materialized (
    select p.notification_id, p.token_hash
    from app.pushes as p
    where p.due_at <= app.now() and p.attempt_count < app.most_attempts()
    order by p.due_at
    limit p_limit
    for update skip locked
  ),
  taken as materialized (
    update app.pushes as p
    -- Longer than a push service is waited for.
    set attempt_count = p.attempt_count + 1, due_at = app.now() + interval '2 minutes'
    from next
    where p.notification_id = next.notification_id and p.token_hash = next.token_hash
    returning p.notification_id, p.token_hash, p.attempt_count
  ),
  due as materialized (
    select d.id, d.recipient_id
    from app.due_notifications as d
    where d.id = any (array(select t.notification_id from taken as t))
  )
  select t.notification_id, t.token_hash, t.attempt_count, d.platform, d.sealed_token, e.envelope
  from taken as t
  left join due on due.id = t.notification_id
  left join app.device_tokens as d on d.token_hash = t.token_hash and d.user_id = due.recipient_id
  left join app.envelopes as e on e.id = due.id;
end
$$;
comment on function app.claim_pushes(integer) is 'Takes some of what is to be pushed, for two minutes: if it is not settled until then, it is tried again. What is no longer due (hidden, read, muted, or the device is gone or another''s) comes without a platform, for the caller to settle as dropped.';

revoke all on function app.claim_pushes(integer) from public;
grant execute on function app.claim_pushes(integer) to opine_worker;
