-- The copy on a replica shows how far the replica is behind.
create table gateway.heartbeat (
  is_singleton boolean primary key default true,
  recorded_at timestamptz not null,
  constraint heartbeat_is_singleton check (is_singleton)
);
comment on table gateway.heartbeat is 'The time of the last heartbeat that a worker wrote on the primary.';
alter table gateway.heartbeat enable row level security;

create function gateway.record_heartbeat() returns void
language sql security definer set search_path = ''
begin atomic
  insert into gateway.heartbeat as h (recorded_at) values (now())
  on conflict (is_singleton) do update set recorded_at = excluded.recorded_at;
end;
comment on function gateway.record_heartbeat is 'Upkeep: writes the time to the primary, for gateway.staleness.';
grant execute on function gateway.record_heartbeat to opine_worker;

-- On a replica it is at least the lag behind the primary, whatever causes the lag.
create function gateway.staleness() returns interval
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce(now() - (select h.recorded_at from gateway.heartbeat as h), 'infinity');
end
$$;
comment on function gateway.staleness is 'Returns the age of the last heartbeat on this server, infinity without one.';
grant execute on function gateway.staleness to opine_gateway;

create function gateway.is_behind(p_max_age interval) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return gateway.staleness() > p_max_age;
end
$$;
comment on function gateway.is_behind is
  'Returns whether this server may lack what the primary showed p_max_age ago, so that it must not answer.';
grant execute on function gateway.is_behind to opine_gateway;

-- Args: p_transaction_ids (of committed transactions on the primary). Returns those that later statements
-- here see.
create function gateway.applied(p_transaction_ids xid8[], p_timeout interval) returns setof xid8
language plpgsql set search_path = '' as $$
declare
  v_deadline timestamptz := clock_timestamp() + p_timeout;
begin
  loop
    return query
    select t.id
    from unnest(p_transaction_ids) as t (id)
    -- pg_xact_status knows no transaction that begins later, and has forgotten those of long ago.
    where case
      when t.id < pg_snapshot_xmax(pg_current_snapshot()) then pg_xact_status(t.id)
        is distinct from 'in progress'
    end;
    exit when found or clock_timestamp() >= v_deadline;
    perform pg_sleep(0.002);
  end loop;
end
$$;
comment on function gateway.applied is
  'Waits, for p_timeout at most, until this server shows one of some transactions.';
grant execute on function gateway.applied to opine_gateway;

-- Each refusal is to be repeated on the primary, which may know more.
--
-- Args: p_transaction_ids (of the caller's writes that the answer must include); p_max_age (how far this
-- server may be behind the primary). Returns a null answer if the replica lacks one of them for 50 ms.
-- Errors: SERVICE_UNAVAILABLE if the server is too far behind, or no replica (any more); those of the
-- operation.
create function gateway.call_replica(
  p_operation text, p_args jsonb, p_claims jsonb, p_transaction_ids xid8[], p_max_age interval, p_photos_url text,
  p_request_id text,
  out answer text, out visited_hub uuid
) returns record
language plpgsql set search_path = '' as $$
declare
  v_deadline timestamptz := clock_timestamp() + interval '50 milliseconds';
  v_transaction_id xid8;
begin
  if not pg_is_in_recovery() or gateway.is_behind(p_max_age) then
    raise exception using errcode = 'PT503', message = 'SERVICE_UNAVAILABLE';
  end if;
  foreach v_transaction_id in array p_transaction_ids loop
    if not exists (select from gateway.applied(array[v_transaction_id], v_deadline - clock_timestamp())) then
      return;
    end if;
  end loop;
  select c.answer, c.visited_hub into call_replica.answer, call_replica.visited_hub
  from gateway.call('reader', p_operation, p_args, p_claims, false, p_photos_url, p_request_id) as c;
end
$$;
comment on function gateway.call_replica is
  'Answers a read on a replica as gateway.call does (docs/decisions/018-replicas.md).';
grant execute on function gateway.call_replica to opine_gateway;
