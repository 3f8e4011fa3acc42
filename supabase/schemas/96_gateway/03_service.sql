create function gateway.is_ready() returns boolean
language sql stable set search_path = ''
begin atomic
  select true;
end;
comment on function gateway.is_ready is 'Returns true if the database is up and has its schema, for GET /readyz.';
grant execute on function gateway.is_ready to opine_gateway, opine_serializable;

create function gateway.live_sessions(p_session_ids uuid[]) returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return query select s.id from app.sessions as s where s.id = any (p_session_ids);
end
$$;
comment on function gateway.live_sessions is 'Returns those of p_session_ids that have not ended, so that the streams of the others close.';
grant execute on function gateway.live_sessions to opine_gateway;

create function gateway.open_signals(p_notification_ids uuid[], p_session_ids uuid[])
returns table (session_id uuid, notification_id uuid, signal jsonb)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  with notified as materialized (
    select due.id, due.recipient_id, due.payload from app.due_notifications as due where due.id = any (p_notification_ids)
  ),
  inbox as materialized (
    select r.user_id, (app.inbox_state_of(r.user_id)).version from (select distinct t.recipient_id as user_id from notified as t) as r
  )
  select s.id, notified.id, notified.payload || jsonb_build_object('inboxVersion', inbox.version)
  from notified
  join inbox on inbox.user_id = notified.recipient_id
  join app.sessions as s on s.user_id = notified.recipient_id and s.id = any (p_session_ids)
  order by notified.id;
end
$$;
comment on function gateway.open_signals is 'Authorizes notifications for the streams of sessions (docs/product.md N16, N18). Returns a signal per notification that is due (app.due_notifications) and live session of its recipient: the payload with inboxVersion.';
grant execute on function gateway.open_signals to opine_gateway;

create table gateway.heartbeat (
  is_singleton boolean primary key default true,
  recorded_at timestamptz not null,
  constraint heartbeat_is_singleton check (is_singleton)
);
comment on table gateway.heartbeat is 'The time of the last heartbeat that a worker wrote on the primary. The copy on a replica shows how far the replica is behind.';
alter table gateway.heartbeat enable row level security;

create function gateway.record_heartbeat() returns void
language sql security definer set search_path = ''
begin atomic
  insert into gateway.heartbeat as h (recorded_at) values (app.now())
  on conflict (is_singleton) do update set recorded_at = excluded.recorded_at;
end;
comment on function gateway.record_heartbeat is 'Upkeep: writes the time to the primary, for gateway.staleness.';
grant execute on function gateway.record_heartbeat to opine_worker;

create function gateway.staleness() returns interval
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce(app.now() - (select h.recorded_at from gateway.heartbeat as h), 'infinity');
end
$$;
comment on function gateway.staleness is 'Returns the age of the last heartbeat on this server, infinity without one. On a replica it is at least the lag behind the primary, whatever causes the lag.';
grant execute on function gateway.staleness to opine_gateway;
