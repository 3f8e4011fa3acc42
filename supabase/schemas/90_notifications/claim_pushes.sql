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
  v_rows app.pushes[] := array(
    select p from app.pushes as p where p.due_at <= v_now order by p.due_at limit p_limit for update skip locked
  );
  v_next record;
  v_messages app.push_message[] := '{}'::app.push_message[];
begin
  for v_next in
    select n.notification_id, n.token_hash, n.attempt_count, due.message
    from unnest(v_rows) as n
    left join lateral (
      select (encode(d.token_hash, 'hex'), d.platform, encode(d.sealed_token, 'base64'), due.envelope)::app.push_message as message
      from app.due_notifications as due
      join app.device_tokens as d on d.user_id = due.recipient_id
      where due.id = n.notification_id and d.token_hash = n.token_hash
    ) as due on true
  loop
    -- One by one: joined to others, what waits could be gone through from the beginning for each.
    if v_next.attempt_count >= app.most_attempts() then
      -- Whoever took it so often died of it, or never came back to say.
      perform app.postpone_push(v_next.notification_id, v_next.token_hash, 'unsettled');
    elsif v_next.message is null then
      delete from app.pushes as p where p.notification_id = v_next.notification_id and p.token_hash = v_next.token_hash;
    else
      update app.pushes as p
      set attempt_count = p.attempt_count + 1, due_at = v_now + app.push_lease()
      where p.notification_id = v_next.notification_id and p.token_hash = v_next.token_hash;
      v_messages := v_messages || v_next.message;
    end if;
  end loop;
  is_more := cardinality(v_rows) = p_limit;
  messages := to_json(v_messages);
end
$$;
comment on function app.claim_pushes(integer) is 'Takes some of what is to be pushed (app.push_message), for a while (app.push_lease): if it is not settled until then, it is tried again. What is no longer due (hidden, read, muted, or the device is gone or another''s) is let go of. Answers as well whether there may be more.';

revoke all on function app.claim_pushes(integer) from public;
grant execute on function app.claim_pushes(integer) to opine_worker;
