create function gateway.is_ready() returns boolean
language sql stable set search_path = ''
begin atomic
  select true;
end;
comment on function gateway.is_ready is 'Returns true if the database is up and has its schema, for GET /readyz.';
grant execute on function gateway.is_ready to opine_gateway;

create function gateway.live_sessions(p_session_ids uuid[]) returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return query select s.id from app.sessions as s where s.id = any (p_session_ids);
end
$$;
comment on function gateway.live_sessions is
  'Returns those of p_session_ids that have not ended, so that the streams of the others close.';
grant execute on function gateway.live_sessions to opine_gateway;

-- Returns a signal per notification that is due (app.due_notifications) and live session of its recipient:
-- the payload with inboxVersion.
create function gateway.open_signals(p_notification_ids uuid[], p_session_ids uuid[])
returns table (session_id uuid, notification_id uuid, signal jsonb)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  with notified as materialized (
    select due.id, due.recipient_id, due.payload
    from app.due_notifications as due
    where due.id = any (p_notification_ids)
  ),
  inbox as materialized (
    select r.user_id, (app.inbox_state_of(r.user_id)).version
    from (select distinct t.recipient_id as user_id from notified as t) as r
  )
  select s.id, notified.id, notified.payload || jsonb_build_object('inboxVersion', inbox.version)
  from notified
  join inbox on inbox.user_id = notified.recipient_id
  join app.sessions as s on s.user_id = notified.recipient_id and s.id = any (p_session_ids)
  order by notified.id;
end
$$;
comment on function gateway.open_signals is
  'Authorizes notifications for the streams of sessions (docs/product.md N16, N18).';
grant execute on function gateway.open_signals to opine_gateway;

create function gateway.signal_key() returns bytea
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select k.key from app.signal_keys as k);
end
$$;
comment on function gateway.signal_key is 'Returns the keys of NOTIFY opine_signals, to listen (docs/product.md N31).';
grant execute on function gateway.signal_key to opine_gateway;

-- The service calls it after a read that visited a Hub.
create function gateway.record_presence(p_user_id uuid, p_hub_id uuid) returns void
language sql security definer set search_path = ''
begin atomic
  select app.mark_seen(p_hub_id, p_user_id);
end;
comment on function gateway.record_presence is
  'Records that a member used a Hub (docs/product.md H5), at most every five minutes; of a non-member nothing.';
grant execute on function gateway.record_presence to opine_gateway;
