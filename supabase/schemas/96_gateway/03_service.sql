create function gateway.is_ready()
returns boolean
language sql
stable
set search_path = ''
begin atomic
  select true;
end;
comment on function gateway.is_ready is 'Answers where the database is up and its schema is there: what GET /readyz asks.';
grant execute on function gateway.is_ready to opine_gateway, opine_serializable;

create function gateway.live_sessions(p_session_ids uuid[])
returns setof uuid
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return query select s.id from app.sessions as s where s.id = any (p_session_ids);
end
$$;
comment on function gateway.live_sessions is 'Which of these sessions have not ended: whose streams go on.';
grant execute on function gateway.live_sessions to opine_gateway;

create function gateway.open_signals(p_notification_ids uuid[], p_session_ids uuid[])
returns table (session_id uuid, notification_id uuid, signal jsonb)
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return query
  with told as materialized (
    select due.id, due.recipient_id, due.payload from app.due_notifications as due where due.id = any (p_notification_ids)
  ),
  inbox as materialized (
    select r.user_id, (app.inbox_state_of(r.user_id)).version from (select distinct t.recipient_id as user_id from told as t) as r
  )
  select s.id, told.id, told.payload || jsonb_build_object('inboxVersion', inbox.version)
  from told
  join inbox on inbox.user_id = told.recipient_id
  join app.sessions as s on s.user_id = told.recipient_id and s.id = any (p_session_ids)
  order by told.id;
end
$$;
comment on function gateway.open_signals is 'Which of these notifications the streams of these sessions may tell of at the moment, and what (docs/product.md N16, N18): the recipient''s sessions that have not ended, what is due (app.due_notifications).';
grant execute on function gateway.open_signals to opine_gateway;

create table gateway.heartbeat (
  is_singleton boolean primary key default true,
  beaten_at timestamptz not null,
  constraint heartbeat_is_singleton check (is_singleton)
);
comment on table gateway.heartbeat is 'When a worker last said on the primary that it lives: what a replica shows of it is how old the replica is.';
alter table gateway.heartbeat enable row level security;

create function gateway.record_heartbeat()
returns void
language sql
security definer
set search_path = ''
begin atomic
  insert into gateway.heartbeat as h (beaten_at) values (app.now())
  on conflict (is_singleton) do update set beaten_at = excluded.beaten_at;
end;
comment on function gateway.record_heartbeat is 'Upkeep: says that the primary lives, for gateway.staleness.';
grant execute on function gateway.record_heartbeat to opine_worker;

create function gateway.staleness()
returns interval
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return coalesce(app.now() - (select h.beaten_at from gateway.heartbeat as h), 'infinity');
end
$$;
comment on function gateway.staleness is 'How long ago gateway.record_heartbeat ran, as this server knows: on a replica no less than it is behind the primary, whatever keeps it; without any beat for ever.';
grant execute on function gateway.staleness to opine_gateway;
