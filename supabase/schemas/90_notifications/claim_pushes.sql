create function app.claim_pushes(p_limit integer, out is_more boolean, out messages json)
returns record
language plpgsql
volatile
security definer
set search_path = ''
-- By indexes, however much waits; a plan made while nothing did would go through everything once much does.
set plan_cache_mode = force_custom_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  v_now timestamptz := app.now();
  v_most integer := app.most_attempts();
  v_lease interval := app.push_lease();
  v_next app.pushes[] := array(
    select p from app.pushes as p where p.due_at <= v_now order by p.due_at limit p_limit for update skip locked
  );
begin
  -- Whoever took them so often died of it, or never came back to say.
  perform app.postpone_push(p.notification_id, p.token_hash, 'unsettled')
  from unnest(v_next) as p
  where p.attempt_count >= v_most;
  with due as materialized (
    select n.notification_id, n.token_hash, due.envelope, d.platform, d.sealed_token
    from unnest(v_next) as n
    join app.due_notifications as due on due.id = n.notification_id
    join app.device_tokens as d on d.token_hash = n.token_hash and d.user_id = due.recipient_id
    where n.attempt_count < v_most
  ),
  taken as (
    update app.pushes as p
    set attempt_count = p.attempt_count + 1, due_at = v_now + v_lease
    from due
    where p.notification_id = due.notification_id and p.token_hash = due.token_hash
  )
  select json_agg((encode(due.token_hash, 'hex'), due.platform, encode(due.sealed_token, 'base64'), due.envelope)::app.push_message)
  into messages
  from due;
  delete from app.pushes as p
  using unnest(v_next) as n
  where p.notification_id = n.notification_id and p.token_hash = n.token_hash and n.attempt_count < v_most
    and p.due_at = n.due_at;
  messages := coalesce(messages, '[]');
  is_more := cardinality(v_next) = p_limit;
end
$$;
comment on function app.claim_pushes(integer) is 'Takes some of what is to be pushed (app.push_message), for a while (app.push_lease): if it is not settled until then, it is tried again. What is no longer due (hidden, read, muted, or the device is gone or another''s) is let go of. Answers as well whether there may be more.';

revoke all on function app.claim_pushes(integer) from public;
grant execute on function app.claim_pushes(integer) to opine_worker;
