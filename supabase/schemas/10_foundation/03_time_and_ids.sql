create table app.clock (
  is_singleton boolean primary key default true,
  shift interval not null,
  constraint clock_is_singleton check (is_singleton)
);
comment on table app.clock is 'How far app.now() is shifted. Empty wherever people live: see app.set_clock_offset.';
alter table app.clock enable row level security;
grant select on app.clock to anon, authenticated;

create function app.now()
returns timestamptz
language plpgsql
stable
set search_path = ''
as $$
begin
  return pg_catalog.now() + coalesce((select c.shift from app.clock as c), interval '0');
end
$$;
comment on function app.now is 'The clock of every rule: the transaction''s time, shifted by app.clock in tests and demos.';
grant execute on function app.now to anon, authenticated;

create function app.set_clock_offset(p_offset interval)
returns timestamptz
language plpgsql
set search_path = ''
as $$
begin
  if to_regclass('embedded.stack') is null then
    raise exception 'The clock is shifted only in a database that the embedded stack made.';
  end if;
  insert into app.clock as c (shift) values (p_offset)
  on conflict (is_singleton) do update set shift = excluded.shift;
  return app.now();
end
$$;
comment on function app.set_clock_offset is 'Shifts app.now() by p_offset for everybody and answers the new time (docs/product.md R4). For a superuser of the embedded stack; refuses in any other database.';

create function app.iso(p_at timestamptz)
returns text
language plpgsql
stable
set search_path = ''
as $$
begin
  return to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
end
$$;
comment on function app.iso is 'A time as answers carry it: ISO 8601 in UTC with milliseconds. Null stays null.';
grant execute on function app.iso to anon, authenticated, staff_support;

create function app.uuid_v7()
returns uuid
language plpgsql
set search_path = ''
as $$
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
comment on function app.uuid_v7 is 'A new id: a version 7 UUID (RFC 9562, a fraction of the millisecond by method 3), so that rows made together lie together in their indexes and whoever makes several finds them in the order of making.';
grant execute on function app.uuid_v7 to anon, authenticated;

create function app.backoff(
  p_attempt_count integer, p_first interval default '1 minute', p_factor integer default 2, p_max interval default '1 hour'
)
returns interval
language plpgsql
set search_path = ''
as $$
begin
  return least(p_first * p_factor ^ least(p_attempt_count, 10), p_max) * (0.75 + random() / 2);
end
$$;
comment on function app.backoff is 'Returns how long to wait after p_attempt_count failures: p_first, then p_factor times as long each time, at most p_max, with 25 % of jitter.';

create table app.task_runs (
  name text primary key,
  started_at timestamptz not null
);
comment on table app.task_runs is 'When an edge function last started a task that is not due at each call. A worker keeps that by itself.';
alter table app.task_runs enable row level security;

create function app.start_task(p_name text, p_interval interval)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into app.task_runs as r (name, started_at) values (p_name, app.now())
  on conflict (name) do update set started_at = excluded.started_at
  where r.started_at <= excluded.started_at - p_interval;
  return found;
end
$$;
comment on function app.start_task is 'Starts a task if it is due. Args: the task; its interval. Returns whether it is due, which is true for one of several calls at once.';
grant execute on function app.start_task to opine_worker;
