-- Registers a push token for the caller's session. Idempotent.
--
-- Args: tokenHash (SHA-256, hex), sealedToken (base64), platform. Returns registered.
create function api.register_device_token(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
  v_user_id uuid := app.user_id();
begin
  perform app.require_level(2);
  perform app.require_arguments(p_args, 'tokenHash', 'platform', 'sealedToken');
  -- Two concurrent registrations of one user would each keep five tokens and the other's.
  perform from app.users as u where u.id = v_user_id for no key update;
  insert into app.device_tokens (token_hash, user_id, session_id, platform, sealed_token)
  values (
    decode(p_args ->> 'tokenHash', 'hex'),
    v_user_id,
    app.session_id(),
    app.choice_argument(
      p_args, 'platform', variadic enum_range(null::app.device_platform)::text[]
    )::app.device_platform,
    decode(p_args ->> 'sealedToken', 'base64')
  )
  on conflict (token_hash) do update set
    user_id = excluded.user_id,
    session_id = excluded.session_id,
    platform = excluded.platform,
    sealed_token = excluded.sealed_token,
    refreshed_at = excluded.refreshed_at;
  perform app.keep_newest_device_tokens(v_user_id);
  return '{"registered": true}'::jsonb;
end
$$;
comment on function api.register_device_token is 'POST /notifications/device-tokens (docs/product.md N21, N22).';
grant execute on function api.register_device_token to authenticated;

create function app.keep_newest_device_tokens(p_user_id uuid) returns void
language sql set search_path = ''
begin atomic
  delete from app.device_tokens
  -- Postgres rechecks user_id on a row that another user registered while this statement waited for its lock.
  where user_id = p_user_id and token_hash in (
    select t.token_hash
    from app.device_tokens as t
    where t.user_id = p_user_id
    order by t.refreshed_at desc, t.token_hash
    offset 5
  );
end;
comment on function app.keep_newest_device_tokens is
  'Deletes the device tokens of a user except the five that were refreshed last (docs/product.md N22).';

-- Removes a push token of the caller's.
--
-- Args: tokenHash (SHA-256, hex). Returns removed, false for a token that is not the caller's.
create function api.remove_device_token(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(1);
  delete from app.device_tokens as t
  where t.token_hash = decode(p_args ->> 'tokenHash', 'hex') and t.user_id = app.user_id();
  return jsonb_build_object('removed', found);
end
$$;
comment on function api.remove_device_token is 'DELETE /notifications/device-tokens (docs/product.md N23).';
grant execute on function api.remove_device_token to authenticated;

create function app.prune_device_tokens() returns void
language sql security definer set search_path = ''
begin atomic
  delete from app.device_tokens where refreshed_at <= app.now() - interval '60 days';
end;
comment on function app.prune_device_tokens is
  'Upkeep: deletes device tokens without a refresh for 60 days (docs/product.md N22).';
grant execute on function app.prune_device_tokens to opine_worker;

create type app.push_message as (
  token_hash text, platform app.device_platform, sealed_token text, badge bigint, payload jsonb
);
comment on type app.push_message is
  'A push message for a worker to send: the hash of the device token (hex), its platform, the sealed token (base64), '
  'the unread count of the recipient for the badge of the app (docs/product.md N30), and the payload.';

create function app.push_messages(p_due app.due_notifications[])
returns table (notification_id uuid, token_hash bytea, message app.push_message)
language plpgsql stable set search_path = '' as $$
declare
  -- Counted for all recipients at once, and kept as an object, because the callers forbid hash joins.
  v_badges jsonb := (
    select jsonb_object_agg(s.user_id, s.unread_count)
    from app.inbox_states(array(
      select due.recipient_id
      from unnest(p_due) as due
      where exists (select from app.device_tokens as d where d.user_id = due.recipient_id)
      group by due.recipient_id
    )) as s
  );
begin
  return query
  select
    due.id, d.token_hash,
    (
      encode(d.token_hash, 'hex'), d.platform, encode(d.sealed_token, 'base64'), v_badges ->> due.recipient_id::text,
      due.payload
    )::app.push_message
  from unnest(p_due) as due
  join app.device_tokens as d on d.user_id = due.recipient_id;
end
$$;
comment on function app.push_messages is
  'Returns the push messages of notifications: one for each and each device of its recipient.';

-- Args: p_due; p_attempt_count (attempts that have been made).
create function app.queue_pushes(p_due app.due_notifications[], p_attempt_count integer) returns void
language plpgsql set search_path = '' as $$
declare
  v_now timestamptz := app.now();
begin
  insert into app.pushes (notification_id, token_hash, due_at, attempt_count)
  select due.id, d.token_hash, v_now, p_attempt_count
  from unnest(p_due) as due
  join app.device_tokens as d on d.user_id = due.recipient_id
  on conflict do nothing;
end
$$;
comment on function app.queue_pushes is
  'Inserts a row into app.pushes for each device of the recipients, for app.claim_pushes.';

-- If the worker does not settle them in time (app.settle_published), another worker takes them.
--
-- Returns the lease (null without messages), and the push messages to send (app.push_message).
create function app.lease_pushes(p_due app.due_notifications[], out lease_id uuid, out messages json) returns record
language plpgsql set search_path = '' as $$
declare
  v_ids uuid[];
begin
  select array_agg(push.notification_id), coalesce(json_agg(push.message), '[]')
  into v_ids, messages
  from app.push_messages(p_due) as push;
  if v_ids is not null then
    insert into app.push_leases (notification_ids, lapses_at)
    values (v_ids, app.now() + app.push_lease())
    returning id into lease_id;
  end if;
end
$$;
comment on function app.lease_pushes is
  'Leases the pushes of published notifications to the calling worker (app.push_lease).';

create function app.queue_lapsed_pushes() returns void
language plpgsql set search_path = '' as $$
declare
  v_now timestamptz := app.now();
  v_ids uuid[];
begin
  for v_ids in
    delete from app.push_leases as l
    where l.id = any (
      array(select own.id from app.push_leases as own where own.lapses_at <= v_now for update skip locked)
    )
    returning l.notification_ids
  loop
    perform app.queue_pushes(
      array(select due from app.due_notifications as due where due.is_pushed and due.id = any (v_ids)), 1
    );
  end loop;
end
$$;
comment on function app.queue_lapsed_pushes is
  'Puts the pushes of workers that died into app.pushes, with one attempt made (app.push_leases).';

-- Deletes pushes that are no longer due: the notification is hidden, read, muted or not pushed at the moment,
-- or the device is gone or another user's.
--
-- Returns is_more (there may be more) and messages (app.push_message).
create function app.claim_pushes(p_limit integer, out is_more boolean, out messages json) returns record
language plpgsql security definer set search_path = ''
-- Forces index scans for a queue of any size, and fresh plans: one made for an empty queue would scan a full
-- one.
set plan_cache_mode = force_custom_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  v_now timestamptz := app.now();
  v_rows app.pushes[];
  v_due app.due_notifications[];
  v_next record;
  v_messages app.push_message[] := '{}'::app.push_message[];
begin
  perform app.queue_lapsed_pushes();
  v_rows := array(
    select p from app.pushes as p where p.due_at <= v_now order by p.due_at limit p_limit for update skip locked
  );
  v_due := array(
    select due
    from app.due_notifications as due
    where due.is_pushed and due.id = any (array(select p.notification_id from unnest(v_rows) as p))
  );
  for v_next in
    select n.notification_id, n.token_hash, n.attempt_count, push.message
    from unnest(v_rows) as n
    left join app.push_messages(v_due) as push on push.notification_id = n.notification_id
      and push.token_hash = n.token_hash
  loop
    -- One by one: a join could scan the whole queue for each row.
    if v_next.attempt_count >= app.max_attempts() then
      -- The worker of the last lease died or did not report back.
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
comment on function app.claim_pushes is
  'Leases due pushes to the calling worker (app.push_lease), those of workers that died too: a push that is not '
  'settled in time is retried.';
grant execute on function app.claim_pushes to opine_worker;

-- Refused messages become rows of app.pushes for retries; all others count as sent.
--
-- Args: p_lease_id; p_results with refused, as app.settle_pushes.
create function app.settle_published(p_lease_id uuid, p_results jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_lease app.push_leases;
begin
  delete from app.push_leases as l where l.id = p_lease_id returning * into v_lease;
  -- The pushes of a lease that has lapsed are sent again, and settled then.
  if v_lease.id is null or p_results -> 'refused' = '[]' then
    return;
  end if;
  insert into app.pushes (notification_id, token_hash, due_at, attempt_count)
  select r."notificationId", decode(r."tokenHash", 'hex'), v_lease.lapses_at, 1
  from jsonb_to_recordset(p_results -> 'refused') as r ("notificationId" uuid, "tokenHash" text)
  where r."notificationId" = any (v_lease.notification_ids)
  on conflict do nothing;
  perform app.settle_pushes(p_results);
end
$$;
comment on function app.settle_published is
  'Records the results of the push messages of a lease of app.deliver_outbox, and ends it.';
grant execute on function app.settle_published to opine_worker;

-- Deletes done pushes. For a device that is gone, deletes the push, and the token unless it was registered
-- again. Postpones other refused pushes, or makes them dead letters.
--
-- Args: p_results with done and refused, arrays of notificationId and tokenHash (hex); refused has isGone and
-- failure too.
create function app.settle_pushes(p_results jsonb) returns void
language plpgsql security definer set search_path = ''
-- A plan made for an empty queue would scan a full one.
set enable_seqscan = off
as $$
declare
  v_refused record;
begin
  for v_refused in
    select r."notificationId" as notification_id, decode(r."tokenHash", 'hex') as token_hash, r."isGone" as is_gone,
      r.failure
    from jsonb_to_recordset(p_results -> 'refused') as r (
      "notificationId" uuid, "tokenHash" text, "isGone" boolean, failure text
    )
    order by 2, 1
  loop
    if not v_refused.is_gone then
      perform app.postpone_push(v_refused.notification_id, v_refused.token_hash, v_refused.failure);
      continue;
    end if;
    -- A token that was registered again after the attempt stays.
    delete from app.device_tokens as d
    using app.pushes as p
    where d.token_hash = v_refused.token_hash
      and p.notification_id = v_refused.notification_id and p.token_hash = d.token_hash
      and d.refreshed_at <= p.due_at - app.push_lease();
    delete from app.pushes as p
    where p.notification_id = v_refused.notification_id and p.token_hash = v_refused.token_hash;
  end loop;
  delete from app.pushes as p
  where p.ctid = any (array(
    select settled.ctid
    from jsonb_to_recordset(p_results -> 'done') as r ("notificationId" uuid, "tokenHash" text)
    -- "offset 0" looks each row up by its key; a join could scan the whole queue for each.
    cross join lateral (
      select own.ctid from app.pushes as own
      where own.notification_id = r."notificationId" and own.token_hash = decode(r."tokenHash", 'hex')
      offset 0
    ) as settled
  ));
end
$$;
comment on function app.settle_pushes is 'Records the results of pushes.';
grant execute on function app.settle_pushes to opine_worker;

-- Args: p_notification_id; p_token_hash; p_failure (code).
create function app.postpone_push(p_notification_id uuid, p_token_hash bytea, p_failure text) returns void
language plpgsql set search_path = '' as $$
declare
  v_count integer;
begin
  update app.pushes as p
  set due_at = app.now() + app.retry_delay(p.attempt_count - 1)
  where p.notification_id = p_notification_id and p.token_hash = p_token_hash
  returning p.attempt_count into v_count;
  if v_count >= app.max_attempts() then
    insert into app.dead_letters (notification_id, token_hash, attempt_count, failure)
    select n.id, p_token_hash, v_count, p_failure from app.notifications as n where n.id = p_notification_id
    on conflict do nothing;
    delete from app.pushes as p where p.notification_id = p_notification_id and p.token_hash = p_token_hash;
  end if;
end
$$;
comment on function app.postpone_push is
  'Schedules a retry after a device refused a push, or inserts a dead letter after the last attempt.';

create function app.max_attempts() returns integer
language plpgsql immutable set search_path = '' as $$
begin
  return 10;
end
$$;
comment on function app.max_attempts is
  'Returns how many attempts the stream or a device gets, in about an hour, before a dead letter.';

create function app.push_lease() returns interval
language plpgsql immutable set search_path = '' as $$
begin
  return interval '2 minutes';
end
$$;
comment on function app.push_lease is
  'Returns how long a worker has to settle the pushes that it took: longer than it tries to send them.';

create function app.retry_delay(p_attempt_count integer) returns interval
language plpgsql set search_path = '' as $$
begin
  return app.backoff(p_attempt_count, interval '2 seconds', 3, interval '15 minutes');
end
$$;
comment on function app.retry_delay is
  'Returns the delay before the next attempt: about two seconds after the first failure (p_attempt_count 0), tripled '
  'each time, about a quarter of an hour at most, with jitter.';
