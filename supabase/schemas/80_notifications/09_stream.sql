-- Authorizes the caller before the stream opens.
--
-- Args: none. Returns unreadCount and inboxVersion, for the first event.
create function api.stream_notifications(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_state app.inbox_state;
begin
  perform app.require_level(1);
  v_state := app.my_inbox_state();
  return jsonb_build_object('unreadCount', v_state.unread_count, 'inboxVersion', v_state.version);
end
$$;
comment on function api.stream_notifications is 'GET /notifications/stream (docs/product.md N16, N18, N19).';
grant execute on function api.stream_notifications to authenticated;

create function app.may_subscribe(p_topic text) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return p_topic = 'user:' || app.user_id() and app.session_is_live(current_setting('request.jwt.claims')::jsonb);
end
$$;
comment on function app.may_subscribe is
  'Returns whether the caller may join a private channel of Supabase Realtime: only their own, with a live session.';
grant execute on function app.may_subscribe to authenticated;

-- Args: p_notification_id; p_failure (code).
create function app.postpone_signal(p_notification_id uuid, p_failure text) returns void
language plpgsql set search_path = '' as $$
declare
  v_count integer;
begin
  update app.outbox as o
  set attempt_count = o.attempt_count + 1, is_queued = true, due_at = app.now() + app.retry_delay(o.attempt_count)
  where o.notification_id = p_notification_id
  returning o.attempt_count into v_count;
  if v_count >= app.max_attempts() then
    insert into app.dead_letters (notification_id, attempt_count, failure)
    select n.id, v_count, p_failure from app.notifications as n where n.id = p_notification_id
    on conflict do nothing;
    delete from app.outbox as o where o.notification_id = p_notification_id;
  end if;
end
$$;
comment on function app.postpone_signal is
  'Schedules a retry after a notification did not reach the stream, or inserts a dead letter after the last attempt.';

-- is_pushed is whether they go to devices too, by the preferences and quiet hours of the recipient
-- (docs/product.md N28, N29). payload is the content of signals and push messages: ids only (docs/product.md
-- N16).
create view app.due_notifications as
select
  v.id,
  v.recipient_id,
  e.type <> all ((select app.optional_types())::app.event_type[]) or not exists (
    select
    from app.notification_preferences as p
    where p.user_id = v.recipient_id
      and (e.type = any (p.silent_types) or app.is_quiet(p.quiet_from, p.quiet_to, app.local_time(p.time_zone)))
  ) as is_pushed,
  json_object(
    'notificationId': v.id,
    'type': e.type,
    'recipientUserId': v.recipient_id,
    'actorIsAnonymous': (e.actor).user_id is null,
    'actorId': (e.actor).user_id,
    'postId': e.post_id,
    'sourcePostId': e.source_post_id,
    'commentId': e.comment_id,
    'hubId': e.hub_id,
    'invitationId': e.invitation_id,
    'joinRequestId': e.join_request_id,
    'decisionId': e.decision_id
    absent on null returning jsonb
  ) as payload
from app.visible_notifications as v
join app.event_details as e on e.id = v.event_id
where v.read_at is null
  and not exists (select from app.event_mutes as m where m.event_id = e.id and m.user_id = v.recipient_id);
comment on view app.due_notifications is
  'The notifications to deliver at the moment, by stream or push: visible, unread, and not silenced by a later mute of '
  'their Hub (docs/product.md N13).';

-- It skips rows that another worker has locked.
--
-- Args: p_after (reads rows after this id; null for the last two seconds); p_limit; p_room (how many
-- notifications' pushes the caller sends itself; app.pushes gets the others). Returns last (the last id read,
-- null if there are no more), messages (app.push_message) for the caller to send, and lease_id
-- (app.push_leases; null without messages).
create function app.deliver_outbox(
  p_after uuid, p_limit integer, p_room integer, out last uuid, out lease_id uuid, out messages json
)
returns record
language plpgsql security definer set search_path = ''
-- Forces index scans for an outbox of any size: a plan must never read all users and devices.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  v_after uuid := coalesce(p_after, app.first_id_within(interval '2 seconds'));
  v_now timestamptz := app.now();
  v_rows app.outbox[] := array(
    select o
    from app.outbox as o
    where o.notification_id > v_after and o.due_at <= v_now
    order by o.notification_id
    limit p_limit
    for update skip locked
  );
  v_ids uuid[] := array(select o.notification_id from unnest(v_rows) as o);
  v_due app.due_notifications[] := array(
    select due from app.due_notifications as due where due.id = any (v_ids) order by due.id
  );
  v_queued_ids uuid[] := array(select o.notification_id from unnest(v_rows) as o where o.is_queued);
  v_failed_ids uuid[] := app.notify_streams(v_due);
  v_taken app.due_notifications[];
begin
  last := v_ids[p_limit];
  v_due := array(select due from unnest(v_due) as due where due.is_pushed and due.id <> all (v_queued_ids));
  v_taken := v_due[:p_room];
  perform app.queue_pushes(v_due[p_room + 1:], 0);
  if v_failed_ids <> '{}' then
    perform app.queue_pushes(array(select due from unnest(v_taken) as due where due.id = any (v_failed_ids)), 0);
    v_taken := array(select due from unnest(v_taken) as due where due.id <> all (v_failed_ids));
  end if;
  select * into lease_id, messages from app.lease_pushes(v_taken);
  -- Rows that were postponed above are due later and stay.
  delete from app.outbox as o where o.notification_id = any (v_ids) and o.due_at <= v_now;
end
$$;
comment on function app.deliver_outbox is
  'Publishes notifications of the outbox to the stream, and hands out their pushes.';
grant execute on function app.deliver_outbox to opine_worker;

create table app.signal_keys (
  is_singleton boolean primary key default true,
  key bytea not null default extensions.gen_random_bytes(64),
  constraint signal_keys_is_singleton check (is_singleton)
);
comment on table app.signal_keys is 'One row: the random keys that seal NOTIFY opine_signals (docs/product.md N31).';
alter table app.signal_keys enable row level security;

-- Seals the signals of a NOTIFY: every login of a database may listen and notify on every channel.
--
-- The first half of the key encrypts, the second authenticates what was encrypted. A random vector makes
-- equal signals differ. src/db/signals.ts opens the result.
create function app.seal_signals(p_plain bytea) returns text
language plpgsql set search_path = '' as $$
declare
  v_key bytea := (select k.key from app.signal_keys as k);
  v_iv bytea := extensions.gen_random_bytes(16);
  v_sealed bytea := v_iv || extensions.encrypt_iv(p_plain, substr(v_key, 1, 32), v_iv, 'aes');
begin
  return translate(encode(v_sealed || extensions.hmac(v_sealed, substr(v_key, 33), 'sha256'), 'base64'), E'\n', '');
end
$$;
comment on function app.seal_signals is 'Encrypts and authenticates the payload of a NOTIFY (docs/product.md N31).';

-- Publishes notifications to the processes that hold event streams, and to Supabase Realtime.
--
-- A NOTIFY holds a time-ordered id of its own, by which a listener knows a repetition, and for each of up to
-- 100 notifications the ids of recipient and notification. Its payload has at most 8,000 bytes.
create function app.deliver_batch(p_due app.due_notifications[]) returns void
language plpgsql set search_path = '' as $$
declare
  v_signals bytea[] := array(select uuid_send(due.recipient_id) || uuid_send(due.id) from unnest(p_due) as due);
begin
  -- A project may run without Realtime, or Realtime may not have started yet.
  if to_regprocedure('realtime.send(jsonb,text,text,boolean)') is not null then
    perform app.deliver_to_realtime(p_due);
  end if;
  perform pg_notify('opine_signals', app.seal_signals(uuid_send(app.uuid_v7()) || (
    select string_agg(signal, '') from unnest(v_signals[first : first + 99]) as signal
  )))
  from generate_series(1, cardinality(v_signals), 100) as first;
end
$$;
comment on function app.deliver_batch is 'Publishes notifications to event streams and Realtime (docs/product.md N15).';

create function app.deliver_to_realtime(p_due app.due_notifications[]) returns void
language plpgsql set search_path = '' as $$
begin
  -- What realtime.send does for one message, for all of them at once: a call for each took 2.5 times as long.
  insert into realtime.messages (topic, extension, payload, event, private)
  select 'user:' || due.recipient_id, 'broadcast', due.payload, 'notification', true from unnest(p_due) as due;
exception when others then
  -- Realtime creates the partition of a day when a client connects. Without it realtime.send warns instead of failing.
  perform realtime.send(due.payload, 'notification', 'user:' || due.recipient_id, true) from unnest(p_due) as due;
end
$$;
comment on function app.deliver_to_realtime is 'Broadcasts notifications on the private channels of their recipients.';

-- Returns the ids of these.
create function app.notify_streams(p_due app.due_notifications[]) returns uuid[]
language plpgsql set search_path = '' as $$
declare
  v_one app.due_notifications;
  v_failed_ids uuid[] := '{}'::uuid[];
begin
  begin
    perform app.deliver_batch(p_due);
  exception when others then
    -- One by one, so that a failure delays no other notification.
    foreach v_one in array p_due loop
      begin
        perform app.deliver_batch(array[v_one]);
      exception when others then
        perform app.postpone_signal(v_one.id, sqlstate);
        v_failed_ids := v_failed_ids || v_one.id;
      end;
    end loop;
  end;
  return v_failed_ids;
end
$$;
comment on function app.notify_streams is
  'Publishes notifications of the outbox to the stream, and postpones those that fail.';
