-- Every rule reads this clock, which tests and demos shift (app.set_clock_offset). The planner inlines it.
create function app.now() returns timestamptz language sql stable return pg_catalog.now();
comment on function app.now is 'Returns the time of the transaction.';
grant execute on function app.now to anon, authenticated;

-- Only for a superuser of the embedded stack; raises in any other database.
create function app.set_clock_offset(p_offset interval) returns timestamptz
language plpgsql set search_path = '' as $$
begin
  if to_regclass('embedded.stack') is null then
    raise exception 'The clock is shifted only in a database that the embedded stack made.';
  end if;
  -- Two transactions cannot replace a function at once.
  perform pg_advisory_xact_lock(hashtext('app.set_clock_offset'));
  execute format(
    'create or replace function app.now() returns timestamptz language sql stable '
    'return pg_catalog.now() + %L::interval',
    p_offset
  );
  return app.now();
end
$$;
comment on function app.set_clock_offset is
  'Shifts app.now() by p_offset for everybody and returns the new time (docs/product.md R4): it replaces that '
  'function, so that a clock which nobody shifts costs nothing.';

-- Returns a time as answers carry it: ISO 8601 in UTC with milliseconds; null for null. A year beyond 9999
-- has a sign and six digits, as JavaScript reads and writes it. The planner inlines the function.
create function app.iso(p_at timestamptz) returns text language sql stable
return to_char(p_at at time zone 'UTC', case
  when p_at < '10000-01-01T00:00:00Z' then 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
  when p_at < '100000-01-01T00:00:00Z' then '"+0"YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
  else '"+"YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
end);
comment on function app.iso is
  'Returns a time in ISO 8601, in UTC with milliseconds; null for null (docs/product.md W1).';
grant execute on function app.iso to anon, authenticated, staff_support;

-- Rows created together are adjacent in their indexes, and ids from one caller sort in the order of creation.
create function app.uuid_v7() returns uuid
language plpgsql set search_path = '' as $$
declare
  v_bytes bytea := uuid_send(gen_random_uuid());
  v_microseconds bigint := floor(extract(epoch from clock_timestamp()) * 1000000)::bigint;
  v_fraction integer := ((v_microseconds % 1000) * 4096 / 1000)::integer;
begin
  v_bytes := overlay(v_bytes placing substring(int8send(v_microseconds / 1000) from 3) from 1 for 6);
  v_bytes := set_byte(v_bytes, 6, 112 | (v_fraction >> 8));
  v_bytes := set_byte(v_bytes, 7, v_fraction & 255);
  return encode(v_bytes, 'hex')::uuid;
end
$$;
comment on function app.uuid_v7 is
  'Returns a new id: a version 7 UUID (RFC 9562, with a fraction of the millisecond by method 3).';
grant execute on function app.uuid_v7 to anon, authenticated;

create function app.first_id_at(p_at timestamptz) returns uuid
language plpgsql stable set search_path = '' as $$
begin
  return rpad(lpad(to_hex(floor(extract(epoch from p_at) * 1000)::bigint), 12, '0'), 32, '0')::uuid;
end
$$;
comment on function app.first_id_at is 'Returns a lower bound of the ids that app.uuid_v7 creates from p_at on.';

create function app.backoff(
  p_attempt_count integer, p_first interval default '1 minute', p_factor integer default 2,
  p_max interval default '1 hour'
) returns interval
language plpgsql set search_path = '' as $$
begin
  return least(p_first * p_factor ^ least(p_attempt_count, 10), p_max) * (0.75 + random() / 2);
end
$$;
comment on function app.backoff is
  'Returns how long to wait after p_attempt_count failures: p_first, then p_factor times as long each time, at most '
  'p_max, with 25 % of jitter.';

-- A worker process keeps these times in memory.
create table app.task_runs (
  name text primary key,
  started_at timestamptz not null
);
comment on table app.task_runs is
  'One row per task that an edge function does not run at each call: the time of its last start.';
alter table app.task_runs enable row level security;

-- Exactly one of several concurrent calls returns true.
--
-- Args: p_name, p_interval (between starts).
create function app.start_task(p_name text, p_interval interval) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  insert into app.task_runs as r (name, started_at) values (p_name, app.now())
  on conflict (name) do update set started_at = excluded.started_at
  where r.started_at <= excluded.started_at - p_interval;
  return found;
end
$$;
comment on function app.start_task is 'Records the start of a task and returns true if the task is due.';
grant execute on function app.start_task to opine_worker;
