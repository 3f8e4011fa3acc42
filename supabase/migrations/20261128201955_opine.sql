set local lock_timeout = '5s';
set local statement_timeout = '60s';

-- schemas/10_foundation/01_roles.sql

-- A project may grant other roles default privileges on everything its owner creates, which would include votes.
do $$
begin
  if exists (
    select
    from pg_default_acl as d
    cross join lateral aclexplode(d.defaclacl) as acl
    where d.defaclrole = current_user::regrole and d.defaclnamespace = 0 and acl.grantee not in (0, d.defaclrole)
  ) then
    raise exception 'the default privileges of % give others rights in every schema', current_user
      using hint = 'Give them schema by schema (alter default privileges in schema ...), and revoke those without.';
  end if;
end
$$;

-- Roles belong to the cluster, so a second database finds them already created.
do $$
begin
  if to_regrole('opine_gateway') is null then
    create role opine_gateway login noinherit;
    comment on role opine_gateway is 'Login of the service for requests. It executes schema gateway and nothing else.';
  end if;
  if to_regrole('opine_serializable') is null then
    create role opine_serializable login noinherit;
    comment on role opine_serializable is
      'Login like opine_gateway for operations that need SERIALIZABLE, because a pooler separates connections by '
      'login.';
  end if;
  if to_regrole('opine_worker') is null then
    create role opine_worker login noinherit;
    comment on role opine_worker is 'Login of the worker: upkeep and delivery.';
  end if;
  if to_regrole('opine_service') is null then
    create role opine_service nologin noinherit;
    comment on role opine_service is
      'Runs operations whose arguments the service vouches for: proofs (a code, a device, a refresh token) and the '
      'content of storage. Only the gateway may set this role, because a client of the Data API could send claims '
      'of its own.';
  end if;
  if to_regrole('opine_staff') is null then
    create role opine_staff nologin noinherit;
    comment on role opine_staff is 'A member of staff with a live staff session. Only the gateway may set this role.';
  end if;
  if to_regrole('staff_support') is null then
    create role staff_support nologin;
    comment on role staff_support is
      'Staff who look up accounts. It is granted to personal logins, and the gateway may set it.';
  end if;
  if to_regrole('staff_moderator') is null then
    create role staff_moderator nologin;
    comment on role staff_moderator is 'Staff who also decide reports.';
  end if;
  if to_regrole('staff_admin') is null then
    create role staff_admin nologin;
    comment on role staff_admin is
      'Staff who also decide who is staff, choose default feed users, requeue dead letters and read the audit log.';
  end if;
end
$$;
grant opine_staff to staff_support;
grant staff_support to staff_moderator;
grant staff_moderator to staff_admin;
grant anon, authenticated, opine_service, staff_support, staff_moderator,
  staff_admin to opine_gateway with inherit false, set true;
grant anon, authenticated to opine_serializable with inherit false, set true;

alter role opine_serializable set default_transaction_isolation = 'serializable';

alter role opine_gateway set statement_timeout = '10s';

alter role opine_serializable set statement_timeout = '10s';

alter role opine_worker set statement_timeout = '60s';

-- A function that forbids sequential scans has a plan of high cost, which Postgres would compile for seconds
-- before it runs for milliseconds.
alter role opine_gateway set jit = off;

alter role opine_serializable set jit = off;

alter role opine_worker set jit = off;

-- Arguments hold vote positions and keys, which must not reach the log. Only a superuser may set this.
do $$
declare
  v_login text;
begin
  foreach v_login in array array['opine_gateway', 'opine_serializable', 'opine_worker'] loop
    execute format('alter role %I set log_parameter_max_length = 0', v_login);
    execute format('alter role %I set log_parameter_max_length_on_error = 0', v_login);
  end loop;
exception when insufficient_privilege then
  raise notice 'log_parameter_max_length is for whoever runs this server to set';
end
$$;

alter role opine_gateway set idle_in_transaction_session_timeout = '15s';

alter role opine_serializable set idle_in_transaction_session_timeout = '5s';

-- Normal contention on one row (a hot post or Hub) lasts fractions of a second.
alter role opine_gateway set lock_timeout = '5s';

-- Longer than any request holds a lock, since its statement_timeout is shorter.
alter role opine_worker set lock_timeout = '15s';

-- While one transaction waits, Postgres keeps the predicate locks of the others and may run out of memory for
-- them. Fail and retry.
alter role opine_serializable set lock_timeout = '500ms';

-- schemas/10_foundation/02_schemas.sql

create extension if not exists btree_gin with schema extensions;

create extension if not exists pg_trgm with schema extensions;

create extension if not exists pgcrypto with schema extensions;

create schema app;

comment on schema app is 'Tables and rules. Private: no client reads it directly.';

create schema api;

comment on schema api is
  'One function per operation: api.<operation_id>(p_args jsonb) returns jsonb. The only schema that a client may '
  'reach.';

create schema gateway;

comment on schema gateway is
  'Functions for the login roles of the service: they set the claims of a caller and run one operation.';

create schema staff;

comment on schema staff is
  'Data and functions of staff, who is staff, and the audit log. Private to the service and to staff.';

grant usage on schema api to anon, authenticated, opine_service, opine_staff, opine_gateway, opine_serializable;

grant usage on schema app to anon, authenticated, opine_worker;

grant usage on schema gateway to opine_gateway, opine_serializable, opine_worker;

-- schemas/10_foundation/03_time_and_ids.sql

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

-- schemas/10_foundation/04_callers.sql

-- The id of the caller, whom the gateway has looked up; the Data API sets the claims alone. The planner inlines it.
create function app.user_id() returns uuid language sql stable
return coalesce(
  nullif(current_setting('opine.user_id', true), ''),
  nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'
)::uuid;
comment on function app.user_id is
  'Returns the caller''s id; null for a guest. Policies call it as (select app.user_id()), once per statement instead '
  'of once per row.';
grant execute on function app.user_id to anon, authenticated;

create function app.session_id() returns uuid language sql stable
return (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'session_id')::uuid;
comment on function app.session_id is 'Returns the session of the caller''s access token; null for a guest.';
grant execute on function app.session_id to authenticated;

-- schemas/10_foundation/05_arguments.sql

-- Args: p_path (names that lead to the argument), p_code (for programs), p_message (for people). Errors:
-- always VALIDATION_FAILED, with this one issue.
create function app.refuse_argument(p_path text[], p_code text, p_message text) returns void
language plpgsql stable set search_path = '' as $$
begin
  raise exception using errcode = 'PT422', message = 'VALIDATION_FAILED', detail = jsonb_build_object(
    'issues', jsonb_build_array(jsonb_build_object('path', p_path, 'code', p_code, 'message', p_message))
  )::text;
end
$$;
comment on function app.refuse_argument is 'Refuses an argument of an operation.';
grant execute on function app.refuse_argument to anon, authenticated;

-- Args: p_args, p_name, p_type (JSON type: string, number, boolean, array or object), p_within (the argument
-- that holds p_args, for the path of an error). Returns the JSON value; null if it is missing or null.
-- Errors: VALIDATION_FAILED for another type.
create function app.argument(p_args jsonb, p_name text, p_type text, p_within text default null) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_value jsonb := p_args -> p_name;
  v_type text := jsonb_typeof(v_value);
begin
  if v_type = p_type then
    return v_value;
  end if;
  if v_type <> 'null' then
    perform app.refuse_argument(
      array_remove(array[p_within, p_name], null),
      'invalid_type', format('Must be of the JSON type %s.', p_type)
    );
  end if;
  return null;
end
$$;
comment on function app.argument is 'Reads an argument of an operation.';
grant execute on function app.argument to anon, authenticated;

-- Reads a text of an operation.
--
-- p_min and p_max count characters. A non-empty text needs a visible character, and no run of combining
-- marks, which would hold the database when it is normalized. The column of a stored text has its own limits;
-- the defaults here bound what reaches the table.
create function app.text_argument(
  p_args jsonb, p_name text, p_min integer default 0, p_max integer default 10000, p_within text default null
) returns text
language plpgsql stable set search_path = '' as $$
declare
  v_text text := p_args ->> p_name;
  v_path text[];
begin
  if v_text is null or (
    char_length(v_text) between p_min and p_max and jsonb_typeof(p_args -> p_name) = 'string'
    and (v_text = '' or app.has_visible_character(v_text)) and not app.has_too_many_marks(v_text)
  ) then
    return v_text;
  end if;
  perform app.argument(p_args, p_name, 'string', p_within);
  v_path := array_remove(array[p_within, p_name], null);
  if char_length(v_text) > p_max then
    perform app.refuse_argument(v_path, 'too_big', format('Must have at most %s characters.', p_max));
  elsif char_length(v_text) < p_min then
    perform app.refuse_argument(v_path, 'too_small', format('Must have at least %s characters.', p_min));
  end if;
  if app.has_too_many_marks(v_text) then
    perform app.refuse_argument(v_path, 'too_many_marks', 'Must not have more than 30 combining marks in a row.');
  end if;
  perform app.refuse_argument(v_path, 'invisible', 'Must hold a visible character.');
  return null;
end
$$;
comment on function app.text_argument is
  'Reads a text of p_min to p_max characters; null if it is missing or null (docs/product.md W24, W25).';
grant execute on function app.text_argument to anon, authenticated;

-- Args: as app.argument. Returns the name; null if it is missing or null. Errors: VALIDATION_FAILED for a
-- name that is not plain (app.is_plain_name).
create function app.name_argument(p_args jsonb, p_name text) returns text
language plpgsql stable set search_path = '' as $$
declare
  v_text text := app.text_argument(p_args, p_name);
begin
  -- Check before the table does, because a violated constraint would log the row.
  if not app.is_plain_name(v_text) then
    perform app.refuse_argument(
      array[p_name], 'not_plain', 'Must be one line with a visible character and without control characters.'
    );
  end if;
  return v_text;
end
$$;
comment on function app.name_argument is 'Reads the name of a person, a Hub or a file.';
grant execute on function app.name_argument to authenticated;

-- Args: as app.argument. Returns the number; null if it is missing or null. Errors: VALIDATION_FAILED.
create function app.integer_argument(p_args jsonb, p_name text, p_min integer, p_max integer) returns integer
language plpgsql stable set search_path = '' as $$
declare
  v_number numeric;
begin
  if p_args ->> p_name is null then
    return null;
  end if;
  v_number := app.argument(p_args, p_name, 'number')::numeric;
  if v_number not between p_min and p_max then
    perform app.refuse_argument(array[p_name], 'out_of_range', format('Must be from %s to %s.', p_min, p_max));
  elsif v_number <> trunc(v_number) then
    perform app.refuse_argument(array[p_name], 'invalid_type', 'Must be a whole number.');
  end if;
  return v_number::integer;
end
$$;
comment on function app.integer_argument is 'Reads a whole number from p_min to p_max.';
grant execute on function app.integer_argument to anon, authenticated;

-- Args: as app.argument. Returns the choice; null if it is missing or null. Errors: VALIDATION_FAILED.
create function app.choice_argument(p_args jsonb, p_name text, variadic p_choices text[]) returns text
language plpgsql stable set search_path = '' as $$
declare
  v_choice text := p_args ->> p_name;
begin
  if v_choice <> all (p_choices) then
    perform app.refuse_argument(
      array[p_name], 'invalid_value', format('Must be one of %s.', array_to_string(p_choices, ', '))
    );
  end if;
  return v_choice;
end
$$;
comment on function app.choice_argument is 'Reads one of p_choices.';
grant execute on function app.choice_argument to anon, authenticated;

-- Args: as app.argument. Returns the JSON array; an empty one if it is missing or null. Errors:
-- VALIDATION_FAILED.
create function app.items_argument(p_args jsonb, p_name text, p_min integer, p_max integer, p_within text default null)
returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_items jsonb := coalesce(app.argument(p_args, p_name, 'array', p_within), '[]');
begin
  if jsonb_array_length(v_items) not between p_min and p_max then
    perform app.refuse_argument(
      array_remove(array[p_within, p_name], null),
      'out_of_range', format('Must have from %s to %s items.', p_min, p_max)
    );
  end if;
  return v_items;
end
$$;
comment on function app.items_argument is 'Reads an array of p_min to p_max items.';
grant execute on function app.items_argument to anon, authenticated;

-- Args: as app.argument. Returns the ids in their order; an empty array if it is missing or null. Errors:
-- VALIDATION_FAILED.
create function app.ids_argument(p_args jsonb, p_name text, p_min integer, p_max integer, p_within text default null)
returns uuid[]
language plpgsql stable set search_path = '' as $$
declare
  v_items jsonb := app.items_argument(p_args, p_name, p_min, p_max, p_within);
  v_path text[] := array_remove(array[p_within, p_name], null);
  v_ids uuid[];
begin
  if exists (
    select from jsonb_array_elements_text(v_items) as item (id) where not pg_input_is_valid(item.id, 'uuid')
  ) then
    perform app.refuse_argument(v_path, 'invalid_format', 'Must hold UUIDs alone.');
  end if;
  v_ids := array(
    select item.id::uuid from jsonb_array_elements_text(v_items) with ordinality as item (id, place) order by item.place
  );
  if cardinality(v_ids) <> (select count(distinct given.id) from unnest(v_ids) as given (id)) then
    perform app.refuse_argument(v_path, 'not_distinct', 'Must be distinct.');
  end if;
  return v_ids;
end
$$;
comment on function app.ids_argument is 'Reads an array of p_min to p_max distinct ids.';
grant execute on function app.ids_argument to anon, authenticated;

-- Args: p_args, p_names. Errors: VALIDATION_FAILED for the first that is missing or null.
create function app.require_arguments(p_args jsonb, variadic p_names text[]) returns void
language plpgsql stable set search_path = '' as $$
declare
  v_name text;
begin
  foreach v_name in array p_names loop
    if coalesce(p_args -> v_name, 'null') = 'null' then
      perform app.refuse_argument(array[v_name], 'required', 'Is required.');
    end if;
  end loop;
end
$$;
comment on function app.require_arguments is 'Requires arguments of an operation.';
grant execute on function app.require_arguments to anon, authenticated;

-- Args: p_args, p_names. Errors: VALIDATION_FAILED.
create function app.require_any_argument(p_args jsonb, variadic p_names text[]) returns void
language plpgsql stable set search_path = '' as $$
begin
  if not p_args ?| p_names then
    perform app.refuse_argument('{}', 'required', format('Needs one of %s.', array_to_string(p_names, ', ')));
  end if;
end
$$;
comment on function app.require_any_argument is 'Requires at least one argument of an operation, null or not.';
grant execute on function app.require_any_argument to authenticated;

-- Errors: VALIDATION_FAILED outside 1 to p_max.
create function app.page_size(p_args jsonb, p_default integer, p_max integer) returns integer
language plpgsql stable set search_path = '' as $$
begin
  return coalesce(app.integer_argument(p_args, 'limit', 1, p_max), p_default);
end
$$;
comment on function app.page_size is 'Returns the number of items of a page: the caller''s limit, else p_default.';
grant execute on function app.page_size to anon, authenticated;

create function app.has_visible_character(p_text text) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  -- Excludes white space, controls, format characters, combining marks, characters that fonts may omit, blank
  -- letters, private-use characters and noncharacters.
  return p_text ~ (
    '[^\u0001-\u0020\u007f-\u00a0\u00ad\u0300-\u036f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160'
    '\u1680\u17b4\u17b5\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff\u2000-\u200f\u2028-\u202f\u205f-\u206f\u20d0-\u20ff'
    '\u2800\u3000\u3164\ue000-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff'
    '\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a'
    '\U0001fffe\U0001ffff\U0002fffe\U0002ffff\U0003fffe-\U000e0fff\U000efffe-\U0010ffff]'
  );
end
$$;
comment on function app.has_visible_character is
  'Returns whether a text holds a character that a person can see; null for null.';
grant execute on function app.has_visible_character to anon, authenticated;

create function app.is_plain_name(p_name text) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  -- Control characters, line ends and bidirectional controls.
  return p_name !~ '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]' and app.has_visible_character(p_name);
end
$$;
comment on function app.is_plain_name is
  'Returns whether a name is one visible line that does not affect the text beside it; null for null.';
grant execute on function app.is_plain_name to authenticated;

create function app.end_of_prefix(p_prefix text) returns text
language sql immutable set search_path = ''
begin atomic
  select p_prefix || chr(1114111);
end;
comment on function app.end_of_prefix is
  'Returns the end of an index range for a prefix: a text that sorts, in byte order, after every text that begins with '
  'p_prefix.';
grant execute on function app.end_of_prefix to authenticated;

create function app.found(p_answer jsonb, p_code text) returns jsonb
language plpgsql immutable set search_path = '' as $$
begin
  if p_answer is null then
    raise exception using errcode = 'PT404', message = p_code;
  end if;
  return p_answer;
end
$$;
comment on function app.found is 'Returns p_answer. Raises the 404 p_code instead of null.';
grant execute on function app.found to authenticated;

-- schemas/10_foundation/06_pages.sql

create type app.list_entry as (at timestamptz, id uuid);
comment on type app.list_entry is 'An entry of a list in time order; its cursor encodes both fields.';

create type app.search_hit as (tier integer, key text, id uuid);
comment on type app.search_hit is
  'A search result: its tier (the lowest is the best match) and its position within the tier (key, then id).';

create table app.cursor_keys (
  is_singleton boolean primary key default true,
  key bytea not null default extensions.gen_random_bytes(32),
  constraint cursor_keys_is_singleton check (is_singleton)
);
comment on table app.cursor_keys is 'One row: the random key of this database that seals cursors.';
alter table app.cursor_keys enable row level security;

-- Names a list: what a cursor is good for.
--
-- p_args are the arguments of the operation. p_defaults are those of its parameters, so that a default that
-- is written out names the same list; an empty q is none. A cursor of a shared list is good for every caller,
-- of any other for this caller alone.
create function app.list_of(p_name text, p_args jsonb, p_defaults jsonb default '{}', p_is_shared boolean default false)
returns text
language plpgsql stable set search_path = '' as $$
declare
  v_claims jsonb := nullif(current_setting('request.jwt.claims', true), '')::jsonb;
  v_empty text := case p_args ->> 'q' when '' then 'q' else '' end;
  v_parameters jsonb := p_args - '{cursor,limit,staffTokenHash}'::text[] - v_empty;
begin
  return jsonb_build_array(
    p_name,
    p_defaults || jsonb_strip_nulls(v_parameters),
    case when not p_is_shared then coalesce(v_claims ->> 'sub', v_claims ->> 'email') end
  )::text;
end
$$;
comment on function app.list_of is
  'Returns the name of a list with its parameters and its caller (docs/product.md W6).';
grant execute on function app.list_of to anon, authenticated;

-- Seals a place in a list as a cursor.
--
-- A place holds times, ids and names, and cursors appear in URLs and access logs, so it is encrypted. The
-- initialization vector authenticates the place and the list (as in RFC 5297), and equal places have equal
-- cursors. A definer function, because callers may not read the key.
create function app.seal_cursor(p_list text, p_place jsonb) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  v_key bytea := (select k.key from app.cursor_keys as k);
  v_place bytea := convert_to(p_place::text, 'UTF8');
  v_iv bytea := substr(extensions.hmac(convert_to(p_list, 'UTF8') || v_place, v_key, 'sha256'), 1, 16);
begin
  return app.base64url(v_iv || extensions.encrypt_iv(v_place, sha256(v_key), v_iv, 'aes'));
end
$$;
comment on function app.seal_cursor is 'Returns the cursor of a place in a list of app.list_of (docs/product.md W6).';
grant execute on function app.seal_cursor to anon, authenticated, staff_moderator;

-- Opens a cursor that app.seal_cursor sealed for the same list; returns null for null and for an empty text.
--
-- Base64 has several spellings of the same bytes, so compare the text too. The comparison of the vectors may
-- end early: another vector decrypts to another place, whose vector differs everywhere.
create function app.open_cursor(p_list text, p_cursor text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_key bytea := (select k.key from app.cursor_keys as k);
  v_base64 text := translate(p_cursor, '-_', '+/');
  v_sealed bytea;
  v_place bytea;
begin
  if coalesce(p_cursor, '') = '' then
    return null;
  elsif char_length(p_cursor) > 4000 then
    raise invalid_parameter_value;
  end if;
  v_sealed := decode(rpad(v_base64, (char_length(v_base64) + 3) / 4 * 4, '='), 'base64');
  v_place := extensions.decrypt_iv(substr(v_sealed, 17), sha256(v_key), substr(v_sealed, 1, 16), 'aes');
  if substr(v_sealed, 1, 16) <> substr(extensions.hmac(convert_to(p_list, 'UTF8') || v_place, v_key, 'sha256'), 1, 16)
    or app.base64url(v_sealed) <> p_cursor
  then
    raise invalid_parameter_value;
  end if;
  return convert_from(v_place, 'UTF8')::jsonb;
exception when data_exception or external_routine_invocation_exception then
  perform app.refuse_argument('{cursor}', 'invalid_cursor', 'Not a cursor of this list.');
end
$$;
comment on function app.open_cursor is 'Returns the place that a cursor of a list holds (docs/product.md W6).';
grant execute on function app.open_cursor to anon, authenticated;

create function app.base64url(p_bytes bytea) returns text language sql immutable
return rtrim(translate(encode(p_bytes, 'base64'), E'+/\n', '-_'), '=');
comment on function app.base64url is 'Returns bytes in the URL-safe alphabet of Base64, without padding (RFC 4648).';

-- An SQL body names no schema at run time, and the roles of staff may not use schema app.
create function app.encode_cursor(p_list text, p_at timestamptz, p_id uuid) returns text language sql stable
return case when p_id is not null then app.seal_cursor(p_list, jsonb_build_array(p_at, p_id)) end;
comment on function app.encode_cursor is 'Returns the cursor after an entry of a list in time order; null for null.';
grant execute on function app.encode_cursor to anon, authenticated, staff_moderator;

-- Returns where a page of a list in time order begins.
--
-- Without a cursor: the start of a list with the newest first, or with the oldest first.
create function app.decode_cursor(p_list text, p_cursor text, p_is_oldest_first boolean default false)
returns app.list_entry
language plpgsql stable set search_path = '' as $$
declare
  v_place jsonb := app.open_cursor(p_list, p_cursor);
begin
  if v_place is not null then
    return (v_place ->> 0, v_place ->> 1)::app.list_entry;
  elsif p_is_oldest_first then
    return ('-infinity', '00000000-0000-0000-0000-000000000000')::app.list_entry;
  end if;
  return ('infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff')::app.list_entry;
end
$$;
comment on function app.decode_cursor is 'Returns the entry that a page of a list in time order begins after.';
grant execute on function app.decode_cursor to anon, authenticated;

create function app.next_cursor(p_list text, p_entries app.list_entry[], p_limit integer) returns text
language plpgsql stable set search_path = '' as $$
begin
  if cardinality(p_entries) > p_limit then
    return app.encode_cursor(p_list, p_entries[p_limit].at, p_entries[p_limit].id);
  end if;
  return null;
end
$$;
comment on function app.next_cursor is 'Returns the cursor after p_limit of p_entries; null if there are no more.';
grant execute on function app.next_cursor to anon, authenticated;

create function app.encode_hit(p_list text, p_hits app.search_hit[], p_limit integer) returns text
language plpgsql stable set search_path = '' as $$
begin
  if cardinality(p_hits) > p_limit then
    return app.seal_cursor(p_list, jsonb_build_array(p_hits[p_limit].tier, p_hits[p_limit].key, p_hits[p_limit].id));
  end if;
  return null;
end
$$;
comment on function app.encode_hit is 'Returns the cursor after p_limit of p_hits; null if there are no more.';
grant execute on function app.encode_hit to anon, authenticated;

-- Returns the hit that a page of a search begins after: the start for null.
--
-- A cursor of the id alone would lose the key once that person is renamed or gone, and the next page would
-- skip or repeat others.
create function app.decode_hit(p_list text, p_cursor text) returns app.search_hit
language plpgsql stable set search_path = '' as $$
declare
  v_place jsonb := app.open_cursor(p_list, p_cursor);
begin
  if v_place is null then
    return (1, '', '00000000-0000-0000-0000-000000000000')::app.search_hit;
  end if;
  return (v_place ->> 0, v_place ->> 1, v_place ->> 2)::app.search_hit;
end
$$;
comment on function app.decode_hit is 'Returns the hit that a page of a search begins after.';
grant execute on function app.decode_hit to anon, authenticated;

create function app.first_id_within(p_interval interval) returns uuid
language plpgsql set search_path = '' as $$
begin
  return app.first_id_at(clock_timestamp() - p_interval);
end
$$;
comment on function app.first_id_within is
  'Returns a lower bound of the ids that app.uuid_v7 has created within p_interval.';

-- schemas/10_foundation/07_rate_limits.sql

-- Each use adds its share of the window, and time drains it: the whole limit is free again at empty_at.
create table app.rate_limits (
  kind text not null,
  subject text not null,
  empty_at timestamptz not null,
  used_at timestamptz not null,
  constraint rate_limits_pkey primary key (subject, kind)
)
-- Free space, and no index on a column that a use changes, so that the update of a row stays on its page (HOT).
with (fillfactor = 50);
comment on table app.rate_limits is
  'One row per rate limit in use (a leaky bucket), in the database because it holds for all processes together.';
comment on column app.rate_limits.subject is
  'The owner of the limit: the id of a user or a session, the keyed hash of an address, or empty for the whole '
  'service.';
comment on column app.rate_limits.used_at is
  'Latest time of a use. A use that began earlier and waited for the row counts as of this time.';
alter table app.rate_limits enable row level security;
grant maintain on app.rate_limits to opine_worker;

-- p_grain is how exactly the row dates uses.
--
-- Returns null if a use was free, or if p_subject or p_limit is null (no limit); else consumes nothing and
-- returns when the next use is free.
create function app.consume_rate_limit(
  p_kind text, p_subject text, p_limit integer, p_window interval, p_grain interval default '1 microsecond'
) returns timestamptz
language plpgsql set search_path = '' as $$
declare
  v_now timestamptz := date_bin(p_grain, app.now(), 'epoch');
  v_share interval := app.rate_limit_cost(p_limit, p_window);
begin
  if p_subject is null or p_limit is null then
    return null;
  end if;
  insert into app.rate_limits as m (kind, subject, empty_at, used_at)
  values (p_kind, p_subject, v_now + v_share, v_now)
  on conflict (kind, subject) do update
    set empty_at = greatest(m.empty_at, v_now) + v_share, used_at = greatest(m.used_at, v_now)
    where m.empty_at + v_share <= greatest(m.used_at, v_now) + p_window;
  if found then
    return null;
  end if;
  return (
    select date_bin(p_grain, m.empty_at + v_share - p_window + p_grain - interval '1 microsecond', 'epoch')
    from app.rate_limits as m
    where m.kind = p_kind and m.subject = p_subject
  );
end
$$;
comment on function app.consume_rate_limit is
  'Consumes one of p_limit uses in p_window: all pass at once, then one for each share of the window.';

create function app.rate_limit_cost(p_limit integer, p_window interval) returns interval language sql immutable
return interval '1 microsecond' * ((extract(epoch from p_window) * 1000000)::bigint / p_limit);
comment on function app.rate_limit_cost is
  'Returns the share of p_window that one of p_limit uses takes, rounded down so that all fit.';

create function app.rate_limit_opens_at(p_kind text, p_subject text, p_limit integer, p_window interval)
returns timestamptz
language plpgsql stable set search_path = '' as $$
begin
  return (
    select opening.at
    from app.rate_limits as m
    cross join lateral (select m.empty_at + app.rate_limit_cost(p_limit, p_window) - p_window as at) as opening
    where m.kind = p_kind and m.subject = p_subject and opening.at > app.now()
  );
end
$$;
comment on function app.rate_limit_opens_at is
  'Returns when the limit of p_limit uses in p_window lets the next use pass; null for now, or if p_limit is null.';

-- Errors: RATE_LIMITED, with retryAfterSeconds, if none is free.
create function app.require_rate_limit(
  p_kind text, p_subject text, p_limit integer, p_window interval, p_grain interval default '1 microsecond'
) returns void
language plpgsql set search_path = '' as $$
begin
  perform app.refuse_until(app.consume_rate_limit(p_kind, p_subject, p_limit, p_window, p_grain));
end
$$;
comment on function app.require_rate_limit is 'Consumes a use as app.consume_rate_limit does.';

create function app.refuse_until(p_opens_at timestamptz) returns void
language plpgsql stable set search_path = '' as $$
begin
  if p_opens_at is not null then
    raise exception using errcode = 'PT429', message = 'RATE_LIMITED', detail = app.retry_after(p_opens_at)::text;
  end if;
end
$$;
comment on function app.refuse_until is 'Raises RATE_LIMITED, with retryAfterSeconds, unless p_opens_at is null.';

create function app.return_use(p_kind text, p_subject text, p_limit integer, p_window interval) returns void
language plpgsql set search_path = '' as $$
begin
  update app.rate_limits as m
  set empty_at = m.empty_at - app.rate_limit_cost(p_limit, p_window)
  where m.kind = p_kind and m.subject = p_subject;
end
$$;
comment on function app.return_use is
  'Gives back a use that app.consume_rate_limit consumed; nothing if p_subject or p_limit is null.';

create function app.usage_limit(p_kind text) returns integer language sql immutable
return case p_kind
  when 'posts' then 60
  when 'comments' then 240
  when 'follows' then 240
  when 'shares' then 120
  when 'hubs' then 20
  when 'reports' then 60
  when 'votes' then 1200
  when 'searches' then 1200
  when 'joinRequests' then 20
  when 'roleChanges' then 60
end;
comment on function app.usage_limit is
  'Returns how often a person may do something in an hour, or create Hubs, report and ask to join Hubs in a day '
  '(docs/product.md A1), unless the setting opine.limits says otherwise: gateway.call sets it to the configuration of '
  'the service.';

create function app.retry_after(p_until timestamptz) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return jsonb_build_object('retryAfterSeconds', greatest(1, ceil(extract(epoch from p_until - app.now()))::integer));
end
$$;
comment on function app.retry_after is
  'Returns the details of a RATE_LIMITED error that ends at p_until: whole seconds, at least one.';

create function app.prune_rate_limits() returns void
language sql security definer set search_path = ''
begin atomic
  delete from app.rate_limits
  where (kind, subject) in (
    -- A concurrent use has locked its row and refilled it.
    select m.kind, m.subject from app.rate_limits as m where m.empty_at <= app.now() for update skip locked
  );
end;
comment on function app.prune_rate_limits is 'Upkeep: deletes drained rows, which are equivalent to none.';
grant execute on function app.prune_rate_limits to opine_worker;

-- schemas/10_foundation/08_cursor_key.sql

-- The migration generator diffs no rows. Create the key here, once per database, so that replicas have it too.
do $$
begin
  insert into app.cursor_keys default values on conflict do nothing;
end
$$;

-- schemas/10_foundation/09_words.sql

-- Returns the non-spacing and enclosing marks (categories Mn and Me of Unicode 17), as ranges for a bracket
-- expression.
--
-- Unassigned code points between two marks count as marks. tests/db/words.test.ts compares the list with that
-- of Node.
create function app.marks() returns text language sql immutable
  return '\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670'
    '\u06d6-\u06dc\u06df-\u06e4\u06e7-\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u07eb-\u07f3\u07fd'
    '\u0816-\u0819\u081b-\u0823\u0825-\u0827\u0829-\u082d\u0859-\u085b\u0897-\u089f\u08ca-\u08e1\u08e3-\u0902\u093a'
    '\u093c\u0941-\u0948\u094d\u0951-\u0957\u0962-\u0963\u0981\u09bc\u09c1-\u09c4\u09cd\u09e2-\u09e3\u09fe-\u0a02'
    '\u0a3c\u0a41-\u0a51\u0a70-\u0a71\u0a75\u0a81-\u0a82\u0abc\u0ac1-\u0ac8\u0acd\u0ae2-\u0ae3\u0afa-\u0b01\u0b3c'
    '\u0b3f\u0b41-\u0b44\u0b4d-\u0b56\u0b62-\u0b63\u0b82\u0bc0\u0bcd\u0c00\u0c04\u0c3c\u0c3e-\u0c40\u0c46-\u0c56'
    '\u0c62-\u0c63\u0c81\u0cbc\u0cbf\u0cc6\u0ccc-\u0ccd\u0ce2-\u0ce3\u0d00-\u0d01\u0d3b-\u0d3c\u0d41-\u0d44\u0d4d'
    '\u0d62-\u0d63\u0d81\u0dca\u0dd2-\u0dd6\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece'
    '\u0f18-\u0f19\u0f35\u0f37\u0f39\u0f71-\u0f7e\u0f80-\u0f84\u0f86-\u0f87\u0f8d-\u0fbc\u0fc6\u102d-\u1030'
    '\u1032-\u1037\u1039-\u103a\u103d-\u103e\u1058-\u1059\u105e-\u1060\u1071-\u1074\u1082\u1085-\u1086\u108d\u109d'
    '\u135d-\u135f\u1712-\u1714\u1732-\u1733\u1752-\u1753\u1772-\u1773\u17b4-\u17b5\u17b7-\u17bd\u17c6\u17c9-\u17d3'
    '\u17dd\u180b-\u180d\u180f\u1885-\u1886\u18a9\u1920-\u1922\u1927-\u1928\u1932\u1939-\u193b\u1a17-\u1a18\u1a1b'
    '\u1a56\u1a58-\u1a60\u1a62\u1a65-\u1a6c\u1a73-\u1a7f\u1ab0-\u1b03\u1b34\u1b36-\u1b3a\u1b3c\u1b42\u1b6b-\u1b73'
    '\u1b80-\u1b81\u1ba2-\u1ba5\u1ba8-\u1ba9\u1bab-\u1bad\u1be6\u1be8-\u1be9\u1bed\u1bef-\u1bf1\u1c2c-\u1c33'
    '\u1c36-\u1c37\u1cd0-\u1cd2\u1cd4-\u1ce0\u1ce2-\u1ce8\u1ced\u1cf4\u1cf8-\u1cf9\u1dc0-\u1dff\u20d0-\u20f0'
    '\u2cef-\u2cf1\u2d7f\u2de0-\u2dff\u302a-\u302d\u3099-\u309a\ua66f-\ua672\ua674-\ua67d\ua69e-\ua69f\ua6f0-\ua6f1'
    '\ua802\ua806\ua80b\ua825-\ua826\ua82c\ua8c4-\ua8c5\ua8e0-\ua8f1\ua8ff\ua926-\ua92d\ua947-\ua951\ua980-\ua982'
    '\ua9b3\ua9b6-\ua9b9\ua9bc-\ua9bd\ua9e5\uaa29-\uaa2e\uaa31-\uaa32\uaa35-\uaa36\uaa43\uaa4c\uaa7c\uaab0'
    '\uaab2-\uaab4\uaab7-\uaab8\uaabe-\uaabf\uaac1\uaaec-\uaaed\uaaf6\uabe5\uabe8\uabed\ufb1e\ufe00-\ufe0f'
    '\ufe20-\ufe2f\U000101fd\U000102e0\U00010376-\U0001037a\U00010a01-\U00010a0f\U00010a38-\U00010a3f'
    '\U00010ae5-\U00010ae6\U00010d24-\U00010d27\U00010d69-\U00010d6d\U00010eab-\U00010eac\U00010efa-\U00010eff'
    '\U00010f46-\U00010f50\U00010f82-\U00010f85\U00011001\U00011038-\U00011046\U00011070\U00011073-\U00011074'
    '\U0001107f-\U00011081\U000110b3-\U000110b6\U000110b9-\U000110ba\U000110c2\U00011100-\U00011102'
    '\U00011127-\U0001112b\U0001112d-\U00011134\U00011173\U00011180-\U00011181\U000111b6-\U000111be'
    '\U000111c9-\U000111cc\U000111cf\U0001122f-\U00011231\U00011234\U00011236-\U00011237\U0001123e\U00011241'
    '\U000112df\U000112e3-\U000112ea\U00011300-\U00011301\U0001133b-\U0001133c\U00011340\U00011366-\U00011374'
    '\U000113bb-\U000113c0\U000113ce\U000113d0\U000113d2\U000113e1-\U000113e2\U00011438-\U0001143f'
    '\U00011442-\U00011444\U00011446\U0001145e\U000114b3-\U000114b8\U000114ba\U000114bf-\U000114c0'
    '\U000114c2-\U000114c3\U000115b2-\U000115b5\U000115bc-\U000115bd\U000115bf-\U000115c0\U000115dc-\U000115dd'
    '\U00011633-\U0001163a\U0001163d\U0001163f-\U00011640\U000116ab\U000116ad\U000116b0-\U000116b5\U000116b7'
    '\U0001171d\U0001171f\U00011722-\U00011725\U00011727-\U0001172b\U0001182f-\U00011837\U00011839-\U0001183a'
    '\U0001193b-\U0001193c\U0001193e\U00011943\U000119d4-\U000119db\U000119e0\U00011a01-\U00011a0a'
    '\U00011a33-\U00011a38\U00011a3b-\U00011a3e\U00011a47\U00011a51-\U00011a56\U00011a59-\U00011a5b'
    '\U00011a8a-\U00011a96\U00011a98-\U00011a99\U00011b60\U00011b62-\U00011b64\U00011b66\U00011c30-\U00011c3d'
    '\U00011c3f\U00011c92-\U00011ca7\U00011caa-\U00011cb0\U00011cb2-\U00011cb3\U00011cb5-\U00011cb6'
    '\U00011d31-\U00011d45\U00011d47\U00011d90-\U00011d91\U00011d95\U00011d97\U00011ef3-\U00011ef4'
    '\U00011f00-\U00011f01\U00011f36-\U00011f3a\U00011f40\U00011f42\U00011f5a\U00013440\U00013447-\U00013455'
    '\U0001611e-\U00016129\U0001612d-\U0001612f\U00016af0-\U00016af4\U00016b30-\U00016b36\U00016f4f'
    '\U00016f8f-\U00016f92\U00016fe4\U0001bc9d-\U0001bc9e\U0001cf00-\U0001cf46\U0001d167-\U0001d169'
    '\U0001d17b-\U0001d182\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad\U0001d242-\U0001d244\U0001da00-\U0001da36'
    '\U0001da3b-\U0001da6c\U0001da75\U0001da84\U0001da9b-\U0001daaf\U0001e000-\U0001e02a\U0001e08f'
    '\U0001e130-\U0001e136\U0001e2ae\U0001e2ec-\U0001e2ef\U0001e4ec-\U0001e4ef\U0001e5ee-\U0001e5ef\U0001e6e3'
    '\U0001e6e6\U0001e6ee-\U0001e6ef\U0001e6f5\U0001e8d0-\U0001e8d6\U0001e944-\U0001e94a\U000e0100-\U000e01ef'
;
comment on function app.marks is 'Returns the ranges of the marks of Unicode, for regular expressions.';
grant execute on function app.marks to anon, authenticated;

-- Returns whether a text has more than 30 marks in a row after normalization: what no script writes (UAX 15,
-- stream-safe).
--
-- Postgres sorts the marks of a character in quadratic time, so a text with many of them is not normalized
-- here at all.
create function app.has_too_many_marks(p_text text) returns boolean
language plpgsql immutable set search_path = '' as $$
declare
  v_run text := '[' || app.marks() || ']{31}';
begin
  if octet_length(p_text) = char_length(p_text) then
    return false;
  elsif p_text ~ v_run then
    return true;
  end if;
  return normalize(p_text, nfd) ~ v_run;
end
$$;
comment on function app.has_too_many_marks is
  'Returns whether a text has more than 30 combining marks in a row (docs/product.md W24).';
grant execute on function app.has_too_many_marks to anon, authenticated;

-- Folds what searches do not distinguish: case, compatibility forms, optional marks, apostrophes, format
-- characters.
--
-- Optional are the accents of Latin, Greek and Cyrillic, Arabic harakat, hamza forms and tatweel, Hebrew
-- points and the nukta of Indic scripts; other marks are part of their letters. The collation is the same on
-- every platform. The cut bounds the characters that stand for many, and bounds every later step.
create function app.folded(p_text text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  v_text text := p_text;
begin
  if octet_length(p_text) = char_length(p_text) then
    return lower(p_text collate pg_catalog.pg_c_utf8);
  end if;
  v_text := regexp_replace(
    v_text,
    '[\u00ad\u0600-\u0605\u061c\u0640\u06dd\u070f\u0890\u0891\u08e2\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f'
    '\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3'
    '\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+',
    '', 'g'
  );
  v_text := regexp_replace(
    left(normalize(v_text, nfkd), 20000),
    '[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670'
    '\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed'
    '\u08d3-\u08e1\u08e3-\u08ff\u093c\u09bc\u0a3c\u0abc\u0b3c\u0cbc\u1ab0-\u1aff\u1dc0-\u1dff'
    '\u20d0-\u20ff\ufe20-\ufe2f]+',
    '', 'g'
  );
  v_text := lower(normalize(v_text, nfc) collate pg_catalog.pg_c_utf8);
  v_text := translate(v_text, '‘’ʼ՚׳łøđðħıŧςٱ', '''''''''''loddhitσا');
  return replace(replace(replace(replace(v_text, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
end
$$;
comment on function app.folded is
  'Returns a text as searches compare it, without case and optional marks (docs/product.md W29).';
grant execute on function app.folded to anon, authenticated;

-- Returns the scripts that are written without spaces, each as ranges for a bracket expression.
--
-- Han, Hiragana and Katakana stand first. Marks and signs that two of them share count as Katakana. Digits
-- are left out.
create function app.spaceless_scripts() returns text[] language sql immutable
return array[
  '\u2e80-\u2fd5\u3005\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufad9\U00016ff0-\U00016ff6'
  '\U00020000-\U00033479',
  '\u3041-\u3096\u309d-\u309f\U0001b001-\U0001b11f\U0001b132-\U0001b152',
  '\u3031-\u3035\u303c\u3099\u309a\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\U0001aff0-\U0001b000\U0001b120-\U0001b122'
  '\U0001b155-\U0001b167',
  '\u1100-\u11ff\u302e\u302f\u3131-\u318e\ua960-\ua97c\uac00-\ud7fb',
  '\u0e01-\u0e3a\u0e40-\u0e4e',
  '\u0e81-\u0ecf\u0edc-\u0edf',
  '\u1780-\u17d3\u17d7\u17dc\u17dd',
  '\u1000-\u103f\u104e\u1050-\u108f\u109a-\u109d\ua9e0-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa7f'
];
comment on function app.spaceless_scripts is
  'Returns the ranges of Han, Hiragana, Katakana, Hangul, Thai, Lao, Khmer and Myanmar.';
grant execute on function app.spaceless_scripts to anon, authenticated;

-- Returns the pattern of a run in a script without spaces. Japanese mixes its three scripts within words, so
-- they form one run.
create function app.runs_of_scripts() returns text
language plpgsql immutable set search_path = '' as $$
declare
  c_of constant text[] := app.spaceless_scripts();
begin
  return '[' || c_of[1] || c_of[2] || c_of[3] || ']+|[' || c_of[4] || ']+|[' || c_of[5] || ']+|[' || c_of[6] || ']+|['
    || c_of[7] || ']+|[' || c_of[8] || ']+';
end
$$;
comment on function app.runs_of_scripts is
  'Returns the pattern of a run in a script without spaces (docs/product.md W29).';
grant execute on function app.runs_of_scripts to anon, authenticated;

-- Separates the words of a text, and its runs in scripts without spaces, by single spaces.
--
-- A word ends at anything that is neither letter, mark nor digit. The collation calls all of that
-- punctuation, except private-use characters, and letters within circles and squares, which it takes for
-- letters. An apostrophe within a word stays, as the letter U+02BC.
create function app.spaced(p_text text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  c_runs constant text := app.runs_of_scripts();
  v_text text := regexp_replace(
    replace(translate(app.folded(p_text), '''', 'ʼ'), 'ʼʼ', ' ') collate pg_catalog.pg_c_utf8,
    '[[:space:][:cntrl:][:punct:]\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff\U0001f150-\U0001f189'
    '\U000f0000-\U0010ffff]+', ' ', 'g'
  );
begin
  if octet_length(v_text) > char_length(v_text) and v_text ~ c_runs then
    v_text := regexp_replace(v_text, '(' || c_runs || ')', ' \1 ', 'g');
  end if;
  return btrim(regexp_replace(regexp_replace(v_text, ' *ʼ? +ʼ?', ' ', 'g'), '^ʼ|ʼ$', '', 'g'));
end
$$;
comment on function app.spaced is
  'Returns the words and runs of a text with a space between them (docs/product.md W29).';
grant execute on function app.spaced to anon, authenticated;

-- Takes a text apart into words.
--
-- The parts of a word with apostrophes are words too. Of a run in scripts without spaces, each pair of
-- neighbours is a word, and so is a character that stands alone in its script. place counts words, and
-- characters of runs: neighbours within a run differ by one, and the last pair of a run and the next word by
-- two. is_part marks the words that a search for this text leaves out.
create function app.words_of(p_text text) returns table (place integer, word text, is_part boolean)
language plpgsql immutable set search_path = '' as $$
declare
  c_scripts constant text[] := app.spaceless_scripts();
  c_runs constant text := app.runs_of_scripts();
  c_japanese constant text := '([' || c_scripts[1] || ']+|[' || c_scripts[2] || ']+|[' || c_scripts[3] || ']+)';
  v_text text := app.spaced(p_text);
begin
  if v_text !~ (c_runs || '|ʼ') then
    -- Most texts: a few microseconds instead of thirty.
    return query
    select w.place::integer, left(w.word, 255), false
    from string_to_table(nullif(v_text, ''), ' ') with ordinality as w (word, place);
    return;
  end if;
  return query
  with pieces as materialized (
    select piece.text, piece.size, (1 + sum(piece.size) over (order by piece.number) - piece.size)::integer as place
    from (
      select p.text, p.number,
        case when octet_length(p.text) > char_length(p.text) and p.text ~ c_runs then char_length(p.text) else 1 end
          as size
      from string_to_table(v_text, ' ') with ordinality as p (text, number)
    ) as piece
  )
  -- No text has words of more than 255 letters, and Postgres no lexemes of more than 2,046 bytes.
  select p.place, left(replace(p.text, 'ʼ', ''), 255), false
  from pieces as p
  where p.size = 1
  union all
  select p.place, left(part.text, 255), true
  from pieces as p
  cross join string_to_table(p.text, 'ʼ') as part (text)
  where p.text like '%ʼ%' and part.text <> ''
  union all
  select p.place + pair.number::integer - 1, pair.first || pair.second, false
  from pieces as p
  cross join lateral (select string_to_array(p.text, null) as characters) as run
  cross join unnest(run.characters[:p.size - 1], run.characters[2:]) with ordinality as pair (first, second, number)
  where p.size > 1
  union all
  select p.place + part.start::integer, part.text, true
  from pieces as p
  cross join lateral (
    select found.parts[1] as text,
      sum(char_length(found.parts[1])) over (order by found.number) - char_length(found.parts[1]) as start
    from regexp_matches(p.text, c_japanese, 'g') with ordinality as found (parts, number)
  ) as part
  where p.size > 1 and char_length(part.text) = 1;
end
$$;
comment on function app.words_of is 'Returns the words of a text with their places (docs/product.md W29).';
grant execute on function app.words_of to anon, authenticated;

create function app.word_vector(p_text text) returns tsvector
language plpgsql immutable set search_path = '' as $$
begin
  return (
    -- Postgres counts places up to 16,383.
    select coalesce(string_agg('''' || w.word || ''':' || least(w.place, 16383), ' '), '')::tsvector
    from app.words_of(p_text) as w
  );
end
$$;
comment on function app.word_vector is 'Returns the words of a text as Postgres indexes them (docs/product.md W29).';
grant execute on function app.word_vector to anon, authenticated;

-- Returns the query of a text as one phrase: its words at their distances. Null for a text without a word.
create function app.phrase_of(p_text text) returns tsquery
language plpgsql immutable set search_path = '' as $$
declare
  v_word record;
  v_place integer;
  v_phrase tsquery;
begin
  for v_word in
    select w.place, ('''' || w.word || '''')::tsquery as query
    from app.words_of(p_text) as w
    where not w.is_part
    order by w.place
  loop
    v_phrase := case
      when v_phrase is null then v_word.query else tsquery_phrase(v_phrase, v_word.query, v_word.place - v_place)
    end;
    v_place := v_word.place;
  end loop;
  return v_phrase;
end
$$;
comment on function app.phrase_of is
  'Returns the query for the words of a text in their order; null without a word (docs/product.md W29).';
grant execute on function app.phrase_of to anon, authenticated;

create function app.in_any_order(p_phrase tsquery) returns tsquery
language plpgsql immutable set search_path = '' as $$
begin
  return regexp_replace(p_phrase::text, '<(-|\d+)>', '&', 'g')::tsquery;
end
$$;
comment on function app.in_any_order is 'Returns the query for texts that have every word of a phrase, anywhere.';
grant execute on function app.in_any_order to anon, authenticated;

-- Reads what people type into a search: words, "phrases", -not, or.
--
-- query is null without a word. An index finds its candidates: they have the words of each phrase anywhere,
-- so they include all matches. What a search leaves out limits them where it is one word.
create function app.search_query(p_text text, out query tsquery, out candidates tsquery)
language plpgsql immutable set search_path = '' as $$
declare
  v_terms text[] := array(
    select found.parts[1]
    from regexp_matches(translate(p_text, '“”„‟«»＂', '"""""""'), '(-*"[^"]*"?|[^\s"]+)', 'g')
      with ordinality as found (parts, place)
    order by found.place
  );
  v_term tsquery;
  v_wide tsquery;
  v_all tsquery;
  v_all_wide tsquery;
begin
  for place in 1 .. cardinality(v_terms) + 1 loop
    if place > cardinality(v_terms)
      or lower(v_terms[place]) = 'or' and v_all is not null and place < cardinality(v_terms)
    then
      -- The text is over, or another alternative begins. Without candidates of its own, its candidates are
      -- all texts.
      query := coalesce(query || v_all, query, v_all);
      v_all_wide := case when v_all is not null then coalesce(v_all_wide, '!''ʼ''') end;
      candidates := coalesce(candidates || v_all_wide, candidates, v_all_wide);
      v_all := null;
      v_all_wide := null;
    else
      v_term := app.phrase_of(v_terms[place]);
      v_wide := app.in_any_order(v_term);
      if starts_with(v_terms[place], '-') then
        v_wide := case when numnode(v_term) = 1 then !! v_term end;
        v_term := !! v_term;
      end if;
      v_all := coalesce(v_all && v_term, v_all, v_term);
      v_all_wide := coalesce(v_all_wide && v_wide, v_all_wide, v_wide);
    end if;
  end loop;
end
$$;
comment on function app.search_query is
  'Returns the query of a search in posts, and the wider one of its candidates (docs/product.md PO24).';
grant execute on function app.search_query to anon, authenticated;

-- Returns a text as names are compared with it: words with a space between them.
--
-- One character may stand for eighteen, so a name of 80 is cut to what an entry of an index can hold.
create function app.search_key(p_text text) returns text language sql immutable
return left(replace(app.spaced(p_text), 'ʼ', ''), 200);
comment on function app.search_key is
  'Returns the words of a text as searches compare names with it (docs/product.md W29).';
grant execute on function app.search_key to anon, authenticated;

-- Returns the query for texts that have every word of p_key (app.search_key), in any order; null without a
-- word.
create function app.all_words_of(p_key text) returns tsquery
language plpgsql immutable set search_path = '' as $$
begin
  return (
    select string_agg('(' || app.phrase_of(part.text)::text || ')', ' & ')::tsquery
    from string_to_table(nullif(p_key, ''), ' ') as part (text)
  );
end
$$;
comment on function app.all_words_of is
  'Returns the query for the words of a name, in any order (docs/product.md P22).';

-- Writes each letter beyond ASCII as one of 36, mostly another one for each letter of an alphabet. A syllable of
-- Hangul becomes the letters of which it consists.
create function app.letters_in_ascii(p_key text) returns text
language plpgsql immutable set search_path = '' as $$
begin
  return (
    select string_agg(
      case
        when ascii(c.letter) < 128 then c.letter
        else substr('abcdefghijklmnopqrstuvwxyz0123456789', 1 + ascii(c.letter) % 36, 1)
      end, '' order by c.place
    )
    from string_to_table(normalize(p_key, nfd), null) with ordinality as c (letter, place)
  );
end
$$;
comment on function app.letters_in_ascii is 'Returns a key in ASCII, for app.trigram_key.';
grant execute on function app.letters_in_ascii to anon, authenticated;

-- Returns a key (app.search_key) in letters and digits that pg_trgm knows under every locale.
--
-- pg_trgm takes words apart by the character type of the database: under C, letters beyond ASCII belong to no
-- word. The planner inlines it, because a search compares hundreds of names.
create function app.trigram_key(p_key text) returns text language sql immutable
return case when octet_length(p_key) = char_length(p_key) then p_key else app.letters_in_ascii(p_key) end;
comment on function app.trigram_key is
  'Returns a key for comparisons by trigrams, the same under every locale (docs/product.md P22).';
grant execute on function app.trigram_key to anon, authenticated;

-- Returns the last word of a key (app.search_key), mostly a family name; the key itself without a space. The
-- planner inlines it.
create function app.last_word(p_key text) returns text language sql immutable
return regexp_replace(p_key, '^.* ', '');
comment on function app.last_word is 'Returns the last word of a name (docs/product.md P22).';
grant execute on function app.last_word to anon, authenticated;

-- Returns the first ten distinct usernames that a text mentions with an @, in lower case.
--
-- A mention follows neither a Latin letter, digit, _, / nor @, so neither addresses nor paths mention
-- anybody. It ends before anything but a Latin letter, mark, digit, _ or @. Letters of other scripts may
-- stand beside it. The ranges are those of Unicode 17, because classes of characters depend on the locale.
create function app.usernames_in(p_text text) returns text[]
language plpgsql immutable set search_path = '' as $$
declare
  c_beside constant text :=
    '@_A-Za-z0-9\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02b8\u02e0-\u02e4\u1d00-\u1d25\u1d2c-\u1d5c'
    '\u1d62-\u1d65\u1d6b-\u1d77\u1d79-\u1dbe\u1e00-\u1eff\u2071\u207f\u2090-\u209c\u212a\u212b\u2132\u214e'
    '\u2183\u2184\u2c60-\u2c7f\ua722-\ua787\ua78b-\ua7ff\uab30-\uab5a\uab5c-\uab64\uab66-\uab69\ufb00-\ufb06'
    '\uff21-\uff3a\uff41-\uff5a\u0660-\u0669\u06f0-\u06f9\u07c0-\u07c9\u0966-\u096f\u09e6-\u09ef\u0a66-\u0a6f'
    '\u0ae6-\u0aef\u0b66-\u0b6f\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f\u0de6-\u0def\u0e50-\u0e59'
    '\u0ed0-\u0ed9\u0f20-\u0f29\u1040-\u1049\u1090-\u1099\u17e0-\u17e9\u1810-\u1819\u1946-\u194f\u19d0-\u19d9'
    '\u1a80-\u1a99\u1b50-\u1b59\u1bb0-\u1bb9\u1c40-\u1c59\ua620-\ua629\ua8d0-\ua8d9\ua900-\ua909\ua9d0-\ua9d9'
    '\ua9f0-\ua9f9\uaa50-\uaa59\uabf0-\uabf9\uff10-\uff19';
begin
  -- Most texts end here, before the search.
  if coalesce(strpos(p_text, '@'), 0) = 0 then
    return '{}'::text[];
  end if;
  return array(
    select handle.name
    from (
      select lower(found.parts[1] collate "C") as name, min(found.place) as place
      from regexp_matches(
        normalize(p_text), '(?<![/' || c_beside || '])@([A-Za-z0-9_]{3,30})(?![' || c_beside || app.marks() || '])', 'g'
      ) with ordinality as found (parts, place)
      group by 1
      order by 2
      limit 10
    ) as handle
    order by handle.place
  );
end
$$;
comment on function app.usernames_in is 'Returns the usernames that a text mentions (docs/product.md N25).';

-- schemas/15_activity/01_events.sql

-- Only old rows are post_voted.
create type app.event_type as enum (
  'user_followed',
  'hub_invite_received',
  'hub_join_request_created',
  'hub_join_request_approved',
  'hub_join_request_rejected',
  'hub_member_joined',
  'hub_member_removed',
  'hub_role_changed',
  'hub_post_created',
  'post_shared_to_hub',
  'post_reposted',
  'post_shared_to_feed',
  'post_commented',
  'post_vote_milestone',
  'post_voted',
  'followed_user_posted',
  'comment_replied',
  'user_mentioned',
  'moderation_decided'
);
comment on type app.event_type is 'Types of events, and of the notifications about them (docs/product.md N3).';

create table app.events (
  id uuid primary key default app.uuid_v7(),
  type app.event_type not null,
  actor_id uuid,
  subject_id uuid,
  hub_id uuid,
  post_id uuid,
  comment_id uuid,
  invitation_id uuid,
  join_request_id uuid,
  decision_id uuid,
  milestone_total integer,
  milestone_count integer,
  occurred_at timestamptz not null default app.now(),
  pushed_at timestamptz,
  constraint events_milestones_are_counted check (
    num_nonnulls(milestone_total, milestone_count) = case when type = 'post_vote_milestone' then 2 else 0 end
  )
);
comment on table app.events is
  'One row per event that people are to be notified of, written in the transaction of its activity (docs/product.md '
  'N3, N14).';
comment on column app.events.actor_id is
  'The person whose activity caused the event; null for milestones, and where the end of an account caused it.';
comment on column app.events.subject_id is
  'The person affected by the event: followed, applying, joining, removed, given a role, reaching a milestone, or '
  'concerned by a decision of staff.';
comment on column app.events.pushed_at is
  'Time for which the last push of a renewed event was scheduled (app.renew_event); null before the first renewal.';
comment on column app.events.milestone_count is
  'How many of the milestone_total votes count for the subject: all for the author, those since their own vote for a '
  'voter.';
create index events_actor_id_idx on app.events (actor_id);
create index events_subject_id_idx on app.events (subject_id);
create index events_hub_id_idx on app.events (hub_id);
create index events_post_id_idx on app.events (post_id);
create index events_comment_id_idx on app.events (comment_id);
create index events_invitation_id_idx on app.events (invitation_id);
create index events_join_request_id_idx on app.events (join_request_id);
create index events_decision_id_idx on app.events (decision_id);
create unique index events_milestone_key on app.events (
  post_id, subject_id, milestone_total, milestone_count
) where type = 'post_vote_milestone';
create index events_repeats_idx on app.events (actor_id, type, coalesce(post_id, subject_id), occurred_at)
where type in ('user_followed', 'post_shared_to_feed');
alter table app.events enable row level security;

-- Inserts an event in the transaction of its activity, unless it repeats one. Rooms above attach the rest by triggers:
-- who is notified of it, and that it may renew an earlier one. Milestones alone do not come from here, because
-- app.fan_out_milestones inserts many at once.
create function app.emit(
  p_type app.event_type, p_actor_id uuid, p_subject_id uuid default null, p_hub_id uuid default null,
  p_post_id uuid default null, p_comment_id uuid default null, p_invitation_id uuid default null,
  p_join_request_id uuid default null, p_decision_id uuid default null
) returns void
language plpgsql set search_path = '' as $$
begin
  if app.is_repeat(p_type, p_actor_id, coalesce(p_post_id, p_subject_id)) then
    return;
  end if;
  insert into app.events (
    type, actor_id, subject_id, hub_id, post_id, comment_id, invitation_id, join_request_id, decision_id
  )
  values (
    p_type, p_actor_id, p_subject_id, p_hub_id, p_post_id, p_comment_id, p_invitation_id, p_join_request_id,
    p_decision_id
  );
end
$$;
comment on function app.emit is 'Inserts an event (docs/product.md N3, N14), unless it repeats one (app.is_repeat).';

-- The row of the follow or share, which the caller has locked, keeps concurrent repeats apart.
create function app.is_repeat(p_type app.event_type, p_actor_id uuid, p_target_id uuid) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  -- Most events end here, before the query.
  if p_type not in ('user_followed', 'post_shared_to_feed') then
    return false;
  end if;
  return exists (
    select
    from app.events as e
    where e.actor_id = p_actor_id and e.type = p_type and coalesce(e.post_id, e.subject_id) = p_target_id
      and e.type in ('user_followed', 'post_shared_to_feed') and e.occurred_at > app.now() - interval '24 hours'
  );
end
$$;
comment on function app.is_repeat is
  'Returns whether an actor follows a user, or shares a post to their feed, again within 24 hours of the event of the '
  'first time (docs/product.md N26).';

-- schemas/20_identity/01_tables.sql

-- Phone and code are keyed hashes.
create table app.otp_codes (
  phone_hash bytea primary key,
  code_hash bytea,
  wrong_try_count smallint not null default 0,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  sent_at timestamptz[] not null default '{}',
  counts_in_prefix boolean not null default false,
  constraint otp_codes_phone_hash_is_sha256 check (length(phone_hash) = 32),
  constraint otp_codes_code_hash_is_sha256 check (length(code_hash) = 32),
  constraint otp_codes_tries_are_bounded check (wrong_try_count between 0 and 3)
);
comment on table app.otp_codes is 'One row per phone with a recent code: the newest one.';
comment on column app.otp_codes.code_hash is 'Null once the code has been used.';
comment on column app.otp_codes.sent_at is
  'Times of the last codes sent to this phone, newest first, as many as the daily limit counts.';
comment on column app.otp_codes.counts_in_prefix is
  'Whether the newest code counts in the limit of its block of numbers, until it is verified (docs/product.md A4).';
create index otp_codes_requested_at_idx on app.otp_codes (requested_at);
alter table app.otp_codes enable row level security;

create function app.is_e164(p_number text) returns boolean language sql immutable
return coalesce(p_number ~ '^\+[1-9][0-9]{6,14}$', false);
comment on function app.is_e164 is
  'Returns whether this is a phone number in E.164 form; false for null. The planner inlines it.';
grant execute on function app.is_e164 to authenticated;

create function app.are_e164(variadic p_numbers text[]) returns boolean
language sql immutable set search_path = ''
begin atomic
  select bool_and(app.is_e164(number)) from unnest(p_numbers) as number;
end;
comment on function app.are_e164 is
  'Returns whether each of these is a phone number in E.164 form; null for no numbers.';
grant execute on function app.are_e164 to authenticated;

-- Only the owner reads the row; others see app.profiles.
create table app.users (
  id uuid primary key default app.uuid_v7(),
  phone text,
  phone_verified_at timestamptz,
  device_hash bytea,
  terms_version text,
  terms_accepted_at timestamptz,
  media_completed_at timestamptz,
  contacts_synced_at timestamptz,
  created_at timestamptz not null default app.now(),
  ended_at timestamptz,
  constraint users_phone_key unique (phone),
  constraint users_device_hash_key unique (device_hash),
  constraint users_phone_is_e164 check (phone is null or app.are_e164(phone)),
  constraint users_phone_is_verified check ((phone is null) = (phone_verified_at is null)),
  constraint users_device_is_of_phoneless check (device_hash is null or phone is null),
  constraint users_ended_hold_nothing check (
    ended_at is null or num_nonnulls(phone, device_hash, terms_version, media_completed_at, contacts_synced_at) = 0
  ),
  constraint users_terms_are_dated check ((terms_version is null) = (terms_accepted_at is null)),
  constraint users_terms_version_length check (char_length(terms_version) <= 40)
);
comment on table app.users is
  'One row per account, ended ones included: the facts that determine a level (docs/product.md L1, L2).';
comment on column app.users.device_hash is
  'Keyed hash of the app install, or of the anonymous user of the identity provider, that restores this account. '
  'Verifying a phone clears it, because a device id is too weak a credential for a phone''s account.';
alter table app.users enable row level security;
grant select (
  id, phone, phone_verified_at, terms_version, terms_accepted_at, media_completed_at, contacts_synced_at, created_at,
  ended_at
)
  on app.users to authenticated;
grant update (terms_version, terms_accepted_at, media_completed_at, contacts_synced_at) on app.users to authenticated;

-- Keyed hashes; addresses count for 30 days, devices for a year.
create table app.sign_in_places (
  phone_hash bytea not null,
  place_hash bytea not null,
  user_id uuid not null references app.users (id) on delete cascade,
  is_device boolean not null,
  signed_in_at timestamptz not null default app.now(),
  constraint sign_in_places_pkey primary key (phone_hash, place_hash),
  constraint sign_in_places_hashes_are_sha256 check (length(phone_hash) = 32 and length(place_hash) = 32)
);
comment on table app.sign_in_places is
  'One row per phone and device or address from which it has signed in by code (docs/product.md A5, A6): guesses from '
  'elsewhere do not lock it out.';
comment on column app.sign_in_places.phone_hash is
  'Identifies the phone in the place of user_id, because requests for codes and tries must read no account.';
create index sign_in_places_user_id_idx on app.sign_in_places (user_id);
create index sign_in_places_place_hash_idx on app.sign_in_places (place_hash);
create index sign_in_places_signed_in_at_idx on app.sign_in_places (signed_in_at);
alter table app.sign_in_places enable row level security;

-- Deleting it ends the session, and all its tokens are invalid at once.
create table app.sessions (
  id uuid primary key default app.uuid_v7(),
  user_id uuid not null references app.users (id) on delete cascade,
  device_kind text not null default 'other',
  created_at timestamptz not null default app.now(),
  last_used_at timestamptz not null default app.now(),
  constraint sessions_device_kind_is_known check (device_kind in ('ios', 'android', 'web', 'other'))
);
comment on table app.sessions is 'One row per live session.';
comment on column app.sessions.last_used_at is
  'Time when the session began or was last refreshed. An access token lives 15 minutes, so the time is at most that '
  'far behind and needs no write per request.';
create index sessions_user_id_idx on app.sessions (user_id);
alter table app.sessions enable row level security;
grant select, delete on app.sessions to authenticated;

-- A replaced token stays until it expires, so that a late reuse is recognised and ends the session.
create table app.refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references app.sessions (id) on delete cascade,
  expires_at timestamptz not null,
  replaced_at timestamptz,
  constraint refresh_tokens_hash_is_sha256 check (length(token_hash) = 32)
);
comment on table app.refresh_tokens is 'One row per refresh token, by its SHA-256.';
create index refresh_tokens_session_id_idx on app.refresh_tokens (session_id);
create index refresh_tokens_expires_at_idx on app.refresh_tokens (expires_at);
alter table app.refresh_tokens enable row level security;

create table app.contact_snapshots (
  user_id uuid primary key references app.users (id) on delete cascade,
  upload_id uuid not null default app.uuid_v7(),
  permission text not null,
  contact_count integer,
  created_at timestamptz not null default app.now(),
  stored_at timestamptz,
  constraint contact_snapshots_upload_id_key unique (upload_id),
  constraint contact_snapshots_permission_is_known check (permission in ('granted', 'limited')),
  constraint contact_snapshots_contact_count_is_within_limit check (contact_count between 0 and 1000000)
);
comment on table app.contact_snapshots is
  'One row per user with the contacts step done: the only upload of their contacts, announced by that step and stored '
  'when it arrives (docs/product.md O5, O6).';
comment on column app.contact_snapshots.contact_count is
  'Number of contacts on the device, as the device reports it; null if it does not.';
alter table app.contact_snapshots enable row level security;
grant select on app.contact_snapshots to authenticated;
grant insert (user_id, permission, contact_count) on app.contact_snapshots to authenticated;
grant update (stored_at) on app.contact_snapshots to authenticated;

-- Only their owner reads them.
create table app.contacts (
  user_id uuid not null references app.contact_snapshots (user_id) on delete cascade,
  place integer not null,
  name text not null,
  phone_numbers text[] not null,
  thumbnail bytea,
  constraint contacts_pkey primary key (user_id, place),
  constraint contacts_name_length check (char_length(name) <= 200),
  constraint contacts_place_is_within_limit check (place between 1 and 5000),
  constraint contacts_phone_numbers_are_e164 check (app.are_e164(variadic phone_numbers)),
  constraint contacts_phone_numbers_are_few check (cardinality(phone_numbers) <= 50),
  constraint contacts_thumbnail_is_small check (octet_length(thumbnail) <= 8192)
);
comment on table app.contacts is 'One row per contact of a stored snapshot, in the order of the upload.';
-- Account deletion removes the phone from all snapshots.
create index contacts_phone_numbers_idx on app.contacts using gin (phone_numbers);
alter table app.contacts enable row level security;
grant select on app.contacts to authenticated;
grant insert (user_id, place, name, phone_numbers, thumbnail) on app.contacts to authenticated;

-- The account's posts are hidden while it is here.
create table app.account_deletions (
  user_id uuid primary key references app.users (id) on delete cascade,
  merged_into_id uuid references app.users (id) on delete set null,
  deleted_at timestamptz not null default app.now(),
  due_at timestamptz not null default app.now(),
  attempt_count integer not null default 0
);
comment on table app.account_deletions is
  'The worker''s queue: one row per ended account with data left to remove, or to move after a merge.';
comment on column app.account_deletions.due_at is
  'Time from which a worker may claim the row. A claim moves it ahead, so another worker takes over if the first one '
  'dies.';
create index account_deletions_due_at_idx on app.account_deletions (due_at);
create index account_deletions_merged_into_id_idx on app.account_deletions (merged_into_id);
alter table app.account_deletions enable row level security;
grant select (user_id, deleted_at) on app.account_deletions to anon, authenticated;

-- staff.audit_log holds the author and the reason.
create table app.suspensions (
  user_id uuid primary key references app.users (id) on delete cascade,
  suspended_at timestamptz not null default app.now()
);
comment on table app.suspensions is
  'One row per account suspended by staff, until staff restores it: the account opens no session, and its content and '
  'activity are hidden.';
alter table app.suspensions enable row level security;
grant select on app.suspensions to anon, authenticated;

-- Lists leave these users out, and elsewhere their remains show no id and no name.
--
-- Unlike app.hidden_users this view needs no caller, so the worker can read it for any recipient.
create view app.users_hidden_from_all with (security_invoker = true) as
select d.user_id, 'account_deletions' as reason
from app.account_deletions as d
union all
select s.user_id, 'suspensions'
from app.suspensions as s;
comment on view app.users_hidden_from_all is
  'The users hidden from everybody, and the table that says so: suspended by staff, or deleted and not yet erased.';
grant select on app.users_hidden_from_all to anon, authenticated;

create function app.is_handle(p_text text) returns boolean
language sql immutable set search_path = ''
begin atomic
  select p_text ~ '^[a-z0-9_]{3,30}$';
end;
comment on function app.is_handle is 'Returns whether a text is a username in canonical form (docs/product.md P2).';
grant execute on function app.is_handle to authenticated;

-- It is the skeleton of UTS 39 (Unicode Security Mechanisms), in lower case, for the few characters that a
-- handle may have.
create function app.handle_skeleton(p_handle text) returns text
language sql immutable set search_path = ''
begin atomic
  select replace(translate(p_handle, '01', 'ol'), 'm', 'rn');
end;
comment on function app.handle_skeleton is
  'Returns the skeleton of a handle: two handles with the same one look alike (docs/product.md A7).';
grant execute on function app.handle_skeleton to authenticated;

create function app.is_reserved_handle(p_handle text) returns boolean
language sql immutable set search_path = ''
begin atomic
  select app.handle_skeleton(replace(p_handle, '_', '')) in (
    select app.handle_skeleton(reserved.name) from unnest(array[
      'abuse', 'account', 'admin', 'administrator', 'all', 'anonymous', 'api', 'app', 'auth', 'billing', 'blog', 'bot',
      'contact', 'deleted', 'developer', 'everybody', 'everyone', 'feed', 'guest', 'help', 'here', 'home', 'hostmaster',
      'hub', 'hubs', 'info', 'legal', 'login', 'logout', 'mail', 'me', 'mod', 'moderator', 'moderators', 'myself',
      'news', 'nobody', 'none', 'noreply', 'notifications', 'null', 'official', 'opine', 'opineadmin', 'opineapp',
      'opinehelp', 'opineofficial', 'opineofficials', 'opinestaff', 'opinesupport', 'opineteam', 'owner', 'postmaster',
      'post', 'posts', 'press', 'privacy', 'profile', 'register', 'root', 'safety', 'search', 'security', 'service',
      'settings', 'signin', 'signup', 'staff', 'status', 'support', 'sysadmin', 'system', 'team', 'terms', 'undefined',
      'unknown', 'user', 'username', 'users', 'verified', 'webmaster', 'www'
    ]) as reserved (name)
  );
end;
comment on function app.is_reserved_handle is
  'Returns whether a canonical handle is reserved: names of the service, its staff and its pages, with underscores '
  'anywhere, and what looks like them (docs/product.md P3, A7).';
grant execute on function app.is_reserved_handle to authenticated;

-- An account without a row is anonymous.
create table app.profiles (
  user_id uuid primary key references app.users (id) on delete cascade,
  username text collate "C" not null,
  full_name text not null,
  bio text,
  photo_asset_id uuid,
  search_name text collate "C" not null generated always as (app.search_key(full_name)) stored,
  created_at timestamptz not null default app.now(),
  constraint profiles_username_key unique (username),
  constraint profiles_username_is_canonical check (app.is_handle(username)),
  constraint profiles_username_is_not_reserved check (not app.is_reserved_handle(username)),
  constraint profiles_full_name_length check (char_length(btrim(full_name)) >= 2 and char_length(full_name) <= 80),
  constraint profiles_full_name_plain check (app.is_plain_name(full_name)),
  constraint profiles_bio_length check (char_length(bio) between 1 and 160),
  constraint profiles_bio_visible check (app.has_visible_character(bio))
);
comment on table app.profiles is 'One row per registered user: the public profile (docs/product.md P6, P8).';
comment on column app.profiles.search_name is
  'The name as searches compare it. In byte order, like the username, so a search by prefix is an index range.';
create unique index profiles_skeleton_key on app.profiles (app.handle_skeleton(username));
create index profiles_photo_asset_id_idx on app.profiles (photo_asset_id);
create index profiles_search_name_idx on app.profiles (search_name, user_id);
create index profiles_last_word_idx on app.profiles (app.last_word(search_name), user_id);
-- No fastupdate: every search would read the whole list of pending entries.
create index profiles_fuzzy_idx on app.profiles using gin (
  (username || ' ' || app.trigram_key(search_name)) extensions.gin_trgm_ops
)
  with (fastupdate = off);
create index profiles_words_idx on app.profiles using gin (app.word_vector(full_name)) with (fastupdate = off);
alter table app.profiles enable row level security;
grant select on app.profiles to anon, authenticated;
grant insert (user_id, username, full_name, bio) on app.profiles to authenticated;
grant update (username, full_name, bio, photo_asset_id) on app.profiles to authenticated;

create type app.device_platform as enum ('android', 'ios');
comment on type app.device_platform is
  'The platform of a device token, which selects its push service (docs/product.md N21).';

-- The SHA-256 of the token identifies it. The token is sealed by a key that the database does not have.
create table app.device_tokens (
  token_hash bytea primary key,
  user_id uuid not null references app.users (id) on delete cascade,
  session_id uuid references app.sessions (id) on delete cascade,
  platform app.device_platform not null,
  sealed_token bytea not null,
  refreshed_at timestamptz not null default app.now(),
  constraint device_tokens_token_hash_is_sha256 check (length(token_hash) = 32),
  constraint device_tokens_sealed_token_length check (length(sealed_token) between 28 and 20000)
);
comment on table app.device_tokens is 'One row per push token (docs/product.md N21, N22).';
comment on column app.device_tokens.session_id is
  'The session that registered the token; the token goes when the session ends. Null after a merge has moved the '
  'token, until the merging sign-in sets its own session.';
create index device_tokens_user_id_refreshed_at_idx on app.device_tokens (user_id, refreshed_at);
create index device_tokens_session_id_idx on app.device_tokens (session_id);
create index device_tokens_refreshed_at_idx on app.device_tokens (refreshed_at);
alter table app.device_tokens enable row level security;
grant select (token_hash, user_id, session_id, platform, refreshed_at) on app.device_tokens to authenticated;
grant delete on app.device_tokens to authenticated;

grant select (user_id, username, full_name, bio, created_at) on app.profiles to staff_support;

-- schemas/20_identity/02_sign_in.sql

create function api.request_otp(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  return app.store_code($1);
end
$$;
comment on function api.request_otp is 'POST /auth/otp/request (docs/product.md I8, I9). Runs app.store_code.';
grant execute on function api.request_otp to opine_service;

-- Stores a new one-time code for a phone. The answer says nothing about accounts.
--
-- A device from which the phone has signed in has a daily limit of its own, and none of the block of numbers:
-- nobody else uses up either. Args: phoneNumber, phoneHash, codeHash (keyed, hex), codesPerDay and prefixHash
-- (null for a test number), codesPerPrefix (unverified ones an hour), resendAfterSeconds (null: that of
-- app.otp_policy), deviceHash (null if unknown), addressHash (null if addresses do not count),
-- requestsPerAddress (an hour). Returns phoneNumber, resendAfterSeconds, expiresAt. Errors: RATE_LIMITED.
create function app.store_code(p_args jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_policy record := app.otp_policy();
  v_now timestamptz := app.now();
  v_phone_hash bytea := decode(p_args ->> 'phoneHash', 'hex');
  v_codes_per_day integer := (p_args ->> 'codesPerDay')::integer;
  v_code app.otp_codes;
begin
  perform app.require_rate_limit(
    'code requests', p_args ->> 'addressHash', (p_args ->> 'requestsPerAddress')::integer, interval '1 hour'
  );
  if app.is_known_device(p_args) then
    perform app.require_rate_limit('codes of a device', p_args ->> 'deviceHash', v_codes_per_day, interval '1 day');
    v_codes_per_day := null;
    p_args := p_args || '{"codesPerDay": null, "prefixHash": null}';
  end if;
  perform app.require_rate_limit(
    'codes of a prefix', p_args ->> 'prefixHash', (p_args ->> 'codesPerPrefix')::integer, interval '1 hour'
  );
  insert into app.otp_codes (phone_hash, requested_at, expires_at)
  values (v_phone_hash, '-infinity', '-infinity')
  on conflict (phone_hash) do nothing;
  select * into strict v_code from app.otp_codes as c where c.phone_hash = v_phone_hash for update;

  if app.next_code_at(v_code, p_args) > v_now then
    raise exception using errcode = 'PT429', message = 'RATE_LIMITED',
      detail = app.retry_after(app.next_code_at(v_code, p_args))::text;
  end if;

  update app.otp_codes as c
  set code_hash = decode(p_args ->> 'codeHash', 'hex'),
    wrong_try_count = 0,
    requested_at = v_now,
    expires_at = v_now + v_policy.expires_after,
    sent_at = case
      when v_codes_per_day is null then v_code.sent_at
      else (v_now || v_code.sent_at)[1:v_codes_per_day]
    end,
    counts_in_prefix = p_args ->> 'prefixHash' is not null
  where c.phone_hash = v_phone_hash;

  return jsonb_build_object(
    'phoneNumber', p_args ->> 'phoneNumber',
    'resendAfterSeconds', extract(epoch from app.resend_after(p_args))::integer,
    'expiresAt', app.iso(v_now + v_policy.expires_after)
  );
end
$$;
comment on function app.store_code is 'Stores a new one-time code for a phone (docs/product.md I8, I9, A4-A6).';

-- Args: phoneHash, deviceHash (keyed, hex; null if unknown).
create function app.is_known_device(p_args jsonb) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return exists (
    select
    from app.sign_in_places as p
    where p.phone_hash = decode(p_args ->> 'phoneHash', 'hex') and p.place_hash = decode(p_args ->> 'deviceHash', 'hex')
  );
end
$$;
comment on function app.is_known_device is 'Returns whether a phone has signed in by code from a device.';

-- Signs a user in by a one-time code.
--
-- Args: those of app.prove_phone and app.grant_to_phone. Returns what app.grant_to_phone returns, or a
-- refusal (app.refusal): OTP_INVALID, OTP_EXPIRED, RATE_LIMITED.
create function api.verify_otp(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
  v_refusal jsonb := app.prove_phone(p_args);
  v_grant jsonb;
begin
  if v_refusal is not null then
    return v_refusal;
  end if;
  v_grant := app.grant_to_phone(p_args ->> 'phoneNumber', p_args);
  perform app.remember_places((v_grant #>> '{user,id}')::uuid, p_args);
  return v_grant;
end
$$;
comment on function api.verify_otp is 'POST /auth/otp/verify (docs/product.md I9-I11, I14, I15).';
grant execute on function api.verify_otp to opine_service;

-- Uses up the code of a phone, within the limit of tries of the address.
--
-- A verified code counts no more in the limit of its block of numbers, if it ever did. Args: those of
-- app.consume_otp, triesPerAddress (an hour), prefixHash and codesPerPrefix (see app.store_code). Returns
-- null for the right code, else the refusal of app.consume_otp or RATE_LIMITED.
create function app.prove_phone(p_args jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_refusal jsonb;
  v_opens_at timestamptz := app.consume_rate_limit(
    'code tries', p_args ->> 'addressHash', (p_args ->> 'triesPerAddress')::integer, interval '1 hour'
  );
begin
  if v_opens_at is not null then
    return app.refusal('RATE_LIMITED', app.retry_after(v_opens_at));
  end if;
  v_refusal := app.consume_otp(p_args);
  if v_refusal is null then
    perform app.return_use(
      'codes of a prefix', p_args ->> 'prefixHash', (p_args ->> 'codesPerPrefix')::integer, interval '1 hour'
    )
    from app.otp_codes as c
    where c.phone_hash = decode(p_args ->> 'phoneHash', 'hex') and c.counts_in_prefix;
  end if;
  return v_refusal;
end
$$;
comment on function app.prove_phone is
  'Uses up the code of a phone, within the limit of tries of the address (docs/product.md I10, A4).';

-- Uses up the code of a phone.
--
-- The row lock serialises tries. The comparison is of keyed hashes, whose bytes reveal nothing about the code
-- to a timing attack. Args: phoneNumber, phoneHash, codeHash, codesPerDay and resendAfterSeconds (see
-- app.next_code_at, for the time to retry), wrongTriesPerDay (the limit of the circuit breaker; null for a
-- test number), deviceHash (null if unknown), addressHash (null if addresses do not count). Returns null for
-- the right code, else the refusal OTP_INVALID, OTP_EXPIRED or RATE_LIMITED.
create function app.consume_otp(p_args jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_policy record := app.otp_policy();
  v_phone_hash bytea := decode(p_args ->> 'phoneHash', 'hex');
  -- The circuit breaker (docs/product.md I11).
  v_wrong_tries_per_day integer := case
    when not app.is_known_device(p_args) then (p_args ->> 'wrongTriesPerDay')::integer
  end;
  v_passes_at timestamptz := app.rate_limit_opens_at('wrong codes', '', v_wrong_tries_per_day, interval '1 day');
  v_code app.otp_codes;
begin
  if v_passes_at is not null then
    return app.refusal('RATE_LIMITED', app.retry_after(v_passes_at));
  end if;
  select * into v_code from app.otp_codes as c where c.phone_hash = v_phone_hash for update;
  if v_code.code_hash is null then
    return app.refusal('OTP_INVALID');
  end if;
  if v_code.wrong_try_count >= v_policy.try_limit then
    return app.refusal('RATE_LIMITED', app.retry_after(app.next_code_at(v_code, p_args)));
  end if;
  if v_code.expires_at <= app.now() then
    return app.refusal('OTP_EXPIRED');
  end if;
  if v_code.code_hash = decode(p_args ->> 'codeHash', 'hex') then
    update app.otp_codes as c set code_hash = null where c.phone_hash = v_phone_hash;
    return null;
  end if;
  update app.otp_codes as c set wrong_try_count = c.wrong_try_count + 1 where c.phone_hash = v_phone_hash;
  if not app.is_known_address(decode(p_args ->> 'addressHash', 'hex')) then
    v_passes_at := app.consume_rate_limit('wrong codes', '', v_wrong_tries_per_day, interval '1 day');
  end if;
  if v_passes_at is not null then
    -- Concurrent tries have exhausted the limit since the first check. Do not reveal that this code was wrong.
    return app.refusal('RATE_LIMITED', app.retry_after(v_passes_at));
  end if;
  if v_code.wrong_try_count + 1 >= v_policy.try_limit then
    return app.refusal('RATE_LIMITED', app.retry_after(app.next_code_at(v_code, p_args)));
  end if;
  return app.refusal('OTP_INVALID');
end
$$;
comment on function app.consume_otp is 'Uses up the code of a phone (docs/product.md I10, I11).';

-- False for null.
create function app.is_known_address(p_address_hash bytea) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return exists (
    select
    from app.sign_in_places as p
    where p.place_hash = p_address_hash and not p.is_device and p.signed_in_at > app.now() - interval '30 days'
  );
end
$$;
comment on function app.is_known_address is
  'Returns whether somebody has signed in by code from an address within 30 days.';

-- Keeps the last 40 places.
--
-- Args: p_user_id; p_args with phoneHash, deviceHash and addressHash (null for an unknown one).
create function app.remember_places(p_user_id uuid, p_args jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  insert into app.sign_in_places as p (phone_hash, place_hash, user_id, is_device)
  select decode(p_args ->> 'phoneHash', 'hex'), decode(place.hash, 'hex'), p_user_id, place.is_device
  from (values (p_args ->> 'deviceHash', true), (p_args ->> 'addressHash', false)) as place (hash, is_device)
  where place.hash is not null
  on conflict (phone_hash, place_hash) do update set signed_in_at = excluded.signed_in_at, user_id = excluded.user_id;
  delete from app.sign_in_places as p
  where p.user_id = p_user_id and p.place_hash in (
    select old.place_hash
    from app.sign_in_places as old
    where old.user_id = p_user_id
    order by old.signed_in_at desc, old.place_hash
    offset 40
  );
end
$$;
comment on function app.remember_places is 'Records that a user has signed in by code from a device and an address.';

create function app.prune_sign_in_places() returns void
language sql security definer set search_path = ''
begin atomic
  delete from app.sign_in_places as p
  where p.signed_in_at <= app.now() - interval '30 days'
    and (not p.is_device or p.signed_in_at <= app.now() - interval '1 year');
end;
comment on function app.prune_sign_in_places is
  'Upkeep: deletes addresses after 30 days and devices after a year without a sign-in.';
grant execute on function app.prune_sign_in_places to opine_worker;

-- Four digits allow no more tries: 3 a code and 5 codes a day give a guesser 15 chances in 10,000 a day.
-- Limits by day and by address are configuration of the service and come with each request.
create function app.otp_policy(
  out code_length integer, out resend_after interval, out expires_after interval, out try_limit integer
) returns record
language sql immutable set search_path = ''
begin atomic
  select 4, interval '60 seconds', interval '5 minutes', 3;
end;
comment on function app.otp_policy is 'Returns the settings of every one-time code (docs/product.md I9, I10).';
grant execute on function app.otp_policy to anon;

-- Reads the configuration of the login screen.
--
-- Args: appLogoUrl, methods, legal, captcha (from the configuration of the service). Returns the args and
-- otp, the settings of one-time codes.
create function api.get_login_config(jsonb) returns jsonb
language sql stable set search_path = ''
begin atomic
  select $1 || jsonb_build_object(
    'otp', jsonb_build_object(
      'length', o.code_length,
      'resendAfterSeconds', extract(epoch from o.resend_after)::integer,
      'expiresInSeconds', extract(epoch from o.expires_after)::integer
    )
  )
  from app.otp_policy() as o;
end;
comment on function api.get_login_config is 'GET /auth/login-config (docs/product.md I1).';
grant execute on function api.get_login_config to anon;

-- Returns when a phone may have its next code: after the wait since the last one, and a day after the oldest
-- of the codes that the daily limit counts. Args: p_args with codesPerDay (null: no daily limit) and
-- resendAfterSeconds.
create function app.next_code_at(p_code app.otp_codes, p_args jsonb) returns timestamptz
language plpgsql stable set search_path = '' as $$
begin
  return greatest(
    p_code.requested_at + app.resend_after(p_args),
    p_code.sent_at[(p_args ->> 'codesPerDay')::integer] + interval '1 day'
  );
end
$$;
comment on function app.next_code_at is 'Returns when a phone may have its next code (docs/product.md I9).';

create function app.resend_after(p_args jsonb) returns interval
language plpgsql immutable set search_path = '' as $$
begin
  return coalesce((p_args ->> 'resendAfterSeconds')::integer * interval '1 second', (app.otp_policy()).resend_after);
end
$$;
comment on function app.resend_after is
  'Returns the wait between two codes of a phone: resendAfterSeconds of p_args, or that of app.otp_policy.';

-- Signs a user in by an ID token. Args, as the service has verified them: phoneNumber (E.164) or, for an
-- anonymous identity, subjectHash (keyed, hex); refreshTokenHash, deviceKind. A phone signs in as by code;
-- only a verified phone merges the user of the claims.
--
-- Returns app.session_grant with isNewUser and merged.
create function api.exchange_id_token(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
  v_anonymous record;
begin
  if p_args ->> 'phoneNumber' is not null then
    return app.grant_to_phone(p_args ->> 'phoneNumber', p_args);
  end if;
  v_anonymous := app.anonymous_user(decode(p_args ->> 'subjectHash', 'hex'));
  return app.open_session(v_anonymous.user_id, p_args)
    || jsonb_build_object('isNewUser', v_anonymous.is_new, 'merged', false);
end
$$;
comment on function api.exchange_id_token is 'POST /auth/idp/token (docs/product.md I12, I15).';
grant execute on function api.exchange_id_token to opine_service;

-- Starts a session of the app install's user, a new one if there is none.
--
-- Args: deviceHash (keyed, hex), addressHash (null if addresses do not count), devicesPerAddress (new ones an
-- hour), refreshTokenHash, deviceKind. Returns app.session_grant.
create function api.start_anonymous_session(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
  v_anonymous record := app.anonymous_user(decode(p_args ->> 'deviceHash', 'hex'));
begin
  if v_anonymous.is_new then
    perform app.require_rate_limit(
      'new devices', p_args ->> 'addressHash', (p_args ->> 'devicesPerAddress')::integer, interval '1 hour'
    );
  end if;
  return app.open_session(v_anonymous.user_id, p_args);
end
$$;
comment on function api.start_anonymous_session is 'POST /auth/anonymous/session (docs/product.md I13).';
grant execute on function api.start_anonymous_session to opine_service;

-- Concurrent first launches conflict on the unique hash and get one user, which is new to one of them.
create function app.anonymous_user(p_device_hash bytea, out user_id uuid, out is_new boolean) returns record
language sql set search_path = ''
begin atomic
  insert into app.users as u (device_hash) values (p_device_hash)
  on conflict (device_hash) do update set device_hash = excluded.device_hash
  -- xmax is 0 only in a row that this statement has inserted.
  returning u.id, u.xmax = 0;
end;
comment on function app.anonymous_user is
  'Returns the user of a device, a new one if there is none; a merged or ended account has no device.';

-- It merges an anonymous user of the claims, whose device tokens join the new session.
--
-- Args: p_args (refreshTokenHash, deviceKind). Returns app.session_grant with isNewUser and merged.
create function app.grant_to_phone(p_phone text, p_args jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_sign_in record := app.sign_in_with_phone(p_phone, app.user_id());
  v_grant jsonb := app.open_session(v_sign_in.user_id, p_args);
begin
  update app.device_tokens
  set session_id = (v_grant ->> 'sessionId')::uuid
  where user_id = v_sign_in.user_id and session_id is null;
  return v_grant || jsonb_build_object('isNewUser', v_sign_in.is_new, 'merged', v_sign_in.is_merged);
end
$$;
comment on function app.grant_to_phone is 'Starts a session for a phone whose ownership was just proven.';

-- A phoneless p_bearer becomes the user of a new phone and keeps only the session that verifies; it is merged
-- into the user of a known phone. The advisory lock makes two concurrent sign-ins of a new phone share one
-- user.
--
-- Args: p_bearer (the session's user, or null).
create function app.sign_in_with_phone(
  p_phone text, p_bearer uuid, out user_id uuid, out is_new boolean, out is_merged boolean
)
returns record
language plpgsql set search_path = '' as $$
declare
  v_anonymous_id uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended(p_phone, 0));
  perform from app.users as u where u.id = p_bearer and u.phone is null or u.phone = p_phone order by u.id for update;
  select u.id into v_anonymous_id from app.users as u where u.id = p_bearer and u.phone is null and u.ended_at is null;
  select u.id into user_id from app.users as u where u.phone = p_phone;

  is_new := user_id is null;
  is_merged := false;
  if user_id is not null and v_anonymous_id is not null then
    perform app.end_user(v_anonymous_id, p_merged_into => user_id);
    is_merged := true;
  elsif user_id is null and v_anonymous_id is not null then
    update app.users as u
    set phone = p_phone, phone_verified_at = app.now(), device_hash = null
    where u.id = v_anonymous_id;
    -- Sessions opened by a device id end, because it is too weak for a phone's account. The verifying one stays.
    delete from app.sessions as s where s.user_id = v_anonymous_id and s.id is distinct from app.session_id();
    user_id := v_anonymous_id;
    is_merged := true;
  elsif user_id is null then
    insert into app.users (phone, phone_verified_at) values (p_phone, app.now()) returning id into user_id;
  end if;
end
$$;
comment on function app.sign_in_with_phone is
  'Returns the user of a phone whose ownership was just proven (docs/product.md I14, I15).';

-- The service turns it into the error p_code.
create function app.refusal(p_code text, p_details jsonb default '{}') returns jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('refusal', jsonb_build_object('code', p_code, 'details', p_details));
end;
comment on function app.refusal is
  'Returns the answer of an identity operation that refuses but keeps its writes (a counted try, an ended session), '
  'which an exception would roll back.';

-- schemas/20_identity/03_sessions.sql

-- Args: p_args (refreshTokenHash as hex of SHA-256, deviceKind). Returns app.session_grant. Errors:
-- ACCOUNT_SUSPENDED (app.refuse_suspended).
create function app.open_session(p_user_id uuid, p_args jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_session_id uuid;
begin
  insert into app.sessions (user_id, device_kind)
  values (p_user_id, p_args ->> 'deviceKind')
  returning id into v_session_id;
  perform app.add_refresh_token(v_session_id, decode(p_args ->> 'refreshTokenHash', 'hex'));
  return app.session_grant(v_session_id, p_user_id);
end
$$;
comment on function app.open_session is 'Inserts a session of a user.';

create function app.add_refresh_token(p_session_id uuid, p_token_hash bytea) returns void
language sql set search_path = ''
begin atomic
  insert into app.refresh_tokens (token_hash, session_id, expires_at)
  values (p_token_hash, p_session_id, app.now() + interval '60 days');
end;
comment on function app.add_refresh_token is
  'Inserts the next refresh token of a session, by its SHA-256, for 60 days (docs/product.md I5).';

-- Rotates a refresh token. The service derives the successor from the token, so every refresh by one token
-- has the same successor. A later reuse indicates a stolen token and ends the session.
--
-- Args: refreshTokenHash, successorHash. Returns app.session_grant, the same for 60 s after the first use, or
-- the refusal UNAUTHORIZED (app.refusal).
create function api.refresh_session(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
  v_now timestamptz := app.now();
  v_token_hash bytea := decode(p_args ->> 'refreshTokenHash', 'hex');
  v_token app.refresh_tokens;
begin
  -- Serialises the refreshes of a session, and locks the session before its tokens as ending it does.
  perform from app.sessions as s
  where s.id = (select t.session_id from app.refresh_tokens as t where t.token_hash = v_token_hash)
  for update;
  select * into v_token from app.refresh_tokens as t where t.token_hash = v_token_hash;
  if v_token.expires_at is null or v_token.expires_at <= v_now then
    return app.refusal('UNAUTHORIZED');
  end if;
  if v_token.replaced_at <= v_now - interval '60 seconds' then
    delete from app.sessions where id = v_token.session_id;
    return app.refusal('UNAUTHORIZED');
  end if;
  if v_token.replaced_at is null then
    -- Four an hour suffice. Each token stays for 60 days, so a client must not create millions.
    perform app.require_rate_limit('refreshes', v_token.session_id::text, 300, interval '1 hour');
    update app.refresh_tokens as t set replaced_at = v_now where t.token_hash = v_token.token_hash;
    update app.sessions as s set last_used_at = v_now where s.id = v_token.session_id;
    perform app.add_refresh_token(v_token.session_id, decode(p_args ->> 'successorHash', 'hex'));
  end if;
  return (
    select app.session_grant(s.id, s.user_id)
    from app.sessions as s
    where s.id = v_token.session_id
  );
end
$$;
comment on function api.refresh_session is 'POST /auth/session/refresh (docs/product.md I5).';
grant execute on function api.refresh_session to opine_service;

create function app.session_grant(p_session_id uuid, p_user_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_lifetime interval := interval '15 minutes';
begin
  return jsonb_build_object(
    'sessionId', p_session_id,
    'issuedAt', app.iso(date_trunc('second', app.now())),
    'expiresAt', app.iso(date_trunc('second', app.now()) + v_lifetime),
    'expiresIn', extract(epoch from v_lifetime)::integer,
    'user', (
      select jsonb_build_object(
        'id', u.id,
        'username', p.username,
        'fullName', p.full_name,
        'isAnonymous', p.user_id is null,
        'level', app.level_of(u.id)
      )
      from app.users as u
      left join app.profiles as p on p.user_id = u.id
      where u.id = p_user_id
    )
  );
end
$$;
comment on function app.session_grant is
  'Returns the facts from which the service signs an access token, and the session''s user: sessionId, issuedAt, '
  'expiresAt, expiresIn (seconds), user.';

-- Lists the caller's sessions.
--
-- Returns items, last used first, all on one page, and nextCursor, always null.
create function api.list_sessions(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  perform app.require_level(1);
  return jsonb_build_object('items', to_jsonb(array(select app.sessions_json())), 'nextCursor', null);
end
$$;
comment on function api.list_sessions is 'GET /users/me/sessions (docs/product.md I7, docs/decisions/015-own-data.md).';
grant execute on function api.list_sessions to authenticated;

create function app.sessions_json() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'id', s.id,
    'kind', s.device_kind,
    'createdAt', app.iso(s.created_at),
    'lastUsedAt', app.iso(s.last_used_at),
    'isCurrent', s.id = app.session_id()
  )
  from app.sessions as s
  where s.user_id = app.user_id()
  order by s.last_used_at desc, s.id desc;
end;
comment on function app.sessions_json is
  'Returns the caller''s live sessions, last used first, with the fields by which a person recognises a session '
  '(docs/decisions/015-own-data.md).';
grant execute on function app.sessions_json to authenticated;

-- Ends a session of the caller with its tokens and its device token.
--
-- Args: sessionId. Returns {}.
create function api.end_session(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(1);
  delete from app.sessions as s where s.id = (p_args ->> 'sessionId')::uuid and s.user_id = app.user_id();
  if not found then
    raise exception using errcode = 'PT404', message = 'SESSION_NOT_FOUND';
  end if;
  return '{}'::jsonb;
end
$$;
comment on function api.end_session is
  'DELETE /users/me/sessions/{sessionId} (docs/product.md I7, docs/decisions/015-own-data.md).';
grant execute on function api.end_session to authenticated;

-- Ends the caller's session, or all their sessions.
--
-- Args: refreshTokenHash, logoutFromAllDevices, deviceTokenHash (of a device token to remove, or null).
-- Returns {}.
create function api.log_out(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
  v_user_id uuid := app.user_id();
  v_is_everywhere boolean;
  v_session_id uuid;
begin
  perform app.require_level(1);
  perform app.require_arguments(p_args, 'logoutFromAllDevices');
  v_is_everywhere := app.argument(p_args, 'logoutFromAllDevices', 'boolean')::boolean;
  select s.id into v_session_id
  from app.refresh_tokens as t
  join app.sessions as s on s.id = t.session_id
  where t.token_hash = decode(p_args ->> 'refreshTokenHash', 'hex') and s.user_id = v_user_id;
  if v_session_id is null then
    raise exception using errcode = 'PT401', message = 'UNAUTHORIZED';
  end if;
  delete from app.sessions as s
  where s.user_id = v_user_id and (v_is_everywhere or s.id in (app.session_id(), v_session_id));
  delete from app.device_tokens as t
  where t.user_id = v_user_id and (v_is_everywhere or t.token_hash = decode(p_args ->> 'deviceTokenHash', 'hex'));
  return '{}'::jsonb;
end
$$;
comment on function api.log_out is 'POST /auth/logout (docs/product.md I6).';
grant execute on function api.log_out to authenticated;

create function app.prune_identity() returns void
language sql security definer set search_path = ''
begin atomic
  -- Lock sessions before tokens, as ending a session does. Locked rows wait for the next run.
  delete from app.sessions
  where id in (
    select s.id
    from app.sessions as s
    where not exists (select from app.refresh_tokens as t where t.session_id = s.id and t.expires_at > app.now())
    for update skip locked
  );
  delete from app.refresh_tokens
  where token_hash in (
    select t.token_hash from app.refresh_tokens as t where t.expires_at <= app.now() for update skip locked
  );
  delete from app.otp_codes where requested_at <= app.now() - interval '1 day';
end;
comment on function app.prune_identity is
  'Upkeep: deletes expired refresh tokens, sessions that no token can renew, and codes older than the day that their '
  'limits count.';
grant execute on function app.prune_identity to opine_worker;

-- schemas/20_identity/04_levels.sql

create view app.onboarding_steps with (security_invoker = true) as
select
  u.id as user_id,
  exists (select from app.profiles as p where p.user_id = u.id) as has_basics,
  u.media_completed_at is not null as has_media,
  u.phone is not null as has_phone,
  u.contacts_synced_at is not null as has_contacts,
  u.contacts_synced_at
from app.users as u
where u.ended_at is null;
comment on view app.onboarding_steps is
  'One row per live user: the onboarding steps that they have completed (docs/product.md O1).';
grant select on app.onboarding_steps to authenticated;

create view app.user_levels with (security_invoker = true) as
select
  s.user_id,
  case
    when not s.has_basics then 1
    when not (s.has_media and s.has_phone) then 2
    when not s.has_contacts then 3
    else 4
  end as level
from app.onboarding_steps as s;
comment on view app.user_levels is 'One row per live user: their level, 1 to 4 (docs/product.md L1, L2).';
grant select on app.user_levels to authenticated;

create function app.level_of(p_user_id uuid) returns integer
language plpgsql stable set search_path = '' as $$
begin
  if p_user_id is null then
    return 0;
  end if;
  return coalesce((select l.level from app.user_levels as l where l.user_id = p_user_id), 0);
end
$$;
comment on function app.level_of is
  'Returns the level of a user, 1 to 4 (docs/product.md L1, L2); 0 for a guest (null) and an ended account.';

-- A definer function, because the policies of the caller's own rows cost more than the rows.
create function app.look_up_viewer_level() returns integer
language plpgsql stable security definer set search_path = '' as $$
begin
  return app.level_of(app.user_id());
end
$$;
comment on function app.look_up_viewer_level is 'Returns the level of the caller (app.level_of).';
grant execute on function app.look_up_viewer_level to anon, authenticated;

-- The level of the caller, which the gateway has looked up for a read: a write may change it. The planner inlines it.
create function app.viewer_level() returns integer language sql stable
return coalesce(nullif(current_setting('opine.level', true), '')::integer, app.look_up_viewer_level());
comment on function app.viewer_level is 'Returns the level of the caller (app.level_of).';
grant execute on function app.viewer_level to anon, authenticated;

-- Errors: FORBIDDEN with requiredLevel, level and nextStep; UNAUTHORIZED for a guest, an ended account or an
-- ended session.
create function app.require_level(p_level integer) returns integer
language plpgsql stable set search_path = '' as $$
declare
  v_level integer := app.viewer_level();
begin
  if v_level = 0 then
    raise exception using errcode = 'PT401', message = 'UNAUTHORIZED';
  end if;
  if not app.has_checked_session() then
    perform app.require_live_session();
  end if;
  if v_level < p_level then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN',
      detail = jsonb_build_object(
        'requiredLevel', p_level, 'level', v_level, 'nextStep', app.onboarding_status() -> 'nextStep'
      )::text;
  end if;
  return v_level;
end
$$;
comment on function app.require_level is
  'Returns the caller''s level if it is at least p_level and their session is live.';
grant execute on function app.require_level to anon, authenticated;

-- The gateway has looked up the caller. The Data API checks only the token's signature. The planner inlines it.
create function app.has_checked_session() returns boolean language sql stable
return coalesce(current_setting('opine.user_id', true), '') <> '';
comment on function app.has_checked_session is
  'Returns whether the session of the caller was found live in this transaction.';
grant execute on function app.has_checked_session to anon, authenticated;

create function app.require_live_session() returns void
language plpgsql stable set search_path = '' as $$
begin
  if not app.session_is_live(nullif(current_setting('request.jwt.claims', true), '')::jsonb) then
    raise exception using errcode = 'PT401', message = 'UNAUTHORIZED';
  end if;
end
$$;
comment on function app.require_live_session is 'Raises UNAUTHORIZED if the caller''s session has ended.';
grant execute on function app.require_live_session to authenticated;

-- It costs one look-up by primary key.
create function app.session_is_live(p_claims jsonb) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce(
    -- Numbers: a time that an exp names may be out of the range of Postgres.
    (p_claims ->> 'exp')::bigint > extract(epoch from app.now())
    -- Look up by id alone: with a condition on user_id Postgres may choose sessions_user_id_idx instead.
    and (p_claims ->> 'sub')::uuid = (
      select s.user_id from app.sessions as s where s.id = (p_claims ->> 'session_id')::uuid
    ),
    false
  );
end
$$;
comment on function app.session_is_live is
  'Returns whether an access token with these verified claims is valid: it has not expired and its session has not '
  'ended.';
grant execute on function app.session_is_live to authenticated;

create function app.with_live_session(p_args jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  perform app.require_live_session();
  return p_args;
end
$$;
comment on function app.with_live_session is 'Returns p_args. Errors: UNAUTHORIZED for an ended session.';
grant execute on function app.with_live_session to anon, authenticated;

-- All other operations check the session in app.require_level. The planner inlines it.
create function app.require_live_session_if_any(p_args jsonb) returns jsonb language sql stable
return case
  when current_user <> 'authenticated' or app.has_checked_session() then p_args
  else app.with_live_session(p_args)
end;
comment on function app.require_live_session_if_any is
  'Returns the arguments of an operation that guests may call too, after a check of the session. Errors: UNAUTHORIZED '
  'for an ended session.';
grant execute on function app.require_live_session_if_any to anon, authenticated;

-- Errors: UNAUTHORIZED if the account has ended, even after the operation began.
create function app.onboarding_status() returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_level integer := app.require_level(1);
begin
  return (
    select jsonb_build_object(
      'profileBasics', s.has_basics,
      'mediaCompleted', s.has_media,
      'phoneConfirmed', s.has_phone,
      'contactsSynced', s.has_contacts,
      'contactsSyncedAt', app.iso(s.contacts_synced_at),
      'level', v_level,
      'completed', s.has_basics and s.has_media and s.has_phone and s.has_contacts,
      'nextStep', case
        when not s.has_basics then 'profile_basics'
        when not s.has_media then 'media'
        when not s.has_phone then 'phone'
        when not s.has_contacts then 'contacts'
      end
    )
    from app.onboarding_steps as s
    where s.user_id = (select app.user_id())
  );
end
$$;
comment on function app.onboarding_status is 'Returns the caller''s OnboardingStatus (docs/product.md O1, O2).';
grant execute on function app.onboarding_status to authenticated;

-- schemas/20_identity/05_onboarding.sql

-- Saves name, username and consent to the terms.
--
-- Args: fullName, username, termsAccepted, termsVersion (the version that the caller read),
-- currentTermsVersion (from the service). Returns nextStep and status.
create function api.save_profile_basics(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_user_id uuid := app.user_id();
  v_status jsonb;
begin
  perform app.require_level(1);
  if p_args -> 'termsAccepted' is distinct from 'true' then
    perform app.refuse_argument('{termsAccepted}', 'required', 'The terms must be accepted.');
  end if;
  if app.text_argument(p_args, 'termsVersion') <> p_args ->> 'currentTermsVersion' then
    perform app.refuse_argument(
      '{termsVersion}', 'not_current', format('The terms are at version %s.', p_args ->> 'currentTermsVersion')
    );
  end if;
  insert into app.profiles as p (user_id, username, full_name)
  values (v_user_id, app.text_argument(p_args, 'username'), app.name_argument(p_args, 'fullName'))
  on conflict (user_id) do update set username = excluded.username, full_name = excluded.full_name;
  update app.users as u
  set terms_version = coalesce(p_args ->> 'currentTermsVersion', p_args ->> 'termsVersion'),
    terms_accepted_at = app.now()
  where u.id = v_user_id;
  v_status := app.onboarding_status();
  return jsonb_build_object('nextStep', v_status -> 'nextStep', 'status', v_status);
end
$$;
comment on function api.save_profile_basics is 'PUT /users/me/onboarding/profile-basics (docs/product.md O3).';
grant execute on function api.save_profile_basics to authenticated;

-- Stores the announced contact snapshot. Numbers that are not in E.164 form are left out: the service hands
-- over null for what nobody can have as a number.
--
-- Args: uploadId, contacts (name, phoneNumbers, thumbnail in base64). Returns uploadId, state, contactCount,
-- skippedCount (numbers left out; a repeated one is none).
create function api.store_contacts(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_user_id uuid := app.user_id();
  v_upload_id uuid := (p_args ->> 'uploadId')::uuid;
  v_contacts jsonb;
  v_skipped_count integer;
begin
  perform app.require_level(1);
  if pg_column_size(p_args) > 8 * 1024 * 1024 then
    raise exception using errcode = 'PT413', message = 'PAYLOAD_TOO_LARGE';
  end if;
  perform app.require_arguments(p_args, 'contacts');
  v_contacts := app.items_argument(p_args, 'contacts', 0, 5000);
  if (
    select sum(jsonb_array_length(app.items_argument(contact.fields, 'phoneNumbers', 0, 50, 'contacts')))
    from jsonb_array_elements(v_contacts) as contact (fields)
  ) > 20000 then
    perform app.refuse_argument('{contacts}', 'too_big', 'Must have at most 20000 phone numbers in all.');
  end if;
  if exists (
    select from jsonb_array_elements(v_contacts) as contact (fields)
    where octet_length(decode(contact.fields ->> 'thumbnail', 'base64')) > 8192
  ) then
    perform app.refuse_argument('{contacts}', 'too_big', 'A thumbnail must have at most 8 KiB after decoding.');
  end if;
  v_skipped_count := app.count_unusable_phones(v_contacts);
  update app.contact_snapshots as s
  set stored_at = app.now()
  where s.user_id = v_user_id and s.upload_id = v_upload_id and s.stored_at is null;
  if not found then
    if exists (select from app.contact_snapshots as s where s.user_id = v_user_id and s.upload_id = v_upload_id) then
      raise exception using errcode = 'PT409', message = 'CONTACT_SNAPSHOT_CONFLICT';
    end if;
    raise exception using errcode = 'PT404', message = 'UPLOAD_NOT_FOUND';
  end if;
  insert into app.contacts (user_id, place, name, phone_numbers, thumbnail)
  select
    v_user_id,
    contact.place,
    app.text_argument(contact.fields, 'name', p_within => 'contacts'),
    app.usable_phones(contact.fields -> 'phoneNumbers'),
    decode(app.text_argument(contact.fields, 'thumbnail', p_max => 11000, p_within => 'contacts'), 'base64')
  from jsonb_array_elements(v_contacts) with ordinality as contact (fields, place);
  return jsonb_build_object(
    'uploadId', v_upload_id, 'state', 'stored',
    'contactCount', jsonb_array_length(v_contacts), 'skippedCount', v_skipped_count
  );
end
$$;
comment on function api.store_contacts is 'PUT /users/me/contact-sync/uploads/{uploadId} (docs/product.md O6, O7).';
grant execute on function api.store_contacts to authenticated;

create function app.usable_phones(p_phones jsonb) returns text[]
language plpgsql immutable set search_path = '' as $$
begin
  return array(
    select given.phone
    from jsonb_array_elements_text(p_phones) with ordinality as given (phone, place)
    where app.is_e164(given.phone)
    group by given.phone
    order by min(given.place)
  );
end
$$;
comment on function app.usable_phones is
  'Returns the distinct phone numbers in E.164 form of a JSON array, in their order (docs/product.md O7).';
grant execute on function app.usable_phones to authenticated;

create function app.count_unusable_phones(p_contacts jsonb) returns integer
language plpgsql stable set search_path = '' as $$
declare
  v_usable_count integer;
  v_unusable_count integer;
begin
  select
    (count(*) filter (where app.is_e164(given.phone)))::integer,
    (count(*) filter (where not app.is_e164(given.phone)))::integer
  into v_usable_count, v_unusable_count
  from jsonb_array_elements(p_contacts) as contact (fields)
  cross join jsonb_array_elements_text(contact.fields -> 'phoneNumbers') as given (phone);
  if v_unusable_count > 0 and v_usable_count = 0 then
    perform app.refuse_argument('{contacts}', 'invalid_phone', 'Must hold a possible number in E.164 form.');
  end if;
  return v_unusable_count;
end
$$;
comment on function app.count_unusable_phones is
  'Counts the numbers of contacts that are not in E.164 form; refuses contacts without others (docs/product.md O7).';
grant execute on function app.count_unusable_phones to authenticated;

-- Completes the contacts step and announces one contact snapshot; a repeat changes nothing.
--
-- Args: permission, contactCount (contacts on the device). Returns status and snapshot.
create function api.sync_contacts(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_user_id uuid := app.user_id();
begin
  perform app.require_level(3);
  insert into app.contact_snapshots (user_id, permission, contact_count)
  values (
    v_user_id, app.text_argument(p_args, 'permission'), app.integer_argument(p_args, 'contactCount', 0, 1000000)
  )
  on conflict (user_id) do nothing;
  update app.users as u
  set contacts_synced_at = app.now()
  where u.id = v_user_id and u.contacts_synced_at is null;
  return jsonb_build_object('status', app.onboarding_status(), 'snapshot', app.contact_snapshot_json());
end
$$;
comment on function api.sync_contacts is
  'PUT /users/me/onboarding/contacts (docs/product.md O5). Completes the contacts step and announces a snapshot.';
grant execute on function api.sync_contacts to authenticated;

create function app.contact_snapshot_json() returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object(
      'uploadId', s.upload_id, 'state', case when s.stored_at is null then 'pending' else 'stored' end
    )
    from app.contact_snapshots as s
    where s.user_id = app.user_id()
  );
end
$$;
comment on function app.contact_snapshot_json is
  'Returns the contact snapshot of the caller and its state, null before the contacts step (docs/product.md O2).';
grant execute on function app.contact_snapshot_json to authenticated;

create function api.get_onboarding_status(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  perform app.require_level(1);
  return app.onboarding_status() || jsonb_build_object('snapshot', app.contact_snapshot_json());
end
$$;
comment on function api.get_onboarding_status is
  'GET /users/me/onboarding/status (docs/product.md O1, O2). Returns an OnboardingStatus with snapshot.';
grant execute on function api.get_onboarding_status to authenticated;

-- schemas/20_identity/06_phone_change.sql

-- Stores a code for the new phone of the caller. Args and answer: as app.store_code.
--
-- Each request texts a number that the caller chooses, so an account has few of them; a test number gets no
-- text message.
create function api.request_phone_change(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(3);
  perform app.require_rate_limit(
    'phone changes', case when p_args ->> 'prefixHash' is not null then app.user_id()::text end, 5, interval '1 day'
  );
  return app.store_code(p_args);
end
$$;
comment on function api.request_phone_change is 'POST /users/me/phone/request (docs/product.md I22).';
grant execute on function api.request_phone_change to opine_service;

-- Makes a phone, whose code proves it, the phone of the caller, and ends their other sessions.
--
-- Args: those of app.prove_phone. Returns phoneNumber and, for the service alone, formerPhoneNumber; or a
-- refusal (app.refusal) after which the code is used up: PHONE_TAKEN, if an account has the phone, be it the
-- caller's own.
create function api.verify_phone_change(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
  v_phone text := p_args ->> 'phoneNumber';
  v_former_phone text;
  v_refusal jsonb;
begin
  perform app.require_level(3);
  v_refusal := app.prove_phone(p_args);
  if v_refusal is not null then
    return v_refusal;
  end if;
  -- As app.sign_in_with_phone: a concurrent sign-in or change with this phone comes before or after.
  perform pg_advisory_xact_lock(hashtextextended(v_phone, 0));
  select u.phone into v_former_phone from app.users as u where u.id = app.user_id() for update;
  perform app.require_level(3);
  if exists (select from app.users as u where u.phone = v_phone) then
    return app.refusal('PHONE_TAKEN');
  end if;
  update app.users as u set phone = v_phone, phone_verified_at = app.now() where u.id = app.user_id();
  delete from app.sign_in_places as p where p.user_id = app.user_id();
  perform app.remember_places(app.user_id(), p_args);
  delete from app.sessions as s where s.user_id = app.user_id() and s.id <> app.session_id();
  return jsonb_build_object('phoneNumber', v_phone, 'formerPhoneNumber', v_former_phone);
end
$$;
comment on function api.verify_phone_change is 'POST /users/me/phone/verify (docs/product.md I22).';
grant execute on function api.verify_phone_change to opine_service;

-- schemas/20_identity/07_limits.sql

-- Returns the limit of what the caller does: whose it is, how many uses it has, and within which time.
--
-- A guest is limited by address, where the service knows it; without a subject there is no limit. An account
-- has a share of a limit in its first day.
create function app.own_limit(p_kind text, out subject text, out uses integer, out period interval) returns record
language plpgsql stable set search_path = '' as $$
declare
  v_user_id uuid := app.user_id();
  v_limits jsonb := nullif(current_setting('opine.limits', true), '')::jsonb;
begin
  subject := coalesce(v_user_id::text, v_limits ->> 'addressHash');
  uses := coalesce(
    (v_limits ->> p_kind)::integer, app.usage_limit(p_kind) * coalesce((v_limits ->> 'factor')::integer, 1)
  );
  period := case when p_kind in ('hubs', 'reports', 'joinRequests') then interval '1 day' else interval '1 hour' end;
  if exists (select from app.users as u where u.id = v_user_id and u.created_at > app.now() - interval '24 hours') then
    uses := greatest(1, floor(uses * coalesce((v_limits ->> 'newAccountShare')::numeric, 0.25)))::integer;
  end if;
end
$$;
comment on function app.own_limit is
  'Returns the limit of the caller for a kind of app.usage_limit (docs/product.md A1, A2).';

-- Counts uses of the caller.
--
-- An operation calls it after its write and last, so that what changed nothing costs nothing and nobody waits
-- for the row of the limit; a search calls it first, because its work is what is limited.
create function app.use_limit(p_kind text, p_uses integer default 1) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_limit record := app.own_limit(p_kind);
  v_opens_at timestamptz;
begin
  for use in 1 .. p_uses loop
    v_opens_at := app.consume_rate_limit(
      p_kind, v_limit.subject, v_limit.uses, v_limit.period,
      -- Nothing dates a vote more exactly than its receipt (docs/vote-secrecy.md).
      case when p_kind = 'votes' then interval '1 minute' else interval '1 microsecond' end
    );
    if v_opens_at is not null then
      perform app.refuse_until(v_opens_at);
    end if;
  end loop;
end
$$;
comment on function app.use_limit is 'Counts uses of the caller, or raises RATE_LIMITED (docs/product.md A1, A2).';
grant execute on function app.use_limit to anon, authenticated;

-- Refuses a caller whose limit is used up, before the work that a text costs; app.use_limit counts the use
-- afterwards.
create function app.check_limit(p_kind text) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  v_limit record := app.own_limit(p_kind);
begin
  perform app.refuse_until(app.rate_limit_opens_at(p_kind, v_limit.subject, v_limit.uses, v_limit.period));
end
$$;
comment on function app.check_limit is 'Raises RATE_LIMITED if the caller has no use left (docs/product.md A1).';
grant execute on function app.check_limit to authenticated;

-- schemas/20_identity/80_account.sql

-- A second run moves what was added since the first: of what both accounts have, p_into keeps its own. Rooms above
-- move what they hold (90_accounts).
create function app.move_identity(p_from uuid, p_into uuid) returns void
language plpgsql set search_path = '' as $$
begin
  update app.profiles as p
  set user_id = p_into
  where p.user_id = p_from and not exists (select from app.profiles as own where own.user_id = p_into);
  update app.users as u
  set terms_version = coalesce(u.terms_version, other.terms_version),
    terms_accepted_at = coalesce(u.terms_accepted_at, other.terms_accepted_at),
    media_completed_at = coalesce(u.media_completed_at, other.media_completed_at)
  from app.users as other
  where u.id = p_into and other.id = p_from;
end
$$;
comment on function app.move_identity is
  'Moves profile, consent and onboarding of a merged account (docs/product.md I16).';

-- The row of the account stays, as an id alone, for the receipts of its votes.
create function app.erase_identity(p_user_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  delete from app.sessions where user_id = p_user_id;
  delete from app.device_tokens where user_id = p_user_id;
  delete from app.contact_snapshots where user_id = p_user_id;
  delete from app.profiles where user_id = p_user_id;
  delete from app.rate_limits where subject = p_user_id::text;
  delete from app.sign_in_places where user_id = p_user_id;
  -- A contact with this phone is an entry about this person, so the whole entry goes.
  delete from app.contacts as c
  using app.users as u
  where u.id = p_user_id and c.phone_numbers @> array[u.phone];
  update app.users
  set phone = null, phone_verified_at = null, device_hash = null, terms_version = null, terms_accepted_at = null,
    media_completed_at = null, contacts_synced_at = null, ended_at = coalesce(ended_at, app.now())
  where id = p_user_id;
end
$$;
comment on function app.erase_identity is
  'Erases who an ended account was: sessions, device tokens, phone, contacts, name and handle (docs/product.md I17).';

create function app.export_contacts() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'name', c.name, 'phoneNumbers', to_jsonb(c.phone_numbers), 'hasThumbnail', c.thumbnail is not null
  )
  from app.contacts as c
  where c.user_id = app.user_id()
  order by c.place
  limit 100000;
end;
comment on function app.export_contacts is
  'Returns the section contacts of the export: the contacts that the caller uploaded, in their order.';
grant execute on function app.export_contacts to authenticated;

create function app.export_device_tokens() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('sessionId', t.session_id, 'platform', t.platform, 'refreshedAt', app.iso(t.refreshed_at))
  from app.device_tokens as t
  where t.user_id = app.user_id()
  order by t.refreshed_at desc
  limit 100000;
end;
comment on function app.export_device_tokens is
  'Returns the section deviceTokens of the export: the devices with push messages, without the tokens.';
grant execute on function app.export_device_tokens to authenticated;

-- Ends an account at once, and queues the rest for the worker. Rooms above erase and move what they hold
-- (app.begin_account_deletion), before the row is there.
create function app.end_user(p_user_id uuid, p_merged_into uuid default null) returns void
language sql set search_path = ''
begin atomic
  insert into app.account_deletions (user_id, merged_into_id)
  values (p_user_id, p_merged_into)
  on conflict (user_id) do nothing;
end;
comment on function app.end_user is
  'Ends an account (docs/product.md I16-I19). Args: p_merged_into (the account that gets its data, or null).';

-- schemas/20_identity/90_policies.sql

create policy users_select on app.users for select to authenticated
using (id = (select app.user_id()));

create policy users_update on app.users for update to authenticated
using (id = (select app.user_id()))
with check (id = (select app.user_id()));

create policy sessions_select on app.sessions for select to authenticated
using (user_id = (select app.user_id()));

create policy sessions_delete on app.sessions for delete to authenticated
using (user_id = (select app.user_id()));

create policy contacts_select on app.contacts for select to authenticated
using (user_id = (select app.user_id()));

create policy contacts_insert on app.contacts for insert to authenticated
with check (user_id = (select app.user_id()));

create policy contact_snapshots_select on app.contact_snapshots for select to authenticated
using (user_id = (select app.user_id()));

create policy contact_snapshots_insert on app.contact_snapshots for insert to authenticated
with check (user_id = (select app.user_id()));

create policy contact_snapshots_update on app.contact_snapshots for update to authenticated
using (user_id = (select app.user_id()))
with check (user_id = (select app.user_id()));

create policy account_deletions_select on app.account_deletions for select to anon, authenticated using (true);

create policy suspensions_select on app.suspensions for select to anon, authenticated using (true);

-- schemas/25_media/01_tables.sql

create type app.upload_purpose as enum ('profile_photo', 'hub_photo', 'post_image', 'document');
comment on type app.upload_purpose is 'The use of an uploaded file (docs/product.md M3).';

-- The row is inserted before the object is stored and deleted after the object, so that no object in storage
-- is ever lost track of.
create table app.stored_objects (
  id uuid primary key default app.uuid_v7(),
  owner_id uuid not null references app.users (id) on delete restrict,
  bucket text not null,
  expires_at timestamptz,
  attempt_count integer not null default 0,
  created_at timestamptz not null default app.now(),
  constraint stored_objects_bucket_is_known check (bucket in ('photos', 'media'))
);
comment on table app.stored_objects is 'One row per object in the buckets photos and media; the id is its key.';
comment on column app.stored_objects.expires_at is
  'Time when the worker removes the object, or retries after a failure; null while it is an asset.';
create index stored_objects_owner_id_idx on app.stored_objects (owner_id);
create index stored_objects_expires_at_idx on app.stored_objects (expires_at) where expires_at is not null;
alter table app.stored_objects enable row level security;

create table app.assets (
  id uuid primary key references app.stored_objects (id) on delete restrict,
  owner_id uuid not null references app.users (id) on delete cascade,
  purpose app.upload_purpose not null,
  content_type text not null,
  size_bytes integer not null,
  checksum bytea not null,
  file_name text,
  width integer,
  height integer,
  blurhash text,
  has_thumbnail boolean not null default false,
  is_evidence_only boolean not null default false,
  created_at timestamptz not null default app.now(),
  constraint assets_checksum_is_sha256 check (length(checksum) = 32),
  constraint assets_have_both_sides check (num_nulls(width, height) in (0, 2))
);
comment on table app.assets is
  'One row per completed upload, to which profiles, Hubs, articles, comments and messages refer (docs/product.md M4).';
comment on column app.assets.checksum is
  'SHA-256 of the file as uploaded. size_bytes is also that of the upload, because an image is stored without its '
  'metadata.';
comment on column app.assets.has_thumbnail is 'Whether the bucket also holds a thumbnail (docs/product.md M12).';
comment on column app.assets.is_evidence_only is
  'Whether nothing refers to the asset but evidence of a report: nobody but staff sees it, as if it was deleted.';
create index assets_owner_id_idx on app.assets (owner_id);
alter table app.assets enable row level security;
grant select on app.assets to anon, authenticated;

-- Its file is in the bucket uploads, by the id as key, until the intent is completed or expires.
create table app.uploads (
  id uuid primary key default app.uuid_v7(),
  owner_id uuid not null references app.users (id) on delete cascade,
  purpose app.upload_purpose not null,
  content_type text not null,
  size_bytes integer not null,
  file_name text,
  created_at timestamptz not null default app.now(),
  expires_at timestamptz not null default app.now() + interval '15 minutes',
  asset_id uuid references app.assets (id) on delete cascade,
  constraint uploads_asset_id_key unique (asset_id),
  constraint uploads_content_type_fits check (
    case purpose
      when 'document' then content_type = 'application/pdf'
      else content_type in ('image/jpeg', 'image/png', 'image/webp')
    end
  ),
  constraint uploads_size_is_within_limit check (
    size_bytes between 1 and case purpose when 'document' then 20 else 10 end * 1024 * 1024
  ),
  constraint uploads_file_name_length check (char_length(file_name) between 1 and 255),
  constraint uploads_file_name_plain check (app.is_plain_name(file_name))
);
comment on table app.uploads is 'One row per upload intent (docs/product.md M1, M2).';
comment on column app.uploads.asset_id is 'The asset of a completed upload; null until then.';
create index uploads_owner_id_idx on app.uploads (owner_id);
create index uploads_expires_at_idx on app.uploads (expires_at) where asset_id is null;
alter table app.uploads enable row level security;
grant select on app.uploads to authenticated;
grant insert (owner_id, purpose, content_type, size_bytes, file_name) on app.uploads to authenticated;

alter table app.profiles add constraint profiles_photo_asset_id_fkey foreign key (photo_asset_id)
references app.assets (id) on delete restrict;

-- schemas/25_media/02_upload.sql

-- Announces a file.
--
-- Args: purpose, contentType, sizeBytes, fileName. Returns uploadId and expiresAt, for which the service
-- signs the URL.
create function api.presign_upload(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_upload_id uuid;
begin
  perform app.require_level(1);
  perform app.require_arguments(p_args, 'purpose', 'contentType', 'sizeBytes');
  perform app.limit_uploads();
  insert into app.uploads (owner_id, purpose, content_type, size_bytes, file_name)
  values (
    app.user_id(),
    app.choice_argument(p_args, 'purpose', variadic enum_range(null::app.upload_purpose)::text[])::app.upload_purpose,
    app.text_argument(p_args, 'contentType'),
    app.integer_argument(p_args, 'sizeBytes', 1, 2147483647),
    app.name_argument(p_args, 'fileName')
  )
  returning id into v_upload_id;
  return app.open_upload_json(v_upload_id);
end
$$;
comment on function api.presign_upload is 'POST /uploads/presign (docs/product.md M1-M3).';
grant execute on function api.presign_upload to authenticated;

create function app.open_upload_json(p_upload_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_expires_at timestamptz := (select u.expires_at from app.uploads as u where u.id = p_upload_id);
begin
  -- The worker deletes expired uploads.
  if coalesce(v_expires_at, '-infinity') <= app.now() then
    raise exception using errcode = 'PT409', message = 'UPLOAD_CONFLICT', detail = '{"reason": "expired"}';
  end if;
  return jsonb_build_object('uploadId', p_upload_id, 'expiresAt', app.iso(v_expires_at));
end
$$;
comment on function app.open_upload_json is
  'Returns an upload of the caller, for which the service signs the URL (docs/product.md M1). Errors: UPLOAD_CONFLICT.';
grant execute on function app.open_upload_json to authenticated;

create function app.bucket_of(p_purpose app.upload_purpose) returns text
language sql immutable set search_path = ''
begin atomic
  select case when p_purpose in ('profile_photo', 'hub_photo') then 'photos' else 'media' end;
end;
comment on function app.bucket_of is
  'Returns the bucket of a completed upload: photos, which is public, or media, which is read by signed URLs.';
grant execute on function app.bucket_of to anon, authenticated, staff_moderator;

-- Raises RATE_LIMITED beyond 600 an hour, because each may hold megabytes.
create function app.limit_uploads() returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform app.require_rate_limit('uploads', app.user_id()::text, 600, interval '1 hour');
end
$$;
comment on function app.limit_uploads is 'Counts an upload that the caller begins or completes.';
grant execute on function app.limit_uploads to authenticated;

-- Completes an upload. The service calls it twice: without content it returns what the service has to check
-- (app.begin_completion), with content it returns the asset (app.finish_upload).
--
-- Args: uploadId, purpose, checksum.
create function api.complete_upload(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(1);
  return case when p_args ? 'content' then app.finish_upload(p_args) else app.begin_completion(p_args) end;
end
$$;
comment on function api.complete_upload is 'POST /uploads/complete (docs/product.md M4, M5).';
grant execute on function api.complete_upload to opine_service;

-- Each try has its own assetId, so that no try overwrites the file of another.
create function app.begin_completion(p_args jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_upload app.uploads;
  v_asset_id uuid;
begin
  perform app.limit_uploads();
  select * into v_upload
  from app.uploads as u
  where u.id = (p_args ->> 'uploadId')::uuid
    and u.owner_id = app.user_id()
    and u.purpose = (p_args ->> 'purpose')::app.upload_purpose
    and u.asset_id is null
    and u.expires_at > app.now();
  if v_upload.id is null then
    return '{"upload": null}'::jsonb;
  end if;
  -- Much longer than a check of a file takes.
  insert into app.stored_objects (owner_id, bucket, expires_at)
  values (v_upload.owner_id, app.bucket_of(v_upload.purpose), app.now() + interval '1 hour')
  returning id into v_asset_id;
  return jsonb_build_object('upload', jsonb_build_object(
    'contentType', v_upload.content_type,
    'sizeBytes', v_upload.size_bytes,
    'bucket', app.bucket_of(v_upload.purpose),
    'assetId', v_asset_id
  ));
end
$$;
comment on function app.begin_completion is
  'Returns what the service needs to check an open upload of the caller: the announced contentType and sizeBytes, and '
  'the bucket and assetId under which to store the checked file. upload is null if there is nothing to check; '
  'app.finish_upload then gives the reason.';

-- Completes the caller's upload with what the service has found.
--
-- p_args holds content: the file that the service has checked and stored (assetId, width, height, blurhash,
-- hasThumbnail), or its reason to refuse the file (refusal, and cause of a content_mismatch), or null if there was
-- nothing to check. Returns the asset; that of a completed upload never changes. Errors: UPLOAD_CONFLICT with the
-- reason and the cause.
create function app.finish_upload(p_args jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_content jsonb := nullif(p_args -> 'content', 'null');
  v_checksum bytea := decode(p_args ->> 'checksum', 'hex');
  v_upload app.uploads;
  v_reason text;
begin
  select * into v_upload
  from app.uploads as u
  where u.id = (p_args ->> 'uploadId')::uuid and u.owner_id = app.user_id()
  for update;
  v_reason := case
    when v_upload.id is null then 'unknown'
    when v_upload.asset_id is null and v_content is null and v_upload.expires_at <= app.now() then 'expired'
    when v_upload.purpose <> (p_args ->> 'purpose')::app.upload_purpose then 'purpose_mismatch'
    when v_upload.asset_id is null and v_content is null then 'expired'
    when v_upload.asset_id is null then v_content ->> 'refusal'
    when exists (
      select from app.assets as a where a.id = v_upload.asset_id and a.checksum <> v_checksum
    ) then 'checksum_mismatch'
  end;
  if v_reason is not null then
    raise exception using errcode = 'PT409', message = 'UPLOAD_CONFLICT', detail = jsonb_strip_nulls(jsonb_build_object(
      'reason', v_reason, 'cause', case v_reason when v_content ->> 'refusal' then v_content ->> 'cause' end
    ))::text;
  end if;
  if v_upload.asset_id is null then
    v_upload.asset_id := app.make_asset(v_upload, v_checksum, v_content);
  elsif v_content is not null then
    -- A concurrent try has completed the upload.
    update app.stored_objects set expires_at = app.now() where id = (v_content ->> 'assetId')::uuid;
  end if;
  return app.completed_asset_json(v_upload.asset_id);
end
$$;
comment on function app.finish_upload is 'Completes an upload of the caller (docs/product.md M4, M5).';

-- Errors: SERVICE_UNAVAILABLE if the object has expired.
create function app.make_asset(p_upload app.uploads, p_checksum bytea, p_content jsonb) returns uuid
language plpgsql set search_path = '' as $$
declare
  v_asset_id uuid := (p_content ->> 'assetId')::uuid;
begin
  update app.stored_objects set expires_at = null where id = v_asset_id and expires_at > app.now();
  -- The worker may have removed the object after an hour.
  if not found then
    raise exception using errcode = 'PT503', message = 'SERVICE_UNAVAILABLE';
  end if;
  insert into app.assets (
    id, owner_id, purpose, content_type, size_bytes, checksum, file_name, width, height, blurhash, has_thumbnail
  )
  values (
    v_asset_id, p_upload.owner_id, p_upload.purpose, p_upload.content_type, p_upload.size_bytes, p_checksum,
    p_upload.file_name,
    (p_content ->> 'width')::integer, (p_content ->> 'height')::integer, p_content ->> 'blurhash',
    coalesce((p_content ->> 'hasThumbnail')::boolean, false)
  );
  update app.uploads set asset_id = v_asset_id where id = p_upload.id;
  return v_asset_id;
end
$$;
comment on function app.make_asset is
  'Inserts the asset of an upload and returns its id, which is the key of the stored object.';

create function app.asset_media(p_asset app.assets) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return jsonb_build_object(
    'assetId', p_asset.id,
    'purpose', p_asset.purpose,
    'contentType', p_asset.content_type,
    'width', p_asset.width,
    'height', p_asset.height,
    'blurhash', p_asset.blurhash
  );
end
$$;
comment on function app.asset_media is
  'Returns the media entry of an asset (docs/product.md M7); width, height and blurhash are null for a document.';
grant execute on function app.asset_media to authenticated;

create function app.completed_asset_json(p_asset_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select app.asset_media(a) || jsonb_build_object('sizeBytes', a.size_bytes, 'checksum', encode(a.checksum, 'hex'))
    from app.assets as a
    where a.id = p_asset_id and a.owner_id = app.user_id()
  );
end
$$;
comment on function app.completed_asset_json is
  'Returns an asset to its owner (docs/product.md M4); null for any other.';
grant execute on function app.completed_asset_json to authenticated;

-- schemas/25_media/03_assets.sql

-- Grants the download of an asset.
--
-- Args: assetId. Returns bucket, expiresAt and, for a document, fileName, for which the service signs the
-- URL.
create function api.get_download_url(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args alias for $1;
  v_asset app.assets;
begin
  perform app.require_level(1);
  select * into v_asset from app.assets as a where a.id = (p_args ->> 'assetId')::uuid;
  if v_asset.id is null then
    raise exception using errcode = 'PT404', message = 'ASSET_NOT_FOUND';
  end if;
  return jsonb_build_object(
    'bucket', app.bucket_of(v_asset.purpose),
    'fileName', case v_asset.purpose when 'document' then v_asset.file_name end,
    'expiresAt', app.iso(app.now() + app.link_lifetime())
  );
end
$$;
comment on function api.get_download_url is 'GET /uploads/{assetId}/download-url (docs/product.md M9).';
grant execute on function api.get_download_url to authenticated;

create function app.link_lifetime() returns interval language sql immutable
return interval '5 minutes';
comment on function app.link_lifetime is 'Returns how long a link to one file works (docs/product.md M9, S23).';
grant execute on function app.link_lifetime to authenticated;

-- Grants the download of assets.
--
-- Args: assetIds, variant. Returns issuedAt and expiresAt, the same within a quarter of an hour, and items
-- for those that the caller may see, in the order of the arguments: assetId with bucket and, for a document,
-- fileName, for which the service signs the URL.
create function api.get_download_urls(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
  v_ids uuid[] := app.ids_argument(p_args, 'assetIds', 1, 50);
  v_thumbnails boolean := coalesce(
    app.choice_argument(p_args, 'variant', 'original', 'thumbnail') = 'thumbnail', false
  );
  v_quarter timestamptz := date_bin('15 minutes', app.now(), 'epoch');
begin
  return jsonb_build_object(
    'issuedAt', app.iso(v_quarter),
    'expiresAt', app.iso(v_quarter + interval '30 minutes'),
    'items', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'assetId', a.id,
        'bucket', app.bucket_of(a.purpose),
        'fileName', case a.purpose when 'document' then a.file_name end
      ) order by given.place), '[]')
      from unnest(v_ids) with ordinality as given (id, place)
      join app.assets as a on a.id = given.id and (a.has_thumbnail or not v_thumbnails)
    )
  );
end
$$;
comment on function api.get_download_urls is 'POST /uploads/download-urls (docs/product.md M13).';
grant execute on function api.get_download_urls to anon, authenticated;

-- Policies of tables that refer to assets call it too: they cannot read app.assets, whose own policy reads
-- those tables.
create function app.owns_asset(p_asset_id uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform
  from app.assets as a
  where a.id = p_asset_id and a.owner_id = app.user_id() and not a.is_evidence_only
  for key share;
  return found;
end
$$;
comment on function app.owns_asset is
  'Returns whether an asset is the caller''s, and keeps it from deletion until the end of the transaction.';
grant execute on function app.owns_asset to authenticated;

create function app.require_asset(p_asset_id uuid, p_purposes app.upload_purpose[], p_path jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  if not app.owns_asset(p_asset_id)
    or not exists (select from app.assets as a where a.id = p_asset_id and a.purpose = any (p_purposes)) then
    raise exception using errcode = 'PT422', message = 'VALIDATION_FAILED', detail = jsonb_build_object(
      'issues', jsonb_build_array(jsonb_build_object(
        'path', p_path, 'code', 'unknown_asset', 'message', 'Not a completed upload of yours for this purpose.'
      ))
    );
  end if;
end
$$;
comment on function app.require_asset is
  'Raises VALIDATION_FAILED, with the field p_path, unless the asset is the caller''s and has one of these purposes.';
grant execute on function app.require_asset to authenticated;

-- Few have a picture, so a function of its own keeps app.assets and its policy out of the plans of lists.
create function app.picture_json(p_asset_id uuid, p_alt_text text) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_asset app.assets;
begin
  if p_asset_id is not null then
    select * into v_asset from app.assets as a where a.id = p_asset_id;
  end if;
  return jsonb_build_object(
    'assetId', p_asset_id, 'altText', p_alt_text,
    'width', v_asset.width, 'height', v_asset.height, 'blurhash', v_asset.blurhash
  );
end
$$;
comment on function app.picture_json is
  'Returns the picture of a comment or message as fields beside its text (docs/product.md M7); all are null without '
  'one.';
grant execute on function app.picture_json to anon, authenticated;

-- Args: as app.argument. Returns the text; null if it is missing, null or empty. Errors: VALIDATION_FAILED,
-- also without an assetId.
create function app.alt_text_argument(p_args jsonb, p_within text default null) returns text
language plpgsql stable set search_path = '' as $$
declare
  v_alt_text text := nullif(app.text_argument(p_args, 'altText', 0, 500, p_within), '');
begin
  if v_alt_text is not null and p_args ->> 'assetId' is null then
    perform app.refuse_argument(array_remove(array[p_within, 'altText'], null), 'without_asset', 'Needs an assetId.');
  end if;
  return v_alt_text;
end
$$;
comment on function app.alt_text_argument is
  'Reads the argument altText, which describes the file of the argument assetId.';
grant execute on function app.alt_text_argument to authenticated;

create function app.delete_former_asset() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform app.delete_unused_assets(array[(to_jsonb(old) ->> tg_argv[0])::uuid]);
  return null;
end
$$;
comment on function app.delete_former_asset is
  'Trigger: as app.delete_former_assets, for one row of a table whose updates rarely concern an asset.';

-- The trigger's argument is the referring column.
create function app.delete_former_assets() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_ids uuid[];
begin
  execute format('select array_agg(former.%1$I) from former where former.%1$I is not null', tg_argv[0]) into v_ids;
  if v_ids is not null then
    perform app.delete_unused_assets(v_ids);
  end if;
  return null;
end
$$;
comment on function app.delete_former_assets is
  'Trigger: calls app.delete_unused_assets after rows that referred to assets are updated or deleted.';

-- Deletes those of the assets that nothing uses any more, and queues their objects for removal by the worker after the
-- commit. A row uses an asset whose deletion its foreign key restricts, so no list of tables can lack one.
create function app.delete_unused_assets(p_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
declare
  v_unused uuid[] := p_ids;
  v_use record;
begin
  -- A concurrent reference holds a lock on its asset; the next statement sees that reference.
  perform from app.assets as a where a.id = any (p_ids) order by a.id for update;
  for v_use in
    select c.conrelid::regclass as by_table, a.attname as by_column
    from pg_catalog.pg_constraint as c
    join pg_catalog.pg_attribute as a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'app.assets'::regclass and c.confdeltype = 'r'
  loop
    execute format(
      'select array(select u.id from unnest($1) as u (id) where not exists (select from %s as r where r.%I = u.id))',
      v_use.by_table, v_use.by_column
    ) into v_unused using v_unused;
  end loop;
  delete from app.uploads as u where u.asset_id = any (v_unused);
  with gone as (
    delete from app.assets as a where a.id = any (v_unused) returning a.id
  )
  update app.stored_objects as o set expires_at = app.now() from gone where o.id = gone.id;
end
$$;
comment on function app.delete_unused_assets is
  'Deletes those of the assets that nothing uses any more (docs/product.md S25).';

-- schemas/25_media/04_removal.sql

create function app.claim_expired_objects(p_limit integer) returns setof app.stored_objects
language sql security definer set search_path = '' as $$
  update app.stored_objects as o
  set expires_at = app.now() + app.backoff(o.attempt_count),
    attempt_count = o.attempt_count + 1
  where o.id = any (array(
    select due.id
    from app.stored_objects as due
    where due.expires_at <= app.now()
    order by due.expires_at
    limit p_limit
    for update skip locked
  ))
  returning o.*;
$$;
comment on function app.claim_expired_objects is
  'Claims expired objects for the worker, which removes them from storage and then calls app.delete_objects. No other '
  'worker gets them before app.backoff has passed.';
grant execute on function app.claim_expired_objects to opine_worker;

create function app.delete_objects(p_ids uuid[]) returns void
language sql security definer set search_path = ''
begin atomic
  with gone as (
    delete from app.stored_objects as o where o.id = any (p_ids) and o.expires_at is not null returning o.owner_id
  )
  update app.account_deletions as d
  set due_at = least(d.due_at, app.now())
  where d.user_id in (select gone.owner_id from gone);
end;
comment on function app.delete_objects is
  'Deletes the rows of objects that the worker has removed from storage, and makes the account deletion of their owner '
  'due, because these objects may be the last it waits for.';
grant execute on function app.delete_objects to opine_worker;

create function app.dead_upload_keys(p_keys text[]) returns setof text
language sql stable security definer set search_path = ''
begin atomic
  select given.key
  from unnest(p_keys) as given (key)
  left join app.uploads as u
    on u.id = case when given.key ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then given.key::uuid end
    and u.asset_id is null
    -- The service may still be checking a file that arrived in time.
    and u.expires_at + interval '30 seconds' > app.now()
  where u.id is null;
end;
comment on function app.dead_upload_keys is
  'Returns those of the keys of the bucket uploads that belong to no open upload; their files are garbage.';
grant execute on function app.dead_upload_keys to opine_worker;

create function app.prune_uploads() returns void
language sql security definer set search_path = ''
begin atomic
  delete from app.uploads as u where u.asset_id is null and u.expires_at <= app.now() - interval '1 day';
end;
comment on function app.prune_uploads is 'Upkeep: deletes upload intents that expired a day ago without completion.';
grant execute on function app.prune_uploads to opine_worker;

-- schemas/25_media/80_account.sql

create function app.move_media(p_from uuid, p_into uuid) returns void
language sql set search_path = ''
begin atomic
  update app.stored_objects set owner_id = p_into where owner_id = p_from;
  update app.assets set owner_id = p_into where owner_id = p_from;
  update app.uploads set owner_id = p_into where owner_id = p_from;
end;
comment on function app.move_media is 'Moves the files of a merged account (docs/product.md I16).';

create function app.erase_uploads(p_user_id uuid) returns void
language sql set search_path = ''
begin atomic
  delete from app.uploads where owner_id = p_user_id and asset_id is null;
end;
comment on function app.erase_uploads is 'Deletes the open uploads of an ended account (docs/product.md I17).';

-- Rooms above have erased what used the assets. The objects that stay are evidence of open reports.
create function app.erase_media(p_user_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  perform app.delete_unused_assets(array(select a.id from app.assets as a where a.owner_id = p_user_id));
  update app.stored_objects as o
  set expires_at = app.now()
  where o.owner_id = p_user_id and o.expires_at is null and not exists (select from app.assets as a where a.id = o.id);
end
$$;
comment on function app.erase_media is 'Queues the stored objects of an ended account for the worker.';

create function app.export_uploads() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'uploadId', u.id, 'assetId', u.asset_id, 'purpose', u.purpose, 'contentType', u.content_type, 'sizeBytes',
    u.size_bytes,
    'fileName', u.file_name, 'checksum', encode(a.checksum, 'hex'), 'width', a.width, 'height', a.height,
    'createdAt', app.iso(u.created_at)
  )
  from app.uploads as u
  left join app.assets as a on a.id = u.asset_id and a.owner_id = u.owner_id
  where u.owner_id = app.user_id()
  order by u.created_at desc, u.id desc
  limit 100000;
end;
comment on function app.export_uploads is
  'Returns the section uploads of the export, without the files: the caller downloads each completed one by its '
  'assetId.';
grant execute on function app.export_uploads to authenticated;

-- schemas/25_media/90_policies.sql

create policy uploads_select on app.uploads for select to authenticated
using (owner_id = (select app.user_id()));

create policy uploads_insert on app.uploads for insert to authenticated
with check (owner_id = (select app.user_id()));

-- schemas/30_people/01_tables.sql

create table app.hub_profiles (
  user_id uuid primary key references app.users (id) on delete cascade,
  display_name text,
  photo_asset_id uuid references app.assets (id) on delete restrict,
  constraint hub_profiles_display_name_length check (
    char_length(btrim(display_name)) >= 2 and char_length(display_name) <= 80
  ),
  constraint hub_profiles_display_name_plain check (app.is_plain_name(display_name))
);
comment on table app.hub_profiles is
  'One row per private Hub profile (docs/product.md P12): how a user appears inside Hubs, apart from the public '
  'profile.';
comment on column app.hub_profiles.display_name is 'Null while the name of the public profile applies.';
create index hub_profiles_photo_asset_id_idx on app.hub_profiles (photo_asset_id);
alter table app.hub_profiles enable row level security;
grant select on app.hub_profiles to authenticated;
grant insert (user_id, display_name, photo_asset_id) on app.hub_profiles to authenticated;
grant update (display_name, photo_asset_id) on app.hub_profiles to authenticated;

-- Triggers maintain app.follow_counts on insert and delete only, so no update may change the two users of a
-- row.
create table app.follows (
  follower_id uuid not null references app.users (id) on delete cascade,
  followee_id uuid not null references app.users (id) on delete cascade,
  is_muted boolean not null default false,
  created_at timestamptz not null default app.now(),
  constraint follows_pkey primary key (follower_id, followee_id),
  constraint follows_are_of_others check (follower_id <> followee_id)
);
comment on table app.follows is 'One row per follow.';
comment on column app.follows.is_muted is
  'Whether the follower has turned off alerts about the followee''s publications (publicPostsMuted).';
create index follows_follower_id_created_at_idx on app.follows (follower_id, created_at desc, followee_id desc);
create index follows_alerted_idx on app.follows (followee_id, follower_id) where not is_muted;
create index follows_followee_id_created_at_idx on app.follows (followee_id, created_at desc, follower_id desc);
alter table app.follows enable row level security;
grant select on app.follows to authenticated;
grant update (is_muted) on app.follows to authenticated;
grant delete on app.follows to authenticated;

-- No row means zero.
create table app.follow_counts (
  user_id uuid primary key references app.users (id) on delete cascade,
  follower_count integer not null,
  following_count integer not null,
  constraint follow_counts_are_not_negative check (follower_count >= 0 and following_count >= 0)
);
comment on table app.follow_counts is
  'One row per user with follows: how many rows of app.follows name the user on either side, maintained by the '
  'triggers of that table.';
alter table app.follow_counts enable row level security;
grant select on app.follow_counts to anon, authenticated;

-- Other objects read it through app.blockers, app.blocked_users and app.blocked_pairs.
create table app.blocks (
  blocker_id uuid not null references app.users (id) on delete cascade,
  blocked_id uuid not null references app.users (id) on delete cascade,
  created_at timestamptz not null default app.now(),
  constraint blocks_pkey primary key (blocker_id, blocked_id),
  constraint blocks_are_of_others check (blocker_id <> blocked_id)
);
comment on table app.blocks is 'One row per block.';
create index blocks_blocker_id_created_at_idx on app.blocks (blocker_id, created_at desc, blocked_id desc);
create index blocks_blocked_id_idx on app.blocks (blocked_id);
alter table app.blocks enable row level security;
-- Guests see no row, but the policies that apply to guests read this table.
grant select on app.blocks to anon, authenticated;
grant delete on app.blocks to authenticated;

create trigger profiles_release_photos_after_update after update on app.profiles
referencing old table as former
for each statement execute function app.delete_former_assets('photo_asset_id');

create trigger profiles_release_photos_after_delete after delete on app.profiles
referencing old table as former
for each statement execute function app.delete_former_assets('photo_asset_id');

create trigger hub_profiles_release_photos_after_update after update on app.hub_profiles
referencing old table as former
for each statement execute function app.delete_former_assets('photo_asset_id');

create trigger hub_profiles_release_photos_after_delete after delete on app.hub_profiles
referencing old table as former
for each statement execute function app.delete_former_assets('photo_asset_id');

-- schemas/30_people/02_blocks.sql

-- Blocks a user. Idempotent.
--
-- Args: userId. Returns blocked.
create function api.block_user(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_blocked_id uuid := (p_args ->> 'userId')::uuid;
begin
  perform app.require_level(1);
  perform app.lock_pair(app.user_id(), v_blocked_id);
  perform app.require_person(v_blocked_id);
  perform app.put_block(v_blocked_id);
  return '{"blocked": true}'::jsonb;
end
$$;
comment on function api.block_user is 'POST /users/{userId}/block (docs/product.md P17-P20).';
grant execute on function api.block_user to authenticated;

create function app.put_block(p_blocked_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into app.blocks (blocker_id, blocked_id) values (app.user_id(), p_blocked_id) on conflict do nothing;
  delete from app.follows
  where (follower_id, followee_id) in ((app.user_id(), p_blocked_id), (p_blocked_id, app.user_id()));
end
$$;
comment on function app.put_block is
  'Inserts the caller''s block of a user and deletes the follows between both, in both directions.';
grant execute on function app.put_block to authenticated;

-- Unblocks a user.
--
-- Args: userId. Returns blocked, also if there was no block.
create function api.unblock_user(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(1);
  perform app.lock_pair(app.user_id(), (p_args ->> 'userId')::uuid);
  delete from app.blocks as b where b.blocker_id = app.user_id() and b.blocked_id = (p_args ->> 'userId')::uuid;
  -- No check after a delete: after a mutual block the caller does not see the other user.
  if not found then
    perform app.require_person((p_args ->> 'userId')::uuid);
  end if;
  return '{"blocked": false}'::jsonb;
end
$$;
comment on function api.unblock_user is 'DELETE /users/{userId}/block (docs/product.md P15).';
grant execute on function api.unblock_user to authenticated;

-- Lists the users that the caller blocks.
--
-- Args: cursor, limit. Returns items (UserLite and blockedAt), newest first, and nextCursor.
create function api.list_blocks(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args alias for $1;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_list text := app.list_of('list_blocks', p_args);
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor');
  v_page app.list_entry[];
begin
  perform app.require_level(1);
  v_page := array(
    select (b.created_at, b.blocked_id)::app.list_entry
    from app.blocks as b
    join app.profiles as p on p.user_id = b.blocked_id
    where b.blocker_id = app.user_id() and (b.created_at, b.blocked_id) < (v_from.at, v_from.id)
    order by b.created_at desc, b.blocked_id desc
    limit v_limit + 1
  );
  return jsonb_build_object(
    'items', (
      select coalesce(jsonb_agg(
        app.user_lite(p) || jsonb_build_object('blockedAt', app.iso(entry.at)) order by entry.place
      ), '[]')
      from unnest(v_page[:v_limit]) with ordinality as entry (at, id, place)
      join app.profiles as p on p.user_id = entry.id
    ),
    'nextCursor', app.next_cursor(v_list, v_page, v_limit)
  );
end
$$;
comment on function api.list_blocks is 'GET /users/me/blocks (docs/product.md P21, docs/decisions/015-own-data.md).';
grant execute on function api.list_blocks to authenticated;

-- Holds everybody's blocks with its owner's rights; views of one person's stand on it.
create view app.blocked_pairs as
select b.blocked_id as user_id, b.blocker_id as other_id, 'blockers' as reason
from app.blocks as b
union all
select b.blocker_id, b.blocked_id, 'blocks'
from app.blocks as b;
comment on view app.blocked_pairs is
  'Two rows per block, one from each side: user_id and other_id see nothing of each other (reason: blocks for the '
  'blocker, blockers for the blocked user).';

-- Like app.my_hubs, it reads with its owner's rights.
create view app.blocked_users with (security_barrier = true) as
select b.other_id as user_id, b.reason
from app.blocked_pairs as b
where b.user_id = (select app.user_id());
comment on view app.blocked_users is 'The users whom the caller blocks, and those who block the caller (reason).';
grant select on app.blocked_users to anon, authenticated;

-- A view, because the planner inlines it into the policies that read it; each of them would call a function.
-- Like app.my_hubs, it reads with its owner's rights.
create view app.blockers with (security_barrier = true) as
select b.blocker_id as user_id
from app.blocks as b
where b.blocked_id = (select app.user_id());
comment on view app.blockers is 'The users who block the caller; the caller cannot see them (docs/product.md P18).';
grant select on app.blockers to anon, authenticated;

-- Policies and lists read this view.
create view app.hidden_users with (security_invoker = true) as
select b.user_id, b.reason
from app.blocked_users as b
union all
select h.user_id, h.reason
from app.users_hidden_from_all as h;
comment on view app.hidden_users is
  'The users whose content and activity the caller must not see, and why (reason): blocked pairs, and users hidden '
  'from everybody.';
grant select on app.hidden_users to anon, authenticated;

-- Serialises changes to the follows and blocks between two users until the end of the transaction.
--
-- A concurrent follow and block could otherwise both persist. It waits for a merge of either account. Shared, it
-- keeps these changes away from others that do not exclude each other.
create function app.lock_pair(p_one uuid, p_other uuid, p_is_shared boolean default false) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_key bigint := hashtextextended(least(p_one, p_other)::text || greatest(p_one, p_other)::text, 0);
begin
  -- A merge locks both accounts until the follows and blocks that it moves are visible.
  perform from app.users as u where u.id in (p_one, p_other) order by u.id for key share;
  if p_is_shared then
    perform pg_advisory_xact_lock_shared(v_key);
  else
    perform pg_advisory_xact_lock(v_key);
  end if;
end
$$;
comment on function app.lock_pair is 'Locks the follows and blocks between two users.';
grant execute on function app.lock_pair to authenticated;

-- schemas/30_people/03_follows.sql

-- Follows a user.
--
-- Args: userId. Returns following.
create function api.follow_user(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_followee_id uuid := (p_args ->> 'userId')::uuid;
begin
  perform app.require_level(2);
  perform app.lock_pair(app.user_id(), v_followee_id);
  perform app.require_person(v_followee_id);
  perform app.put_follow(v_followee_id);
  perform app.use_limit('follows');
  return '{"following": true}'::jsonb;
end
$$;
comment on function api.follow_user is 'POST /users/{userId}/follow (docs/product.md P13).';
grant execute on function api.follow_user to authenticated;

-- Errors: FORBIDDEN for a blocked pair, CANNOT_FOLLOW_SELF by follows_are_of_others, ALREADY_FOLLOWING by
-- follows_pkey.
create function app.put_follow(p_followee_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from app.blocked_users as b where b.user_id = p_followee_id) then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  insert into app.follows (follower_id, followee_id) values (app.user_id(), p_followee_id);
  perform app.emit('user_followed', p_actor_id => app.user_id(), p_subject_id => p_followee_id);
end
$$;
comment on function app.put_follow is 'Inserts a follow of the caller and emits the event.';
grant execute on function app.put_follow to authenticated;

-- Unfollows a user.
--
-- Args: userId. Returns following, also if there was no follow.
create function api.unfollow_user(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(2);
  delete from app.follows as f where f.follower_id = app.user_id() and f.followee_id = (p_args ->> 'userId')::uuid;
  if not found and not app.is_gone((p_args ->> 'userId')::uuid) then
    perform app.require_person((p_args ->> 'userId')::uuid);
  end if;
  return '{"following": false}'::jsonb;
end
$$;
comment on function api.unfollow_user is 'DELETE /users/{userId}/follow (docs/product.md P15).';
grant execute on function api.unfollow_user to authenticated;

create function app.is_gone(p_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select
    from app.users as u
    where u.id = p_user_id
      and (u.ended_at is not null or exists (select from app.suspensions as s where s.user_id = u.id))
  );
end
$$;
comment on function app.is_gone is 'Returns whether an account is suspended or has ended (docs/product.md P15).';
grant execute on function app.is_gone to authenticated;

-- Mutes or unmutes the publications of a followed user.
--
-- Args: userId, publicPostsMuted. Returns publicPostsMuted.
create function api.update_follow(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(2);
  perform app.require_arguments(p_args, 'publicPostsMuted');
  update app.follows as f
  set is_muted = app.argument(p_args, 'publicPostsMuted', 'boolean')::boolean
  where f.follower_id = app.user_id()
    and f.followee_id = (p_args ->> 'userId')::uuid
    and exists (select from app.profiles as p where p.user_id = f.followee_id);
  if not found then
    raise exception using errcode = 'PT404', message = 'FOLLOW_NOT_FOUND';
  end if;
  return jsonb_build_object('publicPostsMuted', p_args -> 'publicPostsMuted');
end
$$;
comment on function api.update_follow is 'PATCH /users/{userId}/notification-settings (docs/product.md P14).';
grant execute on function api.update_follow to authenticated;

create function app.count_follows() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_sign integer := case tg_op when 'INSERT' then 1 else -1 end;
  v_side record;
begin
  -- Every writer updates these rows in the order of ids, which prevents deadlocks.
  for v_side in
    select side.user_id, v_sign * sum(side.followers) as follower_count, v_sign * sum(side.following) as following_count
    from (
      select f.followee_id as user_id, 1 as followers, 0 as following from changed as f
      union all
      select f.follower_id, 0, 1 from changed as f
    ) as side
    group by side.user_id
    order by side.user_id
  loop
    update app.follow_counts as c
    set follower_count = c.follower_count + v_side.follower_count,
      following_count = c.following_count + v_side.following_count
    where c.user_id = v_side.user_id;
    -- After a delete a missing row was deleted with its user.
    if not found and tg_op = 'INSERT' then
      insert into app.follow_counts as c (user_id, follower_count, following_count)
      values (v_side.user_id, v_side.follower_count, v_side.following_count)
      on conflict (user_id) do update
        set follower_count = c.follower_count + excluded.follower_count,
          following_count = c.following_count + excluded.following_count;
    end if;
  end loop;
  return null;
end
$$;
comment on function app.count_follows is
  'Trigger: maintains app.follow_counts after each statement that inserts or deletes follows.';

create view app.follow_sides with (security_invoker = true) as
select f.followee_id as user_id, 'followers' as side, f.follower_id as other_id, f.created_at from app.follows as f
union all
select f.follower_id, 'following', f.followee_id, f.created_at from app.follows as f;
comment on view app.follow_sides is
  'Two rows per follow, one from each side: other_id is in the list side (followers or following) of user_id.';
grant select on app.follow_sides to authenticated;

-- A definer function, because the policy of follows costs more than own rows, which it always shows.
create function app.viewer_follows(p_user_ids uuid[]) returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
begin
  return array(
    select f.followee_id from app.follows as f where f.follower_id = app.user_id() and f.followee_id = any (p_user_ids)
  );
end
$$;
comment on function app.viewer_follows is 'Returns those of the people whom the caller follows; nobody for a guest.';
grant execute on function app.viewer_follows to anon, authenticated;

create function app.viewer_relation(p_user_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_viewer_id uuid := app.user_id();
  v_is_muted boolean;
begin
  if v_viewer_id is null then
    return null;
  end if;
  select f.is_muted into v_is_muted
  from app.follows as f
  where f.follower_id = v_viewer_id and f.followee_id = p_user_id;
  return jsonb_build_object(
    'follows', found,
    'followedBy', exists (select from app.follows as f where f.follower_id = p_user_id and f.followee_id = v_viewer_id),
    'blocking', exists (select from app.blocks as b where b.blocker_id = v_viewer_id and b.blocked_id = p_user_id),
    'publicPostsMuted', coalesce(v_is_muted, false)
  );
end
$$;
comment on function app.viewer_relation is
  'Returns the follows and blocks between the caller and a user (docs/product.md P6); null for a guest.';
grant execute on function app.viewer_relation to anon, authenticated;

-- Lists the followers of a user.
--
-- Args: userId, q, cursor, limit. Returns items and nextCursor (see app.people_page).
create function api.list_followers(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args alias for $1;
begin
  return app.people_page(p_args, 'followers');
end
$$;
comment on function api.list_followers is 'GET /users/{userId}/followers (docs/product.md P16).';
grant execute on function api.list_followers to authenticated;

-- Lists the users that a user follows.
--
-- Args: userId, q, cursor, limit. Returns items and nextCursor (see app.people_page).
create function api.list_following(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args alias for $1;
begin
  return app.people_page(p_args, 'following');
end
$$;
comment on function api.list_following is 'GET /users/{userId}/following (docs/product.md P16).';
grant execute on function api.list_following to authenticated;

-- Args: p_args (userId, q, cursor, limit), p_side (followers or following). Returns items (UserLite and
-- viewerFollows) and nextCursor. Errors: UNAUTHORIZED, USER_NOT_FOUND, VALIDATION_FAILED for a cursor of
-- another list.
create function app.people_page(p_args jsonb, p_side text) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_user_id uuid := (p_args ->> 'userId')::uuid;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_list text := app.list_of('list_' || p_side, p_args);
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor');
  v_query text := nullif(app.text_argument(p_args, 'q', 0, 80), '');
  v_handle text := app.handle_key(v_query);
  v_key text := app.search_key(v_query);
  -- Most names do not match q, so a request scans a bounded window and its cursor continues after it.
  v_window integer := case when v_key is not null then 10000 end;
  v_page app.list_entry[];
  v_end app.list_entry;
begin
  perform app.require_level(1);
  perform app.require_person(v_user_id);
  v_page := array(
    select (s.created_at, s.other_id)::app.list_entry
    from (
      select f.created_at, f.other_id
      from app.follow_sides as f
      where f.user_id = v_user_id and f.side = p_side
        and f.other_id not in (select h.user_id from app.hidden_users as h)
        and (f.created_at, f.other_id) < (v_from.at, v_from.id)
      order by f.created_at desc, f.other_id desc
      limit v_window
    ) as s
    join app.profiles as p on p.user_id = s.other_id
    where v_key is null or app.name_matches(p, v_handle, v_key)
    order by s.created_at desc, s.other_id desc
    limit v_limit + 1
  );
  if cardinality(v_page) > v_limit then
    v_end := v_page[v_limit];
  elsif v_key <> '' or starts_with(v_handle, '_') then
    select f.created_at, f.other_id into v_end
    from app.follow_sides as f
    where f.user_id = v_user_id and f.side = p_side
      and f.other_id not in (select h.user_id from app.hidden_users as h)
      and (f.created_at, f.other_id) < (v_from.at, v_from.id)
    order by f.created_at desc, f.other_id desc
    offset v_window - 1
    limit 1;
  end if;
  return jsonb_build_object(
    'items', app.people_json(v_page[:v_limit]), 'nextCursor', app.encode_cursor(v_list, v_end.at, v_end.id)
  );
end
$$;
comment on function app.people_page is 'Returns a page of the followers or following of a user, newest first.';
grant execute on function app.people_page to authenticated;

create function app.people_json(p_entries app.list_entry[]) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_followed_ids uuid[] := app.viewer_follows(array(select entry.id from unnest(p_entries) as entry));
begin
  return (
    select coalesce(jsonb_agg(
      app.user_lite(p) || jsonb_build_object('viewerFollows', p.user_id = any (v_followed_ids)) order by entry.place
    ), '[]')
    from unnest(p_entries) with ordinality as entry (at, id, place)
    join app.profiles as p on p.user_id = entry.id
  );
end
$$;
comment on function app.people_json is
  'Returns the people of a list, in its order, as UserLite with viewerFollows (docs/product.md P5, P16).';
grant execute on function app.people_json to authenticated;

-- Returns whether the username begins with p_handle (app.handle_key), or the name from one of its words on
-- with p_key (app.search_key). Empty keys match nothing.
create function app.name_matches(p_profile app.profiles, p_handle text, p_key text) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  return p_handle <> '' and starts_with(p_profile.username, p_handle)
    or p_key <> '' and position(' ' || p_key in ' ' || p_profile.search_name) > 0;
end
$$;
comment on function app.name_matches is 'Returns whether a local search finds a person (docs/product.md P16).';
grant execute on function app.name_matches to authenticated;

-- Errors: USER_NOT_FOUND.
create function app.require_person(p_user_id uuid) returns uuid
language plpgsql stable set search_path = '' as $$
begin
  if not exists (select from app.profiles as p where p.user_id = p_user_id) then
    raise exception using errcode = 'PT404', message = 'USER_NOT_FOUND';
  end if;
  return p_user_id;
end
$$;
comment on function app.require_person is 'Returns p_user_id if it is a registered user that the caller may see.';
grant execute on function app.require_person to anon, authenticated;

create trigger follows_count_after_insert after insert on app.follows
referencing new table as changed
for each statement execute function app.count_follows();

create trigger follows_count_after_delete after delete on app.follows
referencing old table as changed
for each statement execute function app.count_follows();

-- schemas/30_people/04_user_lite.sql

-- The service sets the URL of its storage for each request; callers of the Data API get the path alone.
create function app.photo_url(p_asset_id uuid) returns text language sql stable
return coalesce(
  nullif(current_setting('opine.photos_url', true), ''), '/storage/v1/object/public/photos/'
) || p_asset_id;
comment on function app.photo_url is 'Returns the public URL of a photo; null for null.';
grant execute on function app.photo_url to anon, authenticated;

-- A null row, as for an ended account, gives empty strings.
create function app.user_lite(p_profile app.profiles) returns jsonb
language sql stable
return jsonb_build_object(
  'id', coalesce(p_profile.user_id::text, ''),
  'username', coalesce(p_profile.username, ''),
  'name', coalesce(p_profile.full_name, ''),
  'profilePhotoUrl', app.photo_url(p_profile.photo_asset_id),
  'isAnonymous', p_profile.user_id is null
);
comment on function app.user_lite is 'Returns a UserLite (docs/product.md P5), a person on a card or in a list.';
grant execute on function app.user_lite to anon, authenticated;

-- schemas/30_people/05_hub_profiles.sql

-- Errors: VALIDATION_FAILED for an asset that is no profile photo of the caller.
create function app.photo_or(p_present uuid, p_args jsonb) returns uuid
language plpgsql set search_path = '' as $$
declare
  v_asset_id uuid := (p_args ->> 'profileAssetId')::uuid;
begin
  if not p_args ? 'profileAssetId' then
    return p_present;
  end if;
  if v_asset_id is not null then
    perform app.require_asset(v_asset_id, array['profile_photo']::app.upload_purpose[], '["profileAssetId"]');
  end if;
  return v_asset_id;
end
$$;
comment on function app.photo_or is
  'Returns the photo that profileAssetId chooses: null for null, p_present if the argument is missing.';
grant execute on function app.photo_or to authenticated;

-- Reads the caller's private Hub profile.
--
-- Returns the private Hub profile.
create function api.get_hub_profile(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  perform app.require_level(4);
  return app.hub_profile();
end
$$;
comment on function api.get_hub_profile is 'GET /users/me/hub-profile (docs/product.md P12).';
grant execute on function api.get_hub_profile to authenticated;

-- Its name is the public one until the owner sets another.
create function app.hub_profile() returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object(
      'displayName', coalesce(h.display_name, p.full_name),
      'profilePhotoUrl', app.photo_url(h.photo_asset_id),
      'phoneNumber', u.phone,
      'profileAssetId', h.photo_asset_id
    )
    from app.users as u
    join app.profiles as p on p.user_id = u.id
    left join app.hub_profiles as h on h.user_id = u.id
    where u.id = (select app.user_id())
  );
end
$$;
comment on function app.hub_profile is 'Returns the caller''s private Hub profile (docs/product.md P12).';
grant execute on function app.hub_profile to authenticated;

-- Changes the caller's private Hub profile; the public profile stays as it is.
--
-- Args: displayName, profileAssetId or both; null removes the photo. Returns the private Hub profile.
create function api.update_hub_profile(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(4);
  perform app.require_any_argument(p_args, 'displayName', 'profileAssetId');
  insert into app.hub_profiles as h (user_id, display_name, photo_asset_id)
  values (app.user_id(), app.name_argument(p_args, 'displayName'), app.photo_or(null, p_args))
  on conflict (user_id) do update
    set display_name = coalesce(excluded.display_name, h.display_name),
      photo_asset_id = case when p_args ? 'profileAssetId' then excluded.photo_asset_id else h.photo_asset_id end;
  return app.hub_profile();
end
$$;
comment on function api.update_hub_profile is 'PATCH /users/me/hub-profile (docs/product.md P12).';
grant execute on function api.update_hub_profile to authenticated;

-- schemas/30_people/06_handles.sql

-- Checks whether the caller could have a handle now; reserves nothing.
--
-- Args: username. Returns username (canonical), available, reason and up to three alternatives. The canonical
-- form of an invalid handle is what remains of it, so that the answer echoes no character that a page would
-- have to escape.
create function api.check_handle(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  -- In the collation C the case of ASCII letters alone changes, in every database: a handle has no others.
  v_handle text := lower(
    regexp_replace(btrim(coalesce(app.text_argument(p_args, 'username', 0, 200), '')), '^@+', '') collate "C"
  );
  v_refusal text;
begin
  perform app.require_level(1);
  perform app.require_arguments(p_args, 'username');
  perform app.limit_handle_checks();
  v_refusal := app.handle_refusal(v_handle);
  return jsonb_build_object(
    'username', regexp_replace(v_handle, '[^a-z0-9_]', '', 'g'),
    'available', v_refusal is null,
    'reason', v_refusal,
    'alternatives', case when v_refusal is null then '{}' else app.handles_like(v_handle) end
  );
end
$$;
comment on function api.check_handle is 'POST /users/handles/availability (docs/product.md P4).';
grant execute on function api.check_handle to authenticated;

-- The constraints of app.profiles decide.
create function app.handle_refusal(p_handle text) returns text
language plpgsql stable set search_path = '' as $$
begin
  return case
    when not app.is_handle(p_handle) then 'invalid'
    when app.is_reserved_handle(p_handle) then 'reserved'
    when app.is_handle_taken(p_handle) then 'taken'
  end;
end
$$;
comment on function app.handle_refusal is
  'Returns why the caller cannot have a handle now: invalid, reserved or taken; null if they can.';
grant execute on function app.handle_refusal to authenticated;

create function app.handles_like(p_text text) returns text[]
language plpgsql set search_path = '' as $$
declare
  v_common text := 'opinion';
  -- A handle has at most 30 characters, and the longest suffix has 5.
  v_stem text := left(
    coalesce(nullif(regexp_replace(normalize(p_text, nfd), '[^a-z0-9_]', '', 'g'), ''), v_common), 25
  );
begin
  -- A reserved name with a number would still look official.
  if app.is_reserved_handle(v_stem) then
    v_stem := v_common;
  end if;
  return array(
    select candidate.handle
    from (
      select distinct v_stem || floor(10 ^ digits * (0.1 + 0.9 * random()))::integer as handle, digits
      from generate_series(2, 5) as digits
      cross join generate_series(1, 8)
    ) as candidate
    where app.handle_refusal(candidate.handle) is null
    order by candidate.digits
    limit 3
  );
end
$$;
comment on function app.handles_like is
  'Returns up to three handles that are free now: the valid characters of the text, without accents, and a random '
  'number with as few digits as possible.';
grant execute on function app.handles_like to authenticated;

create function app.is_handle_taken(p_handle text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from app.profiles as p
    where app.handle_skeleton(p.username) = app.handle_skeleton(p_handle) and p.user_id <> app.user_id()
  );
end
$$;
comment on function app.is_handle_taken is
  'Returns whether another user has a handle now that is or looks like this one, hidden users included.';
grant execute on function app.is_handle_taken to authenticated;

-- Raises RATE_LIMITED beyond 60 a minute: enough for typing, too few for enumerating all names.
create function app.limit_handle_checks() returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform app.require_rate_limit('handle checks', app.user_id()::text, 60, interval '1 minute');
end
$$;
comment on function app.limit_handle_checks is 'Counts a handle look-up of the caller.';
grant execute on function app.limit_handle_checks to authenticated;

-- schemas/30_people/07_search.sql

-- Searches people by username and name.
--
-- Args: q, cursor, limit. Returns items (people, with viewerFollows for a caller with a session), best first,
-- and nextCursor.
create function api.search_users(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
  v_limit integer := app.page_size(p_args, 30, 100);
  v_query text := app.text_argument(p_args, 'q', 1, 80);
  v_key text := app.search_key(v_query);
  v_handle text := app.handle_key(v_query);
  v_list text := app.list_of('search_users', p_args, p_is_shared => true);
  v_after app.search_hit := app.decode_hit(v_list, p_args ->> 'cursor');
  v_hits app.search_hit[];
  v_followed_ids uuid[];
begin
  perform app.require_arguments(p_args, 'q');
  -- A text without a word finds nothing, except by the underscores of usernames.
  if v_key <> '' or v_handle ~ '^_' then
    perform app.use_limit('searches');
    v_hits := array(select hit from app.find_people(v_handle, v_key, v_after, v_limit + 1) as hit);
  end if;
  v_followed_ids := app.viewer_follows(array(select hit.id from unnest(v_hits) as hit));
  return jsonb_build_object(
    'items', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'id', p.user_id,
          'name', p.full_name,
          'username', p.username,
          'profilePhotoUrl', app.photo_url(p.photo_asset_id),
          'bio', p.bio
        ) || case
          when app.user_id() is null then '{}'
          else jsonb_build_object('viewerFollows', p.user_id = any (v_followed_ids))
        end
        order by hit.place
      ), '[]')
      from unnest(v_hits[:v_limit]) with ordinality as hit (tier, key, id, place)
      join app.profiles as p on p.user_id = hit.id
    ),
    'nextCursor', app.encode_hit(v_list, v_hits, v_limit)
  );
end
$$;
comment on function api.search_users is 'GET /search/users (docs/product.md P22, P23).';
grant execute on function api.search_users to anon, authenticated;

create function app.handle_key(p_query text) returns text
language plpgsql immutable set search_path = '' as $$
begin
  return regexp_replace(app.folded(btrim(p_query)), '^@', '');
end
$$;
comment on function app.handle_key is 'Returns a text as searches compare usernames with it (docs/product.md P22).';
grant execute on function app.handle_key to anon, authenticated;

-- Searches with a typo call it before they use the operators of pg_trgm.
create function app.set_similarity() returns void
language plpgsql set search_path = '' as $$
begin
  perform set_config('pg_trgm.word_similarity_threshold', '0.5', true);
end
$$;
comment on function app.set_similarity is
  'Sets how similar a name must be to a query, from 0 to 1, until the end of the transaction (docs/product.md P23).';

-- Returns the people that a search finds, best first, after p_after.
--
-- Args: p_handle (app.handle_key), p_key (app.search_key). The tiers: username begins with the handle (an
-- exact one sorts first), name begins with the key, last name does, the rest of app.find_people_alike. It
-- omits hidden users. It bypasses policies, because their conditions would keep its operators from the
-- indexes.
create function app.find_people(p_handle text, p_key text, p_after app.search_hit, p_limit integer)
returns setof app.search_hit
language plpgsql stable security definer set search_path = '' as $$
declare
  v_handle_end text collate "C" := app.end_of_prefix(p_handle);
  v_end text collate "C" := app.end_of_prefix(p_key);
  v_left integer := p_limit;
  v_found integer;
  v_key text collate "C";
  v_id uuid;
begin
  for v_tier in p_after.tier .. case when p_key = '' then 1 else 4 end loop
    -- The start of the tier, so its index scan begins there.
    v_key := case when v_tier = p_after.tier then p_after.key when v_tier in (2, 3) then p_key else '' end;
    v_id := case when v_tier = p_after.tier then p_after.id else '00000000-0000-0000-0000-000000000000' end;
    if v_tier = 1 then
      return query
      select 1, p.username::text, p.user_id
      from app.profiles as p
      where p.username >= p_handle and p.username < v_handle_end and p.username > v_key
        and p.user_id not in (select h.user_id from app.hidden_users as h)
      order by p.username
      limit v_left;
    elsif v_tier = 2 then
      return query
      select 2, p.search_name::text, p.user_id
      from app.profiles as p
      where p.search_name >= p_key and p.search_name < v_end and (p.search_name, p.user_id) > (v_key, v_id)
        and not starts_with(p.username, p_handle)
        and p.user_id not in (select h.user_id from app.hidden_users as h)
      order by p.search_name, p.user_id
      limit v_left;
    elsif v_tier = 3 then
      return query
      select 3, app.last_word(p.search_name), p.user_id
      from app.profiles as p
      where app.last_word(p.search_name) >= p_key and app.last_word(p.search_name) < v_end
        and (app.last_word(p.search_name), p.user_id) > (v_key, v_id)
        and not starts_with(p.username, p_handle) and not starts_with(p.search_name, p_key)
        and p.user_id not in (select h.user_id from app.hidden_users as h)
      order by app.last_word(p.search_name), p.user_id
      limit v_left;
    else
      perform app.set_similarity();
      return query select * from app.find_people_alike(p_handle, p_key, v_key, v_id, v_left);
    end if;
    get diagnostics v_found = row_count;
    v_left := v_left - v_found;
    exit when v_left <= 0;
  end loop;
end
$$;
comment on function app.find_people is 'Returns the people that a search finds, best first (docs/product.md P22).';
grant execute on function app.find_people to anon, authenticated;

-- Returns the last tier of app.find_people: people with every word of the key in their names, then people
-- with a similar word in username or name (the threshold that app.find_people has set), nearest first.
create function app.find_people_alike(p_handle text, p_key text, p_from text, p_id uuid, p_limit integer)
returns setof app.search_hit
language plpgsql stable set search_path = '' as $$
declare
  v_trigrams text := app.trigram_key(p_key);
begin
  return query
  select 4, rank.key, alike.user_id
  from (
    select found.user_id, found.username, found.search_name, max(found.similarity) as similarity
    from (
      select p.user_id, p.username, p.search_name, 1::real as similarity
      from app.people_with_words(app.all_words_of(p_key)) as p
      union all
      select p.user_id, p.username, p.search_name,
        extensions.word_similarity(v_trigrams, p.username || ' ' || app.trigram_key(p.search_name))
      from app.candidates_alike(p_handle, v_trigrams) as p
    ) as found
    group by found.user_id, found.username, found.search_name
  ) as alike
  cross join lateral (select to_char(1000000 * (1 - alike.similarity), 'FM0000000') as key) as rank
  where alike.similarity >= current_setting('pg_trgm.word_similarity_threshold', true)::real
    and not starts_with(alike.username, p_handle) and not starts_with(alike.search_name, p_key)
    and not starts_with(app.last_word(alike.search_name), p_key)
    and (rank.key, alike.user_id) > (p_from, p_id)
    and alike.user_id not in (select h.user_id from app.hidden_users as h)
  order by rank.key, alike.user_id
  limit p_limit;
end
$$;
comment on function app.find_people_alike is
  'Returns people with the words of a search, or with similar ones (docs/product.md P22).';

create function app.people_with_words(p_words tsquery) returns setof app.profiles
language plpgsql stable set search_path = ''
-- The planner overestimates the matches and would scan the table instead of the index.
set enable_seqscan = off
as $$
begin
  -- Bounds the work for a frequent word.
  return query select p.* from app.profiles as p where app.word_vector(p.full_name) @@ p_words limit 500;
end
$$;
comment on function app.people_with_words is 'Returns up to 500 people with the words of a query in their names.';

-- Returns people who may be similar to the text of a search: up to 500 with a similar word.
--
-- A caller who types a whole username mostly means its owner, and the trigram index reads long lists for any
-- text, so for a username these are the 50 usernames on each side of it. Fewer than three characters are
-- similar to nothing.
create function app.candidates_alike(p_handle text, p_trigrams text) returns setof app.profiles
language plpgsql stable set search_path = ''
-- The planner overestimates the matches and would scan the table instead of the index.
set enable_seqscan = off
as $$
begin
  if char_length(p_trigrams) < 3 then
    return;
  elsif exists (
    -- Ignores hidden owners, or the answer would reveal that they exist.
    select
    from app.profiles as p
    where p.username = p_handle and p.user_id not in (select h.user_id from app.hidden_users as h)
  ) then
    return query
    (
      select p.*
      from app.profiles as p
      where p.username < p_handle and p.user_id not in (select h.user_id from app.hidden_users as h)
      order by p.username desc
      limit 50
    )
    union all
    (
      select p.*
      from app.profiles as p
      where p.username >= app.end_of_prefix(p_handle) and p.user_id not in (select h.user_id from app.hidden_users as h)
      order by p.username
      limit 50
    );
  else
    return query
    select p.*
    from app.profiles as p
    where p_trigrams operator(extensions.<%) (p.username || ' ' || app.trigram_key(p.search_name))
    -- Bounds the work for a misspelt frequent name: ranking all its matches would read them all.
    limit 500;
  end if;
end
$$;
comment on function app.candidates_alike is
  'Returns people who may be similar to the text of a search (docs/product.md P22).';

-- schemas/30_people/80_account.sql

create function app.lock_relations(p_user_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  perform from app.users as u
  where u.id in (
    select f.followee_id from app.follows as f where f.follower_id = p_user_id
    union all
    select f.follower_id from app.follows as f where f.followee_id = p_user_id
    union all
    select b.blocked_id from app.blocks as b where b.blocker_id = p_user_id
    union all
    select b.blocker_id from app.blocks as b where b.blocked_id = p_user_id
  )
  order by u.id
  for key share;
end
$$;
comment on function app.lock_relations is
  'Locks the users whom a person follows or blocks, and by whom they are, so that no account ends meanwhile.';

-- It drops those that p_into has already, those of oneself, and follows within a blocked pair.
create function app.move_people(p_from uuid, p_into uuid) returns void
language plpgsql set search_path = '' as $$
begin
  with gone as (
    delete from app.blocks as b where p_from = b.blocker_id or p_from = b.blocked_id returning b.*
  )
  insert into app.blocks (blocker_id, blocked_id, created_at)
  select moved.blocker_id, moved.blocked_id, moved.created_at
  from (
    select
      case gone.blocker_id when p_from then p_into else gone.blocker_id end as blocker_id,
      case gone.blocked_id when p_from then p_into else gone.blocked_id end as blocked_id,
      gone.created_at
    from gone
  ) as moved
  where moved.blocker_id <> moved.blocked_id
  on conflict do nothing;

  with gone as (
    delete from app.follows as f where p_from = f.follower_id or p_from = f.followee_id returning f.*
  )
  insert into app.follows (follower_id, followee_id, is_muted, created_at)
  select moved.follower_id, moved.followee_id, moved.is_muted, moved.created_at
  from (
    select
      case gone.follower_id when p_from then p_into else gone.follower_id end as follower_id,
      case gone.followee_id when p_from then p_into else gone.followee_id end as followee_id,
      gone.is_muted, gone.created_at
    from gone
  ) as moved
  where moved.follower_id <> moved.followee_id
  on conflict do nothing;

  -- A moved block may conflict with follows that p_into already had.
  delete from app.follows as f
  using app.blocks as b
  where (p_into = b.blocker_id or p_into = b.blocked_id)
    and ((f.follower_id = b.blocker_id and f.followee_id = b.blocked_id)
      or (f.follower_id = b.blocked_id and f.followee_id = b.blocker_id));
end
$$;
comment on function app.move_people is 'Moves the blocks and follows of p_from to p_into, on either side.';

create function app.erase_hub_profile(p_user_id uuid) returns void
language sql set search_path = ''
begin atomic
  delete from app.hub_profiles where user_id = p_user_id;
end;
comment on function app.erase_hub_profile is 'Deletes the Hub profile of an ended account (docs/product.md I17).';

-- Locked rows are left to the next batch.
create function app.erase_people(p_user_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  delete from app.follows
  -- One statement, because its trigger locks counts in the order of users.
  where ctid = any (
    array(select f.ctid from app.follows as f where f.follower_id = p_user_id limit 1000 for update skip locked)
    || array(select f.ctid from app.follows as f where f.followee_id = p_user_id limit 1000 for update skip locked)
  );
  delete from app.blocks
  where ctid in (select b.ctid from app.blocks as b where b.blocker_id = p_user_id limit 1000 for update skip locked);
  delete from app.blocks
  where ctid in (select b.ctid from app.blocks as b where b.blocked_id = p_user_id limit 1000 for update skip locked);
  -- One query for each column: an index then answers by its first entry.
  if exists (select from app.follows where follower_id = p_user_id)
    or exists (select from app.follows where followee_id = p_user_id)
    or exists (select from app.blocks where blocker_id = p_user_id)
    or exists (select from app.blocks where blocked_id = p_user_id) then
    return true;
  end if;
  delete from app.follow_counts where user_id = p_user_id;
  return false;
end
$$;
comment on function app.erase_people is
  'Deletes a batch of the follows and blocks of an ended account. Returns whether more is left.';

-- It never shows who blocks the caller.
create function app.export_blocks() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('userId', b.blocked_id, 'blockedAt', app.iso(b.created_at))
  from app.blocks as b
  where b.blocker_id = app.user_id()
    and not exists (select from app.users_hidden_from_all as h where h.user_id = b.blocked_id)
  order by b.created_at desc, b.blocked_id desc
  limit 100000;
end;
comment on function app.export_blocks is
  'Returns the section blocks of the export: users that the caller blocks, without those hidden from everybody.';
grant execute on function app.export_blocks to authenticated;

create function app.export_followers() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('userId', f.follower_id, 'followedAt', app.iso(f.created_at))
  from app.follows as f
  where f.followee_id = app.user_id()
    and not exists (select from app.users_hidden_from_all as h where h.user_id = f.follower_id)
  order by f.created_at desc, f.follower_id desc
  limit 100000;
end;
comment on function app.export_followers is
  'Returns the section followers of the export, without users hidden from everybody.';
grant execute on function app.export_followers to authenticated;

create function app.export_following() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'userId', f.followee_id, 'publicPostsMuted', f.is_muted, 'followedAt', app.iso(f.created_at)
  )
  from app.follows as f
  where f.follower_id = app.user_id()
    and not exists (select from app.users_hidden_from_all as h where h.user_id = f.followee_id)
  order by f.created_at desc, f.followee_id desc
  limit 100000;
end;
comment on function app.export_following is
  'Returns the section following of the export, without users hidden from everybody.';
grant execute on function app.export_following to authenticated;

-- schemas/30_people/90_policies.sql

create policy profiles_select on app.profiles for select to anon, authenticated
using (
  -- The own row stays visible during account deletion, so a concurrent save of it does not fail.
  user_id = (select app.user_id())
  or (
    user_id not in (select b.user_id from app.blockers as b)
    and user_id not in (select h.user_id from app.users_hidden_from_all as h)
  )
);

create policy profiles_insert on app.profiles for insert to authenticated
with check (user_id = (select app.user_id()));

create policy profiles_update on app.profiles for update to authenticated
using (user_id = (select app.user_id()))
with check (user_id = (select app.user_id()) and (photo_asset_id is null or app.owns_asset(photo_asset_id)));

create policy hub_profiles_select on app.hub_profiles for select to authenticated
using (user_id = (select app.user_id()));

create policy hub_profiles_insert on app.hub_profiles for insert to authenticated
with check (user_id = (select app.user_id()) and (photo_asset_id is null or app.owns_asset(photo_asset_id)));

create policy hub_profiles_update on app.hub_profiles for update to authenticated
using (user_id = (select app.user_id()))
with check (user_id = (select app.user_id()) and (photo_asset_id is null or app.owns_asset(photo_asset_id)));

create policy follows_select on app.follows for select to authenticated
using (
  -- Own follows are read most, and need no check: a block deletes the follows of its pair.
  follower_id = (select app.user_id())
  or followee_id = (select app.user_id())
  or (
    follower_id not in (select b.user_id from app.blocked_users as b)
    and followee_id not in (select b.user_id from app.blocked_users as b)
  )
);

create policy follows_update on app.follows for update to authenticated
using (follower_id = (select app.user_id()))
with check (follower_id = (select app.user_id()));

create policy follows_delete on app.follows for delete to authenticated
using (follower_id = (select app.user_id()));

create policy follow_counts_select on app.follow_counts for select to anon, authenticated using (true);

create policy blocks_select on app.blocks for select to authenticated
using ((select app.user_id()) in (blocker_id, blocked_id));

create policy blocks_delete on app.blocks for delete to authenticated
using (blocker_id = (select app.user_id()));

-- schemas/40_hubs/01_tables.sql

create type app.hub_role as enum ('member', 'manager', 'admin');
comment on type app.hub_role is
  'The role of a member in a Hub, in ascending order: each role includes the rights of the ones before it '
  '(docs/product.md H8).';

create type app.membership_status as (status text, role app.hub_role, invitation_id uuid, join_request_id uuid);
comment on type app.membership_status is
  'The relation of the caller to a Hub: viewerStatus, the role of a member, and the open invitation or join request '
  '(docs/product.md H4).';

-- An expired invitation may still be stored as pending: see app.state_of.
create type app.invitation_state as enum ('pending', 'accepted', 'declined', 'expired');
comment on type app.invitation_state is 'The state of an invitation (docs/product.md H13).';

create type app.join_request_source as enum ('invite_link', 'member_invitation');
comment on type app.join_request_source is 'How a join request came about (docs/product.md H22).';

create type app.join_request_state as enum ('pending_admin_approval', 'approved', 'rejected', 'withdrawn');
comment on type app.join_request_state is
  'The state of a join request (docs/product.md H22). A withdrawn one is gone for everybody (docs/product.md H27).';

-- The existence of an open Hub is public; app.hub_card decides which fields a caller reads.
create table app.hubs (
  id uuid primary key default app.uuid_v7(),
  name text not null,
  description text not null default '',
  photo_asset_id uuid references app.assets (id) on delete restrict,
  custom_link text collate "C",
  search_name text collate "C" not null generated always as (app.search_key(name)) stored,
  member_count integer not null default 0,
  last_activity_at timestamptz not null default app.now(),
  closed_at timestamptz,
  suspended_at timestamptz,
  is_open boolean not null generated always as (closed_at is null and suspended_at is null) stored,
  constraint hubs_custom_link_key unique (custom_link),
  constraint hubs_custom_link_is_canonical check (custom_link ~ '^[a-z0-9-]{3,40}$'),
  constraint hubs_name_length check (char_length(btrim(name)) >= 2 and char_length(name) <= 80),
  constraint hubs_name_plain check (app.is_plain_name(name)),
  constraint hubs_description_length check (char_length(description) <= 500),
  constraint hubs_description_visible check (description = '' or app.has_visible_character(description)),
  constraint hubs_closed_are_empty check (closed_at is null or (member_count = 0 and custom_link is null)),
  constraint hubs_suspended_are_empty check (suspended_at is null or member_count = 0)
);
comment on table app.hubs is 'One row per Hub, a private group (docs/product.md H1, H3).';
comment on column app.hubs.member_count is
  'Number of rows in app.memberships, maintained by the triggers of that table.';
comment on column app.hubs.last_activity_at is 'Time of the last placement or discussion message in the Hub.';
comment on column app.hubs.closed_at is
  'Time when the Hub closed: its last member left, or an admin closed it; null until then. No caller sees a closed '
  'Hub, and the worker removes it in batches.';
comment on column app.hubs.suspended_at is
  'Time when staff suspended the Hub; null otherwise. Its members are in app.suspended_memberships until staff '
  'restores it.';
comment on column app.hubs.is_open is 'Whether callers can see the Hub: it is neither closed nor suspended.';
create index hubs_photo_asset_id_idx on app.hubs (photo_asset_id);
create index hubs_closed_at_idx on app.hubs (closed_at) where closed_at is not null;
create index hubs_search_name_idx on app.hubs (search_name, id);
create index hubs_last_word_idx on app.hubs (app.last_word(search_name), id);
create index hubs_fuzzy_idx on app.hubs using gin (
  (coalesce(custom_link, '') || ' ' || app.trigram_key(search_name)) extensions.gin_trgm_ops
)
  with (fastupdate = off);
create index hubs_words_idx on app.hubs using gin (app.word_vector(coalesce(custom_link, '') || ' ' || name))
  with (fastupdate = off);
alter table app.hubs enable row level security;
grant select on app.hubs to anon, authenticated;
grant update (name, description, custom_link) on app.hubs to authenticated;

-- Only the transitions of H10 insert and delete rows (app.insert_hub, app.become_member, app.end_membership),
-- and staff who suspend or restore a Hub.
create table app.memberships (
  hub_id uuid not null references app.hubs (id) on delete cascade,
  user_id uuid not null references app.users (id) on delete cascade,
  role app.hub_role not null,
  joined_at timestamptz not null default app.now(),
  seen_at timestamptz,
  removes_posts boolean not null default false,
  constraint memberships_pkey primary key (hub_id, user_id)
);
comment on table app.memberships is 'One row per active member of a Hub (docs/product.md H2, H10).';
comment on column app.memberships.seen_at is
  'Time of the member''s last use of the Hub, to five minutes. The column has no index, so updates of it stay in place '
  '(HOT).';
comment on column app.memberships.removes_posts is
  'Set before the end of a membership that takes along what the member placed in the Hub (docs/product.md H31).';
create index memberships_user_id_idx on app.memberships (user_id, hub_id);
create index memberships_joined_at_idx on app.memberships (hub_id, joined_at desc, user_id desc);
create index memberships_staff_idx on app.memberships (hub_id, joined_at desc, user_id desc) where role <> 'member';
alter table app.memberships enable row level security;
grant select on app.memberships to authenticated;

-- A mute outlives the membership and applies again on return.
create table app.hub_mutes (
  hub_id uuid not null references app.hubs (id) on delete cascade,
  user_id uuid not null references app.users (id) on delete cascade,
  constraint hub_mutes_pkey primary key (hub_id, user_id)
);
comment on table app.hub_mutes is 'One row per Hub and user who muted it (contentMuted) (docs/product.md H25).';
create index hub_mutes_user_id_idx on app.hub_mutes (user_id);
alter table app.hub_mutes enable row level security;
grant select on app.hub_mutes to authenticated;
grant insert (hub_id, user_id) on app.hub_mutes to authenticated;
grant delete on app.hub_mutes to authenticated;

-- Most invitations expire by expires_at alone: see app.state_of.
create table app.hub_invitations (
  id uuid primary key default app.uuid_v7(),
  hub_id uuid not null references app.hubs (id) on delete cascade,
  inviter_id uuid not null references app.users (id) on delete cascade,
  phone text not null,
  token_hash bytea not null,
  makes_member boolean not null,
  state app.invitation_state not null default 'pending',
  created_at timestamptz not null default app.now(),
  expires_at timestamptz not null,
  constraint hub_invitations_token_hash_key unique (token_hash),
  constraint hub_invitations_token_hash_is_sha256 check (length(token_hash) = 32),
  constraint hub_invitations_phone_is_e164 check (app.are_e164(phone))
);
comment on table app.hub_invitations is
  'One row per invitation of a phone number to a Hub, whether or not the number has an account (docs/product.md H11, '
  'H13).';
comment on column app.hub_invitations.makes_member is
  'Whether the inviter was an admin at the time of the invitation. Accepting makes an active member if the inviter is '
  'still an admin, and a join request otherwise.';
create unique index hub_invitations_pending_key
  on app.hub_invitations (hub_id, inviter_id, phone) where state = 'pending';
create index hub_invitations_phone_idx on app.hub_invitations (phone, hub_id);
create index hub_invitations_hub_id_idx on app.hub_invitations (hub_id, created_at desc, id desc);
create index hub_invitations_inviter_id_idx on app.hub_invitations (inviter_id, hub_id, created_at desc, id desc);
create index hub_invitations_expires_at_idx on app.hub_invitations (expires_at);
alter table app.hub_invitations enable row level security;
grant select (id, hub_id, inviter_id, phone, state, created_at, expires_at) on app.hub_invitations to authenticated;

-- The holder of the token may request to join. Revoking a link deletes its row, and so does the end of its
-- creator's membership.
create table app.invite_links (
  id uuid primary key default app.uuid_v7(),
  hub_id uuid not null references app.hubs (id) on delete cascade,
  creator_id uuid not null references app.users (id) on delete cascade,
  token_hash bytea not null,
  max_uses integer,
  use_count integer not null default 0,
  created_at timestamptz not null default app.now(),
  expires_at timestamptz not null,
  constraint invite_links_token_hash_key unique (token_hash),
  constraint invite_links_token_hash_is_sha256 check (length(token_hash) = 32),
  constraint invite_links_expire_within_30_days check (expires_at <= created_at + interval '30 days'),
  constraint invite_links_max_uses_is_within_limit check (max_uses between 1 and 1000),
  constraint invite_links_are_used_within_limit check (use_count between 0 and coalesce(max_uses, use_count))
);
comment on table app.invite_links is 'One row per invite link of a Hub (docs/product.md H19, H20).';
create index invite_links_hub_id_idx on app.invite_links (hub_id, created_at desc, id desc);
create index invite_links_creator_id_idx on app.invite_links (creator_id, hub_id);
create index invite_links_expires_at_idx on app.invite_links (expires_at);
alter table app.invite_links enable row level security;
grant select (id, hub_id, max_uses, use_count, created_at, expires_at) on app.invite_links to authenticated;
grant delete on app.invite_links to authenticated;

-- A withdrawn one stays for a week, to count repeats.
create table app.join_requests (
  id uuid primary key default app.uuid_v7(),
  hub_id uuid not null references app.hubs (id) on delete cascade,
  user_id uuid not null references app.users (id) on delete cascade,
  source app.join_request_source not null,
  state app.join_request_state not null default 'pending_admin_approval',
  link_id uuid,
  is_repeat boolean not null default false,
  created_at timestamptz not null default app.now(),
  ended_at timestamptz
);
comment on table app.join_requests is
  'One row per request of a user to join a Hub, decided requests included (docs/product.md H10, H22).';
comment on column app.join_requests.link_id is
  'The invite link that the request uses; null for an invitation, and once the use is given back. No foreign key: the '
  'deletion of a link would lock its requests in the wrong order.';
comment on column app.join_requests.is_repeat is
  'Whether another request of the user to the Hub was withdrawn or rejected in the 7 days before (docs/product.md '
  'H30).';
comment on column app.join_requests.ended_at is
  'Time when the request was approved, rejected or withdrawn; null before.';
create unique index join_requests_pending_key
  on app.join_requests (hub_id, user_id) where state = 'pending_admin_approval';
create index join_requests_hub_id_idx on app.join_requests (hub_id, created_at desc, id desc);
create index join_requests_withdrawn_idx on app.join_requests (ended_at) where state = 'withdrawn';
create index join_requests_user_id_idx on app.join_requests (user_id, created_at desc);
alter table app.join_requests enable row level security;
grant select on app.join_requests to authenticated;

-- The triggers of app.memberships only insert differences, so writers never wait for each other; the worker
-- folds the rows.
create table app.hub_presence (
  hub_id uuid not null references app.hubs (id) on delete cascade,
  seen_in timestamptz not null,
  member_count integer not null,
  is_folded boolean not null default false
);
comment on table app.hub_presence is
  'Number of members of a Hub last seen in each slot of five minutes (seen_in is its start). activeUsers24h sums one '
  'day of slots, whatever the number of members.';
create unique index hub_presence_folded_key on app.hub_presence (hub_id, seen_in) where is_folded;
create index hub_presence_hub_id_idx on app.hub_presence (hub_id, seen_in) include (member_count);
create index hub_presence_unfolded_idx on app.hub_presence (hub_id) where not is_folded;
create index hub_presence_seen_in_idx on app.hub_presence (seen_in);
alter table app.hub_presence enable row level security;

-- Its user is a non-member for every rule until staff restores the Hub and the membership returns.
create table app.suspended_memberships (
  hub_id uuid not null references app.hubs (id) on delete cascade,
  user_id uuid not null references app.users (id) on delete cascade,
  role app.hub_role not null,
  joined_at timestamptz not null,
  constraint suspended_memberships_pkey primary key (hub_id, user_id)
);
comment on table app.suspended_memberships is 'One row per membership of a Hub that staff has suspended, as it was.';
create index suspended_memberships_user_id_idx on app.suspended_memberships (user_id);
alter table app.suspended_memberships enable row level security;

-- Triggers per row with a WHEN clause, because most updates of a Hub change only its counters.
create trigger hubs_release_photo_after_update after update of photo_asset_id on app.hubs
for each row when (old.photo_asset_id is distinct from new.photo_asset_id)
execute function app.delete_former_asset('photo_asset_id');

create trigger hubs_release_photo_after_delete after delete on app.hubs
for each row when (old.photo_asset_id is not null)
execute function app.delete_former_asset('photo_asset_id');

-- schemas/40_hubs/02_members.sql

create type app.hub_person as (
  user_id uuid, display_name text, photo_asset_id uuid, username text, phone_number text, role app.hub_role,
  joined_at timestamptz
);
comment on type app.hub_person is
  'A person as the members of a Hub see them: an active member by their private Hub profile, with phone, role and join '
  'time; anyone else by the public profile alone (docs/product.md H23, P11).';

create function app.require_hub(p_hub_id uuid) returns uuid
language plpgsql stable set search_path = '' as $$
begin
  if not exists (select from app.hubs as h where h.id = p_hub_id and h.is_open) then
    raise exception using errcode = 'PT404', message = 'HUB_NOT_FOUND';
  end if;
  return p_hub_id;
end
$$;
comment on function app.require_hub is 'Returns p_hub_id if the Hub is open. Errors: HUB_NOT_FOUND.';
grant execute on function app.require_hub to authenticated;

-- Requires the caller's membership in a Hub.
--
-- Args: p_role (the lowest role that passes), p_hidden (the error for a non-member instead of FORBIDDEN, when
-- the call names an item inside the Hub). Returns the role, and when the caller last used the Hub. Errors:
-- UNAUTHORIZED for a guest; FORBIDDEN below level 4, for a lower role and for a non-member; p_hidden;
-- HUB_NOT_FOUND.
create function app.require_membership(
  p_hub_id uuid, p_role app.hub_role default 'member', p_hidden text default null,
  out role app.hub_role, out seen_at timestamptz
) returns record
language plpgsql stable set search_path = '' as $$
begin
  perform app.require_level(4);
  select m.role, m.seen_at into require_membership.role, require_membership.seen_at
  from app.memberships as m
  where m.hub_id = p_hub_id and m.user_id = app.user_id();
  if require_membership.role is null then
    perform app.refuse_non_member(p_hub_id, p_hidden);
  end if;
  if require_membership.role < p_role then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
end
$$;
comment on function app.require_membership is 'Requires the caller''s membership in a Hub (docs/product.md H7).';
grant execute on function app.require_membership to anon, authenticated;

-- Requires the caller's membership in a Hub and records their use of it, at most every five minutes.
--
-- Args and errors: as app.require_membership. Returns the caller's role.
create function app.require_member(p_hub_id uuid, p_role app.hub_role default 'member', p_hidden text default null)
returns app.hub_role
language plpgsql set search_path = '' as $$
declare
  v_mine record := app.require_membership(p_hub_id, p_role, p_hidden);
begin
  if app.is_presence_due(v_mine.seen_at) then
    perform app.record_presence(p_hub_id);
  end if;
  return v_mine.role;
end
$$;
comment on function app.require_member is
  'Requires the caller''s membership in a Hub and records the visit (docs/product.md H5, H7).';
grant execute on function app.require_member to anon, authenticated;

create function app.require_no_member(p_hub_id uuid) returns void
language plpgsql stable set search_path = '' as $$
begin
  if exists (select from app.my_hubs as mine where mine.hub_id = p_hub_id) then
    raise exception using errcode = 'PT409', message = 'ALREADY_MEMBER';
  end if;
end
$$;
comment on function app.require_no_member is 'Raises ALREADY_MEMBER if the caller is a member of the Hub.';

create function app.require_other_admin(p_hub_id uuid, p_user_id uuid) returns void
language plpgsql stable set search_path = '' as $$
begin
  if not exists (select from app.acting_admins as a where a.hub_id = p_hub_id and a.user_id <> p_user_id) then
    raise exception using errcode = 'PT409', message = 'LAST_ADMIN';
  end if;
end
$$;
comment on function app.require_other_admin is
  'Raises LAST_ADMIN unless the Hub has an admin other than p_user_id who can act.';

-- Errors: HUB_NOT_FOUND; else p_hidden if it is given; else FORBIDDEN.
create function app.refuse_non_member(p_hub_id uuid, p_hidden text) returns void
language plpgsql stable set search_path = '' as $$
begin
  perform app.require_hub(p_hub_id);
  if p_hidden is not null then
    raise exception using errcode = 'PT404', message = p_hidden;
  end if;
  raise exception using errcode = 'PT403', message = 'FORBIDDEN';
end
$$;
comment on function app.refuse_non_member is 'Refuses a non-member of a Hub.';
grant execute on function app.refuse_non_member to authenticated;

-- Every policy about membership reads this view, and it reads with its owner's rights: its condition is all
-- that a policy of these rows would say, and each mention of a table under a policy adds that policy's
-- subqueries to a plan.
create view app.my_hubs with (security_barrier = true) as
select m.hub_id, m.role, m.joined_at
from app.memberships as m
where m.user_id = (select app.user_id());
comment on view app.my_hubs is 'The Hubs in which the caller is an active member, with role and join time.';
grant select on app.my_hubs to authenticated;

-- An operation that writes under policies calls it, so the membership and its role cannot end in between.
create function app.lock_member(p_hub_id uuid, p_role app.hub_role default 'member', p_hidden text default null)
returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform from app.memberships as m where m.hub_id = p_hub_id and m.user_id = app.user_id() for no key update;
  perform app.require_member(p_hub_id, p_role, p_hidden);
end
$$;
comment on function app.lock_member is
  'Locks the caller''s membership until the end of the transaction, then checks it as app.require_member does.';
grant execute on function app.lock_member to authenticated;

-- Errors: FORBIDDEN for a Hub that the caller is not an active member of, or that has closed; UNAUTHORIZED,
-- FORBIDDEN (below level 4).
create function app.lock_own_memberships(p_hub_ids uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_hub_id uuid;
begin
  if not p_hub_ids <@ array(select mine.hub_id from app.my_hubs as mine) then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  for v_hub_id in select target.id from unnest(p_hub_ids) as target (id) order by target.id loop
    perform from app.memberships as m where m.hub_id = v_hub_id and m.user_id = app.user_id() for no key update;
    -- The membership, or the Hub, may have ended during the wait for the lock.
    if not found then
      raise exception using errcode = 'PT403', message = 'FORBIDDEN';
    end if;
    perform app.require_member(v_hub_id);
  end loop;
end
$$;
comment on function app.lock_own_memberships is
  'Locks the caller''s memberships of these Hubs until the end of the transaction, in the order of their ids.';
grant execute on function app.lock_own_memberships to authenticated;

-- The lock is advisory, because every write into a Hub updates and locks its row.
create function app.lock_hub(p_hub_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('hub ' || p_hub_id, 0));
end
$$;
comment on function app.lock_hub is
  'Serialises the changes of memberships and roles of a Hub until the end of the transaction.';

create function app.lock_hubs_of(p_user_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  perform app.lock_hub(theirs.hub_id)
  from (select m.hub_id from app.memberships as m where m.user_id = p_user_id order by m.hub_id) as theirs;
end
$$;
comment on function app.lock_hubs_of is
  'Calls app.lock_hub for every Hub of a user, in the order of their ids, which prevents deadlocks.';

create function app.count_members() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' then
    insert into app.hub_presence (hub_id, seen_in, member_count)
    select f.hub_id, app.presence_slot(f.seen_at), -count(*)
    from former as f
    -- The delete of a Hub cascades to its presence, so a new row would violate the foreign key.
    join app.hubs as h on h.id = f.hub_id
    where f.seen_at is not null
    group by 1, 2;
  end if;
  if tg_op <> 'DELETE' then
    insert into app.hub_presence (hub_id, seen_in, member_count)
    select n.hub_id, app.presence_slot(n.seen_at), count(*) from present as n where n.seen_at is not null group by 1, 2;
  end if;
  if tg_op = 'INSERT' then
    update app.hubs as h
    set member_count = h.member_count + joined.count
    from (select n.hub_id, count(*) from present as n group by 1) as joined
    where h.id = joined.hub_id;
  elsif tg_op = 'DELETE' then
    update app.hubs as h
    set member_count = h.member_count - gone.count
    from (select f.hub_id, count(*) from former as f group by 1) as gone
    where h.id = gone.hub_id;
  end if;
  return null;
end
$$;
comment on function app.count_members is
  'Trigger: maintains app.hub_presence and app.hubs.member_count after each statement that inserts, updates or deletes '
  'memberships.';

-- The transaction must hold app.lock_hub. It also settles the user's open join requests and invitations for
-- the Hub, so a removed member finds no old invitation to return by.
create function app.become_member(p_hub_id uuid, p_user_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  insert into app.memberships (hub_id, user_id, role) values (p_hub_id, p_user_id, 'member');
  update app.join_requests
  set state = 'approved', ended_at = app.now()
  where hub_id = p_hub_id and user_id = p_user_id and state = 'pending_admin_approval';
  update app.hub_invitations as i
  set state = 'accepted'
  from app.users as u
  where u.id = p_user_id and i.hub_id = p_hub_id and i.phone = u.phone
    and app.state_of(i.state, i.expires_at) = 'pending';
  perform app.emit('hub_member_joined', p_actor_id => p_user_id, p_subject_id => p_user_id, p_hub_id => p_hub_id);
end
$$;
comment on function app.become_member is
  'Inserts the membership of a user in an existing Hub; no other function does (docs/product.md H15).';

-- The transaction must hold app.lock_hub.
create function app.end_membership(p_hub_id uuid, variadic p_user_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  delete from app.memberships as m where m.hub_id = p_hub_id and m.user_id = any (p_user_ids);
  delete from app.invite_links as l where l.hub_id = p_hub_id and l.creator_id = any (p_user_ids);
  -- A former member must not return by an old invitation.
  update app.hub_invitations as i
  set state = 'expired'
  from app.users as u
  where u.id = any (p_user_ids) and i.hub_id = p_hub_id and i.phone = u.phone and i.state = 'pending';
  update app.hubs as h set closed_at = app.now(), custom_link = null where h.id = p_hub_id and h.member_count = 0;
end
$$;
comment on function app.end_membership is
  'Deletes the memberships of users in a Hub, and the invite links that they made, a statement for all of them, and '
  'closes the Hub with the last one.';

-- Lists the members of a Hub, or finds them by name.
--
-- Args: hubId, q, cursor, limit. Returns items and nextCursor.
create function api.list_members(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_member((p_args ->> 'hubId')::uuid);
  if coalesce(p_args ->> 'q', '') = '' then
    return app.members_page(p_args, 'member');
  end if;
  return app.find_members(p_args);
end
$$;
comment on function api.list_members is 'GET /hubs/{hubId}/members (docs/product.md H23).';
grant execute on function api.list_members to authenticated;

-- Lists the admins and managers of a Hub.
--
-- Args: hubId, cursor, limit. Returns items and nextCursor as list_members does.
create function api.list_admins(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_member((p_args ->> 'hubId')::uuid);
  return app.members_page(p_args, 'manager');
end
$$;
comment on function api.list_admins is 'GET /hubs/{hubId}/admins (docs/product.md H8, H23).';
grant execute on function api.list_admins to authenticated;

-- Args: p_args (hubId, cursor, limit), p_role (any role but member lists admins and managers only). Returns
-- items and nextCursor. Errors: VALIDATION_FAILED for a cursor of another list.
create function app.members_page(p_args jsonb, p_role app.hub_role) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_list text := app.list_of(case p_role when 'member' then 'list_members' else 'list_admins' end, p_args);
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor');
  v_page app.list_entry[];
begin
  if p_role = 'member' then
    v_page := array(
      select (m.joined_at, m.user_id)::app.list_entry
      from app.memberships as m
      where m.hub_id = v_hub_id
        and not exists (select from app.users_hidden_from_all as h where h.user_id = m.user_id)
        and (m.joined_at, m.user_id) < (v_from.at, v_from.id)
      order by m.joined_at desc, m.user_id desc
      limit v_limit + 1
    );
  else
    -- A condition on p_role would hide the partial index memberships_staff_idx from the planner.
    v_page := array(
      select (m.joined_at, m.user_id)::app.list_entry
      from app.memberships as m
      where m.hub_id = v_hub_id and m.role <> 'member'
        and not exists (select from app.users_hidden_from_all as h where h.user_id = m.user_id)
        and (m.joined_at, m.user_id) < (v_from.at, v_from.id)
      order by m.joined_at desc, m.user_id desc
      limit v_limit + 1
    );
  end if;
  return jsonb_build_object(
    'items', app.members_json(v_hub_id, array(select entry.id from unnest(v_page[:v_limit]) as entry)),
    'nextCursor', app.next_cursor(v_list, v_page, v_limit)
  );
end
$$;
comment on function app.members_page is 'Returns a page of members of a Hub of the caller, last joined first.';
grant execute on function app.members_page to authenticated;

-- Args: hubId, q, cursor, limit. Returns items and nextCursor. Errors: VALIDATION_FAILED for a cursor of
-- another list.
create function app.find_members(p_args jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_query text := app.text_argument(p_args, 'q', 1, 80);
  -- Of the names, only usernames have underscores.
  v_key text collate "C" := case
    when strpos(v_query, '_') > 0 then app.handle_key(v_query)
    else app.search_key(v_query)
  end;
  v_end text collate "C" := app.end_of_prefix(v_key);
  v_list text := app.list_of('list_members', p_args);
  v_after app.search_hit := app.decode_hit(v_list, p_args ->> 'cursor');
  v_hits app.search_hit[];
begin
  -- The index range begins at the prefix.
  v_after.key := greatest(v_after.key, v_key);
  if v_key <> '' then
    v_hits := array(
      select (1, n.name, n.user_id)::app.search_hit
      from app.member_names as n
      where n.hub_id = v_hub_id and n.name < v_end and (n.name, n.user_id) > (v_after.key, v_after.id)
        and not exists (select from app.users_hidden_from_all as h where h.user_id = n.user_id)
        -- A member with several matching names is listed once, by the first. One lookup per row, as in app.hub_people.
        and n.name = (
          select min(own.name) from app.member_names as own
          where own.hub_id = n.hub_id and own.user_id = n.user_id and own.name >= v_key
        )
      order by n.name, n.user_id
      limit v_limit + 1
    );
  end if;
  return jsonb_build_object(
    'items', app.members_json(v_hub_id, array(select hit.id from unnest(v_hits[:v_limit]) as hit)),
    'nextCursor', app.encode_hit(v_list, v_hits, v_limit)
  );
end
$$;
comment on function app.find_members is
  'Returns a page of members of a Hub of the caller whose username, or display name from one of its words on, begins '
  'with q, in alphabetical order.';
grant execute on function app.find_members to authenticated;

create function app.members_json(p_hub_id uuid, p_user_ids uuid[]) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(jsonb_agg(app.hub_member(person) order by entry.place), '[]')
    from unnest(p_user_ids) with ordinality as entry (user_id, place)
    join app.hub_people(p_hub_id, p_user_ids) as person on person.user_id = entry.user_id and person.role is not null
  );
end
$$;
comment on function app.members_json is 'Returns these members of a Hub of the caller, in this order.';
grant execute on function app.members_json to authenticated;

create function app.hub_member(p_member app.hub_person) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return jsonb_build_object(
    'userId', p_member.user_id,
    'displayName', p_member.display_name,
    'profilePhotoUrl', app.photo_url(p_member.photo_asset_id),
    'username', p_member.username,
    'phoneNumber', p_member.phone_number,
    'role', p_member.role,
    'joinedAt', app.iso(p_member.joined_at)
  );
end
$$;
comment on function app.hub_member is 'Returns a member as the lists of a Hub show them (docs/product.md H23).';
grant execute on function app.hub_member to authenticated;

-- It omits users hidden from everybody and ended accounts. It bypasses policies, because none shows phones
-- and private Hub profiles, and because blocks do not apply inside Hubs.
create function app.hub_people(p_hub_id uuid, p_user_ids uuid[]) returns setof app.hub_person
language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (select from app.memberships as m where m.hub_id = p_hub_id and m.user_id = app.user_id()) then
    return;
  end if;
  return query
  select
    p.user_id,
    case when m.role is not null then coalesce(h.display_name, p.full_name) else p.full_name end,
    case when m.role is not null then h.photo_asset_id else p.photo_asset_id end,
    p.username,
    case when m.role is not null then u.phone end,
    m.role,
    m.joined_at
  from (
    select distinct wanted.id
    from unnest(p_user_ids) as wanted (id)
    where not exists (select from app.users_hidden_from_all as h where h.user_id = wanted.id)
  ) as wanted
  -- One lookup per person: the planner overestimates their number and would read the whole Hub.
  cross join lateral (select * from app.profiles as p where p.user_id = wanted.id limit 1) as p
  cross join lateral (select u.phone from app.users as u where u.id = wanted.id limit 1) as u
  left join lateral (
    select m.role, m.joined_at from app.memberships as m where m.hub_id = p_hub_id and m.user_id = wanted.id limit 1
  ) as m on true
  left join lateral (
    select h.display_name, h.photo_asset_id from app.hub_profiles as h where h.user_id = wanted.id limit 1
  ) as h on true;
end
$$;
comment on function app.hub_people is
  'Returns people as the members of a Hub see them, and no rows if the caller is a non-member (docs/product.md P20).';
grant execute on function app.hub_people to authenticated;

create function app.name_members() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Serialises with app.rename_member, which locks the same profiles.
  perform from app.profiles as p
  where p.user_id in (select n.user_id from present as n)
  order by p.user_id
  for share;
  insert into app.member_names (hub_id, name, user_id)
  select n.hub_id, called.name, n.user_id
  from present as n
  cross join lateral app.search_names_of(n.user_id) as called (name);
  return null;
end
$$;
comment on function app.name_members is 'Trigger: inserts the names of new members into app.member_names.';

create function app.rename_member() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_user_id uuid := coalesce(new.user_id, old.user_id);
  v_names text[];
begin
  perform from app.profiles as p where p.user_id = v_user_id for no key update;
  -- Serialises with a removal from a Hub.
  perform from app.memberships as m where m.user_id = v_user_id order by m.hub_id for key share;
  v_names := array(select app.search_names_of(v_user_id));
  delete from app.member_names as n where n.user_id = v_user_id and n.name <> all (v_names);
  insert into app.member_names (hub_id, name, user_id)
  select m.hub_id, called.name, m.user_id
  from app.memberships as m
  cross join unnest(v_names) as called (name)
  where m.user_id = v_user_id
  on conflict do nothing;
  return null;
end
$$;
comment on function app.rename_member is
  'Trigger: updates app.member_names after a user''s names change or disappear in app.profiles or app.hub_profiles.';

-- In byte order and by Hub, so a search by prefix is an index range.
create table app.member_names (
  hub_id uuid not null,
  name text collate "C" not null,
  user_id uuid not null,
  constraint member_names_pkey primary key (hub_id, name, user_id),
  constraint member_names_are_of_members foreign key (hub_id, user_id) references app.memberships (hub_id, user_id)
    on delete cascade
);
comment on table app.member_names is
  'One row per Hub, member and name that finds them: the username, and the display name from each of its words on, '
  'folded as searches compare them (see app.search_names_of).';
create index member_names_user_id_idx on app.member_names (user_id, hub_id, name);
alter table app.member_names enable row level security;
grant select on app.member_names to authenticated;

create function app.search_names_of(p_user_id uuid) returns setof text
language sql stable set search_path = ''
begin atomic
  with person as (
    select p.username, app.search_key(coalesce(h.display_name, p.full_name)) as name
    from app.profiles as p
    left join app.hub_profiles as h on h.user_id = p.user_id
    where p.user_id = p_user_id
  ),
  words as (
    select word, place
    from person
    cross join lateral string_to_table(nullif(person.name, ''), ' ') with ordinality as part (word, place)
  )
  select person.username from person
  union
  select string_agg(later.word, ' ' order by later.place)
  from words
  join words as later on later.place >= words.place
  -- A name of single letters would have forty rows.
  where words.place <= 10
  group by words.place;
end;
comment on function app.search_names_of is
  'Returns the names that find a user in Hubs: the username, and the display name from each of its first ten words on.';

create trigger profiles_rename_members_after_update after update of username, full_name on app.profiles
for each row when ((old.username, old.full_name) is distinct from (new.username, new.full_name))
execute function app.rename_member();

create trigger profiles_rename_members_after_delete after delete on app.profiles
for each row execute function app.rename_member();

create trigger hub_profiles_rename_members_after_insert after insert on app.hub_profiles
for each row execute function app.rename_member();

create trigger hub_profiles_rename_members_after_update after update of display_name on app.hub_profiles
for each row when (old.display_name is distinct from new.display_name)
execute function app.rename_member();

create trigger memberships_totals_after_insert after insert on app.memberships
referencing new table as present
for each statement execute function app.count_members();

create trigger memberships_totals_after_update after update on app.memberships
referencing old table as former new table as present
for each statement execute function app.count_members();

create trigger memberships_totals_after_delete after delete on app.memberships
referencing old table as former
for each statement execute function app.count_members();

create trigger memberships_name_after_insert after insert on app.memberships
referencing new table as present
for each statement execute function app.name_members();

-- schemas/40_hubs/03_hubs.sql

-- Creates a Hub with the caller as its admin.
--
-- Args: name, description, profileAssetId, customLink. Returns the Hub.
create function api.create_hub(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := app.insert_hub(
    app.name_argument(p_args, 'name'), app.text_argument(p_args, 'description'),
    app.text_argument(p_args, 'customLink'),
    (p_args ->> 'profileAssetId')::uuid
  );
begin
  perform app.require_member(v_hub_id);
  perform app.use_limit('hubs');
  return app.hub_json(v_hub_id);
end
$$;
comment on function api.create_hub is 'POST /hubs (docs/product.md H9).';
grant execute on function api.create_hub to authenticated;

-- Errors: FORBIDDEN below level 4; CUSTOM_LINK_TAKEN by hubs_custom_link_key; VALIDATION_FAILED for an asset
-- that is no Hub photo of the caller.
create function app.insert_hub(p_name text, p_description text, p_custom_link text, p_photo_asset_id uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  v_hub_id uuid;
begin
  perform app.require_level(4);
  if p_photo_asset_id is not null then
    perform app.require_asset(p_photo_asset_id, '{hub_photo}', '["profileAssetId"]');
  end if;
  insert into app.hubs (name, description, custom_link, photo_asset_id)
  values (p_name, coalesce(p_description, ''), p_custom_link, p_photo_asset_id)
  returning id into v_hub_id;
  insert into app.memberships (hub_id, user_id, role) values (v_hub_id, app.user_id(), 'admin');
  return v_hub_id;
end
$$;
comment on function app.insert_hub is 'Inserts a Hub with the caller as its only member and admin, and returns its id.';
grant execute on function app.insert_hub to authenticated;

-- Reads a Hub.
--
-- Args: hubId. Returns the Hub to a member, its preview to everybody else.
create function api.get_hub(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
begin
  perform app.require_level(1);
  if exists (select from app.my_hubs as mine where mine.hub_id = v_hub_id) then
    perform app.require_member(v_hub_id);
  end if;
  return app.hub_json(v_hub_id);
end
$$;
comment on function api.get_hub is 'GET /hubs/{hubId} (docs/product.md H3).';
grant execute on function api.get_hub to authenticated;

create function app.hub_json(p_hub_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_card jsonb := (select app.hub_card(h, app.viewer_status(h.id)) from app.hubs as h where h.id = p_hub_id);
begin
  if v_card is null then
    raise exception using errcode = 'PT404', message = 'HUB_NOT_FOUND';
  end if;
  return v_card;
end
$$;
comment on function app.hub_json is 'Returns a Hub as the caller sees it (see app.hub_card). Errors: HUB_NOT_FOUND.';
grant execute on function app.hub_json to authenticated;

create function app.hub_card(p_hub app.hubs, p_membership_status app.membership_status) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return app.hub_preview(p_hub, p_membership_status) || case p_membership_status.status
    when 'member' then jsonb_build_object('customLink', p_hub.custom_link, 'activeUsers24h', app.active_users(p_hub.id))
    else '{}'
  end;
end
$$;
comment on function app.hub_card is 'Returns a Hub to a member, its preview to a non-member (docs/product.md H3).';
grant execute on function app.hub_card to authenticated;

create function app.hub_preview(p_hub app.hubs, p_membership_status app.membership_status) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return jsonb_build_object(
    'id', p_hub.id,
    'name', p_hub.name,
    'description', p_hub.description,
    'profilePhotoUrl', app.photo_url(p_hub.photo_asset_id),
    'memberCount', p_hub.member_count,
    'viewerStatus', p_membership_status.status,
    'viewerRole', p_membership_status.role
  ) || case p_membership_status.status
    when 'pending_admin_approval' then jsonb_build_object('joinRequestId', p_membership_status.join_request_id)
    when 'invited' then jsonb_build_object('invitationId', p_membership_status.invitation_id)
    else '{}'
  end;
end
$$;
comment on function app.hub_preview is
  'Returns the public fields of a Hub (docs/product.md H3), with the caller''s membership status and their open '
  'invitation or join request.';
grant execute on function app.hub_preview to anon, authenticated;

create function app.hub_preview_json(p_hub_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select app.hub_preview(h, app.viewer_status(h.id))
    from app.hubs as h
    where h.id = p_hub_id
  );
end
$$;
comment on function app.hub_preview_json is
  'Returns the preview of a Hub to the holder of an invitation or invite link, guests included.';
grant execute on function app.hub_preview_json to anon, authenticated;

create function app.viewer_status(p_hub_id uuid) returns app.membership_status
language plpgsql stable set search_path = '' as $$
declare
  v_membership_status app.membership_status;
begin
  if app.user_id() is not null then
    -- Fast path: most callers are members.
    select 'member', mine.role
    into v_membership_status.status, v_membership_status.role
    from app.my_hubs as mine
    where mine.hub_id = p_hub_id;
    if not found then
      select (e.status).* into v_membership_status from app.my_hub_entries as e where e.hub_id = p_hub_id;
    end if;
  end if;
  v_membership_status.status := coalesce(v_membership_status.status, 'none');
  return v_membership_status;
end
$$;
comment on function app.viewer_status is
  'Returns the caller''s membership status in a Hub (docs/product.md H4), none if nothing applies.';
grant execute on function app.viewer_status to anon, authenticated;

-- Changes name, description or photo of a Hub.
--
-- Args: hubId and any of name, description, profileAssetId; null clears the last two. Returns the Hub.
create function api.update_hub(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
begin
  perform app.lock_member(v_hub_id, 'admin');
  perform app.require_any_argument(p_args, 'name', 'description', 'profileAssetId');
  update app.hubs as h
  set name = coalesce(app.name_argument(p_args, 'name'), h.name),
    description = case when p_args ? 'description' then coalesce(
      app.text_argument(p_args, 'description'), ''
    ) else h.description end
  where h.id = v_hub_id;
  if p_args ? 'profileAssetId' then
    perform app.put_hub_photo(v_hub_id, (p_args ->> 'profileAssetId')::uuid);
  end if;
  return app.hub_json(v_hub_id);
end
$$;
comment on function api.update_hub is 'PATCH /hubs/{hubId} (docs/product.md H8).';
grant execute on function api.update_hub to authenticated;

-- A policy cannot check this, because the present photo may belong to another admin.
--
-- Errors: those of app.require_member; VALIDATION_FAILED for an asset that is no Hub photo of the caller.
create function app.put_hub_photo(p_hub_id uuid, p_asset_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform app.require_member(p_hub_id, 'admin');
  if p_asset_id is not distinct from (select h.photo_asset_id from app.hubs as h where h.id = p_hub_id) then
    return;
  end if;
  if p_asset_id is not null then
    perform app.require_asset(p_asset_id, '{hub_photo}', '["profileAssetId"]');
  end if;
  update app.hubs as h set photo_asset_id = p_asset_id where h.id = p_hub_id;
end
$$;
comment on function app.put_hub_photo is 'Sets or removes the photo of a Hub for one of its admins.';
grant execute on function app.put_hub_photo to authenticated;

-- Changes the custom link of a Hub.
--
-- Args: hubId, customLink. Returns the Hub.
create function api.change_hub_link(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
begin
  perform app.lock_member(v_hub_id, 'admin');
  perform app.require_arguments(p_args, 'customLink');
  update app.hubs as h set custom_link = app.text_argument(p_args, 'customLink') where h.id = v_hub_id;
  return app.hub_json(v_hub_id);
end
$$;
comment on function api.change_hub_link is 'PATCH /hubs/{hubId}/link (docs/product.md H8, H9).';
grant execute on function api.change_hub_link to authenticated;

-- Reads the caller's notification settings of a Hub.
--
-- Args: hubId. Returns contentMuted.
create function api.get_hub_settings(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
begin
  perform app.require_member(v_hub_id);
  return jsonb_build_object('contentMuted', exists (
    select from app.hub_mutes as m where m.hub_id = v_hub_id and m.user_id = app.user_id()
  ));
end
$$;
comment on function api.get_hub_settings is 'GET /hubs/{hubId}/notification-settings (docs/product.md N13).';
grant execute on function api.get_hub_settings to authenticated;

-- Mutes or unmutes a Hub for the caller.
--
-- Args: hubId, contentMuted. Returns contentMuted.
create function api.update_hub_settings(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
begin
  perform app.lock_member(v_hub_id);
  perform app.require_arguments(p_args, 'contentMuted');
  if app.argument(p_args, 'contentMuted', 'boolean')::boolean then
    insert into app.hub_mutes (hub_id, user_id) values (v_hub_id, app.user_id()) on conflict do nothing;
  else
    delete from app.hub_mutes as m where m.hub_id = v_hub_id and m.user_id = app.user_id();
  end if;
  return jsonb_build_object('contentMuted', p_args -> 'contentMuted');
end
$$;
comment on function api.update_hub_settings is 'PATCH /hubs/{hubId}/notification-settings (docs/product.md N13).';
grant execute on function api.update_hub_settings to authenticated;

-- Lists the Hubs of the caller: invitations, then join requests, both newest first, then memberships by last
-- activity. Below level 4 it lists only the invitations of the caller's verified phone.
--
-- Args: cursor, limit. Returns items (Hubs) and nextCursor.
create function api.list_my_hubs(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args alias for $1;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_list text := app.list_of('list_my_hubs', p_args);
  -- The tier, and the position within it.
  v_place jsonb := coalesce(
    app.open_cursor(v_list, p_args ->> 'cursor'), '[3, "infinity", "ffffffff-ffff-ffff-ffff-ffffffffffff"]'
  );
  -- Below level 4 only invitations are listed.
  v_lowest_tier integer := case when app.require_level(1) < 4 then 3 else 1 end;
begin
  return (
    with page as materialized (
      select e.*, row_number() over (order by e.tier desc, e.at desc, e.hub_id desc) as place
      from app.my_hub_entries as e
      where e.tier >= v_lowest_tier
        and (e.tier, e.at, e.hub_id) < ((v_place ->> 0)::integer, (v_place ->> 1)::timestamptz, (v_place ->> 2)::uuid)
      order by e.tier desc, e.at desc, e.hub_id desc
      limit v_limit + 1
    )
    select jsonb_build_object(
      'items', coalesce(
        jsonb_agg(app.hub_card(h, page.status) order by page.place) filter (where page.place <= v_limit), '[]'
      ),
      'nextCursor', (
        select app.seal_cursor(v_list, jsonb_build_array(last.tier, last.at, last.hub_id))
        from page as last
        where last.place = v_limit and exists (select from page as next where next.place > v_limit)
      )
    )
    from page
    join app.hubs as h on h.id = page.hub_id
  );
end
$$;
comment on function api.list_my_hubs is 'GET /users/me/hubs (docs/product.md H24).';
grant execute on function api.list_my_hubs to authenticated;

-- It bypasses policies, because a policy would collect all Hubs of the caller for each Hub of a list.
create function app.active_users(p_hub_id uuid) returns bigint
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select coalesce(sum(p.member_count), 0) + app.unseen_visitors(p_hub_id)
    from app.hub_presence as p
    where p.hub_id = p_hub_id and p.seen_in > app.active_since()
      and exists (select from app.memberships as m where m.hub_id = p_hub_id and m.user_id = app.user_id())
  );
end
$$;
comment on function app.active_users is
  'Returns activeUsers24h (docs/product.md H5): the number of members who used a Hub of the caller in the last 24 '
  'hours, to five minutes; 0 for any other Hub.';
grant execute on function app.active_users to authenticated;

create function app.unseen_visitors(p_hub_id uuid) returns bigint
language plpgsql stable set search_path = '' as $$
begin
  return (
    select count(*)
    from app.memberships as m
    where m.hub_id = p_hub_id and m.user_id = app.user_id()
      and current_setting('opine.visited_hub', true) = p_hub_id::text
      and coalesce(app.presence_slot(m.seen_at) <= app.active_since(), true)
  );
end
$$;
comment on function app.unseen_visitors is
  'Returns 1 if the caller is visiting the Hub in a read for the first time in a day, so that nothing is recorded yet '
  '(app.record_presence), else 0.';

-- The slot in which the day begins counts as a whole.
create function app.active_since() returns timestamptz language sql stable
return app.now() - interval '24 hours 5 minutes';
comment on function app.active_since is
  'Returns the time from which a presence counts in activeUsers24h (docs/product.md H5).';

-- Args: p_seen_at (of the membership).
create function app.is_presence_due(p_seen_at timestamptz) returns boolean language sql stable
return coalesce(p_seen_at <= app.now() - interval '5 minutes', true);
comment on function app.is_presence_due is
  'Returns whether a presence is to be recorded, which happens at most every five minutes.';
grant execute on function app.is_presence_due to authenticated;

create function app.presence_slot(p_at timestamptz) returns timestamptz
language sql immutable set search_path = ''
begin atomic
  select date_bin(interval '5 minutes', p_at, timestamptz 'epoch');
end;
comment on function app.presence_slot is 'Returns the start of the slot of five minutes that holds p_at.';

create function app.record_hub_activity(p_hub_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  update app.hubs as h set last_activity_at = app.now() where h.id = p_hub_id and h.last_activity_at < app.now();
end
$$;
comment on function app.record_hub_activity is 'Sets last_activity_at of a Hub, which orders lists of Hubs.';

-- It is one statement, so every reader counts a member exactly once.
create function app.fold_presence() returns void
language sql security definer set search_path = ''
begin atomic
  with folded as (
    delete from app.hub_presence where not is_folded returning *
  )
  insert into app.hub_presence as base (hub_id, seen_in, member_count, is_folded)
  select f.hub_id, f.seen_in, sum(f.member_count), true
  from folded as f
  group by f.hub_id, f.seen_in
  having sum(f.member_count) <> 0
  order by f.hub_id, f.seen_in
  on conflict (hub_id, seen_in) where is_folded do update set member_count = base.member_count + excluded.member_count;
end;
comment on function app.fold_presence is 'Upkeep: folds the rows of each Hub and slot into one.';
grant execute on function app.fold_presence to opine_worker;

create function app.state_of(p_state app.invitation_state, p_expires_at timestamptz) returns app.invitation_state
language plpgsql stable set search_path = '' as $$
begin
  return case when p_state = 'pending' and p_expires_at <= app.now() then 'expired' else p_state end;
end
$$;
comment on function app.state_of is
  'Returns the present state of an invitation: a pending one expires at p_expires_at without an update.';
grant execute on function app.state_of to anon, authenticated;

create view app.my_invitations with (security_invoker = true) as
select i.id as invitation_id, i.hub_id, i.created_at as invited_at, app.state_of(i.state, i.expires_at) as state
from app.hub_invitations as i
where i.phone = (select own.phone from app.users as own where own.id = (select app.user_id()))
  and i.inviter_id not in (select b.user_id from app.blocked_users as b);
comment on view app.my_invitations is
  'Invitations to the caller''s own phone, except those whose inviter forms a blocked pair with the caller.';
grant select on app.my_invitations to authenticated;

create view app.my_hub_entries with (security_invoker = true) as
select 1 as tier, h.last_activity_at as at, mine.hub_id, (
  'member', mine.role, null, null
)::app.membership_status as status
from app.my_hubs as mine
join app.hubs as h on h.id = mine.hub_id
union all
select 2, r.created_at, r.hub_id, ('pending_admin_approval', null, null, r.id)::app.membership_status
from app.join_requests as r
join app.hubs as h on h.id = r.hub_id
where r.user_id = (select app.user_id()) and r.state = 'pending_admin_approval'
union all
select 3, i.invited_at, i.hub_id, ('invited', null, i.invitation_id, null)::app.membership_status
from (
  select distinct on (every.hub_id) every.*
  from app.my_invitations as every
  where every.state = 'pending'
  order by every.hub_id, every.invited_at desc, every.invitation_id desc
) as i
join app.hubs as h on h.id = i.hub_id
where i.hub_id not in (select mine.hub_id from app.my_hubs as mine)
  and i.hub_id not in (
    select r.hub_id
    from app.join_requests as r
    where r.user_id = (select app.user_id()) and r.state = 'pending_admin_approval'
  );
comment on view app.my_hub_entries is
  'One row per Hub that the caller is a member of (tier 1), requests to join (tier 2) or is invited to (tier 3), by '
  'the first that applies. at is the last activity of the Hub, or the time of the request or invitation.';
grant select on app.my_hub_entries to authenticated;

-- schemas/40_hubs/04_roles.sql

create view app.acting_admins with (security_invoker = true) as
select m.hub_id, m.user_id
from app.memberships as m
where m.role = 'admin' and not exists (select from app.suspensions as s where s.user_id = m.user_id);
comment on view app.acting_admins is 'Admins of Hubs who can act. A suspended user stays an admin and cannot.';

-- Makes a member an admin or manager.
--
-- Args: hubId, userId, role (admin, the default, or manager). Returns userId and role.
create function api.add_admin(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_role app.hub_role := coalesce(app.choice_argument(p_args, 'role', 'admin', 'manager'), 'admin')::app.hub_role;
begin
  perform app.require_level(4);
  perform app.require_arguments(p_args, 'userId');
  perform app.put_role((p_args ->> 'hubId')::uuid, (p_args ->> 'userId')::uuid, v_role);
  return jsonb_build_object('userId', (p_args ->> 'userId')::uuid, 'role', v_role);
end
$$;
comment on function api.add_admin is 'POST /hubs/{hubId}/admins (docs/product.md H8, H16).';
grant execute on function api.add_admin to authenticated;

-- Returns an admin or manager to the role member. Args: hubId, userId. Returns userId and role.
create function api.remove_admin(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.put_role((p_args ->> 'hubId')::uuid, (p_args ->> 'userId')::uuid, 'member', 'MEMBER_NOT_FOUND');
  return jsonb_build_object('userId', (p_args ->> 'userId')::uuid, 'role', 'member');
end
$$;
comment on function api.remove_admin is 'DELETE /hubs/{hubId}/admins/{userId} (docs/product.md H16, H18).';
grant execute on function api.remove_admin to authenticated;

-- Args: p_hidden (see app.require_member). Errors: those of app.require_member; MEMBER_NOT_FOUND, LAST_ADMIN,
-- RATE_LIMITED.
create function app.put_role(p_hub_id uuid, p_user_id uuid, p_role app.hub_role, p_hidden text default null)
returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_former app.hub_role;
begin
  perform app.lock_hub(p_hub_id);
  perform app.require_member(p_hub_id, 'admin', p_hidden);
  select m.role into v_former from app.memberships as m where m.hub_id = p_hub_id and m.user_id = p_user_id;
  if v_former is null then
    raise exception using errcode = 'PT404', message = 'MEMBER_NOT_FOUND';
  end if;
  if v_former = p_role then
    return;
  end if;
  if v_former = 'admin' then
    perform app.require_other_admin(p_hub_id, p_user_id);
  end if;
  perform app.change_role(p_hub_id, p_user_id, p_role, app.user_id());
  perform app.use_limit('roleChanges');
end
$$;
comment on function app.put_role is 'Sets the role of a member for an admin of the Hub.';
grant execute on function app.put_role to authenticated;

-- The transaction must hold app.lock_hub.
create function app.change_role(p_hub_id uuid, p_user_id uuid, p_role app.hub_role, p_actor_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  update app.memberships as m set role = p_role where m.hub_id = p_hub_id and m.user_id = p_user_id;
  perform app.emit('hub_role_changed', p_actor_id => p_actor_id, p_subject_id => p_user_id, p_hub_id => p_hub_id);
end
$$;
comment on function app.change_role is 'Updates the role of a member and emits the event.';

-- Args: p_user_id (whose account has ended, or null).
create function app.succeed_admin(p_hub_id uuid, p_user_id uuid) returns void
language plpgsql set search_path = '' as $$
declare
  v_successor_id uuid;
begin
  if exists (select from app.acting_admins as a where a.hub_id = p_hub_id and a.user_id is distinct from p_user_id) then
    return;
  end if;
  select m.user_id into v_successor_id
  from app.memberships as m
  join app.users as u on u.id = m.user_id and u.ended_at is null
  where m.hub_id = p_hub_id and m.user_id is distinct from p_user_id
    and not exists (select from app.suspensions as s where s.user_id = m.user_id)
  order by m.role desc, m.joined_at, m.user_id
  limit 1;
  if v_successor_id is not null then
    perform app.change_role(p_hub_id, v_successor_id, 'admin', null);
  end if;
end
$$;
comment on function app.succeed_admin is
  'Makes the longest-standing manager of a Hub its admin, else the longest-standing member, unless an admin other than '
  'p_user_id can act (docs/product.md H17).';

create function app.require_replaceable(p_hub_id uuid, p_user_id uuid) returns void
language plpgsql stable set search_path = '' as $$
begin
  if exists (select from app.memberships as m where m.hub_id = p_hub_id and m.user_id = p_user_id and m.role = 'admin')
    and exists (select from app.memberships as m where m.hub_id = p_hub_id and m.user_id <> p_user_id) then
    perform app.require_other_admin(p_hub_id, p_user_id);
  end if;
end
$$;
comment on function app.require_replaceable is
  'Raises LAST_ADMIN if other members remain without an admin who can act once p_user_id leaves.';

-- schemas/40_hubs/05_leaving.sql

-- Ends the caller's membership of a Hub; the last member closes it.
--
-- Args: hubId. Returns {}.
create function api.leave_hub(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
begin
  perform app.lock_hub(v_hub_id);
  perform app.require_member(v_hub_id);
  perform app.require_replaceable(v_hub_id, app.user_id());
  perform app.end_membership(v_hub_id, app.user_id());
  return '{}'::jsonb;
end
$$;
comment on function api.leave_hub is 'DELETE /hubs/{hubId}/membership (docs/product.md H16).';
grant execute on function api.leave_hub to authenticated;

-- One for each transaction, which locks the row of one Hub only.
create function app.leave_next_hub(p_user_id uuid) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_hub_id uuid;
begin
  select m.hub_id into v_hub_id from app.memberships as m where m.user_id = p_user_id order by m.hub_id limit 1;
  if not found then
    return false;
  end if;
  perform app.lock_hub(v_hub_id);
  perform app.succeed_admin(v_hub_id, p_user_id);
  perform app.end_membership(v_hub_id, p_user_id);
  return true;
end
$$;
comment on function app.leave_next_hub is 'Ends one membership of an ended account and returns whether there was one.';

-- Removes a member from a Hub, and with removePosts what they placed there. Removing oneself is leaving.
--
-- Args: hubId, userId, removePosts (optional). Returns {}.
create function api.remove_member(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_user_id uuid := (p_args ->> 'userId')::uuid;
  v_removes_posts boolean := coalesce(app.argument(p_args, 'removePosts', 'boolean')::boolean, false);
begin
  perform app.lock_hub(v_hub_id);
  perform app.require_member(v_hub_id, 'admin', 'MEMBER_NOT_FOUND');
  if not exists (select from app.memberships as m where m.hub_id = v_hub_id and m.user_id = v_user_id) then
    raise exception using errcode = 'PT404', message = 'MEMBER_NOT_FOUND';
  end if;
  perform app.require_replaceable(v_hub_id, v_user_id);
  update app.memberships as m set removes_posts = true
  where v_removes_posts and m.hub_id = v_hub_id and m.user_id = v_user_id;
  perform app.end_membership(v_hub_id, v_user_id);
  if v_user_id <> app.user_id() then
    perform app.emit(
      'hub_member_removed', p_actor_id => app.user_id(), p_subject_id => v_user_id, p_hub_id => v_hub_id
    );
  end if;
  return '{}'::jsonb;
end
$$;
comment on function api.remove_member is
  'POST /hubs/{hubId}/members/{userId}/remove (docs/product.md H10, H16, H18, H31).';
grant execute on function api.remove_member to authenticated;

-- Closes a Hub for everybody and notifies no one.
--
-- Args: hubId. Returns {}.
create function api.close_hub(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
begin
  perform app.lock_hub(v_hub_id);
  perform app.require_member(v_hub_id, 'admin');
  perform app.end_membership(
    v_hub_id, variadic array(select m.user_id from app.memberships as m where m.hub_id = v_hub_id)
  );
  return '{}'::jsonb;
end
$$;
comment on function api.close_hub is 'DELETE /hubs/{hubId} (docs/product.md H29).';
grant execute on function api.close_hub to authenticated;

create function app.prune_hubs() returns void
language sql security definer set search_path = ''
begin atomic
  delete from app.hub_invitations as i where i.expires_at <= app.now() - interval '30 days';
  delete from app.invite_links as l where l.expires_at <= app.now();
  delete from app.join_requests as r where r.state = 'withdrawn' and r.ended_at <= app.now() - interval '7 days';
  delete from app.hub_presence as p where p.seen_in <= app.now() - interval '25 hours';
end;
comment on function app.prune_hubs is
  'Upkeep: deletes invitations 30 days after they expire, expired invite links, join requests 7 days after their '
  'withdrawal, and presence older than a day.';
grant execute on function app.prune_hubs to opine_worker;

-- schemas/40_hubs/06_invitations.sql

-- Invites phone numbers to a Hub. Numbers that are not in E.164 form count nowhere; the service hands over
-- null for what nobody can have as a number.
--
-- Args: hubId, invitations (phoneNumber, tokenHash as hex of SHA-256, sealedToken). Returns hubName,
-- inviterName and, in the order of invitations, items with id, state, expiresAt and sealedToken, of which the
-- service makes the URL; state is invalid and the others null for a number that was not invited.
create function api.create_invitations(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_invitations jsonb;
  v_ids uuid[];
begin
  perform app.require_level(4);
  v_invitations := app.items_argument(p_args, 'invitations', 1, 50);
  if not exists (
    select from jsonb_array_elements(v_invitations) as given (item) where app.is_e164(given.item ->> 'phoneNumber')
  ) then
    perform app.refuse_argument('{phoneNumbers}', 'invalid_phone', 'Must hold a possible number in E.164 form.');
  end if;
  select array_agg((invited.made).id order by given.place) into v_ids
  from jsonb_array_elements(v_invitations) with ordinality as given (item, place)
  left join lateral (
    select app.put_invitation(v_hub_id, given.item ->> 'phoneNumber', decode(given.item ->> 'tokenHash', 'hex')) as made
    where app.is_e164(given.item ->> 'phoneNumber')
  ) as invited on true;
  return app.new_invitations_json(
    v_hub_id, v_ids,
    array(
      select given.item ->> 'sealedToken'
      from jsonb_array_elements(v_invitations) with ordinality as given (item, place)
      order by given.place
    )
  );
end
$$;
comment on function api.create_invitations is 'POST /hubs/{hubId}/invitations (docs/product.md H11, H12).';
grant execute on function api.create_invitations to authenticated;

-- Returns new invitations of the caller with their tokens, for api.create_invitations and its replay.
--
-- Args: p_ids and p_sealed_tokens (of each number in its place; the id is null for a number that was not invited).
-- The token of an invitation that is not pending leads nowhere, so it is null. Returns null if the caller cannot
-- see the invitations.
create function app.new_invitations_json(p_hub_id uuid, p_ids uuid[], p_sealed_tokens text[]) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_items jsonb := (
    select jsonb_agg(
      jsonb_build_object(
        'id', i.id,
        'state', case when given.id is null then 'invalid' else app.state_of(i.state, i.expires_at)::text end,
        'expiresAt', app.iso(i.expires_at),
        'sealedToken', case when app.state_of(i.state, i.expires_at) = 'pending' then given.sealed_token end
      )
      order by given.place
    )
    from unnest(p_ids, p_sealed_tokens) with ordinality as given (id, sealed_token, place)
    left join app.hub_invitations as i on i.id = given.id
    having count(i.id) = count(given.id)
  );
begin
  return case when v_items is not null then jsonb_build_object(
    'hubName', (select h.name from app.hubs as h where h.id = p_hub_id),
    'inviterName', (select p.full_name from app.profiles as p where p.user_id = app.user_id()),
    'items', v_items
  ) end;
end
$$;
comment on function app.new_invitations_json is 'Returns invitations made by the caller (docs/product.md H11, H12).';
grant execute on function app.new_invitations_json to authenticated;

-- Errors: those of app.require_member; RATE_LIMITED beyond 300 numbers a day by one member or 1,000 to one
-- Hub.
create function app.put_invitation(p_hub_id uuid, p_phone text, p_token_hash bytea) returns app.hub_invitations
language plpgsql security definer set search_path = '' as $$
declare
  v_role app.hub_role;
  v_is_open boolean;
  v_invitation app.hub_invitations;
begin
  perform app.lock_hub(p_hub_id);
  v_role := app.require_member(p_hub_id);
  perform app.require_rate_limit('invitations of a user', app.user_id()::text, 300, interval '1 day');
  perform app.require_rate_limit('invitations to a hub', p_hub_id::text, 1000, interval '1 day');
  update app.hub_invitations as i
  set state = 'expired'
  where i.hub_id = p_hub_id and i.inviter_id = app.user_id() and i.phone = p_phone
    and i.state = 'pending' and app.state_of(i.state, i.expires_at) = 'expired';
  v_is_open := exists (
    select from app.hub_invitations as i
    where i.hub_id = p_hub_id and i.inviter_id = app.user_id() and i.phone = p_phone and i.state = 'pending'
  );
  insert into app.hub_invitations as i (hub_id, inviter_id, phone, token_hash, makes_member, expires_at)
  values (p_hub_id, app.user_id(), p_phone, p_token_hash, v_role = 'admin', app.now() + interval '7 days')
  on conflict (hub_id, inviter_id, phone) where state = 'pending' do update
    set token_hash = excluded.token_hash, makes_member = excluded.makes_member, expires_at = excluded.expires_at
  returning i.* into v_invitation;
  if not v_is_open then
    perform app.emit(
      'hub_invite_received', p_actor_id => app.user_id(), p_hub_id => p_hub_id, p_invitation_id => v_invitation.id
    );
  end if;
  return v_invitation;
end
$$;
comment on function app.put_invitation is
  'Inserts the caller''s invitation of a phone number to a Hub, or renews the open one, whether or not the number has '
  'an account.';
grant execute on function app.put_invitation to authenticated;

-- Lists the invitations to a Hub: all to managers and admins, their own to members.
--
-- Args: hubId, cursor, limit. Returns items, newest first, and nextCursor.
create function api.list_invitations(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_role app.hub_role := app.require_member(v_hub_id);
  v_limit integer := app.page_size(p_args, 30, 100);
  v_list text := app.list_of('list_invitations', p_args);
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor');
  v_page app.list_entry[];
begin
  v_page := array(
    select (i.created_at, i.id)::app.list_entry
    from app.hub_invitations as i
    where i.hub_id = v_hub_id and (v_role > 'member' or i.inviter_id = app.user_id())
      and (i.created_at, i.id) < (v_from.at, v_from.id)
    order by i.created_at desc, i.id desc
    limit v_limit + 1
  );
  return jsonb_build_object(
    'items', app.invitations_json(v_hub_id, v_page[:v_limit]), 'nextCursor', app.next_cursor(v_list, v_page, v_limit)
  );
end
$$;
comment on function api.list_invitations is 'GET /hubs/{hubId}/invitations (docs/product.md H8, H13).';
grant execute on function api.list_invitations to authenticated;

-- URL and share text are null, because tokens are not stored. An inviter hidden from everybody is anonymous.
create function app.invitations_json(p_hub_id uuid, p_entries app.list_entry[]) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', i.id,
      'phoneNumber', i.phone,
      'state', app.state_of(i.state, i.expires_at),
      'inviteUrl', null,
      'shareText', null,
      'expiresAt', app.iso(i.expires_at),
      'invitedBy', jsonb_build_object(
        'userId', coalesce(inviter.user_id::text, ''), 'displayName', coalesce(inviter.display_name, '')
      )
    ) order by entry.place), '[]')
    from unnest(p_entries) with ordinality as entry (at, id, place)
    join app.hub_invitations as i on i.id = entry.id
    left join lateral app.hub_people(p_hub_id, array[i.inviter_id]) as inviter on true
  );
end
$$;
comment on function app.invitations_json is
  'Returns these invitations to a Hub of the caller, in this order (docs/product.md H11, H13).';
grant execute on function app.invitations_json to authenticated;

-- Reads an invitation by its token.
--
-- Args: tokenHash (hex of SHA-256). Returns id, state, expiresAt, the preview of the Hub and the public name
-- of the inviter.
create function api.get_invitation(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
  v_invitation record := app.invitation_of(decode(p_args ->> 'tokenHash', 'hex'));
begin
  return jsonb_build_object(
    'id', v_invitation.id,
    'state', v_invitation.state,
    'expiresAt', app.iso(v_invitation.expires_at),
    'hub', app.hub_preview_json(v_invitation.hub_id),
    'invitedBy', jsonb_build_object('displayName', coalesce(v_invitation.inviter_name, ''))
  );
end
$$;
comment on function api.get_invitation is 'GET /hub-invitations/by-token/{token} (docs/product.md H14).';
grant execute on function api.get_invitation to anon, authenticated;

-- It ignores blocks, because a guest with the token sees the same.
--
-- Errors: INVITATION_NOT_FOUND.
create function app.invitation_of(
  p_token_hash bytea, out id uuid, out hub_id uuid, out state app.invitation_state, out expires_at timestamptz,
  out inviter_name text
) returns record
language plpgsql stable security definer set search_path = '' as $$
begin
  select i.id, i.hub_id, app.state_of(i.state, i.expires_at), i.expires_at, p.full_name
  into invitation_of.id, invitation_of.hub_id, invitation_of.state, invitation_of.expires_at, invitation_of.inviter_name
  from app.hub_invitations as i
  join app.hubs as h on h.id = i.hub_id and h.is_open
  left join app.profiles as p
    on p.user_id = i.inviter_id and not exists (select from app.users_hidden_from_all as h where h.user_id = p.user_id)
  where i.token_hash = p_token_hash;
  if invitation_of.id is null then
    raise exception using errcode = 'PT404', message = 'INVITATION_NOT_FOUND';
  end if;
end
$$;
comment on function app.invitation_of is
  'Returns the invitation of a token and the public name of its inviter, null if the inviter is hidden from everybody.';
grant execute on function app.invitation_of to anon, authenticated;

-- Errors: INVITATION_NOT_FOUND (also for an invitation of another phone), INVITATION_NOT_PENDING.
create function app.lock_own_invitation(p_id uuid) returns app.hub_invitations
language plpgsql set search_path = '' as $$
declare
  v_invitation app.hub_invitations;
begin
  perform app.lock_hub((select i.hub_id from app.hub_invitations as i where i.id = p_id));
  select i.* into v_invitation
  from app.hub_invitations as i
  join app.my_invitations as mine on mine.invitation_id = i.id
  join app.users as own on own.id = app.user_id() and own.phone = i.phone
  join app.hubs as h on h.id = i.hub_id and h.is_open
  where i.id = p_id
  -- Serialises with account deletion, which locks the user's row and removes the phone.
  for update of i for key share of own;
  if v_invitation.id is null then
    raise exception using errcode = 'PT404', message = 'INVITATION_NOT_FOUND';
  end if;
  if app.state_of(v_invitation.state, v_invitation.expires_at) <> 'pending' then
    raise exception using errcode = 'PT409', message = 'INVITATION_NOT_PENDING';
  end if;
  return v_invitation;
end
$$;
comment on function app.lock_own_invitation is
  'Locks the Hub of an open invitation to the caller''s verified phone, then the invitation, and returns it.';

-- Accepts an invitation to the caller's phone.
--
-- Args: invitationId. Returns hubId, viewerStatus and joinRequestId.
create function api.accept_invitation(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := app.accept_invitation((p_args ->> 'invitationId')::uuid);
begin
  return app.acceptance_json(v_hub_id);
end
$$;
comment on function api.accept_invitation is 'POST /hub-invitations/{invitationId}/accept (docs/product.md H10, H13).';
grant execute on function api.accept_invitation to authenticated;

create function app.acceptance_json(p_hub_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_mine app.membership_status := app.viewer_status(p_hub_id);
begin
  return jsonb_build_object(
    'hubId', p_hub_id, 'viewerStatus', v_mine.status, 'joinRequestId', v_mine.join_request_id
  );
end
$$;
comment on function app.acceptance_json is
  'Returns what came of an accepted invitation: the status of the caller in the Hub (docs/product.md H10, H13).';
grant execute on function app.acceptance_json to authenticated;

-- Accepts an invitation for the caller.
--
-- The invitation of an admin makes an active member, any other a join request. Returns the Hub. Errors: FORBIDDEN
-- below level 4; INVITATION_NOT_FOUND, INVITATION_NOT_PENDING, ALREADY_MEMBER, JOIN_REQUEST_PENDING.
create function app.accept_invitation(p_id uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  v_invitation app.hub_invitations;
begin
  perform app.require_level(4);
  v_invitation := app.lock_own_invitation(p_id);
  perform app.require_no_member(v_invitation.hub_id);
  -- The inviter must still be an admin who can act.
  if v_invitation.makes_member and exists (
    select from app.acting_admins as a where a.hub_id = v_invitation.hub_id and a.user_id = v_invitation.inviter_id
  ) then
    perform app.become_member(v_invitation.hub_id, app.user_id());
  else
    perform app.open_join_request(v_invitation.hub_id, 'member_invitation');
    update app.hub_invitations as i set state = 'accepted' where i.id = p_id;
  end if;
  return v_invitation.hub_id;
end
$$;
comment on function app.accept_invitation is 'Accepts an invitation for the caller (docs/product.md H10, H13).';
grant execute on function app.accept_invitation to authenticated;

-- Declines an invitation to the caller's phone.
--
-- Args: invitationId. Returns id and state.
create function api.decline_invitation(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
  v_invitation app.hub_invitations;
begin
  perform app.require_level(1);
  v_invitation := app.lock_own_invitation((p_args ->> 'invitationId')::uuid);
  update app.hub_invitations as i set state = 'declined' where i.id = v_invitation.id;
  return jsonb_build_object('id', v_invitation.id, 'state', 'declined');
end
$$;
comment on function api.decline_invitation is 'POST /hub-invitations/{invitationId}/decline (docs/product.md H13).';
grant execute on function api.decline_invitation to authenticated;

-- Open invitations stay with the phone: the end of one would reveal that the number had an account. The next owner of
-- the phone must not see the others.
create function app.delete_former_invitations() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from app.hub_invitations as i where i.phone = old.phone and i.state <> 'pending';
  return null;
end
$$;
comment on function app.delete_former_invitations is
  'Trigger: deletes the answered and ended invitations to a phone that its owner gives up (docs/product.md I18, I22).';

create trigger users_delete_invitations_after_update after update of phone on app.users
for each row when (old.phone is not null and old.phone is distinct from new.phone)
execute function app.delete_former_invitations();

-- schemas/40_hubs/07_joining.sql

-- Creates an invite link.
--
-- Args: hubId, expiresInDays, maxUses, tokenHash (hex of SHA-256), sealedToken. Returns the link with
-- sealedToken, which the service opens.
create function api.create_invite_link(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_id uuid := app.put_invite_link(
    (p_args ->> 'hubId')::uuid, decode(p_args ->> 'tokenHash', 'hex'),
    app.integer_argument(p_args, 'maxUses', 1, 1000),
    make_interval(days => coalesce(app.integer_argument(p_args, 'expiresInDays', 1, 30), 7))
  );
begin
  return app.new_invite_link_json(v_id, p_args ->> 'sealedToken');
end
$$;
comment on function api.create_invite_link is 'POST /hubs/{hubId}/invite-links (docs/product.md H19).';
grant execute on function api.create_invite_link to authenticated;

create function app.new_invite_link_json(p_id uuid, p_sealed_token text) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return app.invite_links_json(array[(null, p_id)::app.list_entry]) -> 0
    || jsonb_build_object('sealedToken', p_sealed_token);
end
$$;
comment on function app.new_invite_link_json is
  'Returns an invite link with its token (docs/product.md H19); null for one that the caller may not see.';
grant execute on function app.new_invite_link_json to authenticated;

-- Errors: those of app.require_member; RATE_LIMITED beyond 100 a day for one Hub.
create function app.put_invite_link(p_hub_id uuid, p_token_hash bytea, p_max_uses integer, p_expires_in interval)
returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  v_id uuid;
begin
  perform app.lock_member(p_hub_id, 'manager');
  perform app.require_rate_limit('invite links', p_hub_id::text, 100, interval '1 day');
  insert into app.invite_links (hub_id, creator_id, token_hash, max_uses, expires_at)
  values (p_hub_id, app.user_id(), p_token_hash, p_max_uses, app.now() + p_expires_in)
  returning id into v_id;
  return v_id;
end
$$;
comment on function app.put_invite_link is
  'Inserts an invite link of a Hub for one of its managers or admins, and returns its id.';
grant execute on function app.put_invite_link to authenticated;

-- Reads an invite link by its token.
--
-- Args: tokenHash (hex of SHA-256). Returns the preview of the Hub, expiresAt and viewerStatus.
create function api.get_invite_link(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
  v_link record := app.link_of(decode(p_args ->> 'tokenHash', 'hex'));
  v_hub jsonb := app.hub_preview_json(v_link.hub_id);
begin
  return jsonb_build_object(
    'hub', v_hub, 'expiresAt', app.iso(v_link.expires_at), 'viewerStatus', v_hub -> 'viewerStatus'
  );
end
$$;
comment on function api.get_invite_link is 'GET /hub-invite-links/{token} (docs/product.md H20).';
grant execute on function api.get_invite_link to anon, authenticated;

-- Lists the invite links that have not expired.
--
-- Args: hubId, cursor, limit. Returns items, newest first, and nextCursor.
create function api.list_invite_links(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_list text := app.list_of('list_invite_links', p_args);
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor');
  v_page app.list_entry[];
begin
  perform app.require_member(v_hub_id, 'manager');
  v_page := array(
    select (l.created_at, l.id)::app.list_entry
    from app.invite_links as l
    where l.hub_id = v_hub_id and l.expires_at > app.now() and (l.created_at, l.id) < (v_from.at, v_from.id)
    order by l.created_at desc, l.id desc
    limit v_limit + 1
  );
  return jsonb_build_object(
    'items', app.invite_links_json(v_page[:v_limit]),
    'nextCursor', app.next_cursor(v_list, v_page, v_limit)
  );
end
$$;
comment on function api.list_invite_links is 'GET /hubs/{hubId}/invite-links (docs/product.md H8, H19).';
grant execute on function api.list_invite_links to authenticated;

-- Token and URL are null, because tokens are not stored.
create function app.invite_links_json(p_entries app.list_entry[]) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', l.id,
      'token', null,
      'url', null,
      'expiresAt', app.iso(l.expires_at),
      'maxUses', l.max_uses,
      'useCount', l.use_count,
      'createdAt', app.iso(l.created_at)
    ) order by entry.place), '[]')
    from unnest(p_entries) with ordinality as entry (at, id, place)
    join app.invite_links as l on l.id = entry.id
  );
end
$$;
comment on function app.invite_links_json is 'Returns these invite links, in this order (docs/product.md H19).';
grant execute on function app.invite_links_json to authenticated;

-- Errors: INVITE_LINK_NOT_FOUND (also for a revoked, expired or used-up link).
create function app.link_of(p_token_hash bytea, out id uuid, out hub_id uuid, out expires_at timestamptz) returns record
language plpgsql stable security definer set search_path = '' as $$
begin
  select l.id, l.hub_id, l.expires_at into link_of.id, link_of.hub_id, link_of.expires_at
  from app.invite_links as l
  join app.hubs as h on h.id = l.hub_id and h.is_open
  where l.token_hash = p_token_hash and l.expires_at > app.now()
    and l.use_count < coalesce(l.max_uses, l.use_count + 1);
  if link_of.id is null then
    raise exception using errcode = 'PT404', message = 'INVITE_LINK_NOT_FOUND';
  end if;
end
$$;
comment on function app.link_of is 'Returns the invite link of a token to its holder.';
grant execute on function app.link_of to anon, authenticated;

-- Revokes an invite link.
--
-- Args: hubId, inviteLinkId. Returns {}.
create function api.revoke_invite_link(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
begin
  perform app.require_member(v_hub_id, 'manager', 'INVITE_LINK_NOT_FOUND');
  delete from app.invite_links as l where l.id = (p_args ->> 'inviteLinkId')::uuid and l.hub_id = v_hub_id;
  if not found then
    raise exception using errcode = 'PT404', message = 'INVITE_LINK_NOT_FOUND';
  end if;
  return '{}'::jsonb;
end
$$;
comment on function api.revoke_invite_link is 'DELETE /hubs/{hubId}/invite-links/{inviteLinkId} (docs/product.md H20).';
grant execute on function api.revoke_invite_link to authenticated;

-- A read through the gateway only names the Hub: it must run on replicas, and the service has it recorded
-- afterwards (gateway.record_presence).
create function app.record_presence(p_hub_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('opine.is_read', true) = 'true' then
    perform set_config('opine.visited_hub', p_hub_id::text, true);
  else
    perform app.mark_seen(p_hub_id, app.user_id());
  end if;
end
$$;
comment on function app.record_presence is 'Sets seen_at of the caller''s membership, at most every five minutes.';
grant execute on function app.record_presence to authenticated;

create function app.mark_seen(p_hub_id uuid, p_user_id uuid) returns void
language sql set search_path = ''
begin atomic
  update app.memberships as m
  set seen_at = app.now()
  where m.hub_id = p_hub_id and m.user_id = p_user_id and app.is_presence_due(m.seen_at);
end;
comment on function app.mark_seen is 'Sets seen_at of a membership if that is due (app.is_presence_due).';

-- Requests to join the Hub of an invite link.
--
-- Args: tokenHash (hex of SHA-256). Returns id, hubId and state.
create function api.request_to_join(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
  v_token_hash bytea := decode(p_args ->> 'tokenHash', 'hex');
  v_hub_id uuid;
  v_request_id uuid;
begin
  perform app.require_level(4);
  v_hub_id := (app.link_of(v_token_hash)).hub_id;
  perform app.lock_hub(v_hub_id);
  perform app.require_no_member(v_hub_id);
  -- Check the link again: it may have been used up or revoked during the wait for the lock.
  v_request_id := app.open_join_request(v_hub_id, 'invite_link', (app.link_of(v_token_hash)).id);
  perform app.use_limit('joinRequests');
  return app.join_request_json(v_request_id);
end
$$;
comment on function api.request_to_join is 'POST /hub-invite-links/{token}/join-requests (docs/product.md H10, H21).';
grant execute on function api.request_to_join to authenticated;

create function app.join_request_json(p_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object('id', r.id, 'hubId', r.hub_id, 'state', r.state)
    from app.join_requests as r
    join app.hubs as h on h.id = r.hub_id and h.is_open
    where r.id = p_id and r.state <> 'withdrawn'
  );
end
$$;
comment on function app.join_request_json is
  'Returns a join request with its state (docs/product.md H22); null for one that the caller may not see.';
grant execute on function app.join_request_json to authenticated;

-- Inserts a join request of the caller and notifies the admins and managers of the Hub. Returns its id.
--
-- Args: p_link_id (the invite link that it uses; null for an invitation, whose acceptance is no asking). The
-- transaction must hold app.lock_hub. Errors: JOIN_REQUEST_PENDING (by join_requests_pending_key), RATE_LIMITED.
create function app.open_join_request(p_hub_id uuid, p_source app.join_request_source, p_link_id uuid default null)
returns uuid
language plpgsql set search_path = '' as $$
declare
  v_user_id uuid := app.user_id();
  v_is_repeat boolean := p_link_id is not null and exists (
    select
    from app.join_requests as r
    where r.hub_id = p_hub_id and r.user_id = v_user_id and r.state in ('rejected', 'withdrawn')
      and r.ended_at > app.now() - interval '7 days'
  );
  v_opens_at timestamptz := case when v_is_repeat then app.repeats_open_at(p_hub_id, v_user_id) end;
  v_id uuid;
begin
  insert into app.join_requests (hub_id, user_id, source, link_id, is_repeat)
  values (p_hub_id, v_user_id, p_source, p_link_id, v_is_repeat)
  returning id into v_id;
  -- After the insert, which refuses a caller whose request is open.
  perform app.refuse_until(v_opens_at);
  update app.invite_links as l set use_count = l.use_count + 1 where l.id = p_link_id;
  perform app.emit(
    'hub_join_request_created', p_actor_id => v_user_id, p_subject_id => v_user_id, p_hub_id => p_hub_id,
    p_join_request_id => v_id
  );
  return v_id;
end
$$;
comment on function app.open_join_request is 'Inserts a join request of the caller (docs/product.md H10, H21, H30).';

create function app.repeats_open_at(p_hub_id uuid, p_user_id uuid) returns timestamptz
language plpgsql stable set search_path = '' as $$
begin
  return (
    select r.created_at + interval '7 days'
    from app.join_requests as r
    where r.hub_id = p_hub_id and r.user_id = p_user_id and r.is_repeat and r.created_at > app.now() - interval '7 days'
    order by r.created_at desc
    offset 1
    limit 1
  );
end
$$;
comment on function app.repeats_open_at is
  'Returns when a person may ask a Hub again; null for now. Twice in 7 days are free (docs/product.md H30).';

-- Ends a join request without a membership: it gives its use of the invite link back.
create function app.end_join_request(p_id uuid, p_state app.join_request_state) returns void
language plpgsql set search_path = '' as $$
begin
  update app.invite_links as l
  set use_count = l.use_count - 1
  where l.id = (select r.link_id from app.join_requests as r where r.id = p_id);
  update app.join_requests as r set state = p_state, link_id = null, ended_at = app.now() where r.id = p_id;
end
$$;
comment on function app.end_join_request is 'Ends a join request by its rejection or withdrawal (docs/product.md H30).';

-- Lists the open join requests of a Hub.
--
-- Args: hubId, cursor, limit. Returns items, newest first, and nextCursor.
create function api.list_join_requests(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_list text := app.list_of('list_join_requests', p_args);
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor');
  v_page app.list_entry[];
begin
  perform app.require_member(v_hub_id, 'manager');
  v_page := array(
    select (r.created_at, r.id)::app.list_entry
    from app.join_requests as r
    where r.hub_id = v_hub_id and r.state = 'pending_admin_approval' and (r.created_at, r.id) < (v_from.at, v_from.id)
    order by r.created_at desc, r.id desc
    limit v_limit + 1
  );
  return jsonb_build_object(
    'items', app.join_requests_json(v_page[:v_limit]), 'nextCursor', app.next_cursor(v_list, v_page, v_limit)
  );
end
$$;
comment on function api.list_join_requests is 'GET /hubs/{hubId}/join-requests (docs/product.md H8, H22).';
grant execute on function api.list_join_requests to authenticated;

-- An applicant appears by the public profile, because only people in a common Hub see the private one. It
-- ignores blocks, which do not apply inside Hubs. An applicant hidden from everybody is anonymous.
create function app.join_requests_json(p_entries app.list_entry[]) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', r.id,
      'user', jsonb_build_object(
        'userId', coalesce(p.user_id::text, ''),
        'displayName', coalesce(p.full_name, ''),
        'profilePhotoUrl', app.photo_url(p.photo_asset_id),
        'username', coalesce(p.username, '')
      ),
      'state', r.state,
      'source', r.source,
      'createdAt', app.iso(r.created_at)
    ) order by entry.place), '[]')
    from unnest(p_entries) with ordinality as entry (at, id, place)
    join app.join_requests as r on r.id = entry.id
    join app.my_hubs as mine on mine.hub_id = r.hub_id and mine.role >= 'manager'
    left join app.profiles as p
      on p.user_id = r.user_id and not exists (select from app.users_hidden_from_all as h where h.user_id = p.user_id)
  );
end
$$;
comment on function app.join_requests_json is
  'Returns these join requests, in this order, as far as the caller is a manager or admin of their Hubs '
  '(docs/product.md H22).';
grant execute on function app.join_requests_json to authenticated;

-- Approves a join request.
--
-- Args: hubId, requestId. Returns id and state.
create function api.approve_join_request(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.decide_join_request((p_args ->> 'hubId')::uuid, (p_args ->> 'requestId')::uuid, 'approved');
  return app.join_request_json((p_args ->> 'requestId')::uuid) - 'hubId';
end
$$;
comment on function api.approve_join_request is
  'POST /hubs/{hubId}/join-requests/{requestId}/approve (docs/product.md H10, H22).';
grant execute on function api.approve_join_request to authenticated;

-- Rejects a join request.
--
-- Args: hubId, requestId. Returns id and state.
create function api.reject_join_request(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.decide_join_request((p_args ->> 'hubId')::uuid, (p_args ->> 'requestId')::uuid, 'rejected');
  return jsonb_build_object('id', (p_args ->> 'requestId')::uuid, 'state', 'rejected');
end
$$;
comment on function api.reject_join_request is
  'POST /hubs/{hubId}/join-requests/{requestId}/reject (docs/product.md H10, H22).';
grant execute on function api.reject_join_request to authenticated;

-- Errors: those of app.require_member; JOIN_REQUEST_NOT_FOUND (also for a non-member),
-- JOIN_REQUEST_NOT_PENDING.
create function app.decide_join_request(p_hub_id uuid, p_id uuid, p_verdict app.join_request_state) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_request app.join_requests;
begin
  perform app.lock_hub(p_hub_id);
  perform app.require_member(p_hub_id, 'admin', 'JOIN_REQUEST_NOT_FOUND');
  -- Account deletion locks the user before the join requests; the same order prevents a deadlock.
  perform from app.users as u
  where u.id = (select r.user_id from app.join_requests as r where r.id = p_id and r.hub_id = p_hub_id)
  for key share;
  select * into v_request from app.join_requests as r where r.id = p_id and r.hub_id = p_hub_id for update;
  if v_request.id is null or v_request.state = 'withdrawn' then
    raise exception using errcode = 'PT404', message = 'JOIN_REQUEST_NOT_FOUND';
  end if;
  if v_request.state <> 'pending_admin_approval' then
    raise exception using errcode = 'PT409', message = 'JOIN_REQUEST_NOT_PENDING';
  end if;
  if p_verdict = 'rejected' then
    perform app.end_join_request(p_id, p_verdict);
  else
    update app.join_requests set state = p_verdict, ended_at = app.now() where id = p_id;
  end if;
  perform app.emit(
    case p_verdict when 'approved' then 'hub_join_request_approved'
      else 'hub_join_request_rejected' end::app.event_type,
    p_actor_id => app.user_id(), p_subject_id => v_request.user_id, p_hub_id => p_hub_id, p_join_request_id => p_id
  );
  if p_verdict = 'approved' then
    perform app.become_member(p_hub_id, v_request.user_id);
  end if;
end
$$;
comment on function app.decide_join_request is
  'Approves or rejects a join request for an admin of the Hub; approval makes an active member.';
grant execute on function app.decide_join_request to authenticated;

-- Withdraws an open join request of the caller, and hides the notifications of it.
--
-- Args: hubId, requestId. Returns {}.
create function api.withdraw_join_request(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_request app.join_requests;
begin
  perform app.require_level(1);
  -- Serialises with a decision, so that one of them wins.
  perform app.lock_hub(v_hub_id);
  perform app.require_hub(v_hub_id);
  select * into v_request
  from app.join_requests as r
  where r.id = (p_args ->> 'requestId')::uuid and r.hub_id = v_hub_id and r.user_id = app.user_id()
  for update;
  if v_request.id is null or v_request.state = 'withdrawn' then
    raise exception using errcode = 'PT404', message = 'JOIN_REQUEST_NOT_FOUND';
  end if;
  if v_request.state <> 'pending_admin_approval' then
    raise exception using errcode = 'PT409', message = 'JOIN_REQUEST_NOT_PENDING';
  end if;
  perform app.end_join_request(v_request.id, 'withdrawn');
  return '{}'::jsonb;
end
$$;
comment on function api.withdraw_join_request is
  'DELETE /hubs/{hubId}/join-requests/{requestId} (docs/product.md H6, H27).';
grant execute on function api.withdraw_join_request to authenticated;

-- schemas/40_hubs/08_search.sql

-- Searches Hubs by custom link and name.
--
-- Args: q, cursor, limit. Returns items (previews), best first, and nextCursor.
create function api.search_hubs(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_query text := app.text_argument(p_args, 'q', 1, 80);
  v_key text := app.search_key(v_query);
  v_list text := app.list_of('search_hubs', p_args);
  v_after app.search_hit := app.decode_hit(v_list, p_args ->> 'cursor');
  v_hits app.search_hit[];
begin
  perform app.require_level(1);
  perform app.require_arguments(p_args, 'q');
  if v_key <> '' then
    perform app.use_limit('searches');
    v_hits := array(select hit from app.find_hubs(app.handle_key(v_query), v_key, v_after, v_limit + 1) as hit);
  end if;
  return jsonb_build_object(
    'items', (
      select coalesce(jsonb_agg(app.hub_preview(h, app.viewer_status(h.id)) order by hit.place), '[]')
      from unnest(v_hits[:v_limit]) with ordinality as hit (tier, key, id, place)
      join app.hubs as h on h.id = hit.id
    ),
    'nextCursor', app.encode_hit(v_list, v_hits, v_limit)
  );
end
$$;
comment on function api.search_hubs is 'GET /search/hubs (docs/product.md H26).';
grant execute on function api.search_hubs to authenticated;

-- Returns the Hubs that a search finds, best first, after p_after.
--
-- Args: p_link (app.handle_key), p_key (app.search_key). The tiers: custom link begins with p_link (an exact
-- link sorts first), name begins with the key, last word of the name does, the rest of app.find_hubs_alike.
-- It bypasses policies, because their conditions would keep its operators from the indexes.
create function app.find_hubs(p_link text, p_key text, p_after app.search_hit, p_limit integer)
returns setof app.search_hit
language plpgsql stable security definer set search_path = '' as $$
declare
  v_link_end text collate "C" := app.end_of_prefix(p_link);
  v_end text collate "C" := app.end_of_prefix(p_key);
  v_found integer;
begin
  return query
  select hit.tier, hit.key, hit.id
  from (
    (
      select 1 as tier, h.custom_link::text as key, h.id
      from app.hubs as h
      where h.custom_link >= p_link and h.custom_link < v_link_end and h.is_open and p_after.tier = 1
        and (h.custom_link, h.id) > (p_after.key, p_after.id)
      order by h.custom_link
      limit p_limit
    )
    union all
    (
      select 2, h.search_name::text, h.id
      from app.hubs as h
      where h.search_name >= p_key and h.search_name < v_end and h.is_open
        and not starts_with(coalesce(h.custom_link, ''), p_link)
        and p_after.tier <= 2 and (p_after.tier < 2 or (h.search_name, h.id) > (p_after.key, p_after.id))
      order by h.search_name, h.id
      limit p_limit
    )
    union all
    (
      select 3, app.last_word(h.search_name), h.id
      from app.hubs as h
      where app.last_word(h.search_name) >= p_key and app.last_word(h.search_name) < v_end and h.is_open
        and not starts_with(coalesce(h.custom_link, ''), p_link) and not starts_with(h.search_name, p_key)
        and p_after.tier <= 3 and (p_after.tier < 3 or (app.last_word(h.search_name), h.id) > (p_after.key, p_after.id))
      order by app.last_word(h.search_name), h.id
      limit p_limit
    )
  ) as hit (tier, key, id)
  order by hit.tier, hit.key collate "C", hit.id
  limit p_limit;
  get diagnostics v_found = row_count;
  if v_found < p_limit then
    perform app.set_similarity();
    return query
    select alike.tier, alike.key, alike.id
    from app.find_hubs_alike(p_link, p_key) as alike
    where p_after.tier < 4 or (alike.key, alike.id) > (p_after.key, p_after.id)
    order by alike.key collate "C", alike.id
    limit p_limit - v_found;
  end if;
end
$$;
comment on function app.find_hubs is 'Returns the Hubs that a search finds, best first (docs/product.md H26).';
grant execute on function app.find_hubs to authenticated;

-- Returns the last tier of app.find_hubs: up to 500 Hubs with every word of the key in custom link or name,
-- and up to 500 with a similar word. Fewer than three characters are similar to nothing.
create function app.find_hubs_alike(p_link text, p_key text) returns setof app.search_hit
language plpgsql stable set search_path = ''
-- The planner overestimates the matches and would scan the table instead of the index.
set enable_seqscan = off
as $$
declare
  v_words tsquery := app.all_words_of(p_key);
  v_trigrams text := app.trigram_key(p_key);
begin
  return query
  select 4, to_char(1000000 * (1 - max(found.similarity)), 'FM0000000'), h.id
  from (
    (
      select w.id, 1::real as similarity
      from app.hubs as w
      where app.word_vector(coalesce(w.custom_link, '') || ' ' || w.name) @@ v_words
      limit 500
    )
    union all
    (
      select t.id,
        extensions.word_similarity(v_trigrams, coalesce(t.custom_link, '') || ' ' || app.trigram_key(t.search_name))
      from app.hubs as t
      where char_length(v_trigrams) >= 3
        and v_trigrams operator(extensions.<%) (coalesce(t.custom_link, '') || ' ' || app.trigram_key(t.search_name))
      -- Bounds the work for a misspelt frequent name: ranking all its matches would read them all.
      limit 500
    )
  ) as found
  join app.hubs as h on h.id = found.id
  where h.is_open and not starts_with(coalesce(h.custom_link, ''), p_link) and not starts_with(h.search_name, p_key)
    and not starts_with(app.last_word(h.search_name), p_key)
  group by h.id;
end
$$;
comment on function app.find_hubs_alike is
  'Returns Hubs with the words of a search, or with similar ones (docs/product.md H26).';

-- schemas/40_hubs/80_account.sql

create function app.erase_hubs(p_user_id uuid) returns void
language sql set search_path = ''
begin atomic
  delete from app.suspended_memberships where user_id = p_user_id;
  delete from app.hub_invitations where inviter_id = p_user_id;
  delete from app.invite_links where creator_id = p_user_id;
  delete from app.join_requests where user_id = p_user_id;
  delete from app.hub_mutes where user_id = p_user_id;
end;
comment on function app.erase_hubs is
  'Deletes invitations, links, join requests and mutes of an ended account (docs/product.md I17).';

create function app.erase_hub_photos(p_user_id uuid) returns void
language sql set search_path = ''
begin atomic
  update app.hubs as h
  set photo_asset_id = null
  from app.assets as a
  where a.owner_id = p_user_id and h.photo_asset_id = a.id;
end;
comment on function app.erase_hub_photos is 'Takes the pictures of an ended account off its Hubs.';

create function app.delete_closed_hub(p_hub_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  delete from app.hubs as h where h.id = p_hub_id;
  return false;
end
$$;
comment on function app.delete_closed_hub is 'Deletes a closed Hub of which nothing is left. Returns false.';

create function app.export_invitations() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'id', i.invitation_id, 'hubId', i.hub_id, 'state', i.state, 'createdAt', app.iso(i.invited_at)
  )
  from app.my_invitations as i
  order by i.invited_at desc, i.invitation_id desc
  limit 100000;
end;
comment on function app.export_invitations is
  'Returns the section receivedInvitations of the export: invitations of the caller''s phone, as their list of Hubs '
  'shows them.';
grant execute on function app.export_invitations to authenticated;

create function app.export_join_requests() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'id', j.id, 'hubId', j.hub_id, 'source', j.source, 'state', j.state, 'createdAt', app.iso(j.created_at)
  )
  from app.join_requests as j
  where j.user_id = app.user_id()
  order by j.created_at desc, j.id desc
  limit 100000;
end;
comment on function app.export_join_requests is 'Returns the section joinRequests of the export.';
grant execute on function app.export_join_requests to authenticated;

create function app.export_memberships() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'hubId', m.hub_id, 'hubName', h.name, 'role', m.role,
    'contentMuted', exists (
      select from app.hub_mutes as mute where mute.hub_id = m.hub_id and mute.user_id = m.user_id
    ),
    'joinedAt', app.iso(m.joined_at), 'lastSeenAt', app.iso(m.seen_at)
  )
  from app.memberships as m
  join app.hubs as h on h.id = m.hub_id
  where m.user_id = app.user_id()
  order by m.joined_at desc, m.hub_id desc
  limit 100000;
end;
comment on function app.export_memberships is
  'Returns the section hubMemberships of the export: the Hubs of the caller and their role in each.';
grant execute on function app.export_memberships to authenticated;

create function app.export_muted_hubs() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('hubId', m.hub_id)
  from app.hub_mutes as m
  where m.user_id = app.user_id()
  order by m.hub_id desc
  limit 100000;
end;
comment on function app.export_muted_hubs is
  'Returns the section mutedHubs of the export, with Hubs that the caller left.';
grant execute on function app.export_muted_hubs to authenticated;

-- A definer function, because it includes Hubs that the caller left, and no policy shows these.
create function app.export_sent_invitations() returns setof jsonb
language sql stable security definer set search_path = ''
begin atomic
  select jsonb_build_object(
    'id', i.id, 'hubId', i.hub_id, 'phoneNumber', i.phone, 'state', app.state_of(i.state, i.expires_at),
    'createdAt', app.iso(i.created_at), 'expiresAt', app.iso(i.expires_at)
  )
  from app.hub_invitations as i
  where i.inviter_id = app.user_id()
  order by i.created_at desc, i.id desc
  limit 100000;
end;
comment on function app.export_sent_invitations is 'Returns the section sentInvitations of the export.';
grant execute on function app.export_sent_invitations to authenticated;

-- schemas/40_hubs/90_policies.sql

create policy hubs_select on app.hubs for select to anon, authenticated
using (is_open);

-- Policies have a file of their own: memberships reference Hubs, and this policy references memberships.
create policy hubs_update on app.hubs for update to authenticated
using (id in (select mine.hub_id from app.my_hubs as mine where mine.role = 'admin'))
with check (id in (select mine.hub_id from app.my_hubs as mine where mine.role = 'admin'));

create policy memberships_select on app.memberships for select to authenticated
using (
  user_id = (select app.user_id()) or hub_id in (select mine.hub_id from app.my_hubs as mine)
);

create policy hub_mutes_select on app.hub_mutes for select to authenticated
using (user_id = (select app.user_id()));

create policy hub_mutes_insert on app.hub_mutes for insert to authenticated
with check (user_id = (select app.user_id()) and hub_id in (select mine.hub_id from app.my_hubs as mine));

create policy hub_mutes_delete on app.hub_mutes for delete to authenticated
using (user_id = (select app.user_id()) and hub_id in (select mine.hub_id from app.my_hubs as mine));

create policy hub_invitations_select on app.hub_invitations for select to authenticated
using (
  hub_id in (select mine.hub_id from app.my_hubs as mine where mine.role >= 'manager')
  or (inviter_id = (select app.user_id()) and hub_id in (select mine.hub_id from app.my_hubs as mine))
  or (
    phone = (select own.phone from app.users as own where own.id = (select app.user_id()))
    and inviter_id not in (select b.user_id from app.blocked_users as b)
  )
);

create policy invite_links_select on app.invite_links for select to authenticated
using (hub_id in (select mine.hub_id from app.my_hubs as mine where mine.role >= 'manager'));

create policy invite_links_delete on app.invite_links for delete to authenticated
using (hub_id in (select mine.hub_id from app.my_hubs as mine where mine.role >= 'manager'));

create policy join_requests_select on app.join_requests for select to authenticated
using (
  user_id = (select app.user_id())
  or state <> 'withdrawn' and hub_id in (select mine.hub_id from app.my_hubs as mine where mine.role >= 'manager')
);

create policy member_names_select on app.member_names for select to authenticated
using (hub_id in (select mine.hub_id from app.my_hubs as mine));

-- schemas/50_posts/01_tables.sql

create type app.post_visibility as enum ('public', 'public_hub', 'private_locked_hub');
comment on type app.post_visibility is 'Where a post appears (docs/product.md PO10).';

create type app.placement_kind as enum ('targeted', 'shared');
comment on type app.placement_kind is
  'How a post came into a Hub. targeted: its author chose the Hub at publication; shared: a member shared it onward.';

create function app.placements_key(p_post_id uuid) returns bigint
language sql immutable set search_path = ''
return hashtextextended('placements ' || p_post_id, 0);
comment on function app.placements_key is
  'Returns the key of the advisory lock that orders placements of a post and concurrent votes on it.';
grant execute on function app.placements_key to authenticated;

-- Returns whether a text is an IPv4 or IPv6 address. pg_input_is_valid would do, but it is not immutable.
create function app.is_ip_address(p_text text) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  return p_text::inet is not null;
exception when invalid_text_representation then
  return false;
end
$$;
comment on function app.is_ip_address is 'Returns whether a text is an IPv4 or IPv6 address (docs/product.md PO25).';
grant execute on function app.is_ip_address to authenticated;

-- Returns whether a text is the address of a web page; null for null.
--
-- A host is an IP literal, or a name of letters and marks of any script, digits, hyphens and dots. The ranges
-- leave out the blocks of punctuation, symbols, emoji and private use. They are explicit, because classes
-- such as [[:alpha:]] depend on the locale of the database. A link that a person cannot read as it stands has
-- no user, no backslash, and no white space, control or bidirectional character.
create function app.is_web_url(p_url text) returns boolean
language plpgsql immutable strict set search_path = '' as $$
declare
  v_letters text := 'A-Za-z0-9\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u061b\u061d-\u167f\u1681-\u180d'
    || '\u180f-\u1fff\u2c00-\u2dff\u3005-\u3007\u3021-\u302f\u3031-\u30fa\u30fc-\ud7ff\uf900-\ufdcf\ufdf0-\ufdff'
    || '\ufe70-\ufefc\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uffdc\U00010000-\U0001efff\U00020000-\U0003fffd';
  v_parts text[] := regexp_match(
    p_url,
    '^[Hh][Tt][Tt][Pp][Ss]?://(\[[0-9A-Fa-f:.]+\]|[' || v_letters || '.-]+)(?::([0-9]{1,5}))?(?:[/?#]'
    || '[^\u0001-\u0020\u005c\u007f-\u00a0\u061c\u1680\u180e\u2000-\u200a\u200e\u200f\u2028-\u202f\u205f'
    || '\u2066-\u2069\u3000\ufeff]*)?$'
  );
  v_host text := v_parts[1];
begin
  return v_host is not null and coalesce(v_parts[2]::integer, 443) between 1 and 65535 and case
    when v_host ~ '^\[' then app.is_ip_address(btrim(v_host, '[]'))
    -- Browsers take a host that ends in a number for an address.
    when v_host ~ '(^|\.)[0-9]+\.?$' then v_host ~ '^[0-9]+(\.[0-9]+){3}$' and app.is_ip_address(v_host)
    else v_host ~ ('[' || v_letters || ']')
  end;
end
$$;
comment on function app.is_web_url is 'Returns whether a text is an http or https URL (docs/product.md PO25).';
grant execute on function app.is_web_url to authenticated;

-- A repost shows the article of its original.
create table app.articles (
  id uuid primary key default app.uuid_v7(),
  author_id uuid not null references app.users (id) on delete cascade,
  url text,
  title text,
  body text,
  media_count integer not null default 0,
  created_at timestamptz not null default app.now(),
  constraint articles_id_author_id_key unique (id, author_id),
  constraint articles_have_content check (num_nonnulls(url, title, body) > 0 or media_count > 0),
  constraint articles_url_length check (char_length(url) between 1 and 2000),
  constraint articles_url_is_web check (app.is_web_url(url)),
  constraint articles_title_length check (char_length(title) between 1 and 300),
  constraint articles_body_length check (char_length(body) between 1 and 10000),
  constraint articles_title_visible check (app.has_visible_character(title)),
  constraint articles_body_visible check (app.has_visible_character(body))
);
comment on table app.articles is
  'One row per article, the subject of a post: a link, media or text (docs/product.md PO1).';
comment on column app.articles.media_count is
  'The number of rows in app.article_assets. Cards of articles without media skip that table.';
create index articles_author_id_idx on app.articles (author_id);
alter table app.articles enable row level security;
grant select on app.articles to anon, authenticated;
grant insert (author_id, url, title, body, media_count) on app.articles to authenticated;
grant delete on app.articles to authenticated;

-- A repost is a post with source_post_id.
create table app.posts (
  id uuid primary key default app.uuid_v7(),
  author_id uuid not null references app.users (id) on delete cascade,
  article_id uuid,
  source_post_id uuid,
  thought_text text,
  slider_text text,
  left_label text,
  right_label text,
  visibility app.post_visibility not null,
  is_public boolean not null generated always as (visibility <> 'private_locked_hub') stored,
  comment_count integer not null default 0,
  repost_count integer not null default 0,
  vote_count integer not null default 0,
  created_at timestamptz not null default app.now(),
  removed_at timestamptz,
  constraint posts_article_is_own foreign key (article_id, author_id) references app.articles (id, author_id)
    on update cascade on delete cascade,
  constraint posts_have_content check (num_nonnulls(article_id, thought_text, slider_text) > 0),
  constraint posts_reposts_have_no_article check (num_nonnulls(source_post_id, article_id) < 2),
  constraint posts_counts_are_natural check (least(comment_count, repost_count, vote_count) >= 0),
  constraint posts_slider_is_whole check (num_nulls(slider_text, left_label, right_label) in (0, 3)),
  constraint posts_thought_text_length check (char_length(thought_text) between 1 and 2000),
  constraint posts_slider_text_length check (char_length(slider_text) between 1 and 260),
  constraint posts_left_label_length check (char_length(left_label) between 1 and 40),
  constraint posts_right_label_length check (char_length(right_label) between 1 and 40),
  constraint posts_thought_text_visible check (app.has_visible_character(thought_text)),
  constraint posts_slider_text_visible check (app.has_visible_character(slider_text)),
  constraint posts_left_label_visible check (app.has_visible_character(left_label)),
  constraint posts_right_label_visible check (app.has_visible_character(right_label))
);
comment on table app.posts is
  'One row per post: an article, a thought and a slider, at least one of them (docs/product.md PO1).';
comment on column app.posts.is_public is 'False for a post that is visible in its Hubs only.';
comment on column app.posts.source_post_id is
  'The original of a repost. No foreign key: a repost stays a repost after its original is deleted.';
comment on column app.posts.removed_at is
  'Time when staff removed the post: it is hidden from everybody, its author included, until it is restored or erased '
  '(docs/product.md S22).';
comment on column app.posts.vote_count is
  'The number of voters up to the last fold, from which milestones are counted. Results are summed from pools instead.';
create index posts_author_id_created_at_idx on app.posts (author_id, created_at desc, id desc);
create index posts_source_post_id_idx on app.posts (source_post_id, created_at, id) where source_post_id is not null;
create index posts_article_id_author_id_idx on app.posts (article_id, author_id);
alter table app.posts enable row level security;
grant select on app.posts to anon, authenticated;
grant insert (author_id, article_id, source_post_id, thought_text, slider_text, left_label, right_label, visibility)
  on app.posts to authenticated;
grant delete on app.posts to authenticated;

create function app.search_bucket(p_number bigint) returns integer
language sql immutable set search_path = ''
begin atomic
  select (p_number / 20000)::integer;
end;
comment on function app.search_bucket is
  'Returns the bucket of the index of words that holds a number of app.post_words.';

create function app.first_in_bucket(p_bucket integer) returns bigint
language sql immutable set search_path = ''
begin atomic
  select p_bucket::bigint * 20000;
end;
comment on function app.first_in_bucket is 'Returns the lowest number of app.post_words in a bucket.';

-- A table of its own, because feeds read app.posts often and its words never.
create table app.post_words (
  post_id uuid primary key references app.posts (id) on delete cascade,
  number bigint not null generated by default as identity,
  is_public boolean not null,
  bucket integer not null generated always as (
    case when is_public then app.search_bucket(number) else -1 - app.search_bucket(number) end
  ) stored,
  words tsvector not null,
  constraint post_words_number_key unique (number)
);
comment on table app.post_words is 'One row per post: its words, for searches (docs/product.md PO24).';
comment on column app.post_words.number is 'The order of publication, in which searches go back in time.';
comment on column app.post_words.is_public is 'Copied from app.posts, where it never changes.';
comment on column app.post_words.bucket is
  'Divides the index by time, so that a search for a frequent word reads recent posts only, and public posts (from 0 '
  'upwards) from private ones (from -1 downwards).';
create index post_words_bucket_words_idx on app.post_words using gin (bucket, words) with (fastupdate = off);
alter table app.post_words enable row level security;

create table app.placements (
  post_id uuid not null references app.posts (id) on delete cascade,
  hub_id uuid not null references app.hubs (id) on delete cascade,
  kind app.placement_kind not null default 'targeted',
  placed_by uuid references app.users (id) on delete set null,
  placed_at timestamptz not null default app.now(),
  last_shared_at timestamptz not null default app.now(),
  constraint placements_pkey primary key (post_id, hub_id)
);
comment on table app.placements is
  'One row per post in a Hub, from publication or an onward share (docs/product.md PO10, PO21).';
comment on column app.placements.placed_by is
  'The person who placed the post; null after their account deletion. Cards never show it (docs/product.md PO15).';
comment on column app.placements.last_shared_at is
  'The time of the placement or of the last share into the Hub: the order of the Hub''s feed. app.feed_events has the '
  'last sharer.';
create index placements_hub_id_idx on app.placements (hub_id, last_shared_at desc, post_id desc);
create index placements_placed_by_idx on app.placements (placed_by);
alter table app.placements enable row level security;
grant select (post_id, hub_id, kind, placed_at, last_shared_at) on app.placements to anon, authenticated;
grant insert (post_id, hub_id, kind, placed_by) on app.placements to authenticated;
grant update (last_shared_at) on app.placements to authenticated;

-- Viewers of the article see its files.
create table app.article_assets (
  article_id uuid not null references app.articles (id) on delete cascade,
  place integer not null,
  asset_id uuid not null references app.assets (id) on delete restrict,
  alt_text text,
  constraint article_assets_pkey primary key (article_id, place),
  constraint article_assets_are_distinct unique (article_id, asset_id),
  constraint article_assets_place_is_within_limit check (place between 1 and 10),
  constraint article_assets_alt_text_length check (char_length(alt_text) between 1 and 500),
  constraint article_assets_alt_text_visible check (app.has_visible_character(alt_text))
);
comment on table app.article_assets is 'One row per file of an article, in order (docs/product.md M7, M9).';
create index article_assets_asset_id_idx on app.article_assets (asset_id);
alter table app.article_assets enable row level security;
grant select on app.article_assets to anon, authenticated;
grant insert (article_id, place, asset_id, alt_text) on app.article_assets to authenticated;

create table app.feed_shares (
  user_id uuid not null references app.users (id) on delete cascade,
  post_id uuid not null references app.posts (id) on delete cascade,
  id uuid not null default app.uuid_v7(),
  shared_at timestamptz not null default app.now(),
  constraint feed_shares_pkey primary key (user_id, post_id)
);
comment on table app.feed_shares is
  'One row per person and post shared to their own feed, with the time of the last share (docs/product.md PO20, F12).';
create index feed_shares_user_id_idx on app.feed_shares (user_id, shared_at desc, post_id desc);
create index feed_shares_post_id_idx on app.feed_shares (post_id);
alter table app.feed_shares enable row level security;
grant select on app.feed_shares to anon, authenticated;
grant insert (user_id, post_id) on app.feed_shares to authenticated;
grant update (id) on app.feed_shares to authenticated;

create table app.saved_posts (
  user_id uuid not null references app.users (id) on delete cascade,
  post_id uuid not null references app.posts (id) on delete cascade,
  saved_at timestamptz not null default app.now(),
  constraint saved_posts_pkey primary key (user_id, post_id)
);
comment on table app.saved_posts is 'One row per person and saved post. Only the saver sees it (docs/product.md PO19).';
create index saved_posts_user_id_idx on app.saved_posts (user_id, saved_at desc, post_id desc);
create index saved_posts_post_id_idx on app.saved_posts (post_id);
alter table app.saved_posts enable row level security;
grant select on app.saved_posts to anon, authenticated;
grant insert (user_id, post_id) on app.saved_posts to authenticated;
grant delete on app.saved_posts to authenticated;

create table app.score_changes (
  id bigint generated always as identity primary key,
  post_id uuid not null references app.posts (id) on delete cascade,
  changed_at timestamptz not null default app.now(),
  changed_by xid8 not null default pg_current_xact_id(),
  former_score timestamptz,
  former_active_at timestamptz,
  constraint score_changes_have_both_or_neither check (num_nulls(former_score, former_active_at) in (0, 2))
);
comment on table app.score_changes is
  'One row per change of a trending score in the last day, with the values before it (null before the first). Every '
  'page of a trending feed ranks by the scores of its first page.';
create index score_changes_post_id_idx on app.score_changes (post_id, changed_by);
create index score_changes_changed_by_idx on app.score_changes (changed_by);
create index score_changes_changed_at_idx on app.score_changes (changed_at);
alter table app.score_changes enable row level security;

create table app.trending_activities (
  post_id uuid not null references app.posts (id) on delete cascade,
  actor_id uuid not null references app.users (id) on delete cascade,
  kind text not null,
  at timestamptz not null,
  constraint trending_activities_pkey primary key (post_id, actor_id, kind, at),
  constraint trending_activities_are_of_known_kinds check (kind in ('commented', 'reposted', 'shared_to_feed'))
);
comment on table app.trending_activities is
  'One row per activity that counts in a trending score, for 30 days: of a person on a post each kind once within '
  'seven days (docs/product.md F16).';
create index trending_activities_actor_id_idx on app.trending_activities (actor_id);
create index trending_activities_at_idx on app.trending_activities (at);
alter table app.trending_activities enable row level security;

-- A table of its own keeps the indexed score out of app.posts, so that updates of its counts stay HOT.
create table app.trending_scores (
  post_id uuid primary key references app.posts (id) on delete cascade,
  score timestamptz not null,
  active_at timestamptz not null,
  vote_score timestamptz,
  voted_at timestamptz,
  constraint trending_scores_vote_score_is_dated check (num_nulls(vote_score, voted_at) in (0, 2))
);
comment on table app.trending_scores is 'One row per post with activity: votes, comments, reposts, feed shares.';
comment on column app.trending_scores.score is
  'The sum of the activity, halved every 12 hours, stored as a time: the time at which a single activity of weight 1 '
  'would leave the same score. See docs/decisions/012-trending.md.';
comment on column app.trending_scores.active_at is 'The time of the last activity that counts.';
comment on column app.trending_scores.vote_score is 'The share of the votes in the score; null without votes.';
comment on column app.trending_scores.voted_at is 'The time of the last fold of votes on the post.';
create index trending_scores_score_idx on app.trending_scores (score desc, post_id desc);
-- No policy, because a score reveals when people voted in Hubs. Definer functions read it.
alter table app.trending_scores enable row level security;

create trigger article_assets_release_after_delete after delete on app.article_assets
referencing old table as former
for each statement execute function app.delete_former_assets('asset_id');

create type app.feed_event_kind as enum (
  'published', 'targeted', 'voted', 'commented', 'reposted', 'shared_to_feed', 'shared_to_hub'
);
comment on type app.feed_event_kind is
  'Kinds of events that bring a post into feeds, or move it up (docs/product.md F4-F6).';

create function app.is_placement(p_kind app.feed_event_kind) returns boolean language sql immutable
return p_kind in ('targeted', 'shared_to_hub');
comment on function app.is_placement is 'Returns whether an event brought a post into a Hub.';
grant execute on function app.is_placement to authenticated;

-- Events that bring posts into feeds, in streams that are read from the newest on.
--
-- The stream of a person holds their activity on public posts, each kind at its newest time. The stream of a Hub
-- holds the same activity of all present members, and the placements in the Hub. A feed therefore reads one stream
-- per followed person and one per Hub, however many members the Hub has. An event says from when until when it
-- counted, so that a later page reads the feed as it was at page one (app.events_at).
create table app.feed_events (
  hub_id uuid references app.hubs (id) on delete cascade,
  actor_id uuid references app.users (id) on delete cascade,
  source_id uuid generated always as (coalesce(hub_id, actor_id)) stored,
  post_id uuid not null references app.posts (id) on delete cascade,
  kind app.feed_event_kind not null,
  occurred_at timestamptz not null,
  begun_by xid8 default pg_current_xact_id(),
  ended_at timestamptz,
  ended_by xid8,
  constraint feed_events_have_a_source check (source_id is not null),
  constraint feed_events_ended_at_and_by check (num_nulls(ended_at, ended_by) in (0, 2))
);
comment on table app.feed_events is
  'One row per event that brings a post into feeds (docs/product.md F1-F9, docs/decisions/011-feeds.md).';
comment on column app.feed_events.hub_id is 'The Hub whose stream has the event; null in a person''s own stream.';
comment on column app.feed_events.actor_id is
  'The person whose activity it is; null for a share into a Hub by an ended account.';
comment on column app.feed_events.occurred_at is
  'The time from which the event counts. A vote counts some time after it is cast (docs/product.md V15).';
comment on column app.feed_events.begun_by is
  'The transaction that recorded the event; null for a vote, because it would pair the voter with the counts of its '
  'transaction, and after a restore.';
comment on column app.feed_events.ended_at is
  'The time from which the event no longer counts: its subject was deleted, its actor left the Hub, or the actor '
  'repeated the activity. The row stays for a day for later pages.';
comment on column app.feed_events.ended_by is 'The transaction that set ended_at.';
create index feed_events_stream_idx on app.feed_events (source_id, occurred_at desc, post_id desc)
include (actor_id, kind, begun_by, ended_by);
create unique index feed_events_activity_key on app.feed_events (post_id, source_id, actor_id, kind)
where ended_at is null;
create index feed_events_post_id_idx on app.feed_events (post_id, occurred_at desc);
create index feed_events_actor_id_idx on app.feed_events (actor_id, hub_id);
create index feed_events_hub_id_idx on app.feed_events (hub_id, actor_id) where hub_id is not null;
create index feed_events_ended_idx on app.feed_events (post_id, source_id) where ended_at is not null;
create index feed_events_ended_at_idx on app.feed_events (ended_at) where ended_at is not null;
create index feed_events_own_share_idx on app.feed_events (actor_id, occurred_at desc, post_id desc)
where kind = 'shared_to_hub';
-- No policy: rows say who did what. Definer functions read them and return posts only.
alter table app.feed_events enable row level security;

-- It references no user: what deletes a post also ends the shares of others, and would lock them behind the post.
create table app.feed_changes (
  id bigint generated always as identity primary key,
  kind text not null,
  subject_id uuid,
  object_id uuid not null,
  former_at timestamptz,
  changed_by xid8 not null default pg_current_xact_id(),
  changed_at timestamptz not null default app.now(),
  constraint feed_changes_are_of_known_kinds check (
    kind in (
      'follows', 'memberships', 'blocks', 'blockers', 'suspensions', 'account_deletions', 'default_feed_users',
      'feed_shares'
    )
  )
);
comment on table app.feed_changes is
  'One row per change of the last day in what decides about feeds, as it was before: sources of readers, hidden users, '
  'default feed users and shares to feeds. A later page undoes the changes since page one.';
comment on column app.feed_changes.kind is
  'The table that changed. A block is two changes: blocks for its author, blockers for the blocked user.';
comment on column app.feed_changes.subject_id is
  'The user whose feeds or profile the change concerns; null for everybody.';
comment on column app.feed_changes.object_id is 'The followed, hidden or chosen user, the Hub, or the shared post.';
comment on column app.feed_changes.former_at is 'The time of the row before the change; null if there was none.';
create index feed_changes_subject_id_idx on app.feed_changes (subject_id, changed_by);
create index feed_changes_changed_at_idx on app.feed_changes (changed_at);
alter table app.feed_changes enable row level security;

-- schemas/50_posts/02_visibility.sql

create function app.seen_despite_blocks(p_post_id uuid, p_viewer_id uuid) returns setof app.posts
language sql stable
as $$
  select p.*
  from app.posts as p
  where p.id = p_post_id and p.removed_at is null
    and (
      p.author_id = p_viewer_id
      or (
        (
          p.is_public
          or exists (
            select
            from app.placements as t
            join app.memberships as m on m.hub_id = t.hub_id and m.user_id = p_viewer_id
            where t.post_id = p.id
          )
        )
        and not exists (select from app.users_hidden_from_all as h where h.user_id = p.author_id)
      )
    );
$$;
comment on function app.seen_despite_blocks is
  'Returns a post if a person may see it but for a block, as reports ask (docs/product.md S8).';

-- Returns the post if a person may see it: their own one, or one that is public or in a Hub of theirs and by
-- nobody hidden from them.
--
-- Whatever asks this of anybody but the caller asks here. The policy posts_select says the same of the caller,
-- because a policy cannot query its own table, and Postgres inlines no scalar function with a subquery. This
-- function is inlined into FROM. It reads with the rights of its callers, so these are definer functions and
-- views. Args: p_viewer_id is null for a guest.
create function app.seen_post(p_post_id uuid, p_viewer_id uuid) returns setof app.posts
language sql stable
as $$
  select p.*
  from app.seen_despite_blocks(p_post_id, p_viewer_id) as p
  where not exists (select from app.blocked_pairs as b where b.user_id = p_viewer_id and b.other_id = p.author_id);
$$;
comment on function app.seen_post is 'Returns a post if a person may see it (docs/product.md PO13, PO14).';

-- Returns whether a post has two or more of the target Hubs of its publication left. A suspended Hub counts, a
-- closed one does not. A definer function, because policies hide placements and Hubs from some viewers.
create function app.has_several_targets(p_post_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select count(*) > 1
    from app.placements as t
    join app.hubs as h on h.id = t.hub_id and h.closed_at is null
    where t.post_id = p_post_id and t.kind = 'targeted'
  );
end
$$;
comment on function app.has_several_targets is
  'Returns whether a post has two or more target Hubs left (docs/product.md PO11).';
grant execute on function app.has_several_targets to anon, authenticated;

create function app.is_shareable(p_post app.posts) returns boolean language sql stable
return p_post.is_public or app.has_several_targets(p_post.id);
comment on function app.is_shareable is
  'Returns whether a post is shareable: it is public or has several target Hubs (docs/product.md PO11).';
grant execute on function app.is_shareable to anon, authenticated;

create function app.require_post(p_post_id uuid) returns app.posts
language plpgsql stable set search_path = '' as $$
declare
  v_post app.posts;
begin
  select * into v_post from app.posts as p where p.id = p_post_id;
  if v_post.id is null then
    raise exception using errcode = 'PT404', message = 'POST_NOT_FOUND';
  end if;
  return v_post;
end
$$;
comment on function app.require_post is 'Returns a post that the caller may see. Raises POST_NOT_FOUND for any other.';
grant execute on function app.require_post to anon, authenticated;

create function app.is_repostable(p_post app.posts) returns boolean language sql stable
return p_post.source_post_id is null and app.is_shareable(p_post);
comment on function app.is_repostable is
  'Returns whether a post that the caller sees can be reposted: an original, and shareable (docs/product.md PO4).';
grant execute on function app.is_repostable to authenticated;

-- The policy of app.posts needs a function, because it cannot query its own table.
create function app.may_repost(p_post_id uuid) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return exists (select from app.posts as p where p.id = p_post_id and app.is_repostable(p));
end
$$;
comment on function app.may_repost is
  'Returns whether the caller sees the post and it can be reposted (app.is_repostable).';
grant execute on function app.may_repost to authenticated;

-- The policy of app.placements needs a function, because the policy of app.posts queries app.placements.
create function app.may_place(p_post_id uuid, p_kind app.placement_kind) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return exists (
    select from app.posts as p
    where p.id = p_post_id and case p_kind
      when 'targeted' then p.author_id = app.user_id()
        and not exists (select from app.placements as t where t.post_id = p.id)
      else app.is_shareable(p)
    end
  );
end
$$;
comment on function app.may_place is
  'Returns whether the caller may place a post in a Hub. targeted: their own post, all targets in one statement; '
  'shared: any shareable post that they see.';
grant execute on function app.may_place to authenticated;

create function app.post_slider(p_post app.posts) returns json
language sql stable
return case when p_post.slider_text is null then 'null'::json else json_object(
  'leftLabel': p_post.left_label, 'rightLabel': p_post.right_label
) end;
comment on function app.post_slider is
  'Returns the labels of the slider of a post (docs/product.md PO2); the JSON null without a slider.';
grant execute on function app.post_slider to authenticated;

-- schemas/50_posts/03_publish.sql

-- Publishes a post of the caller and places it in its Hubs. It reads every text before it checks the limit of
-- the caller, and writes nothing before that (docs/product.md W24).
--
-- Args: p_args (thoughtText, sliderText, slider, visibility, hubIds), p_article (null, or url, title, text, and
-- media or assetIds), p_source_post_id (the original of a repost, or null). Returns the id.
create function app.insert_post(p_args jsonb, p_article jsonb, p_source_post_id uuid) returns uuid
language plpgsql set search_path = '' as $$
declare
  v_hub_ids uuid[] := app.ids_argument(p_args, 'hubIds', 0, 20);
  v_media jsonb := app.media_argument(p_article);
  v_url text := app.text_argument(p_article, 'url', p_max => 2000, p_within => 'article');
  v_title text := app.text_argument(p_article, 'title', p_within => 'article');
  v_body text := app.text_argument(p_article, 'text', p_within => 'article');
  v_thought_text text := app.text_argument(p_args, 'thoughtText');
  v_slider_text text := app.text_argument(p_args, 'sliderText');
  v_slider jsonb := app.argument(p_args, 'slider', 'object');
  v_left_label text := app.text_argument(v_slider, 'leftLabel', p_within => 'slider');
  v_right_label text := app.text_argument(v_slider, 'rightLabel', p_within => 'slider');
  v_article_id uuid;
  v_post_id uuid;
begin
  if v_slider_text is null and v_slider is not null then
    perform app.refuse_argument('{slider}', 'missing_text', 'Needs a sliderText.');
  elsif v_slider_text is not null and v_slider is null then
    v_left_label := 'Disagree';
    v_right_label := 'Agree';
  end if;
  perform app.check_limit('posts');
  if p_article is not null then
    insert into app.articles (author_id, url, title, body, media_count)
    values (app.user_id(), v_url, v_title, v_body, jsonb_array_length(v_media))
    returning id into v_article_id;
    perform app.attach_media(
      v_article_id, v_media, case when p_article ->> 'media' is null then 'assetIds' else 'media' end
    );
  end if;
  -- Memberships come before the author and the original: see "Lock order" in docs/architecture.md.
  perform app.lock_own_memberships(v_hub_ids);
  insert into app.posts (
    author_id, article_id, source_post_id, thought_text, slider_text, left_label, right_label, visibility
  )
  values (
    app.user_id(), v_article_id, p_source_post_id, v_thought_text, v_slider_text, v_left_label, v_right_label,
    (p_args ->> 'visibility')::app.post_visibility
  )
  returning id into v_post_id;
  perform app.place_post(v_post_id, v_hub_ids, 'targeted');
  perform app.use_limit('posts');
  return v_post_id;
end
$$;
comment on function app.insert_post is
  'Publishes a post of the caller with its article and places it in its Hubs (docs/product.md W24, PO1-PO3).';
grant execute on function app.insert_post to authenticated;

-- Args: p_article. Returns an array of assetId and altText. Errors: VALIDATION_FAILED.
create function app.media_argument(p_article jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_media jsonb := app.items_argument(p_article, 'media', 0, 10, 'article');
  v_ids jsonb := jsonb_path_query_array(v_media, 'strict $[*] ? (@.type() == "object").assetId', silent => true);
begin
  if coalesce(p_article -> 'media', 'null') = 'null' then
    return (
      select coalesce(jsonb_agg(jsonb_build_object('assetId', given.id) order by given.place), '[]')
      from unnest(app.ids_argument(p_article, 'assetIds', 0, 10, 'article')) with ordinality as given (id, place)
    );
  end if;
  if coalesce(p_article -> 'assetIds', 'null') <> 'null' then
    perform app.refuse_argument('{article,media}', 'not_with_asset_ids', 'Stands in place of assetIds.');
  end if;
  if jsonb_array_length(v_ids) <> jsonb_array_length(v_media) then
    perform app.refuse_argument('{article,media}', 'required', 'Needs objects with an assetId.');
  end if;
  perform app.ids_argument(jsonb_build_object('media', v_ids), 'media', 0, 10, 'article');
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'assetId', given.item -> 'assetId', 'altText', app.alt_text_argument(given.item, 'article')
    ) order by given.place), '[]')
    from jsonb_array_elements(v_media) with ordinality as given (item, place)
  );
end
$$;
comment on function app.media_argument is
  'Reads the files of a new article (docs/product.md M7): media, or in its place assetIds.';
grant execute on function app.media_argument to authenticated;

-- Args: p_article_id, p_media (of app.media_argument), p_name (the argument that they came in, for the path
-- of an error). Raises VALIDATION_FAILED for an asset that is no post image or document of the caller.
create function app.attach_media(p_article_id uuid, p_media jsonb, p_name text) returns void
language plpgsql set search_path = '' as $$
begin
  perform app.require_asset(
    (given.item ->> 'assetId')::uuid, array['post_image', 'document']::app.upload_purpose[],
    jsonb_build_array('article', p_name, given.place - 1)
  )
  from jsonb_array_elements(p_media) with ordinality as given (item, place);
  insert into app.article_assets (article_id, place, asset_id, alt_text)
  select p_article_id, given.place, (given.item ->> 'assetId')::uuid, given.item ->> 'altText'
  from jsonb_array_elements(p_media) with ordinality as given (item, place);
end
$$;
comment on function app.attach_media is 'Attaches files, in order, to an article of the caller.';
grant execute on function app.attach_media to authenticated;

-- Errors: UNAUTHORIZED, FORBIDDEN (below that level), VALIDATION_FAILED (a public post with hubIds, any other
-- without 1 to 20).
create function app.require_destination(p_args jsonb) returns void
language plpgsql stable set search_path = '' as $$
begin
  perform app.require_level(case p_args ->> 'visibility' when 'public' then 3 else 4 end);
  perform app.require_arguments(p_args, 'visibility');
  if app.choice_argument(p_args, 'visibility', variadic enum_range(null::app.post_visibility)::text[]) = 'public' then
    perform app.ids_argument(p_args, 'hubIds', 0, 0);
  else
    perform app.ids_argument(p_args, 'hubIds', 1, 20);
  end if;
end
$$;
comment on function app.require_destination is
  'Raises unless the caller may publish with the visibility of p_args: public from level 3 on, into Hubs from level 4 '
  'on.';
grant execute on function app.require_destination to authenticated;

-- Returns the Hubs in which it was not before, null for none. Errors: those of app.lock_member,
-- POST_NOT_FOUND, FORBIDDEN (non-member of a Hub).
create function app.place_post(p_post_id uuid, p_hub_ids uuid[], p_kind app.placement_kind) returns uuid[]
language plpgsql set search_path = '' as $$
declare
  v_placed_in uuid[];
begin
  perform app.lock_own_memberships(p_hub_ids);
  -- A vote that does not see these placements waits for this lock (app.count_in_new_hubs).
  perform pg_advisory_xact_lock(app.placements_key(p_post_id));
  with placed as (
    insert into app.placements (post_id, hub_id, kind, placed_by)
    select (app.require_post(p_post_id)).id, target.id, p_kind, app.user_id()
    from unnest(p_hub_ids) as target (id)
    order by target.id
    on conflict (post_id, hub_id) do nothing
    returning hub_id
  )
  select array_agg(placed.hub_id) into v_placed_in from placed;
  return v_placed_in;
end
$$;
comment on function app.place_post is 'Places a post that the caller may see in Hubs of theirs.';
grant execute on function app.place_post to authenticated;

-- app.record_placements emits those of Hubs, and of mentions in posts for Hubs.
create function app.record_publications() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform app.record_activity('published', p.author_id, p.id, p.created_at) from present as p;
  perform app.record_activity('reposted', p.author_id, p.source_post_id, p.created_at)
  from present as p
  where p.source_post_id is not null;
  update app.posts as s
  set repost_count = s.repost_count + made.count
  from (
    select p.source_post_id, count(*) from present as p where p.source_post_id is not null group by p.source_post_id
  ) as made
  where s.id = made.source_post_id;
  perform app.count_trending('reposted', p.author_id, p.source_post_id)
  from present as p
  where p.source_post_id is not null;
  perform app.emit('post_reposted', p_actor_id => p.author_id, p_post_id => p.id)
  from present as p
  where p.source_post_id is not null and p.is_public;
  perform app.emit('followed_user_posted', p_actor_id => p.author_id, p_post_id => p.id)
  from present as p
  where p.is_public;
  perform app.emit('user_mentioned', p_actor_id => p.author_id, p_post_id => p.id)
  from present as p
  where p.visibility = 'public' and app.usernames_in(p.thought_text) <> '{}';
  return null;
end
$$;
comment on function app.record_publications is
  'Trigger: adds new posts to feeds, counts and scores reposts at their originals, and emits the events of public '
  'posts.';

create function app.record_placements() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_placed record;
begin
  -- Ordered by Hub, so that concurrent placements in the same Hubs do not deadlock.
  for v_placed in
    select placed.*, not p.is_public as is_private, p.source_post_id is not null as is_repost
    from present as placed
    join app.posts as p on p.id = placed.post_id
    order by placed.hub_id
  loop
    perform app.record_hub_activity(v_placed.hub_id);
    insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at)
    values (
      v_placed.hub_id, v_placed.placed_by, v_placed.post_id,
      case v_placed.kind when 'targeted' then 'targeted'::app.feed_event_kind else 'shared_to_hub' end,
      v_placed.placed_at
    );
    perform app.emit(
      case
        when v_placed.kind = 'targeted' and not v_placed.is_repost then 'hub_post_created'::app.event_type
        else 'post_shared_to_hub'
      end,
      p_actor_id => v_placed.placed_by, p_hub_id => v_placed.hub_id, p_post_id => v_placed.post_id
    );
    if v_placed.kind = 'targeted' and v_placed.is_repost and v_placed.is_private then
      perform app.emit(
        'post_reposted', p_actor_id => v_placed.placed_by, p_hub_id => v_placed.hub_id, p_post_id => v_placed.post_id
      );
    end if;
  end loop;
  -- Once for all Hubs, and after their events: a mention notifies nobody whom another event notifies of the text.
  perform app.emit('user_mentioned', p_actor_id => p.author_id, p_post_id => p.id)
  from app.posts as p
  where p.id in (select placed.post_id from present as placed where placed.kind = 'targeted')
    and app.usernames_in(p.thought_text) <> '{}';
  return null;
end
$$;
comment on function app.record_placements is
  'Trigger: updates the activity of the Hub of each new placement, adds the post to the feeds of members, and emits '
  'the events (docs/product.md N3).';

create trigger posts_record_after_insert after insert on app.posts
referencing new table as present
for each statement execute function app.record_publications();

create trigger placements_record_after_insert after insert on app.placements
referencing new table as present
for each statement execute function app.record_placements();

-- schemas/50_posts/04_delete.sql

-- Deletes a post with its article, receipts and pools.
--
-- Args: postId. Returns {}.
create function api.delete_post(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_post app.posts;
begin
  perform app.require_level(1);
  v_post := app.require_post((p_args ->> 'postId')::uuid);
  if v_post.author_id <> app.user_id() then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  -- A concurrent request may have deleted it.
  if not app.delete_post(v_post.id) then
    raise exception using errcode = 'PT404', message = 'POST_NOT_FOUND';
  end if;
  return '{}'::jsonb;
end
$$;
comment on function api.delete_post is 'DELETE /posts/{postId} (docs/product.md PO18).';
grant execute on function api.delete_post to authenticated;

create function app.lock_post_for_deletion(p_post_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform app.lock_actor(p.author_id) from app.posts as p where p.id = p_post_id;
  -- Includes the original, because its repost_count changes.
  perform from app.posts as p
  where p.id in (p_post_id, (select own.source_post_id from app.posts as own where own.id = p_post_id))
  order by p.id
  for no key update;
end
$$;
comment on function app.lock_post_for_deletion is
  'Locks the author of a post, then the post and its original by ascending id, so that its deletion cannot deadlock '
  'with a membership change, a fold or a repost.';
grant execute on function app.lock_post_for_deletion to authenticated;

-- Returns false if it was gone.
create function app.delete_post(p_post_id uuid) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_article_id uuid;
begin
  perform app.lock_post_for_deletion(p_post_id);
  delete from app.posts as p where p.id = p_post_id returning p.article_id into v_article_id;
  if not found then
    return false;
  end if;
  delete from app.articles as a where a.id = v_article_id;
  return true;
end
$$;
comment on function app.delete_post is 'Deletes a post with its article, receipts and pools.';
grant execute on function app.delete_post to authenticated;

-- Returns false if it was gone.
create function app.hide_post(p_post_id uuid) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_post app.posts;
begin
  perform app.lock_post_for_deletion(p_post_id);
  update app.posts as p
  set removed_at = app.now()
  where p.id = p_post_id and p.removed_at is null
  returning * into v_post;
  if v_post.id is null then
    return false;
  end if;
  delete from app.events as e where e.post_id = p_post_id;
  update app.posts as s set repost_count = s.repost_count - 1 where s.id = v_post.source_post_id;
  perform app.delete_activity(
    'reposted', v_post.author_id, v_post.source_post_id, app.last_repost(v_post.author_id, v_post.source_post_id)
  ),
    app.count_trending('reposted', v_post.author_id, v_post.source_post_id)
  where v_post.source_post_id is not null;
  return true;
end
$$;
comment on function app.hide_post is
  'Hides a post from everybody, with its comments, votes and discussions, and deletes its notifications.';

-- Returns false if the post is gone.
create function app.restore_post(p_post_id uuid) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_post app.posts;
begin
  perform app.lock_post_for_deletion(p_post_id);
  update app.posts as p
  set removed_at = null
  where p.id = p_post_id and p.removed_at is not null
  returning * into v_post;
  if v_post.id is null then
    return false;
  end if;
  update app.posts as s set repost_count = s.repost_count + 1 where s.id = v_post.source_post_id;
  perform app.record_activity(
    'reposted', v_post.author_id, v_post.source_post_id, app.last_repost(v_post.author_id, v_post.source_post_id)
  ),
    app.count_trending('reposted', v_post.author_id, v_post.source_post_id)
  from app.posts as s
  where s.id = v_post.source_post_id;
  return true;
end
$$;
comment on function app.restore_post is 'Undoes app.hide_post; the notifications stay deleted.';

create function app.last_repost(p_author_id uuid, p_source_post_id uuid) returns timestamptz
language plpgsql stable set search_path = '' as $$
begin
  return (
    select max(p.created_at)
    from app.posts as p
    where p.author_id = p_author_id and p.source_post_id = p_source_post_id and p.removed_at is null
  );
end
$$;
comment on function app.last_repost is 'Returns when an author last reposted a post, null if they no longer do.';

-- A deletion of the post then comes before or after.
--
-- Args: the column with the post id. Errors: POST_NOT_FOUND (deleted or removed meanwhile).
create function app.lock_post() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform app.lock_actor(app.user_id());
  perform from app.posts as p
  -- Staff restores comments of a removed post as well.
  where p.id = (to_jsonb(new) ->> tg_argv[0])::uuid and (p.removed_at is null or app.user_id() is null)
  for no key update;
  if not found then
    raise exception using errcode = 'PT404', message = 'POST_NOT_FOUND';
  end if;
  return new;
end
$$;
comment on function app.lock_post is
  'Trigger: locks the caller, then a post, before the caller comments on, places, shares or reposts it.';

create function app.record_post_deletions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Originals first: this update waits for concurrent reposts, and the next statement sees them.
  update app.posts as s
  set repost_count = s.repost_count - gone.count
  from (
    select f.source_post_id, count(*)
    from former as f
    where f.source_post_id is not null and f.removed_at is null
    group by f.source_post_id
  ) as gone
  where s.id = gone.source_post_id;
  perform
    app.delete_activity(
      'reposted', gone.author_id, gone.source_post_id, app.last_repost(gone.author_id, gone.source_post_id)
    ),
    app.count_trending('reposted', gone.author_id, gone.source_post_id)
  from (select distinct f.author_id, f.source_post_id from former as f where f.source_post_id is not null) as gone;
  return null;
end
$$;
comment on function app.record_post_deletions is
  'Trigger: subtracts deleted reposts from the repost_count of their originals and deletes their activity.';

create trigger posts_lock_source_before_insert before insert on app.posts
for each row when (new.source_post_id is not null)
execute function app.lock_post('source_post_id');

create trigger posts_record_after_delete after delete on app.posts
referencing old table as former
for each statement execute function app.record_post_deletions();

create trigger placements_lock_post_before_insert before insert on app.placements
for each row execute function app.lock_post('post_id');

create trigger feed_shares_lock_post_before_insert before insert on app.feed_shares
for each row execute function app.lock_post('post_id');

-- schemas/50_posts/05_share_and_save.sql

-- Checks that a post may have a share link.
--
-- Args: postId. Returns postId, from which the service makes the link.
create function api.get_share_link(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args alias for $1;
  v_post app.posts;
begin
  perform app.require_level(2);
  v_post := app.require_post((p_args ->> 'postId')::uuid);
  if not app.is_shareable(v_post) then
    raise exception using errcode = 'PT409', message = 'POST_NOT_SHAREABLE';
  end if;
  return jsonb_build_object('postId', v_post.id);
end
$$;
comment on function api.get_share_link is 'GET /posts/{postId}/share-link (docs/product.md PO23).';
grant execute on function api.get_share_link to authenticated;

-- Shares a post to the caller's own feed. A repeat is another share, and the last one counts.
--
-- Args: postId. Returns shareId, postId, sharedAt.
create function api.share_to_feed(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(2);
  insert into app.feed_shares as s (user_id, post_id)
  values (app.user_id(), (app.require_post((p_args ->> 'postId')::uuid)).id)
  on conflict (user_id, post_id) do update set id = excluded.id;
  perform app.use_limit('shares');
  -- The post may have been hidden while the insert waited.
  return app.found(app.feed_share_json((p_args ->> 'postId')::uuid), 'POST_NOT_FOUND');
end
$$;
comment on function api.share_to_feed is 'POST /posts/{postId}/share/feed (docs/product.md PO20).';
grant execute on function api.share_to_feed to authenticated;

create function app.feed_share_json(p_post_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object('shareId', s.id, 'postId', s.post_id, 'sharedAt', app.iso(s.shared_at))
    from app.feed_shares as s
    where s.user_id = app.user_id() and s.post_id = p_post_id
  );
end
$$;
comment on function app.feed_share_json is
  'Returns the share of a post by the caller (docs/product.md PO20); null without one, or for a hidden post.';
grant execute on function app.feed_share_json to authenticated;

create function app.record_feed_share() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into app.feed_changes (kind, subject_id, object_id, former_at)
  values ('feed_shares', new.user_id, new.post_id, old.shared_at);
  perform app.record_activity('shared_to_feed', new.user_id, new.post_id, new.shared_at);
  perform app.count_trending('shared_to_feed', new.user_id, new.post_id);
  perform app.emit('post_shared_to_feed', p_actor_id => new.user_id, p_post_id => new.post_id);
  return null;
end
$$;
comment on function app.record_feed_share is
  'Trigger: adds a feed share, first or repeated, to the feeds of others, raises the trending score of the post, and '
  'emits the event.';

-- It never moves back, because the transaction of a later share may have begun earlier.
create function app.renew_feed_share() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.shared_at := greatest(old.shared_at, app.now());
  return new;
end
$$;
comment on function app.renew_feed_share is 'Trigger: sets the time of a repeated share (a new id) to now.';

-- Takes a post out of a Hub.
--
-- Args: hubId, postId. Returns {}.
create function api.remove_hub_post(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
begin
  perform app.require_member(v_hub_id, 'admin', 'POST_NOT_FOUND');
  perform app.delete_placement(v_hub_id, (p_args ->> 'postId')::uuid);
  return '{}'::jsonb;
end
$$;
comment on function api.remove_hub_post is 'DELETE /hubs/{hubId}/posts/{postId} (docs/product.md H28).';
grant execute on function api.remove_hub_post to authenticated;

-- Takes a post out of a Hub for one of its admins, whether they see the post or not.
--
-- Errors: those of app.lock_member, POST_NOT_FOUND (not in the Hub).
create function app.delete_placement(p_hub_id uuid, p_post_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform app.lock_member(p_hub_id, 'admin', 'POST_NOT_FOUND');
  -- The locks of app.place_post: a share of the post comes before or after.
  perform pg_advisory_xact_lock(app.placements_key(p_post_id));
  perform from app.posts as p where p.id = p_post_id for no key update;
  if not exists (select from app.placements as p where p.post_id = p_post_id and p.hub_id = p_hub_id) then
    raise exception using errcode = 'PT404', message = 'POST_NOT_FOUND';
  end if;
  perform app.delete_placements(p_hub_id, array[p_post_id]);
end
$$;
comment on function app.delete_placement is 'Takes a post out of a Hub for one of its admins (docs/product.md H28).';
grant execute on function app.delete_placement to authenticated;

-- Takes posts, which the caller has locked, out of a Hub.
--
-- It deletes the placements with their discussions, and the events and notifications of the posts in this Hub, and
-- ends their shares in feeds. Pools and pending totals stay for a later share.
create function app.delete_placements(p_hub_id uuid, p_post_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  delete from app.events as e where e.post_id = any (p_post_ids) and e.hub_id = p_hub_id;
  delete from app.placements as p where p.post_id = any (p_post_ids) and p.hub_id = p_hub_id;
  -- The activity of members on a public post keeps it in feeds.
  update app.feed_events as e
  set ended_at = app.now(), ended_by = pg_current_xact_id()
  where e.post_id = any (p_post_ids) and e.hub_id = p_hub_id and app.is_placement(e.kind)
    and e.ended_at is null;
end
$$;
comment on function app.delete_placements is 'Takes posts out of a Hub (docs/product.md H28).';

-- Takes what a member placed in a Hub out of it, own posts and shares, before they are removed from it.
--
-- The locks come in the order of docs/architecture.md: the membership, without which they place nothing more, then
-- the user, as the removal itself locks it, then the posts.
create function app.delete_placements_of(p_user_id uuid, p_hub_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  perform from app.memberships as m where m.hub_id = p_hub_id and m.user_id = p_user_id for update;
  perform from app.users as u where u.id = p_user_id for no key update;
  perform app.delete_placements(p_hub_id, array(
    select p.id
    from app.posts as p
    where p.id in (
      select placed.post_id
      from app.placements as placed
      where placed.hub_id = p_hub_id and placed.placed_by = p_user_id
    )
    order by p.id
    for no key update
  ));
end
$$;
comment on function app.delete_placements_of is
  'Takes out of a Hub all that a member placed there (docs/product.md H31).';

create function app.delete_member_placements() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform app.delete_placements_of(old.user_id, old.hub_id);
  return old;
end
$$;
comment on function app.delete_member_placements is
  'Trigger: a membership that removes_posts takes along what the member placed (docs/product.md H31).';

create trigger memberships_delete_placements_before_delete before delete on app.memberships
for each row when (old.removes_posts)
execute function app.delete_member_placements();

-- It notifies no one. It cancels the update if the caller was the last to share the post there.
create function app.on_placements_share_again() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_sharer_id uuid;
begin
  select e.actor_id into v_sharer_id
  from app.feed_events as e
  where e.post_id = old.post_id and e.source_id = old.hub_id and app.is_placement(e.kind)
    and e.ended_at is null
  order by e.occurred_at desc, e.kind desc
  limit 1;
  if v_sharer_id = app.user_id() then
    return null;
  end if;
  new.last_shared_at := greatest(old.last_shared_at, app.now());
  insert into app.feed_events as e (hub_id, actor_id, post_id, kind, occurred_at)
  values (old.hub_id, app.user_id(), old.post_id, 'shared_to_hub', new.last_shared_at)
  on conflict (post_id, source_id, actor_id, kind) where ended_at is null
  do update set occurred_at = excluded.occurred_at, begun_by = excluded.begun_by
  where excluded.occurred_at > e.occurred_at;
  return new;
end
$$;
comment on function app.on_placements_share_again is
  'Trigger: moves a post up in the feed of a Hub, and in those of its other members, when a member shares it there '
  'again (docs/product.md PO22).';

-- Saves a post for the caller.
--
-- Args: postId. Returns saved.
create function api.save_post(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(2);
  insert into app.saved_posts (user_id, post_id)
  values (app.user_id(), (app.require_post((p_args ->> 'postId')::uuid)).id)
  on conflict (user_id, post_id) do nothing;
  return '{"saved": true}'::jsonb;
end
$$;
comment on function api.save_post is 'POST /posts/{postId}/save (docs/product.md PO19).';
grant execute on function api.save_post to authenticated;

create function app.save_state(p_post app.posts) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return jsonb_build_object('saved', exists (
    select from app.saved_posts as s where s.user_id = app.user_id() and s.post_id = p_post.id
  ));
end
$$;
comment on function app.save_state is
  'Returns whether the caller has saved a post that they see (docs/product.md PO19).';
grant execute on function app.save_state to authenticated;

-- Removes a post from the saved posts of the caller.
--
-- Args: postId. Returns saved.
create function api.unsave_post(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(2);
  delete from app.saved_posts as s where s.user_id = app.user_id() and s.post_id = (p_args ->> 'postId')::uuid;
  if not found and not app.was_public((p_args ->> 'postId')::uuid) then
    perform app.require_post((p_args ->> 'postId')::uuid);
  end if;
  return '{"saved": false}'::jsonb;
end
$$;
comment on function api.unsave_post is 'DELETE /posts/{postId}/save (docs/product.md PO19).';
grant execute on function api.unsave_post to authenticated;

create function app.was_public(p_post_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from app.posts as p where p.id = p_post_id and p.is_public);
end
$$;
comment on function app.was_public is
  'Returns whether a post exists that everybody saw, hidden from the caller by now or not (docs/product.md PO19).';
grant execute on function app.was_public to authenticated;

create trigger placements_share_again_before_update before update of last_shared_at on app.placements
for each row execute function app.on_placements_share_again();

create trigger feed_shares_record_after_insert after insert on app.feed_shares
for each row execute function app.record_feed_share();

create trigger feed_shares_renew_before_update before update of id on app.feed_shares
for each row execute function app.renew_feed_share();

create trigger feed_shares_record_after_update after update of id on app.feed_shares
for each row execute function app.record_feed_share();

create function app.record_feed_share_deletion() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- A deleted post takes its shares along, and nothing of it is to be counted or shown again.
  if exists (select from app.posts as p where p.id = old.post_id) then
    insert into app.feed_changes (kind, subject_id, object_id, former_at)
    values ('feed_shares', old.user_id, old.post_id, old.shared_at);
    perform app.count_trending('shared_to_feed', old.user_id, old.post_id);
  end if;
  return null;
end
$$;
comment on function app.record_feed_share_deletion is
  'Trigger: a deleted feed share counts no more in the trending score of its post, and later pages know of it.';

create trigger feed_shares_record_after_delete after delete on app.feed_shares
for each row execute function app.record_feed_share_deletion();

-- schemas/50_posts/06_trending_scores.sql

-- Counts the activity of a kind of a person on a post in its trending score.
--
-- Each person counts once within seven days, at the first time, and the author never. So the score counts what is left
-- of the person's activity, whether some was added or deleted. The caller must hold a lock on the post, which orders
-- the changes of its score. p_kind is commented, reposted or shared_to_feed; p_times is when the person commented, and
-- null for the other kinds, which are looked up here.
create function app.count_trending(
  p_kind text, p_actor_id uuid, p_post_id uuid, p_times timestamptz[] default null
) returns void
language plpgsql set search_path = '' as $$
declare
  v_is_author boolean;
  v_former timestamptz[];
  v_times timestamptz[];
begin
  select
    p.author_id = p_actor_id,
    array(
      select a.at
      from app.trending_activities as a
      where a.post_id = p_post_id and a.actor_id = p_actor_id and a.kind = p_kind
    )
  into v_is_author, v_former
  from app.posts as p
  where p.id = p_post_id;
  if v_is_author is not false then
    return;
  end if;
  v_times := coalesce(p_times, app.activity_times(p_kind, p_actor_id, p_post_id, v_former));
  if cardinality(v_times) > 1 then
    v_times := app.firsts_of_weeks(v_times);
  end if;
  if not v_former <@ v_times then
    delete from app.trending_activities as a
    where a.post_id = p_post_id and a.actor_id = p_actor_id and a.kind = p_kind and a.at <> all (v_times);
  end if;
  if not v_times <@ v_former then
    insert into app.trending_activities (post_id, actor_id, kind, at)
    select p_post_id, p_actor_id, p_kind, new.at
    from unnest(v_times) as new (at)
    where new.at <> all (v_former);
  end if;
  if not v_former <@ v_times then
    perform app.recompute_trending_score(p_post_id);
  elsif not v_times <@ v_former then
    perform app.raise_trending_score(p_post_id, app.trending_weight(p_kind), new.at)
    from unnest(v_times) as new (at)
    where new.at <> all (v_former);
  end if;
end
$$;
comment on function app.count_trending is
  'Counts the activity of a kind of a person on a post in its trending score (docs/product.md F16).';

-- A repeated share moves its row, so of the former ones it returns those that counted (p_counted).
create function app.activity_times(p_kind text, p_actor_id uuid, p_post_id uuid, p_counted timestamptz[])
returns timestamptz[]
language plpgsql stable set search_path = '' as $$
begin
  if p_kind = 'reposted' then
    return array(
      select p.created_at
      from app.posts as p
      where p.source_post_id = p_post_id and p.author_id = p_actor_id and p.removed_at is null
    );
  end if;
  return array(
    select unnest(p_counted || s.shared_at)
    from app.feed_shares as s
    where s.post_id = p_post_id and s.user_id = p_actor_id
  );
end
$$;
comment on function app.activity_times is
  'Returns when a person reposted a post or shared it to their feed, as far as that is left.';

create function app.firsts_of_weeks(p_times timestamptz[]) returns timestamptz[]
language plpgsql stable set search_path = '' as $$
begin
  return array(
    select activity.at
    from (
      select times.at, lag(times.at) over (order by times.at) as previous_at from unnest(p_times) as times (at)
    ) as activity
    where (activity.at <= activity.previous_at + app.trending_period()) is not true
  );
end
$$;
comment on function app.firsts_of_weeks is 'Returns the times without another in the seven days before.';

create function app.trending_weight(p_kind text) returns double precision language sql immutable
return case p_kind when 'reposted' then 3 else 2 end;
comment on function app.trending_weight is
  'Returns the weight of activity in trending scores; a vote has 1 (docs/product.md F16).';

create function app.trending_period() returns interval language sql immutable
return interval '7 days';
comment on function app.trending_period is 'Returns for how long activity makes a post trend (docs/product.md F14).';

create function app.count_trending_votes(p_post_id uuid, p_count bigint) returns void
language plpgsql set search_path = '' as $$
begin
  if p_count > 0 then
    perform app.raise_trending_score(p_post_id, p_count, app.now());
    update app.trending_scores as s
    set vote_score = app.sum_of_scores(s.vote_score, app.activity_score(p_count, app.now())), voted_at = app.now()
    where s.post_id = p_post_id;
  end if;
end
$$;
comment on function app.count_trending_votes is
  'Counts votes in the trending score of a post. Votes stay, because they are nobody''s (docs/product.md F16).';

-- Keeps the former score for later pages. A deleted post is ignored.
create function app.raise_trending_score(p_post_id uuid, p_weight double precision, p_at timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  insert into app.score_changes (post_id, former_score, former_active_at)
  select p.id, s.score, s.active_at
  from app.posts as p
  left join app.trending_scores as s on s.post_id = p.id
  where p.id = p_post_id;
  if not found then
    return;
  end if;
  insert into app.trending_scores as s (post_id, score, active_at)
  values (p_post_id, app.activity_score(p_weight, p_at), p_at)
  on conflict (post_id) do update
  set score = app.sum_of_scores(s.score, excluded.score), active_at = greatest(s.active_at, excluded.active_at);
end
$$;
comment on function app.raise_trending_score is 'Adds activity of a weight and time to the trending score of a post.';

create function app.recompute_trending_score(p_post_id uuid) returns void
language plpgsql set search_path = '' as $$
declare
  v_now timestamptz := app.now();
  v_score timestamptz;
  v_active_at timestamptz;
begin
  insert into app.score_changes (post_id, former_score, former_active_at)
  select s.post_id, s.score, s.active_at from app.trending_scores as s where s.post_id = p_post_id;
  -- Beyond a thousand half-lives, power() would underflow.
  select
    app.activity_score(
      sum(app.trending_weight(a.kind) * power(2, greatest(-1000, app.half_lives_between(v_now, a.at)))), v_now
    ),
    max(a.at)
  into v_score, v_active_at
  from app.trending_activities as a
  where a.post_id = p_post_id;
  delete from app.trending_scores as s where s.post_id = p_post_id and v_score is null and s.vote_score is null;
  update app.trending_scores as s
  set score = app.sum_of_scores(s.vote_score, v_score), active_at = greatest(s.voted_at, v_active_at)
  where s.post_id = p_post_id;
end
$$;
comment on function app.recompute_trending_score is
  'Computes the trending score of a post from the activity that is left.';

-- Returns the time at which one activity of weight 1 alone would leave the same score.
create function app.activity_score(p_weight double precision, p_at timestamptz) returns timestamptz
language sql stable
return p_at + make_interval(secs => 43200 * ln(p_weight) / ln(2::double precision));
comment on function app.activity_score is
  'Returns the score of activity of a weight and time: it halves every 12 hours.';

create function app.half_lives_between(p_from timestamptz, p_to timestamptz) returns double precision
language sql stable
return extract(epoch from p_to - p_from)::double precision / 43200;
comment on function app.half_lives_between is 'Returns the number of half-lives of 12 hours between two times.';

-- All scores halve alike, so their order holds until the next activity. The smaller one adds nothing beyond 60
-- half-lives; the bound keeps power() in range.
create function app.sum_of_scores(p_one timestamptz, p_other timestamptz) returns timestamptz
language sql stable
return case
  when num_nulls(p_one, p_other) > 0 then coalesce(p_one, p_other)
  else greatest(p_one, p_other) + make_interval(
    secs => 43200 * ln(1 + power(2::double precision, -least(60, abs(app.half_lives_between(p_one, p_other)))))
      / ln(2::double precision)
  )
end;
comment on function app.sum_of_scores is
  'Returns the score of the activity of two scores together; null counts nothing.';

-- The caller counts it again at these posts (app.count_trending).
create function app.move_trending(p_from uuid, p_into uuid, p_kind text) returns setof uuid
language plpgsql set search_path = '' as $$
begin
  return query
  with gone as (
    delete from app.trending_activities as a where a.actor_id = p_from and a.kind = p_kind returning a.*
  ),
  moved as (
    insert into app.trending_activities (post_id, actor_id, kind, at)
    select gone.post_id, p_into, gone.kind, gone.at from gone
    on conflict do nothing
  )
  select distinct gone.post_id from gone;
end
$$;
comment on function app.move_trending is
  'Moves activity of a kind in trending scores to another person. Returns the ids of the posts.';

-- schemas/50_posts/07_activity.sql

-- Records the activity of a person on a public post, in their stream and in the streams of their Hubs.
--
-- A repeat moves the event to the later time. Ignores private posts, which reach feeds by their Hubs only, and what
-- authors do on their own posts, except a share to their feed (docs/product.md F4). An event
-- names its transaction, except a vote that its own transaction records, because it counts at once
-- (app.feed_events.begun_by). The fold records all votes, those again, so that no row keeps the transaction of a vote.
create function app.record_activity(p_kind app.feed_event_kind, p_actor_id uuid, p_post_id uuid, p_at timestamptz)
returns void
language plpgsql set search_path = '' as $$
begin
  perform app.lock_actor(p_actor_id);
  -- Waits for a concurrent deletion of the post; the insert then finds no post.
  perform from app.posts as p where p.id = p_post_id for key share;
  insert into app.feed_events as e (hub_id, actor_id, post_id, kind, occurred_at, begun_by)
  select
    source.hub_id, p_actor_id, p.id, p_kind, p_at,
    case when p_kind <> 'voted' or p_at < app.now() then pg_current_xact_id() end
  from app.posts as p
  cross join (
    select null::uuid as hub_id
    union all
    select m.hub_id from app.memberships as m where m.user_id = p_actor_id
  ) as source
  where p.id = p_post_id and p.is_public
    and (p.author_id <> p_actor_id or p_kind in ('published', 'shared_to_feed'))
  on conflict (post_id, source_id, actor_id, kind) where ended_at is null
  do update set
    occurred_at = greatest(e.occurred_at, excluded.occurred_at),
    begun_by = case when excluded.occurred_at > e.occurred_at then excluded.begun_by else e.begun_by end;
end
$$;
comment on function app.record_activity is
  'Records the activity of a person on a public post for the feeds of others (docs/product.md F4-F8).';

create function app.delete_activity(p_kind app.feed_event_kind, p_actor_id uuid, p_post_id uuid, p_latest timestamptz)
returns void
language plpgsql set search_path = '' as $$
begin
  perform app.lock_actor(p_actor_id);
  update app.feed_events as e
  set ended_at = app.now(), ended_by = pg_current_xact_id()
  where e.post_id = p_post_id and e.actor_id = p_actor_id and e.kind = p_kind and e.ended_at is null
    and e.occurred_at is distinct from p_latest;
  if p_latest is not null then
    perform app.record_activity(p_kind, p_actor_id, p_post_id, p_latest);
  end if;
end
$$;
comment on function app.delete_activity is
  'Marks the activity of a person on a post as lost after they deleted some of it. Args: p_kind; p_actor_id; '
  'p_post_id; p_latest (time of the latest remaining activity of this kind, null for none).';

create function app.add_activity_to_hubs() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform app.update_actors(array(select present.user_id from present));
  insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at)
  select m.hub_id, e.actor_id, e.post_id, e.kind, e.occurred_at
  from present as m
  join app.feed_events as e on e.actor_id = m.user_id and e.hub_id is null and e.ended_at is null
  -- Each insert locks its post, so insert in the order of ids.
  order by e.post_id;
  insert into app.feed_changes (kind, subject_id, object_id)
  select 'memberships', present.user_id, present.hub_id from present;
  return null;
exception when foreign_key_violation then
  -- A post was deleted concurrently; the retry no longer finds it.
  raise exception using errcode = 'serialization_failure', message = 'A post was deleted concurrently.';
end
$$;
comment on function app.add_activity_to_hubs is
  'Trigger: copies the activity of new members into the streams of their Hubs, at its own time. Errors: '
  'serialization_failure if one of the posts is deleted concurrently.';

create function app.remove_activity_from_hubs() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform app.update_actors(array(select former.user_id from former));
  -- Posts before what is about them: the deletion of a post takes several events of one person along, in any order.
  perform from app.posts as p
  where p.id in (
    select e.post_id from former as m join app.feed_events as e on e.hub_id = m.hub_id and e.actor_id = m.user_id
  )
  order by p.id
  for key share;
  update app.feed_events as e
  set ended_at = app.now(), ended_by = pg_current_xact_id()
  from former as m
  where e.hub_id = m.hub_id and e.actor_id = m.user_id and e.ended_at is null
    and not app.is_placement(e.kind);
  insert into app.feed_changes (kind, subject_id, object_id, former_at)
  select 'memberships', former.user_id, former.hub_id, former.joined_at from former;
  return null;
end
$$;
comment on function app.remove_activity_from_hubs is
  'Trigger: marks the activity of former members as lost in the streams of their Hubs. Their placements stay.';

create function app.update_actors(p_user_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  -- In the order of ids, which an update does not keep.
  perform from app.users as u where u.id = any (p_user_ids) order by u.id for no key update;
  -- An update, because a lock is not enough: a vote without delay reads the memberships of its snapshot, and
  -- must fail and retry.
  update app.users as u set ended_at = u.ended_at where u.id = any (p_user_ids);
end
$$;
comment on function app.update_actors is
  'Locks the user rows of people who join or leave a Hub, against app.lock_actor: their activity and its deletion '
  'come before or after this transaction. One statement for all, because a Hub that closes may have tens of '
  'thousands of members.';

create function app.lock_actor(p_user_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  perform from app.users as u where u.id = p_user_id for share;
end
$$;
comment on function app.lock_actor is
  'Locks the user row of a person for share, against app.update_actors, in a transaction that records or deletes '
  'their activity: their joins and leaves come before or after it. Otherwise neither transaction would update the '
  'stream of the Hub.';

-- An event has its newest time only, and later pages read the feed as it was at page one.
create function app.keep_former_event() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at, begun_by, ended_at, ended_by)
  values (
    old.hub_id, old.actor_id, old.post_id, old.kind, old.occurred_at, old.begun_by, app.now(), pg_current_xact_id()
  );
  return null;
end
$$;
comment on function app.keep_former_event is 'Trigger: keeps the former time of a repeated event for a day.';

create trigger memberships_feed_after_insert after insert on app.memberships
referencing new table as present
for each statement execute function app.add_activity_to_hubs();

create trigger memberships_feed_after_delete after delete on app.memberships
referencing old table as former
for each statement execute function app.remove_activity_from_hubs();

create trigger feed_events_keep_former_after_update after update of occurred_at on app.feed_events
for each row when (new.occurred_at > old.occurred_at)
execute function app.keep_former_event();

-- schemas/50_posts/80_account.sql

create function app.move_posts(p_from uuid, p_into uuid) returns void
language plpgsql set search_path = '' as $$
begin
  update app.articles set author_id = p_into where author_id = p_from;
  update app.posts set author_id = p_into where author_id = p_from;
  with gone as (
    delete from app.saved_posts as s where s.user_id = p_from returning s.*
  )
  insert into app.saved_posts (user_id, post_id, saved_at)
  select p_into, gone.post_id, gone.saved_at from gone
  on conflict do nothing;
  -- Of two shares of a post the later one counts.
  delete from app.feed_shares as own
  using app.feed_shares as later
  where own.user_id = p_into and later.user_id = p_from and later.post_id = own.post_id
    and later.shared_at > own.shared_at;
  update app.feed_shares as s
  set user_id = p_into
  where s.user_id = p_from
    and not exists (select from app.feed_shares as own where own.user_id = p_into and own.post_id = s.post_id);
  delete from app.feed_shares where user_id = p_from;
  perform app.record_activity(e.kind, p_into, e.post_id, e.occurred_at)
  from app.feed_events as e
  where e.actor_id = p_from and e.ended_at is null;
  delete from app.feed_events where actor_id = p_from;
  perform app.count_trending(kind.name, p_into, moved.post_id)
  from unnest(array['reposted', 'shared_to_feed']) as kind (name)
  cross join lateral app.move_trending(p_from, p_into, kind.name) as moved (post_id);
end
$$;
comment on function app.move_posts is
  'Moves posts, saved posts, feed shares and feed events of a merged account (docs/product.md I16).';

create function app.erase_saved_posts(p_user_id uuid) returns void
language sql set search_path = ''
begin atomic
  delete from app.feed_changes where subject_id = p_user_id;
  delete from app.saved_posts where user_id = p_user_id;
end;
comment on function app.erase_saved_posts is 'Deletes the saved posts of an ended account (docs/product.md I17).';

-- Each batch is a transaction of its own, which locks posts in the order of their ids.
create function app.erase_posts(p_user_id uuid) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_post_ids uuid[] := array(
    select p.id from app.posts as p where p.author_id = p_user_id order by p.id limit 200
  );
begin
  if v_post_ids = '{}' then
    delete from app.articles as a
    where a.author_id = p_user_id and not exists (select from app.posts as p where p.article_id = a.id);
    return false;
  end if;
  perform from app.posts as p
  where p.id in (
    select unnest(v_post_ids)
    union all
    select own.source_post_id from app.posts as own where own.id = any (v_post_ids)
  )
  order by p.id
  for no key update;
  perform from app.posts as p where p.id = any (v_post_ids) order by p.id for update;
  delete from app.posts as p where p.id = any (v_post_ids);
  return true;
end
$$;
comment on function app.erase_posts is
  'Deletes a batch of the posts of an ended account. Returns whether more may be left.';

-- Posts come before what is about them in the lock order. Locked rows are left to the next batch. Shares into Hubs
-- stay, without who made them.
create function app.erase_activity(p_user_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  delete from app.feed_shares
  where ctid in (
    select s.ctid
    from app.feed_shares as s
    join app.posts as p on p.id = s.post_id
    where s.user_id = p_user_id
    order by p.id
    limit 1000
    for no key update of p skip locked
    for update of s skip locked
  );
  update app.placements
  set placed_by = null
  where ctid in (
    select p.ctid from app.placements as p where p.placed_by = p_user_id limit 1000 for no key update skip locked
  );
  update app.feed_events
  set actor_id = null
  where ctid in (
    select e.ctid
    from app.feed_events as e
    where e.actor_id = p_user_id and e.kind = 'shared_to_hub'
    limit 1000
    for no key update skip locked
  );
  update app.feed_events
  set ended_at = app.now(), ended_by = pg_current_xact_id()
  where ctid in (
    select e.ctid
    from app.feed_events as e
    where e.actor_id = p_user_id and e.kind <> 'shared_to_hub' and e.ended_at is null
    limit 1000
    for no key update skip locked
  );
  return exists (select from app.feed_shares where user_id = p_user_id)
    or exists (select from app.placements where placed_by = p_user_id)
    or exists (
      select from app.feed_events where actor_id = p_user_id and (kind = 'shared_to_hub' or ended_at is null)
    );
end
$$;
comment on function app.erase_activity is
  'Erases a batch of the shares and feed events of an ended account. Returns whether more is left.';

-- Posts come before what is about them in the lock order, and their deletion takes that along. Locked rows are left to
-- the next batch.
create function app.close_hub_placements(p_hub_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  delete from app.placements as p
  where p.hub_id = p_hub_id and p.post_id in (
    select post.id
    from app.posts as post
    where post.id in (select old.post_id from app.placements as old where old.hub_id = p_hub_id limit 1000)
    for key share skip locked
  );
  return found or exists (select from app.placements as p where p.hub_id = p_hub_id);
end
$$;
comment on function app.close_hub_placements is
  'Deletes a batch of the placements in a closed Hub. Returns whether more may be left.';

create function app.close_hub_activity(p_hub_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  delete from app.feed_events as e
  where e.ctid in (
    select old.ctid
    from app.feed_events as old
    join app.posts as post on post.id = old.post_id
    where old.hub_id = p_hub_id
    limit 5000
    for key share of post skip locked
    for update of old skip locked
  );
  return found or exists (select from app.feed_events as e where e.hub_id = p_hub_id);
end
$$;
comment on function app.close_hub_activity is
  'Deletes a batch of the feed events of a closed Hub. Returns whether more may be left.';

-- A definer function, because it includes posts that are hidden from the caller now, and no policy shows
-- these.
create function app.export_feed_shares() returns setof jsonb
language sql stable security definer set search_path = ''
begin atomic
  select jsonb_build_object('shareId', s.id, 'postId', s.post_id, 'sharedAt', app.iso(s.shared_at))
  from app.feed_shares as s
  where s.user_id = app.user_id()
  order by s.shared_at desc, s.post_id desc
  limit 100000;
end;
comment on function app.export_feed_shares is 'Returns the section feedShares of the export.';
grant execute on function app.export_feed_shares to authenticated;

-- A definer function, because no policy shows who placed a post.
create function app.export_placements() returns setof jsonb
language sql stable security definer set search_path = ''
begin atomic
  select jsonb_build_object('postId', p.post_id, 'hubId', p.hub_id, 'kind', p.kind, 'placedAt', app.iso(p.placed_at))
  from app.placements as p
  where p.placed_by = app.user_id()
  order by p.placed_at desc, p.post_id desc, p.hub_id desc
  limit 100000;
end;
comment on function app.export_placements is
  'Returns the section hubPlacements of the export: what the caller published in or shared into Hubs, with Hubs that '
  'they left.';
grant execute on function app.export_placements to authenticated;

-- One statement builds all items: a statement per post, under the policies of posts and articles, costs
-- thirty times as much.
create view app.authored_posts with (security_invoker = true) as
select
  p.id,
  p.source_post_id is not null as is_repost,
  p.created_at,
  jsonb_build_object(
    'id', p.id,
    'sourcePostId', p.source_post_id,
    'article', case when a.id is not null then jsonb_build_object(
      'url', a.url,
      'title', a.title,
      'text', a.body,
      'assetIds', case
        when a.media_count > 0 then array(
          select m.asset_id from app.article_assets as m where m.article_id = a.id order by m.place
        )
        else '{}'
      end,
      'altTexts', case
        when a.media_count > 0 then array(
          select m.alt_text from app.article_assets as m where m.article_id = a.id order by m.place
        )
        else '{}'
      end
    ) end,
    'thoughtText', p.thought_text,
    'sliderText', p.slider_text,
    'slider', app.post_slider(p),
    'visibility', p.visibility,
    'createdAt', app.iso(p.created_at)
  ) as item
from app.posts as p
left join app.articles as a on a.id = p.article_id and a.author_id = p.author_id
where p.author_id = (select app.user_id());
comment on view app.authored_posts is 'The caller''s posts for the export, without the originals of reposts.';
grant select on app.authored_posts to authenticated;

create function app.export_posts() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select f.item
  from app.authored_posts as f
  where not f.is_repost
  order by f.created_at desc, f.id desc
  limit 100000;
end;
comment on function app.export_posts is 'Returns the section posts of the export.';
grant execute on function app.export_posts to authenticated;

create function app.export_reposts() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select f.item
  from app.authored_posts as f
  where f.is_repost
  order by f.created_at desc, f.id desc
  limit 100000;
end;
comment on function app.export_reposts is 'Returns the section reposts of the export, without their originals.';
grant execute on function app.export_reposts to authenticated;

create function app.export_saved_posts() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('postId', s.post_id, 'savedAt', app.iso(s.saved_at))
  from app.saved_posts as s
  where s.user_id = app.user_id()
  order by s.saved_at desc, s.post_id desc
  limit 100000;
end;
comment on function app.export_saved_posts is 'Returns the section savedPosts of the export.';
grant execute on function app.export_saved_posts to authenticated;

-- schemas/50_posts/90_policies.sql

create policy posts_insert on app.posts for insert to authenticated
with check (author_id = (select app.user_id()) and (source_post_id is null or app.may_repost(source_post_id)));

create policy posts_delete on app.posts for delete to authenticated
using (author_id = (select app.user_id()));

-- Follows all tables, because it reads app.placements, which refers to app.posts.
create policy posts_select on app.posts for select to anon, authenticated
using (
  removed_at is null
  and (
    author_id = (select app.user_id())
    or (
      (is_public or exists (select from app.placements as p where p.post_id = posts.id))
      and not exists (select from app.hidden_users as h where h.user_id = posts.author_id)
    )
  )
);

comment on policy posts_select on app.posts is
  'Says which posts the caller sees, as app.seen_post says of anybody (docs/product.md PO13, PO14).';

create policy placements_select on app.placements for select to authenticated
using (hub_id in (select mine.hub_id from app.my_hubs as mine));

create policy placements_insert on app.placements for insert to authenticated
with check (
  placed_by = (select app.user_id())
  and hub_id in (select mine.hub_id from app.my_hubs as mine)
  and app.may_place(post_id, kind)
);

create policy placements_update on app.placements for update to authenticated
using (hub_id in (select mine.hub_id from app.my_hubs as mine))
with check (hub_id in (select mine.hub_id from app.my_hubs as mine) and app.may_place(post_id, 'shared'));

create policy articles_insert on app.articles for insert to authenticated
with check (author_id = (select app.user_id()));

create policy articles_delete on app.articles for delete to authenticated
using (author_id = (select app.user_id()));

-- Follows all tables, because it reads app.posts, which refers to app.articles.
create policy articles_select on app.articles for select to anon, authenticated
using (
  -- Spares authors the look-up of a post.
  author_id = (select app.user_id()) or exists (select from app.posts as p where p.article_id = articles.id)
);

create policy article_assets_select on app.article_assets for select to anon, authenticated
using (exists (select from app.articles as a where a.id = article_assets.article_id));

create policy article_assets_insert on app.article_assets for insert to authenticated
with check (
  exists (select from app.articles as a where a.id = article_assets.article_id and a.author_id = (select app.user_id()))
  and app.owns_asset(asset_id)
);

create policy feed_shares_select on app.feed_shares for select to anon, authenticated
using (
  exists (select from app.posts as p where p.id = feed_shares.post_id)
  and user_id not in (select h.user_id from app.users_hidden_from_all as h)
);

create policy feed_shares_insert on app.feed_shares for insert to authenticated
with check (user_id = (select app.user_id()) and exists (select from app.posts as p where p.id = feed_shares.post_id));

create policy feed_shares_update on app.feed_shares for update to authenticated
using (user_id = (select app.user_id()))
with check (user_id = (select app.user_id()));

create policy saved_posts_select on app.saved_posts for select to authenticated
using (user_id = (select app.user_id()));

create policy saved_posts_insert on app.saved_posts for insert to authenticated
with check (user_id = (select app.user_id()) and exists (select from app.posts as p where p.id = saved_posts.post_id));

create policy saved_posts_delete on app.saved_posts for delete to authenticated
using (user_id = (select app.user_id()));

-- schemas/55_comments/01_tables.sql

create table app.comments (
  id uuid primary key default app.uuid_v7(),
  post_id uuid not null references app.posts (id) on delete cascade,
  author_id uuid references app.users (id) on delete cascade,
  parent_id uuid,
  reply_to_id uuid,
  body text,
  asset_id uuid references app.assets (id) on delete restrict,
  alt_text text,
  reply_count integer not null default 0,
  is_hidden boolean not null default false,
  created_at timestamptz not null default app.now(),
  constraint comments_id_post_id_key unique (id, post_id),
  constraint comments_parent_has_same_post foreign key (parent_id, post_id) references app.comments (id, post_id)
    on delete cascade,
  constraint comments_answer_one_of_same_post foreign key (reply_to_id, post_id) references app.comments (id, post_id)
    on delete set null (reply_to_id),
  constraint comments_answers_are_replies check (reply_to_id is null or parent_id is not null),
  constraint comments_have_content check (author_id is null or num_nonnulls(body, asset_id) > 0),
  constraint comments_without_author_hold_a_thread check (
    author_id is not null or num_nonnulls(body, asset_id, parent_id) = 0
  ),
  constraint comments_body_length check (char_length(body) between 1 and 2000),
  constraint comments_body_visible check (app.has_visible_character(body)),
  constraint comments_alt_text_is_of_asset check (alt_text is null or asset_id is not null),
  constraint comments_alt_text_length check (char_length(alt_text) between 1 and 500),
  constraint comments_alt_text_visible check (app.has_visible_character(alt_text)),
  constraint comments_replies_have_none check (parent_id is null or reply_count = 0),
  constraint comments_reply_count_is_not_negative check (reply_count >= 0),
  constraint comments_hidden_have_an_author check (author_id is not null or not is_hidden)
);
comment on table app.comments is
  'One row per comment on a public post, in threads of one level (docs/product.md C1, C2).';
comment on column app.comments.reply_to_id is
  'The reply that this reply answers; null if it answers the first comment of the thread, which is parent_id.';
comment on column app.comments.author_id is
  'Null for a deleted comment with replies: it stays as the root of their thread.';
comment on column app.comments.reply_count is 'The number of replies that are not hidden.';
comment on column app.comments.is_hidden is
  'Whether a block between its author and the author of the post hides it (docs/product.md C7).';
create index comments_roots_idx on app.comments (post_id, created_at, id) where parent_id is null;
create index comments_post_id_idx on app.comments (post_id, author_id, created_at);
create index comments_parent_id_idx on app.comments (parent_id, post_id, created_at, id);
create index comments_reply_to_id_idx on app.comments (reply_to_id, post_id) where reply_to_id is not null;
create index comments_author_id_idx on app.comments (author_id);
create index comments_asset_id_idx on app.comments (asset_id);
alter table app.comments enable row level security;
grant select on app.comments to anon, authenticated;
grant insert (post_id, author_id, parent_id, reply_to_id, body, asset_id, alt_text) on app.comments to authenticated;

create trigger comments_lock_post_before_insert before insert on app.comments
for each row execute function app.lock_post('post_id');

-- Row-level: every reply updates its root, and only a trigger without transition tables can name a column.
create trigger comments_release_asset_after_update after update of asset_id on app.comments
for each row when (old.asset_id is distinct from new.asset_id)
execute function app.delete_former_asset('asset_id');

create trigger comments_release_asset_after_delete after delete on app.comments
for each row when (old.asset_id is not null)
execute function app.delete_former_asset('asset_id');

-- schemas/55_comments/02_comments.sql

-- Lists the comments on a post, or the replies of one thread, oldest first.
--
-- Args: postId, cursor, limit, parentCommentId (optional: the root of a thread). Returns items and
-- nextCursor.
create function api.list_comments(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
  v_post_id uuid := (p_args ->> 'postId')::uuid;
  v_parent_id uuid := (p_args ->> 'parentCommentId')::uuid;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_list text := app.list_of('list_comments', p_args, p_is_shared => true);
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor', true);
  v_page app.comments[];
  v_until timestamptz;
  v_hidden app.comments[];
begin
  perform app.require_commentable(v_post_id);
  if v_parent_id is null then
    v_page := array(
      select c
      from app.comments as c
      where c.post_id = v_post_id and c.parent_id is null and (c.created_at, c.id) > (v_from.at, v_from.id)
      order by c.created_at, c.id
      limit v_limit + 1
    );
    v_until := coalesce((v_page[v_limit + 1]).created_at, 'infinity');
    v_hidden := array(select hidden from app.hidden_comment_roots(v_post_id, v_from.at, v_until) as hidden);
    if v_hidden <> '{}' then
      v_page := array(
        select c.comment
        from (
          select seen as comment, seen.created_at, seen.id
          from unnest(v_page) as seen
          union all
          select hidden, hidden.created_at, hidden.id
          from unnest(v_hidden) as hidden
          where (hidden.created_at, hidden.id) > (v_from.at, v_from.id) and app.sees_thread(hidden.id)
            and exists (select from app.comments as reply where reply.parent_id = hidden.id)
        ) as c
        order by c.created_at, c.id
        limit v_limit + 1
      );
    end if;
  else
    -- A thread exists for the caller if they see its root or a reply.
    if not app.sees_thread(v_parent_id) or not exists (
      select from app.comments as c
      where c.post_id = v_post_id and (c.parent_id = v_parent_id or c.id = v_parent_id and c.parent_id is null)
    ) then
      raise exception using errcode = 'PT404', message = 'COMMENT_NOT_FOUND';
    end if;
    v_page := array(
      select c
      from app.comments as c
      where c.parent_id = v_parent_id and c.post_id = v_post_id and (c.created_at, c.id) > (v_from.at, v_from.id)
      order by c.created_at, c.id
      limit v_limit + 1
    );
  end if;
  return jsonb_build_object(
    'items', app.comments_json(v_page[:v_limit]),
    'nextCursor', app.next_cursor(
      v_list, array(select (c.created_at, c.id)::app.list_entry from unnest(v_page) as c), v_limit
    )
  );
end
$$;
comment on function api.list_comments is 'GET /posts/{postId}/comments (docs/product.md C3-C5).';
grant execute on function api.list_comments to anon, authenticated;

-- Returns the thread roots on a post, from p_from to p_until, that are hidden or by somebody hidden from the caller.
--
-- They look deleted: no author, text or asset. A definer function, because the policy of comments hides them.
-- Callers leave out those of threads that are hidden too (app.sees_thread).
create function app.hidden_comment_roots(p_post_id uuid, p_from timestamptz, p_until timestamptz)
returns setof app.comments
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select
    c.id, c.post_id, null::uuid, null::uuid, null::uuid, null::text, null::uuid, null::text, c.reply_count, false,
    c.created_at
  from app.comments as c
  where c.post_id = p_post_id and c.parent_id is null and c.created_at between p_from and p_until and c.reply_count > 0
    and (c.is_hidden or c.author_id in (select h.user_id from app.hidden_users as h));
end
$$;
comment on function app.hidden_comment_roots is
  'Returns the thread roots on a post, as deleted ones, that the caller does not see (docs/product.md C6-C8, S13).';
grant execute on function app.hidden_comment_roots to anon, authenticated;

create function app.comments_json(p_comments app.comments[]) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  -- To start the query takes longer than all the rest of an empty page.
  if p_comments = '{}' then
    return '[]'::jsonb;
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', c.id,
      'postId', c.post_id,
      'parentCommentId', c.parent_id,
      'author', app.user_lite(author),
      'text', c.body,
      'replyCount', c.reply_count,
      'createdAt', app.iso(c.created_at),
      'isDeleted', c.author_id is null
    ) || app.picture_json(c.asset_id, c.alt_text) order by c.ordinality), '[]')
    from unnest(p_comments) with ordinality as c
    left join app.profiles as author on author.user_id = c.author_id
  );
end
$$;
comment on function app.comments_json is 'Returns comments as JSON in the given order (docs/product.md C3, C6).';
grant execute on function app.comments_json to anon, authenticated;

-- Returns a comment under a post that the caller sees; null for any other, and for a deleted root.
--
-- The policy of comments shows authors their own ones under hidden posts too, for deletion.
create function app.comment_json(p_comment_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return app.comments_json(array(
    select c
    from app.comments as c
    where c.id = p_comment_id and c.author_id is not null
      and exists (select from app.posts as p where p.id = c.post_id)
  )) -> 0;
end
$$;
comment on function app.comment_json is 'Returns a comment that the caller sees (docs/product.md C3).';
grant execute on function app.comment_json to authenticated;

-- Comments on a post; a reply to a reply joins its thread.
--
-- Args: postId, text, assetId, altText, parentCommentId. Returns the comment.
create function api.create_comment(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_post_id uuid := (p_args ->> 'postId')::uuid;
  v_parent app.comments;
  v_asset_id uuid := (p_args ->> 'assetId')::uuid;
  v_text text;
  v_alt_text text;
  v_comment app.comments;
begin
  perform app.require_level(2);
  perform app.require_commentable(v_post_id);
  if p_args ->> 'parentCommentId' is not null then
    select * into v_parent
    from app.comments as c
    where c.id = (p_args ->> 'parentCommentId')::uuid and c.post_id = v_post_id and c.author_id is not null
      and (c.parent_id is null or app.may_join_thread(c.parent_id));
    if v_parent.id is null then
      raise exception using errcode = 'PT404', message = 'COMMENT_NOT_FOUND';
    end if;
  end if;
  if v_asset_id is not null then
    perform app.require_asset(v_asset_id, '{post_image}', '["assetId"]');
  end if;
  v_text := app.text_argument(p_args, 'text');
  v_alt_text := app.alt_text_argument(p_args);
  perform app.check_limit('comments');
  perform app.lock_pair_of(v_post_id, app.user_id());
  insert into app.comments (post_id, author_id, parent_id, reply_to_id, body, asset_id, alt_text)
  -- Checks the post again in the snapshot of the insert and its policy: it may have been hidden since.
  values (
    app.require_commentable(v_post_id), app.user_id(), coalesce(v_parent.parent_id, v_parent.id),
    case when v_parent.parent_id is not null then v_parent.id end, v_text, v_asset_id, v_alt_text
  )
  returning * into v_comment;
  -- Checks the account again: the insert waits for a concurrent account deletion.
  perform app.require_level(2);
  perform app.use_limit('comments');
  return app.comments_json(array[v_comment]) -> 0;
end
$$;
comment on function api.create_comment is 'POST /posts/{postId}/comments (docs/product.md C1, C2, C4).';
grant execute on function api.create_comment to authenticated;

create function app.record_comment() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Staff may restore a comment that a block hides.
  if not new.is_hidden then
    update app.comments as c set reply_count = c.reply_count + 1 where c.id = new.parent_id;
    update app.posts as p
    set comment_count = p.comment_count + 1
    where p.id = new.post_id;
  end if;
  perform app.count_comments(new.author_id, new.post_id);
  perform app.record_activity('commented', new.author_id, new.post_id, new.created_at);
  perform app.emit('post_commented', p_actor_id => new.author_id, p_post_id => new.post_id, p_comment_id => new.id);
  if new.parent_id is not null then
    perform app.emit('comment_replied', p_actor_id => new.author_id, p_post_id => new.post_id, p_comment_id => new.id);
  end if;
  if app.usernames_in(new.body) <> '{}' then
    perform app.emit('user_mentioned', p_actor_id => new.author_id, p_post_id => new.post_id, p_comment_id => new.id);
  end if;
  return null;
end
$$;
comment on function app.record_comment is
  'Trigger: counts a new comment, raises the trending score of its post, adds the post to the feeds of others, and '
  'emits the events.';

create function app.count_comments(p_author_id uuid, p_post_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  perform app.count_trending('commented', p_author_id, p_post_id, array(
    select c.created_at from app.comments as c where c.post_id = p_post_id and c.author_id = p_author_id
  ));
end
$$;
comment on function app.count_comments is
  'Counts the comments of a person on a post in its trending score (docs/product.md F16).';

-- Deletes a comment.
--
-- Args: commentId. Returns {}.
create function api.delete_comment(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(1);
  perform app.delete_comment_as_caller(app.require_comment((p_args ->> 'commentId')::uuid));
  return '{}'::jsonb;
end
$$;
comment on function api.delete_comment is 'DELETE /comments/{commentId} (docs/product.md C6).';
grant execute on function api.delete_comment to authenticated;

-- Raises FORBIDDEN for any other caller, COMMENT_NOT_FOUND for a comment that is gone.
create function app.delete_comment_as_caller(p_comment_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_is_theirs boolean := (
    select coalesce(app.user_id() in (c.author_id, p.author_id), false)
    from app.comments as c
    join app.posts as p on p.id = c.post_id
    where c.id = p_comment_id
  );
begin
  if not v_is_theirs then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  if not app.delete_comment(p_comment_id) then
    raise exception using errcode = 'PT404', message = 'COMMENT_NOT_FOUND';
  end if;
end
$$;
comment on function app.delete_comment_as_caller is 'Deletes a comment for its author or the author of its post.';
grant execute on function app.delete_comment_as_caller to authenticated;

-- The root of a thread stays, without text, asset and author, until its last reply goes.
--
-- Returns false if it was gone.
create function app.delete_comment(p_comment_id uuid) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_comment app.comments;
begin
  -- Post before root: the lock on the post waits for concurrent replies, which then count.
  perform app.lock_actor(c.author_id) from app.comments as c where c.id = p_comment_id;
  perform from app.posts as p
  where p.id = (select c.post_id from app.comments as c where c.id = p_comment_id)
  for no key update;
  perform from app.comments as root
  where root.id = (select c.parent_id from app.comments as c where c.id = p_comment_id)
  for update;
  select * into v_comment from app.comments as c where c.id = p_comment_id and c.author_id is not null for update;
  if v_comment.id is null then
    return false;
  end if;
  if exists (select from app.comments as reply where reply.parent_id = v_comment.id) then
    update app.comments as c
    set author_id = null, body = null, asset_id = null, alt_text = null, is_hidden = false
    where c.id = v_comment.id;
  else
    delete from app.comments as c where c.id = v_comment.id;
    update app.comments as root
    set reply_count = root.reply_count - 1
    where root.id = v_comment.parent_id and not v_comment.is_hidden;
    delete from app.comments as root
    where root.id = v_comment.parent_id and root.author_id is null
      and not exists (select from app.comments as reply where reply.parent_id = root.id);
  end if;
  update app.posts as p
  set comment_count = p.comment_count - 1
  where p.id = v_comment.post_id and not v_comment.is_hidden;
  delete from app.events as e where e.comment_id = v_comment.id;
  perform app.delete_activity(
    'commented', v_comment.author_id, v_comment.post_id,
    (
      select max(c.created_at)
      from app.comments as c
      where c.post_id = v_comment.post_id and c.author_id = v_comment.author_id
    )
  );
  perform app.count_comments(v_comment.author_id, v_comment.post_id);
  return true;
end
$$;
comment on function app.delete_comment is 'Deletes a comment with its events and activity.';

-- Raises COMMENT_NOT_FOUND for any other, and for a deleted root.
create function app.require_comment(p_comment_id uuid) returns uuid
language plpgsql stable set search_path = '' as $$
begin
  if not exists (select from app.comments as c where c.id = p_comment_id and c.author_id is not null) then
    raise exception using errcode = 'PT404', message = 'COMMENT_NOT_FOUND';
  end if;
  return p_comment_id;
end
$$;
comment on function app.require_comment is 'Returns the id of a comment that the caller may see.';
grant execute on function app.require_comment to authenticated;

-- Raises POST_NOT_FOUND, or FORBIDDEN for a private post.
create function app.require_commentable(p_post_id uuid) returns uuid
language plpgsql stable set search_path = '' as $$
begin
  if not (app.require_post(p_post_id)).is_public then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  return p_post_id;
end
$$;
comment on function app.require_commentable is 'Returns the id of a public post that the caller may see.';
grant execute on function app.require_commentable to anon, authenticated;

-- Returns whether the caller may see the replies to a comment: its author and the caller are not a blocked pair.
--
-- The replies to a hidden comment, which is a deleted one for everybody, and to a user hidden from everybody stay
-- visible, and so does a thread in which the caller has written. The policy of comments needs a function, because
-- it cannot query its own table.
create function app.sees_thread(p_root_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return app.may_join_thread(p_root_id)
    or exists (select from app.comments as own where own.parent_id = p_root_id and own.author_id = app.user_id());
end
$$;
comment on function app.sees_thread is
  'Returns whether the caller may see the replies to a comment (docs/product.md P19, C7, C8).';
grant execute on function app.sees_thread to anon, authenticated;

-- Returns whether the caller may write into a thread: as app.sees_thread, but own words do not open it.
create function app.may_join_thread(p_root_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return not exists (
    select
    from app.comments as root
    join app.blocked_users as b on b.user_id = root.author_id
    where root.id = p_root_id and not root.is_hidden
  );
end
$$;
comment on function app.may_join_thread is
  'Returns whether the caller may reply in a thread (docs/product.md P18, C8).';
grant execute on function app.may_join_thread to authenticated;

create trigger comments_record_after_insert after insert on app.comments
for each row execute function app.record_comment();

-- schemas/55_comments/03_hidden_comments.sql

-- Keeps blocks between a person and the author of a post from changing until the end of the transaction.
--
-- A comment would otherwise miss a block that is made at the same time, and the block the comment. The lock is
-- shared, so comments do not wait for each other. The author of a post changes by a merge, which waits for this lock.
create function app.lock_pair_of(p_post_id uuid, p_user_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_author_id uuid;
begin
  loop
    v_author_id := (select p.author_id from app.posts as p where p.id = p_post_id);
    exit when v_author_id is null or v_author_id = p_user_id;
    perform app.lock_pair(p_user_id, v_author_id, p_is_shared => true);
    exit when v_author_id = (select p.author_id from app.posts as p where p.id = p_post_id);
  end loop;
end
$$;
comment on function app.lock_pair_of is
  'Makes a comment wait for blocks between its writer and the author of the post.';
grant execute on function app.lock_pair_of to authenticated;

create function app.is_across_block(p_post_id uuid, p_user_id uuid) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return exists (
    select
    from app.posts as p
    join app.blocked_pairs as b on b.user_id = p.author_id and b.other_id = p_user_id
    where p.id = p_post_id
  );
end
$$;
comment on function app.is_across_block is 'Returns whether a user and the author of a post are a blocked pair.';

-- Hides the comments of each of two people under the posts of the other while they are a blocked pair, else
-- shows them.
--
-- Counts follow, and notifications by a trigger. It costs what the two wrote. Posts before what is about
-- them, as everywhere: a deletion of a comment comes before or after. A concurrent comment of one of them
-- waits (app.lock_pair_of).
create function app.update_hidden_comments(p_one uuid, p_other uuid) returns void
language plpgsql set search_path = '' as $$
declare
  v_is_hidden boolean := exists (
    select from app.blocked_pairs as b where b.user_id = p_one and b.other_id = p_other
  );
  v_sign integer := case when v_is_hidden then -1 else 1 end;
  v_post_ids uuid[] := array(
    select p.id
    from app.posts as p
    where p.author_id in (p_one, p_other) and exists (
      select
      from app.comments as c
      where c.post_id = p.id and c.author_id in (p_one, p_other) and c.author_id <> p.author_id
        and c.is_hidden <> v_is_hidden
    )
    order by p.id
    for no key update
  );
  v_changed app.comments[];
begin
  if v_post_ids = '{}' then
    return;
  end if;
  with changed as (
    update app.comments as c
    set is_hidden = v_is_hidden
    from app.posts as p
    where p.id = any (v_post_ids) and c.post_id = p.id and c.author_id in (p_one, p_other)
      and c.author_id <> p.author_id and c.is_hidden <> v_is_hidden
    returning c as comment
  )
  select array_agg(changed.comment) into v_changed from changed;
  update app.comments as root
  set reply_count = root.reply_count + v_sign * reply.count
  from (
    select c.parent_id, count(*) from unnest(v_changed) as c where c.parent_id is not null group by c.parent_id
  ) as reply
  where root.id = reply.parent_id;
  update app.posts as p
  set comment_count = p.comment_count + v_sign * counted.count
  from (select c.post_id, count(*) from unnest(v_changed) as c group by c.post_id) as counted
  where p.id = counted.post_id;
end
$$;
comment on function app.update_hidden_comments is
  'Hides or shows what two people wrote under the posts of each other (docs/product.md C7).';

create function app.on_blocks_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform app.update_hidden_comments(pair.one, pair.other)
  from (
    select distinct least(b.blocker_id, b.blocked_id) as one, greatest(b.blocker_id, b.blocked_id) as other
    from changed as b
    order by 1, 2
  ) as pair;
  return null;
end
$$;
comment on function app.on_blocks_change is
  'Trigger: hides or shows the comments between people who are now, or no more, a blocked pair.';

create trigger blocks_hide_comments_after_insert after insert on app.blocks
referencing new table as changed
for each statement execute function app.on_blocks_change();

create trigger blocks_show_comments_after_delete after delete on app.blocks
referencing old table as changed
for each statement execute function app.on_blocks_change();

-- schemas/55_comments/80_account.sql

-- So none is deleted while its comments, saves and feed events move.
create function app.lock_posts_to_move(p_from uuid, p_into uuid) returns void
language plpgsql set search_path = '' as $$
begin
  perform from app.posts as p
  where p.id in (
    select own.id from app.posts as own where own.author_id = p_from
    union all
    select c.post_id from app.comments as c where c.author_id = p_from
    union all
    select s.post_id from app.saved_posts as s where s.user_id = p_from
    union all
    select e.post_id from app.feed_events as e where e.actor_id = p_from
    union all
    -- What the blocks of p_from will hide or show for p_into.
    select p.id
    from app.blocked_pairs as b
    join app.posts as p on p.author_id in (b.other_id, p_into)
    join app.comments as c on c.post_id = p.id and c.author_id in (b.other_id, p_into) and c.author_id <> p.author_id
    where b.user_id = p_from
  )
  order by p.id
  for no key update;
end
$$;
comment on function app.lock_posts_to_move is
  'Locks the posts that a merge changes, in the order of their ids. Args: p_from, p_into.';

create function app.move_comments(p_from uuid, p_into uuid) returns void
language plpgsql set search_path = '' as $$
begin
  update app.comments set author_id = p_into where author_id = p_from;
  perform app.count_comments(p_into, moved.post_id)
  from app.move_trending(p_from, p_into, 'commented') as moved (post_id);
  perform app.update_hidden_comments(p_into, pair.other_id)
  from (select distinct b.other_id from app.blocked_pairs as b where b.user_id = p_into) as pair;
end
$$;
comment on function app.move_comments is
  'Moves the comments of a merged account, and hides what the blocks of both hide (docs/product.md I16, C7).';

-- Each batch is a transaction of its own, which locks posts in the order of their ids.
create function app.erase_comments(p_user_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  perform app.delete_comment(c.id)
  from (select own.id from app.comments as own where own.author_id = p_user_id order by own.post_id limit 200) as c;
  return found;
end
$$;
comment on function app.erase_comments is
  'Deletes a batch of the comments of an ended account. Returns whether more may be left.';

create function app.export_comments() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'id', c.id, 'postId', c.post_id, 'parentCommentId', c.parent_id, 'text', c.body, 'assetId', c.asset_id, 'altText',
    c.alt_text,
    'createdAt', app.iso(c.created_at)
  )
  from app.comments as c
  where c.author_id = app.user_id()
  order by c.created_at desc, c.id desc
  limit 100000;
end;
comment on function app.export_comments is 'Returns the section comments of the export.';
grant execute on function app.export_comments to authenticated;

-- schemas/55_comments/90_policies.sql

create policy comments_select on app.comments for select to anon, authenticated
using (
  -- Authors see their comments under hidden posts too, so that they can delete them.
  author_id = (select app.user_id())
  or (
    exists (select from app.posts as p where p.id = comments.post_id)
    and not is_hidden
    -- A deleted root whose replies are all hidden is kept for the end of the block.
    and case
      when author_id is null then reply_count > 0
      else author_id not in (select h.user_id from app.hidden_users as h)
    end
    and (parent_id is null or app.sees_thread(parent_id))
  )
);

create policy comments_insert on app.comments for insert to authenticated
with check (
  author_id = (select app.user_id())
  and exists (select from app.posts as p where p.id = comments.post_id and p.is_public)
  and (asset_id is null or app.owns_asset(asset_id))
);

-- schemas/60_votes/01_tables.sql

-- No table has a column of this type: a position lives only in the call that counts it.
create type app.vote_position as enum ('strong_left', 'left', 'neutral', 'right', 'strong_right');
comment on type app.vote_position is 'The five positions of a slider, in order.';

create type app.position_counts as (
  strong_left_count bigint,
  left_count bigint,
  neutral_count bigint,
  right_count bigint,
  strong_right_count bigint
);
comment on type app.position_counts is 'The votes of a pool by position.';

-- The planner inlines it.
create function app.add_counts(p_first app.position_counts, p_second app.position_counts) returns app.position_counts
language sql immutable
return (
  p_first.strong_left_count + p_second.strong_left_count,
  p_first.left_count + p_second.left_count,
  p_first.neutral_count + p_second.neutral_count,
  p_first.right_count + p_second.right_count,
  p_first.strong_right_count + p_second.strong_right_count
)::app.position_counts;
comment on function app.add_counts is 'Returns the votes of two pools together.';

create aggregate app.sum_counts(app.position_counts) (
  sfunc = app.add_counts,
  stype = app.position_counts,
  initcond = '(0,0,0,0,0)'
);
comment on aggregate app.sum_counts(app.position_counts) is 'The votes of several pools together; zeros for none.';

-- A value lives only in the call that settles it.
create type app.pending_votes as (hub_id uuid, cast_hour timestamptz, counts app.position_counts);
comment on type app.pending_votes is
  'Unsealed counts of the votes on a post that were cast in one hour and are pending for one Hub.';

create type app.ranked_vote as (post_id uuid, user_id uuid, baseline integer, activity_at timestamptz, is_held boolean);
comment on type app.ranked_vote is
  'A vote and its rank (1-based) among the global votes on its post, null on a private post; and activity_at and '
  'is_held of app.fresh_votes.';

-- It holds neither times nor people.
create table app.vote_pools (
  post_id uuid not null references app.posts (id) on delete cascade,
  hub_id uuid references app.hubs (id) on delete cascade,
  scope_id uuid generated always as (coalesce(hub_id, post_id)) stored,
  counts app.position_counts not null default '(0,0,0,0,0)',
  constraint vote_pools_pkey primary key (post_id, scope_id),
  constraint vote_pools_counts_are_natural check (
    counts is not null
    and least(
      (counts).strong_left_count, (counts).left_count, (counts).neutral_count, (counts).right_count,
      (counts).strong_right_count
    ) >= 0
  )
);
comment on table app.vote_pools is
  'One row per post and scope: the number of votes for each position, except those still in app.vote_slots.';
comment on column app.vote_pools.hub_id is 'The Hub of the scope; null for the global scope.';
-- Planner statistics would keep former totals, which must not stay (docs/vote-secrecy.md).
alter table app.vote_pools alter column counts set statistics 0;
create index vote_pools_hub_id_idx on app.vote_pools (hub_id) where hub_id is not null;
-- No policy: definer functions read counts of posts that the caller sees (app.scope_totals).
alter table app.vote_pools enable row level security;
grant maintain on app.vote_pools to opine_worker;

-- Each fold empties it. No foreign keys, because the receipt has them.
create table app.fresh_votes (
  post_id uuid not null,
  user_id uuid,
  hub_count integer not null default 0,
  activity_at timestamptz,
  is_held boolean not null default false,
  cast_at timestamptz not null default app.now()
);
comment on table app.fresh_votes is
  'One row per vote since the last fold: the work that milestones and feeds still need.';
comment on column app.fresh_votes.user_id is
  'Null after a merge into an account that voted on the post too: the vote counts, but no milestones are counted from '
  'it.';
comment on column app.fresh_votes.hub_count is
  'The number of Hub streams (app.feed_events) to which the fold adds the vote.';
comment on column app.fresh_votes.activity_at is
  'The earliest time at which feeds may show the vote, which the fold records; null on a private post.';
comment on column app.fresh_votes.is_held is 'Whether feeds show the vote only with others (app.held_votes).';
comment on column app.fresh_votes.cast_at is
  'The order in which votes count towards milestones. Everything else knows the time of a vote only to the minute.';
create index fresh_votes_order_idx on app.fresh_votes ((hub_count > 200), cast_at);
alter table app.fresh_votes enable row level security;
grant maintain on app.fresh_votes to opine_worker;

-- The fold inserts it.
create table app.held_votes (
  post_id uuid not null references app.posts (id) on delete cascade,
  user_id uuid not null references app.users (id) on delete cascade,
  due_at timestamptz not null,
  released_at timestamptz,
  constraint held_votes_pkey primary key (post_id, user_id)
);
comment on table app.held_votes is
  'One row per vote that no feed shows yet, because too few others on the post would show with it (docs/product.md '
  'A8).';
comment on column app.held_votes.due_at is 'The earliest time at which feeds may show the vote.';
comment on column app.held_votes.released_at is
  'The time from which feeds show the vote. The row stays for an hour, until the profile of the voter counts the vote '
  '(app.vote_count).';
create index held_votes_user_id_idx on app.held_votes (user_id);
create index held_votes_due_at_idx on app.held_votes (due_at) where released_at is null;
create index held_votes_released_at_idx on app.held_votes (released_at) where released_at is not null;
alter table app.held_votes enable row level security;

create function app.author_milestone() returns integer language sql immutable
return 100;
comment on function app.author_milestone is
  'Returns at every how many votes on a post its author is notified (docs/product.md N6).';

-- An index has it, so who reads receipts executes it, and a new number needs reindex index
-- app.vote_receipts_milestones_idx.
create function app.voter_milestone() returns integer language sql immutable
return 500;
comment on function app.voter_milestone is
  'Returns at every how many votes after their own a voter is notified (docs/product.md N6).';
grant execute on function app.voter_milestone to anon, authenticated;

-- See docs/vote-secrecy.md.
create table app.vote_receipts (
  post_id uuid not null references app.posts (id) on delete cascade,
  user_id uuid not null references app.users (id) on delete cascade,
  voted_at timestamptz not null,
  hub_ids uuid[] not null default '{}',
  baseline integer,
  constraint vote_receipts_pkey primary key (post_id, user_id),
  constraint vote_receipts_voted_at_is_coarse check (extract(second from voted_at) = 0)
);
comment on table app.vote_receipts is
  'One row per voter and post: the time to the minute, and the Hubs in which the vote counted; never the position.';
comment on column app.vote_receipts.hub_ids is
  'The Hubs in whose pools the vote counted. It counted in the global pool too unless the post is private. An array '
  'instead of rows, so that a vote in many Hubs costs no more than any other.';
comment on column app.vote_receipts.baseline is
  'The rank (1-based) of the vote among the global votes on the post: milestones of the voter are counted from it '
  '(docs/product.md N6). Null until the fold, and on private posts.';
create index vote_receipts_user_id_idx on app.vote_receipts (user_id);
create index vote_receipts_milestones_idx on app.vote_receipts (
  post_id, (baseline % app.voter_milestone()), baseline
) where baseline is not null;
alter table app.vote_receipts enable row level security;
grant select (post_id, user_id, voted_at) on app.vote_receipts to anon, authenticated;
grant maintain on app.vote_receipts to opine_worker;

-- Each fold empties it (app.fold_ballots).
create table app.pending_ballots (
  post_id uuid not null,
  cast_hour timestamptz not null,
  key_id bytea not null,
  sealed bytea not null
);
comment on table app.pending_ballots is
  'One row per vote since the last fold that may still count in Hubs into which the post is shared later: position and '
  'Hubs, sealed, without the voter.';
comment on column app.pending_ballots.key_id is 'The key that sealed it (app.key_id).';
create index pending_ballots_post_id_idx on app.pending_ballots (post_id);
alter table app.pending_ballots enable row level security;
grant maintain on app.pending_ballots to opine_worker;

-- Holds sealed app.position_counts, whose length does not depend on the counts.
create table app.pending_totals (
  post_id uuid not null references app.posts (id) on delete cascade,
  hub_id uuid not null references app.hubs (id) on delete cascade,
  cast_hour timestamptz not null,
  key_id bytea not null,
  sealed bytea not null,
  constraint pending_totals_pkey primary key (post_id, hub_id, cast_hour, key_id),
  constraint pending_totals_cast_hour_is_one check (cast_hour = date_trunc('hour', cast_hour, 'UTC'))
);
comment on table app.pending_totals is
  'One row per post, Hub, hour and key: the votes to add to the pool of the Hub if the post is shared into it before '
  'the deadline (docs/product.md V6, V7).';
comment on column app.pending_totals.key_id is 'The key that sealed it (app.key_id).';
create index pending_totals_hub_id_idx on app.pending_totals (hub_id);
create index pending_totals_cast_hour_idx on app.pending_totals (cast_hour);
alter table app.pending_totals enable row level security;
grant maintain on app.pending_totals to opine_worker;

-- The next fold promotes the votes pending there, unless the share did so itself. Shares have rows of their
-- own: pruning a common row could drop a concurrent share.
create table app.promotions (
  id uuid primary key default app.uuid_v7(),
  post_id uuid not null references app.posts (id) on delete cascade
);
comment on table app.promotions is 'One row per recent share of a post into a Hub.';
create index promotions_post_id_idx on app.promotions (post_id);
alter table app.promotions enable row level security;
grant maintain on app.promotions to opine_worker;

-- Each total from next_total to last_total may be a milestone of the author or of a voter.
create table app.milestones (
  id uuid primary key default app.uuid_v7(),
  post_id uuid not null references app.posts (id) on delete cascade,
  next_total integer not null,
  last_total integer not null,
  constraint milestones_are_ahead check (next_total <= last_total)
);
comment on table app.milestones is
  'One row per range of vote totals that a post has reached and app.fan_out_milestones has not processed.';
create index milestones_post_id_idx on app.milestones (post_id);
alter table app.milestones enable row level security;

-- It alternates every half minute, which is longer than a run of the worker takes. The fold takes the other
-- one.
create function app.slot_generation() returns smallint
language plpgsql stable set search_path = '' as $$
begin
  return (floor(extract(epoch from app.now()) / 30) % 2)::smallint;
end
$$;
comment on function app.slot_generation is 'Returns the partition of app.vote_slots in which votes count now.';

-- The fold empties one generation at a time. No foreign keys: each vote would look them up for each Hub, and
-- the fold skips deleted posts and Hubs.
create table app.vote_slots (
  generation smallint not null default app.slot_generation(),
  post_id uuid not null,
  hub_id uuid,
  scope_id uuid generated always as (coalesce(hub_id, post_id)) stored,
  slot integer not null,
  counts app.position_counts not null default '(0,0,0,0,0)',
  constraint vote_slots_pkey primary key (post_id, scope_id, slot, generation)
) partition by list (generation);

create table app.vote_slots_even partition of app.vote_slots for values in (0);

create table app.vote_slots_odd partition of app.vote_slots for values in (1);

comment on table app.vote_slots is
  'One row per post, scope, backend and generation: the votes counted since the last fold, as in app.vote_pools.';
comment on column app.vote_slots.generation is
  'The partition: votes alternate between two. Votes do not write into the one that rests, so the fold blocks no vote, '
  'and vacuum truncates the emptied file with all its former bytes.';

comment on table app.vote_slots_even is 'Slots of even generations.';

comment on table app.vote_slots_odd is 'Slots of odd generations.';

comment on column app.vote_slots.slot is
  'The process id of the backend that counted, so that concurrent votes do not wait for one row.';
-- As for app.vote_pools.
alter table app.vote_slots alter column counts set statistics 0;
-- No policy, as for app.vote_pools.
alter table app.vote_slots enable row level security;

alter table app.vote_slots_even enable row level security;

alter table app.vote_slots_odd enable row level security;

grant maintain on app.vote_slots, app.vote_slots_even, app.vote_slots_odd to opine_worker;

-- schemas/60_votes/02_cast.sql

-- Casts the vote of the caller, in a serializable transaction.
--
-- Args: postId, position, hubId (scope of the answer), and from the service activityDelay (from and to, in
-- seconds: the range of the random delay after which feeds show that the caller voted), activityMinimum (how
-- many votes on the post feeds show at once, at least), and pendingVoteKeys (the first one seals). Returns
-- arguments of app.cast_vote_answer: hubId, whose votes the answer shows (app.displayed_hub), and
-- pendingHubIds, the Hubs of the caller for which the vote waits.
--
-- A definer function, so that one plan for all callers reads the post: app.seen_post says who sees it.
create function api.cast_vote(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_delay_from double precision := coalesce(p_args -> 'activityDelay' ->> 'from', '300')::double precision;
  v_delay_to double precision := coalesce(p_args -> 'activityDelay' ->> 'to', '1800')::double precision;
  v_minimum integer := coalesce(app.integer_argument(p_args, 'activityMinimum', 1, 1000000), 1);
  v_level integer;
  v_position app.vote_position;
  v_post app.posts;
begin
  if v_hub_id is not null then
    perform app.require_scope(v_hub_id);
  end if;
  v_level := app.require_level(2);
  if current_setting('transaction_isolation') <> 'serializable' then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN',
      hint = 'A vote needs a serializable transaction. Vote by the REST API: POST /posts/{postId}/vote.';
  end if;
  perform app.require_arguments(p_args, 'position');
  perform app.items_argument(p_args, 'pendingVoteKeys', 0, 16);
  if not (v_delay_from between 0 and v_delay_to and v_delay_to <= 86400) then
    perform app.refuse_argument('{activityDelay}', 'out_of_range', 'Must go up, from 0 to 86400 at most.');
  end if;
  v_position := app.choice_argument(
    p_args, 'position', variadic enum_range(null::app.vote_position)::text[]
  )::app.vote_position;
  select * into v_post from app.seen_post((p_args ->> 'postId')::uuid, app.user_id());
  v_post := app.with_slider(v_post);
  return jsonb_build_object(
    'hubId', app.displayed_hub(v_post, v_hub_id),
    'pendingHubIds', app.count_vote(
      v_post,
      v_position,
      make_interval(secs => v_delay_from + random() * (v_delay_to - v_delay_from)),
      v_level >= 4,
      p_args -> 'pendingVoteKeys' ->> 0,
      v_minimum > 1
    )
  );
end
$$;
comment on function api.cast_vote is 'POST /posts/{postId}/vote, its write (docs/product.md V1-V9).';
grant execute on function api.cast_vote to authenticated, opine_serializable;

-- Counts the vote in Hubs into which the post was shared concurrently, in a transaction after that of
-- api.cast_vote, which has checked what the caller may see.
--
-- Args: those of api.cast_vote and what it returned. Returns postId and the summary of the displayed scope.
create function app.cast_vote_answer(p_args jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_post_id uuid := (p_args ->> 'postId')::uuid;
  v_totals app.position_counts;
begin
  if p_args -> 'pendingHubIds' <> '[]' then
    perform app.count_in_new_hubs(
      v_post_id,
      array(select jsonb_array_elements_text(p_args -> 'pendingHubIds')::uuid),
      array(select jsonb_array_elements_text(p_args -> 'pendingVoteKeys'))
    );
  end if;
  v_totals := app.pool_totals(v_post_id, (p_args ->> 'hubId')::uuid);
  return jsonb_build_object('postId', v_post_id, 'summary', app.vote_summary(v_totals));
end
$$;
comment on function app.cast_vote_answer is 'POST /posts/{postId}/vote (docs/product.md V8, V11, V12), its answer.';

create function app.require_slider(p_post_id uuid) returns app.posts
language plpgsql stable set search_path = '' as $$
begin
  return app.with_slider(app.require_post(p_post_id));
end
$$;
comment on function app.require_slider is 'Returns a post with a slider that the caller may see (app.with_slider).';
grant execute on function app.require_slider to anon, authenticated;

create function app.with_slider(p_post app.posts) returns app.posts
language plpgsql immutable set search_path = '' as $$
begin
  if p_post.id is null then
    raise exception using errcode = 'PT404', message = 'POST_NOT_FOUND';
  elsif p_post.slider_text is null then
    raise exception using errcode = 'PT409', message = 'POST_NOT_VOTABLE';
  end if;
  return p_post;
end
$$;
comment on function app.with_slider is
  'Returns a post that the caller has found. Errors: POST_NOT_FOUND for null, POST_NOT_VOTABLE without a slider.';
grant execute on function app.with_slider to anon, authenticated;

-- Requires the membership that ?hubId= needs; null, the default scope, passes for everybody.
--
-- Operations call it before they look a post up, so that a Hub answers alike whichever post is named.
-- Errors: as app.require_membership.
create function app.require_scope(p_hub_id uuid) returns void
language plpgsql stable set search_path = '' as $$
begin
  if p_hub_id is not null then
    perform app.require_membership(p_hub_id);
  end if;
end
$$;
comment on function app.require_scope is 'Requires the membership that ?hubId= needs (docs/product.md H7, V11).';
grant execute on function app.require_scope to anon, authenticated;

create function app.earliest_hub(p_post_id uuid) returns uuid
language plpgsql stable set search_path = '' as $$
begin
  return (
    select t.hub_id
    from app.placements as t
    join app.my_hubs as mine on mine.hub_id = t.hub_id
    where t.post_id = p_post_id
    order by t.placed_at, t.hub_id
    limit 1
  );
end
$$;
comment on function app.earliest_hub is
  'Returns the Hub of the caller in which a post was placed first; null without one.';
grant execute on function app.earliest_hub to anon, authenticated;

create function app.displayed_hub(p_post app.posts, p_hub_id uuid) returns uuid language sql stable
return case
  when p_hub_id is not null or p_post.is_public or app.user_id() is null then p_hub_id
  else app.earliest_hub(p_post.id)
end;
comment on function app.displayed_hub is
  'Returns the Hub whose votes on a post the caller sees, null for the global scope (docs/product.md V11): p_hub_id if '
  'it is given (see app.require_scope), else for a private post the earliest Hub of the caller with the post.';
grant execute on function app.displayed_hub to anon, authenticated;

create function app.vote_scope(p_hub_id uuid) returns json language sql stable
return json_object('type': case when p_hub_id is null then 'global' else 'hub' end, 'hubId': p_hub_id);
comment on function app.vote_scope is 'Returns a scope as JSON: that of a Hub, or the global one for null.';
grant execute on function app.vote_scope to anon, authenticated;

-- Casts the vote of the caller on a post, which api.cast_vote has found.
--
-- It writes a receipt without a position; counts without a person, in the global scope of a public post and in each Hub
-- of the caller with the post (p_is_hub_ready); a sealed ballot for their other Hubs if the post is shareable; and
-- what the fold needs: it records the activity on a public post, which counts after p_delay, or with others if
-- p_is_held (app.release_votes). Without a delay the activity is recorded at once. It reads neither receipts nor
-- counts, so concurrent votes do not conflict: ON CONFLICT on the receipt takes no predicate lock. Returns the Hubs
-- for which the ballot waits. Errors: VOTE_ALREADY_CAST, VOTE_NOT_ALLOWED (private post in no Hub of the caller),
-- RATE_LIMITED.
create function app.count_vote(
  p_post app.posts, p_position app.vote_position, p_delay interval, p_is_hub_ready boolean, p_key text,
  p_is_held boolean
) returns uuid[]
language plpgsql set search_path = '' as $$
declare
  v_user_id uuid := app.user_id();
  v_my_hub_ids uuid[] := case when p_is_hub_ready then array(
    select m.hub_id from app.memberships as m where m.user_id = v_user_id
  ) else '{}' end;
  v_hub_ids uuid[] := '{}'::uuid[];
  v_other_hub_ids uuid[] := '{}'::uuid[];
begin
  if v_my_hub_ids <> '{}' then
    v_hub_ids := array(
      select p.hub_id from app.placements as p where p.post_id = p_post.id and p.hub_id = any(v_my_hub_ids)
    );
    v_other_hub_ids := array(select mine.id from unnest(v_my_hub_ids) as mine (id) where mine.id <> all (v_hub_ids));
  end if;
  if not p_post.is_public and v_hub_ids = '{}' then
    raise exception using errcode = 'PT403', message = 'VOTE_NOT_ALLOWED';
  end if;
  -- Waits for a merge, which locks the voter before it moves receipts.
  perform from app.users as u where u.id = v_user_id for key share;
  insert into app.vote_receipts (post_id, user_id, voted_at, hub_ids)
  values (p_post.id, v_user_id, date_trunc('minute', app.now()), v_hub_ids)
  on conflict (post_id, user_id) do nothing;
  if not found then
    raise exception using errcode = 'PT409', message = 'VOTE_ALREADY_CAST';
  end if;
  insert into app.fresh_votes (post_id, user_id, hub_count, activity_at, is_held)
  values (
    p_post.id, v_user_id, cardinality(v_my_hub_ids), case when p_post.is_public then app.now() + p_delay end, p_is_held
  );
  perform app.count_in_slots(
    p_post.id,
    case when not p_post.is_public then v_hub_ids else array_append(v_hub_ids, null) end,
    p_position
  );
  if not app.is_shareable(p_post) then
    v_other_hub_ids := '{}';
  elsif v_other_hub_ids <> '{}' then
    perform app.store_ballot(p_post.id, p_position, v_other_hub_ids, p_key);
  end if;
  if p_delay = interval '0' and not p_is_held then
    perform app.record_activity('voted', v_user_id, p_post.id, app.now());
  end if;
  perform app.use_limit('votes');
  return v_other_hub_ids;
end
$$;
comment on function app.count_vote is
  'Casts the vote of the caller on a post that they may see (docs/product.md V1-V9).';

create function app.count_in_slots(p_post_id uuid, p_hub_ids uuid[], p_position app.vote_position) returns void
language plpgsql set search_path = '' as $$
declare
  v_vote app.position_counts := app.one_vote(p_position);
begin
  insert into app.vote_slots as slot (post_id, hub_id, slot, counts)
  select p_post_id, scope.hub_id, pg_backend_pid(), v_vote
  from unnest(p_hub_ids) as scope (hub_id)
  on conflict (post_id, scope_id, slot, generation) do update set
    counts = app.add_counts(slot.counts, excluded.counts);
end
$$;
comment on function app.count_in_slots is
  'Counts a vote in each of the scopes p_hub_ids (null for the global one), in the slot of this backend.';

create function app.store_ballot(p_post_id uuid, p_position app.vote_position, p_hub_ids uuid[], p_key text)
returns void
language plpgsql set search_path = '' as $$
declare
  -- Counts and padding keep the length from revealing the position and, up to about twenty, the number of Hubs.
  v_ballot text := jsonb_build_object('counts', app.one_vote(p_position), 'hubIds', p_hub_ids)::text;
begin
  insert into app.pending_ballots (post_id, cast_hour, key_id, sealed)
  values (
    p_post_id,
    date_trunc('hour', app.now(), 'UTC'),
    app.key_id(p_key),
    app.seal(rpad(v_ballot, 1024 * (char_length(v_ballot) / 1024 + 1)), p_key)
  );
end
$$;
comment on function app.store_ballot is
  'Inserts a sealed vote for the pools of Hubs into which the post may be shared later: one row, however many Hubs.';

create function app.one_vote(p_position app.vote_position) returns app.position_counts
language plpgsql immutable set search_path = '' as $$
begin
  return row(
    (p_position = 'strong_left')::integer,
    (p_position = 'left')::integer,
    (p_position = 'neutral')::integer,
    (p_position = 'right')::integer,
    (p_position = 'strong_right')::integer
  )::app.position_counts;
end
$$;
comment on function app.one_vote is 'Returns the counts of a single vote.';

-- A share counts the votes that it sees; this function counts a vote that neither saw the share nor was seen
-- by it. The lock is shared, so votes wait for shares and never for each other.
create function app.count_in_new_hubs(p_post_id uuid, p_hub_ids uuid[], p_keys text[]) returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock_shared(app.placements_key(p_post_id));
  if exists (select from app.placements as p where p.post_id = p_post_id and p.hub_id = any (p_hub_ids)) then
    perform app.promote_pending(p_post_id, p_keys);
  end if;
end
$$;
comment on function app.count_in_new_hubs is
  'Counts a committed vote in those of p_hub_ids in which the post is by now, after it has waited for transactions '
  'that place the post.';

-- schemas/60_votes/03_results.sql

-- Returns whether the caller has voted. Args: postId. Returns postId, hasVoted, votedAt (to the minute),
-- never the position.
create function api.get_my_vote(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args alias for $1;
  v_post_id uuid := (p_args ->> 'postId')::uuid;
  v_voted_at timestamptz;
begin
  perform app.require_level(2);
  perform app.require_slider(v_post_id);
  select r.voted_at into v_voted_at
  from app.vote_receipts as r
  where r.post_id = v_post_id and r.user_id = app.user_id();
  return jsonb_build_object('postId', v_post_id, 'hasVoted', v_voted_at is not null, 'votedAt', app.iso(v_voted_at));
end
$$;
comment on function api.get_my_vote is 'GET /posts/{postId}/vote/me (docs/product.md V13, V14).';
grant execute on function api.get_my_vote to authenticated;

-- Returns the summary of the votes on a post.
--
-- Args: postId, hubId (optional: the scope of this Hub). Returns postId, scope, summary.
create function api.get_vote_summary(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_post app.posts;
  v_totals app.position_counts;
begin
  perform app.require_scope(v_hub_id);
  v_post := app.require_slider((p_args ->> 'postId')::uuid);
  v_hub_id := app.displayed_hub(v_post, v_hub_id);
  v_totals := app.pool_totals(v_post.id, v_hub_id);
  return jsonb_build_object(
    'postId', v_post.id, 'scope', app.vote_scope(v_hub_id), 'summary', app.vote_summary(v_totals)
  );
end
$$;
comment on function api.get_vote_summary is 'GET /posts/{postId}/vote/summary (docs/product.md V11, V12, V14).';
grant execute on function api.get_vote_summary to anon, authenticated;

-- Returns the votes on a post by position.
--
-- Args: postId, hubId (optional: the scope of this Hub). Returns postId, scope, totalVotes, distribution.
create function api.get_vote_distribution(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_post app.posts;
  v_counts app.position_counts;
begin
  perform app.require_scope(v_hub_id);
  v_post := app.require_slider((p_args ->> 'postId')::uuid);
  v_hub_id := app.displayed_hub(v_post, v_hub_id);
  v_counts := app.pool_totals(v_post.id, v_hub_id);
  return jsonb_build_object(
    'postId', v_post.id,
    'scope', app.vote_scope(v_hub_id),
    'totalVotes', app.total_of(v_counts),
    'distribution', app.vote_distribution(v_counts)
  );
end
$$;
comment on function api.get_vote_distribution is 'GET /posts/{postId}/vote/distribution (docs/product.md V11-V14).';
grant execute on function api.get_vote_distribution to anon, authenticated;

-- Returns the votes on a post in each Hub of the caller with the post, in the order of its card. Args:
-- postId. Returns postId and items (hub, summary, distribution).
create function api.get_hub_votes(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
  v_post_id uuid := (app.require_slider((p_args ->> 'postId')::uuid)).id;
  v_items jsonb;
begin
  if app.user_id() is not null then
    select jsonb_agg(
      jsonb_build_object(
        'hub', jsonb_build_object('id', h.id, 'name', h.name),
        'summary', app.vote_summary(pool.totals),
        'distribution', app.vote_distribution(pool.totals)
      )
      order by t.placed_at, t.hub_id
    )
    into v_items
    from app.placements as t
    join app.hubs as h on h.id = t.hub_id
    cross join lateral (select app.pool_totals(t.post_id, t.hub_id) as totals offset 0) as pool
    where t.post_id = v_post_id;
  end if;
  return jsonb_build_object('postId', v_post_id, 'items', coalesce(v_items, '[]'));
end
$$;
comment on function api.get_hub_votes is 'GET /posts/{postId}/vote/hubs (docs/product.md V14).';
grant execute on function api.get_hub_votes to anon, authenticated;

create function app.total_of(p_counts app.position_counts) returns bigint
language sql immutable
return coalesce(
  p_counts.strong_left_count + p_counts.left_count + p_counts.neutral_count
    + p_counts.right_count + p_counts.strong_right_count,
  0
);
comment on function app.total_of is 'Returns the number of votes of a pool; 0 for a null row.';
grant execute on function app.total_of to anon, authenticated;

create function app.vote_distribution(p_counts app.position_counts) returns json
language sql stable
return case when app.total_of(p_counts) = 0 then '[]'::json else json_build_array(
  json_object('position': 'strong_left', 'count': p_counts.strong_left_count),
  json_object('position': 'left', 'count': p_counts.left_count),
  json_object('position': 'neutral', 'count': p_counts.neutral_count),
  json_object('position': 'right', 'count': p_counts.right_count),
  json_object('position': 'strong_right', 'count': p_counts.strong_right_count)
) end;
comment on function app.vote_distribution is
  'Returns the counts of a pool for the five positions, in order; an empty array at zero votes (docs/product.md V12, '
  'V13).';
grant execute on function app.vote_distribution to anon, authenticated;

create function app.vote_summary(p_counts app.position_counts) returns json
language sql stable
return json_object(
  'totalVotes': app.total_of(p_counts),
  'resultsVisible': app.total_of(p_counts) > 0,
  'leftCount': case when app.total_of(p_counts) > 0 then p_counts.strong_left_count + p_counts.left_count end,
  'neutralCount': case when app.total_of(p_counts) > 0 then p_counts.neutral_count end,
  'rightCount': case when app.total_of(p_counts) > 0 then p_counts.right_count + p_counts.strong_right_count end
);
comment on function app.vote_summary is
  'Returns the three-bucket summary of a pool (docs/product.md V12); bucket counts are null at zero votes.';
grant execute on function app.vote_summary to anon, authenticated;

-- Args: p_voted_at (null without a vote).
create function app.viewer_vote(p_voted_at timestamptz) returns json language sql stable
return json_object('hasVoted': p_voted_at is not null, 'votedAt': app.iso(p_voted_at));
comment on function app.viewer_vote is 'Returns viewerVote of a card with a slider (docs/product.md V13).';

create function app.posts_in_my_hub(p_post_ids uuid[], p_hub_id uuid) returns uuid[]
language plpgsql stable set search_path = '' as $$
begin
  return array(
    select t.post_id
    from app.my_hubs as mine
    join app.placements as t on t.hub_id = mine.hub_id
    where mine.hub_id = p_hub_id and t.post_id = any (p_post_ids)
  );
end
$$;
comment on function app.posts_in_my_hub is
  'Returns those of the posts that are in a Hub, if the caller is a member of it.';

-- Only definer functions call it, as a lateral of their query, into which the planner inlines it. A removed placement
-- leaves its pool, which a later share shows again, so they check that the post is in a Hub of the caller.
create function app.scope_totals(p_post_id uuid, p_hub_id uuid) returns setof app.position_counts
language sql stable
begin atomic
  -- Not app.sum_counts: Postgres would start its function anew for each card.
  select
    sum((v.counts).strong_left_count)::bigint, sum((v.counts).left_count)::bigint,
    sum((v.counts).neutral_count)::bigint, sum((v.counts).right_count)::bigint,
    sum((v.counts).strong_right_count)::bigint
  from (
    select p.counts
    from app.vote_pools as p
    where p.post_id = p_post_id and p.scope_id = coalesce(p_hub_id, p_post_id)
    union all
    select s.counts
    from app.vote_slots as s
    where s.post_id = p_post_id and s.scope_id = coalesce(p_hub_id, p_post_id)
  ) as v;
end;
comment on function app.scope_totals is
  'Returns the totals of a post, one row: in the scope of a Hub, or in the global one for null, folded or not. The '
  'counts are null without votes.';

-- It reads counts, which no policy shows, so the caller must read the post under its policy first.
create function app.pool_totals(p_post_id uuid, p_hub_id uuid) returns app.position_counts
language plpgsql stable security definer
set search_path = ''
set plan_cache_mode = force_generic_plan
-- As in app.cards_of.
set enable_seqscan = off
as $$
begin
  if p_hub_id is not null and app.posts_in_my_hub(array[p_post_id], p_hub_id) = '{}' then
    return null;
  end if;
  return (select t from app.scope_totals(p_post_id, p_hub_id) as t);
end
$$;
comment on function app.pool_totals is
  'Returns app.scope_totals of one post; null for a Hub that is not the caller''s or lacks the post.';
grant execute on function app.pool_totals to anon, authenticated;

-- schemas/60_votes/04_pending.sql

-- A caller without a key promotes nothing.
create function app.promote_pending(p_post_id uuid, p_keys text[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform app.settle_pending(p_post_id, p_keys, p_is_all => true);
end
$$;
comment on function app.promote_pending is
  'Counts the pending votes on a post that p_keys open in the Hubs with the post.';
grant execute on function app.promote_pending to authenticated;

-- Ballots, all or one batch (app.take_ballots), are added to the totals of their Hub and hour; totals of Hubs
-- with the post are counted for good. Votes past their deadline are dropped.
create function app.settle_pending(p_post_id uuid, p_keys text[], p_is_all boolean default false) returns void
language plpgsql set search_path = '' as $$
declare
  v_placed_in uuid[];
  v_votes app.pending_votes;
begin
  -- Serialises with shares, which lock the post too (app.lock_post).
  perform from app.posts as p where p.id = p_post_id for no key update;
  if not found then
    delete from app.pending_ballots where post_id = p_post_id;
    return;
  end if;
  v_placed_in := array(
    select h.id
    from app.hubs as h
    where h.id in (select p.hub_id from app.placements as p where p.post_id = p_post_id)
    order by h.id
    for key share
  );
  for v_votes in select * from app.take_ballots(p_post_id, p_keys, p_is_all) loop
    perform from app.hubs as h where h.id = v_votes.hub_id for key share;
    continue when not found or v_votes.cast_hour <= app.pending_since();
    perform app.add_to_pending(p_post_id, v_votes.hub_id, v_votes.cast_hour, v_votes.counts, p_keys[1]);
  end loop;
  -- Includes votes concurrent with a share: they left a ballot, which the loop above has added.
  for v_votes in select * from app.take_totals(p_post_id, v_placed_in, p_keys) loop
    if v_votes.cast_hour > app.pending_since() then
      perform app.add_to_pool(p_post_id, v_votes.hub_id, v_votes.counts);
    end if;
  end loop;
end
$$;
comment on function app.settle_pending is 'Settles pending votes on a post that p_keys open.';

-- Args: p_is_all (all ballots, else at most 100).
create function app.take_ballots(p_post_id uuid, p_keys text[], p_is_all boolean default false)
returns setof app.pending_votes
language plpgsql set search_path = '' as $$
declare
  v_key_ids bytea[] := app.key_ids(p_keys);
begin
  return query
  with taken as (
    delete from app.pending_ballots
    where ctid = any (array(
      select first.ctid
      from (
        select b.ctid, row_number() over () as place, sum(length(b.sealed)) over (rows unbounded preceding) as size
        from (
          select n.ctid, n.sealed from app.pending_ballots as n
          where n.post_id = p_post_id and n.key_id = any(v_key_ids)
          limit case when not p_is_all then 100 end
        ) as b
      ) as first
      -- A longer ballot names more Hubs, so the size bounds the work of a batch.
      where p_is_all or first.size <= 131072 or first.place = 1
    ))
    returning *
  ),
  opened as materialized (
    select t.cast_hour, app.unseal(t.sealed, t.key_id, p_keys) as ballot from taken as t
  )
  select
    hub.id::uuid,
    o.cast_hour,
    app.sum_counts(jsonb_populate_record(null::app.position_counts, o.ballot -> 'counts'))
  from opened as o
  cross join lateral jsonb_array_elements_text(o.ballot -> 'hubIds') as hub (id)
  group by hub.id, o.cast_hour
  order by hub.id, o.cast_hour;
end
$$;
comment on function app.take_ballots is
  'Deletes ballots on a post that p_keys open and returns their counts by Hub and hour.';

create function app.take_totals(p_post_id uuid, p_hub_ids uuid[], p_keys text[]) returns setof app.pending_votes
language plpgsql set search_path = '' as $$
declare
  v_key_ids bytea[] := app.key_ids(p_keys);
begin
  return query
  with taken as (
    delete from app.pending_totals as t
    where t.post_id = p_post_id and t.hub_id = any(p_hub_ids) and t.key_id = any(v_key_ids)
    returning *
  )
  select t.hub_id, t.cast_hour, jsonb_populate_record(null::app.position_counts, app.unseal(t.sealed, t.key_id, p_keys))
  from taken as t
  order by t.hub_id, t.cast_hour;
end
$$;
comment on function app.take_totals is 'Deletes and returns the pending totals of a post in Hubs that p_keys open.';

-- Totals sealed by another key stay in their own row. The caller must hold the lock on the post.
create function app.add_to_pending(
  p_post_id uuid, p_hub_id uuid, p_cast_hour timestamptz, p_counts app.position_counts, p_key text
)
returns void
language plpgsql set search_path = '' as $$
declare
  v_key_id bytea := app.key_id(p_key);
  v_counts app.position_counts := (
    select app.sum_counts(votes.counts)
    from (
      select p_counts
      union all
      select jsonb_populate_record(null::app.position_counts, app.unseal(t.sealed, t.key_id, array[p_key]))
      from app.pending_totals as t
      where t.post_id = p_post_id and t.hub_id = p_hub_id and t.cast_hour = p_cast_hour and t.key_id = v_key_id
    ) as votes (counts)
  );
begin
  insert into app.pending_totals (post_id, hub_id, cast_hour, key_id, sealed)
  -- A fixed length hides how many votes there are.
  values (p_post_id, p_hub_id, p_cast_hour, v_key_id, app.seal(rpad(to_jsonb(v_counts)::text, 200), p_key))
  on conflict (post_id, hub_id, cast_hour, key_id) do update set sealed = excluded.sealed;
end
$$;
comment on function app.add_to_pending is
  'Adds votes of one hour to the pending totals of a post in a Hub, sealed by p_key.';

-- Each call returns another ciphertext.
create function app.seal(p_text text, p_key text) returns bytea
language plpgsql set search_path = '' as $$
begin
  -- The key is random, so key stretching would add nothing.
  return extensions.pgp_sym_encrypt(p_text, p_key, 's2k-mode=1, cipher-algo=aes256');
end
$$;
comment on function app.seal is
  'Encrypts a text with a key that the database does not keep (AES-256 with an integrity check).';

-- Returns JSON; null without that key.
create function app.unseal(p_sealed bytea, p_key_id bytea, p_keys text[]) returns jsonb
language plpgsql immutable set search_path = '' as $$
begin
  return (
    select extensions.pgp_sym_decrypt(p_sealed, key.text)::jsonb
    from unnest(p_keys) as key (text)
    where app.key_id(key.text) = p_key_id
    limit 1
  );
end
$$;
comment on function app.unseal is 'Decrypts what app.seal returned, with the one of p_keys whose id is p_key_id.';

create function app.key_id(p_key text) returns bytea
language plpgsql immutable set search_path = '' as $$
begin
  return substr(sha256(p_key::bytea), 1, 8);
end
$$;
comment on function app.key_id is 'Returns the id of a key, stored beside what the key seals.';

create function app.key_ids(p_keys text[]) returns bytea[]
language plpgsql immutable set search_path = '' as $$
begin
  return array(select app.key_id(key.text) from unnest(p_keys) as key (text));
end
$$;
comment on function app.key_ids is 'Returns the id of each key.';

create function app.pending_since() returns timestamptz
language plpgsql stable set search_path = '' as $$
begin
  return app.now() - interval '337 hours';
end
$$;
comment on function app.pending_since is
  'Returns the start of the pending window, 337 hours ago (docs/product.md V7): votes with a later cast_hour may still '
  'be promoted.';

-- Returns whether there may be more.
create function app.prune_pending_totals() returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  v_limit integer := 20000;
  v_ballot_count integer;
  v_total_count integer;
begin
  delete from app.pending_ballots
  where ctid = any (array(
    select b.ctid from app.pending_ballots as b where b.cast_hour <= app.pending_since() limit v_limit
  ));
  get diagnostics v_ballot_count = row_count;
  delete from app.pending_totals
  where ctid = any (array(
    select t.ctid from app.pending_totals as t where t.cast_hour <= app.pending_since() limit v_limit
  ));
  get diagnostics v_total_count = row_count;
  delete from app.promotions as shared
  where not exists (
    select
    from app.placements as p
    join app.pending_totals as t on t.post_id = p.post_id and t.hub_id = p.hub_id
    where p.post_id = shared.post_id
  );
  return v_limit in (v_ballot_count, v_total_count);
end
$$;
comment on function app.prune_pending_totals is
  'Deletes a batch of ballots and totals past their deadline, and promotions without pending totals.';
grant execute on function app.prune_pending_totals to opine_worker;

create function app.queue_promotion() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into app.promotions (post_id) values (new.post_id);
  return null;
end
$$;
comment on function app.queue_promotion is
  'Trigger: queues the pending votes of a post that is shared into a Hub for the next fold (docs/product.md V7).';

create trigger placements_promote_after_insert after insert on app.placements
for each row when (new.kind = 'shared')
execute function app.queue_promotion();

-- schemas/60_votes/05_fold.sql

-- It is one transaction, so every reader sees a vote exactly once.
--
-- Args: p_generation (null for the one that rests, so that no vote waits).
create function app.fold_pools(p_generation smallint default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_generation smallint := coalesce(p_generation, 1 - app.slot_generation())::smallint;
  v_votes record;
begin
  perform pg_advisory_xact_lock(hashtext('app.fold_pools'));
  for v_votes in
    with folded as (
      delete from app.vote_slots where generation = v_generation returning *
    ),
    -- Waits for concurrent deletions, and skips what they deleted.
    held_posts as materialized (
      select p.id from app.posts as p where p.id in (select f.post_id from folded as f) order by p.id for key share
    ),
    held_hubs as materialized (
      select h.id from app.hubs as h where h.id in (select f.hub_id from folded as f) order by h.id for key share
    )
    select f.post_id, f.hub_id, app.sum_counts(f.counts) as counts
    from folded as f
    join held_posts as p on p.id = f.post_id
    where f.hub_id is null or f.hub_id in (select h.id from held_hubs as h)
    group by f.post_id, f.hub_id
    order by f.post_id, f.hub_id
  loop
    perform app.add_to_pool(v_votes.post_id, v_votes.hub_id, v_votes.counts);
  end loop;
end
$$;
comment on function app.fold_pools is 'Folds pools: moves the counts of one generation of slots into them.';
grant execute on function app.fold_pools to opine_worker;

create function app.add_to_pool(p_post_id uuid, p_hub_id uuid, p_counts app.position_counts) returns void
language plpgsql set search_path = '' as $$
begin
  insert into app.vote_pools as pool (post_id, hub_id, counts)
  values (p_post_id, p_hub_id, p_counts)
  on conflict (post_id, scope_id) do update set counts = app.add_counts(pool.counts, excluded.counts);
end
$$;
comment on function app.add_to_pool is
  'Adds votes to the pool of a post in the scope of a Hub, or in the global one for null, for good.';

-- Returns whether there was one.
create function app.fold_ballots(p_keys text[]) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  v_key_ids bytea[] := app.key_ids(p_keys);
  v_post_id uuid;
begin
  perform pg_advisory_xact_lock(hashtext('app.fold_ballots'));
  select b.post_id into v_post_id from app.pending_ballots as b where b.key_id = any(v_key_ids) limit 1;
  if not found then
    select shared.post_id into v_post_id
    from app.promotions as shared
    join app.placements as p on p.post_id = shared.post_id
    join app.pending_totals as t on t.post_id = p.post_id and t.hub_id = p.hub_id and t.key_id = any(v_key_ids)
    limit 1;
  end if;
  if v_post_id is null then
    return false;
  end if;
  perform app.settle_pending(v_post_id, p_keys);
  return true;
end
$$;
comment on function app.fold_ballots is 'Folds pending votes: settles a batch on one post that p_keys open.';
grant execute on function app.fold_ballots to opine_worker;

-- Folds receipts: takes a batch of fresh votes, ranks them, and rewrites their receipts, and the rate limits of their
-- voters, in random order in one transaction, so that neither row order nor transaction ids pair them with counts.
--
-- It records the activities of those that are not held, in the streams of the voters and of their Hubs. Returns
-- whether there were any.
create function app.fold_receipts() returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  v_taken app.ranked_vote[];
  v_vote app.ranked_vote;
begin
  perform pg_advisory_xact_lock(hashtext('app.fold_receipts'));
  v_taken := app.rank_votes(500, 5000);
  foreach v_vote in array v_taken loop
    update app.vote_receipts as r
    set baseline = coalesce(r.baseline, v_vote.baseline)
    where r.post_id = v_vote.post_id and r.user_id = v_vote.user_id;
    update app.rate_limits as l set used_at = l.used_at where l.kind = 'votes' and l.subject = v_vote.user_id::text;
  end loop;
  insert into app.held_votes (post_id, user_id, due_at)
  select v.post_id, u.id, v.activity_at
  from unnest(v_taken) as v
  join app.users as u on u.id = v.user_id and u.ended_at is null
  where v.activity_at is not null and v.is_held
  on conflict (post_id, user_id) do nothing;
  perform app.record_activity('voted', voted.user_id, voted.post_id, voted.activity_at)
  from (
    select v.*
    from unnest(v_taken) as v
    join app.users as u on u.id = v.user_id and u.ended_at is null
    where v.activity_at is not null and not v.is_held
    order by v.user_id, v.post_id
  ) as voted;
  return v_taken <> '{}';
end
$$;
comment on function app.fold_receipts is 'Folds a batch of receipts (docs/vote-secrecy.md).';
grant execute on function app.fold_receipts to opine_worker;

-- Returns whether there may be more.
create function app.release_votes(p_minimum integer) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  v_due app.held_votes[];
  v_post_ids uuid[];
  v_released app.held_votes[];
begin
  perform pg_advisory_xact_lock(hashtext('app.release_votes'));
  v_due := array(
    select unnest(post.votes)
    from (
      select array_agg(h) as votes
      from app.held_votes as h
      where h.due_at <= app.now() and h.released_at is null
      group by h.post_id
      having count(*) >= p_minimum
      limit 20
    ) as post
  );
  v_post_ids := array(select distinct due.post_id from unnest(v_due) as due);
  -- Voters, then posts, then votes: see "Lock order" in docs/architecture.md.
  perform from app.users as u
  where u.id in (select due.user_id from unnest(v_due) as due)
  order by u.id
  for share;
  perform from app.posts as p where p.id = any (v_post_ids) order by p.id for key share;
  with released as (
    update app.held_votes as h
    set released_at = app.now()
    where h.post_id = any (v_post_ids) and h.due_at <= app.now() and h.released_at is null
    returning h
  )
  select array_agg(released.h) into v_released from released;
  perform app.record_activity('voted', r.user_id, r.post_id, app.now()) from unnest(v_released) as r;
  delete from app.held_votes
  where ctid in (
    select h.ctid from app.held_votes as h where h.released_at < app.now() - interval '1 hour' for update skip locked
  );
  return cardinality(v_post_ids) = 20;
end
$$;
comment on function app.release_votes is
  'Shows held votes in feeds: on each post all that are due, at one moment, once they are p_minimum or more '
  '(docs/product.md A8).';
grant execute on function app.release_votes to opine_worker;

-- Args: p_limit (of votes), p_row_limit (of feed event rows, except for a first vote that exceeds it).
-- Returns the ranked votes in random order.
create function app.rank_votes(p_limit integer, p_row_limit integer) returns app.ranked_vote[]
language plpgsql set search_path = '' as $$
declare
  -- Voters in more than 200 Hubs come last, so that no other vote waits for their many feed events.
  v_next tid[] := array(
    select f.ctid
    from (
      select first.*, sum(first.hub_count + 1) over (order by first.place) as row_count
      from (
        select n.ctid, n.hub_count, row_number() over (order by n.hub_count > 200, n.cast_at) as place
        from app.fresh_votes as n
        order by n.hub_count > 200, n.cast_at
        limit p_limit
      ) as first
    ) as f
    where f.row_count <= p_row_limit or f.place = 1
  );
  v_ranked app.ranked_vote[];
begin
  -- Voters, then posts, then votes: see "Lock order" in docs/architecture.md.
  perform from app.users as u
  where u.id in (select f.user_id from app.fresh_votes as f where f.ctid = any (v_next))
  order by u.id
  for share;
  perform from app.posts as p
  where p.id in (select f.post_id from app.fresh_votes as f where f.ctid = any (v_next))
  order by p.id
  for no key update;
  with taken as (
    delete from app.fresh_votes where ctid = any (v_next) returning *
  ),
  counted as (
    update app.posts as p
    set vote_count = p.vote_count + more.count
    from (select t.post_id, count(*)::integer as count from taken as t group by t.post_id) as more
    where p.id = more.post_id
    returning p.id, p.is_public, p.vote_count, p.vote_count - more.count as former_count
  ),
  reached as (
    insert into app.milestones (post_id, next_total, last_total)
    select c.id, c.former_count + 1, c.vote_count
    from counted as c
    where c.is_public
      and (
        c.vote_count > app.voter_milestone()
        or c.vote_count / app.author_milestone() > c.former_count / app.author_milestone()
      )
  )
  select array_agg(
    (
      t.post_id, t.user_id,
      case when c.is_public then c.former_count + t.place end, t.activity_at, t.is_held
    )::app.ranked_vote
    order by random()
  )
  into v_ranked
  from (
    select taken.*, row_number() over (partition by taken.post_id order by taken.cast_at, taken.user_id) as place
    from taken
  ) as t
  left join counted as c on c.id = t.post_id;
  perform app.count_trending_votes(v.post_id, count(*))
  from unnest(v_ranked) as v
  join app.posts as p on p.id = v.post_id and p.author_id <> v.user_id
  group by v.post_id;
  return coalesce(v_ranked, '{}');
end
$$;
comment on function app.rank_votes is
  'Deletes the oldest fresh votes, counts them at their posts, raises trending scores, and queues the milestones '
  'reached.';

-- schemas/60_votes/80_account.sql

-- Pools do not change. Locks the votes before the receipts, as the fold does.
create function app.move_votes(p_from uuid, p_into uuid) returns void
language plpgsql set search_path = '' as $$
begin
  update app.held_votes as h
  set user_id = p_into
  where h.user_id = p_from
    and not exists (select from app.held_votes as own where own.post_id = h.post_id and own.user_id = p_into);
  delete from app.held_votes where user_id = p_from;
  update app.fresh_votes as f
  set user_id = case
    when not exists (
      select from app.vote_receipts as own where own.post_id = f.post_id and own.user_id = p_into
    ) then p_into
  end
  where f.user_id = p_from;
  update app.vote_receipts as r
  set user_id = p_into
  where r.user_id = p_from
    and not exists (select from app.vote_receipts as own where own.post_id = r.post_id and own.user_id = p_into);
  delete from app.vote_receipts where user_id = p_from;
end
$$;
comment on function app.move_votes is 'Moves the receipts of the votes of a merged account (docs/product.md I16).';

-- The deletion of a post takes its saves and held votes along.
create function app.lock_kept_posts(p_user_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  perform from app.posts as p
  where p.id in (
    select s.post_id from app.saved_posts as s where s.user_id = p_user_id
    union all
    select h.post_id from app.held_votes as h where h.user_id = p_user_id
  )
  order by p.id
  for key share;
end
$$;
comment on function app.lock_kept_posts is
  'Locks the posts that a person has saved, or votes on which are held, in the order of their ids.';

create function app.erase_held_votes(p_user_id uuid) returns void
language sql set search_path = ''
begin atomic
  delete from app.held_votes where user_id = p_user_id;
end;
comment on function app.erase_held_votes is
  'Deletes what feeds do not show yet of the votes of an ended account. The votes stay counted (docs/product.md I18).';

create function app.close_hub_votes(p_hub_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  delete from app.pending_totals as t
  where t.ctid in (
    select old.ctid from app.pending_totals as old where old.hub_id = p_hub_id limit 5000 for update skip locked
  );
  if found or exists (select from app.pending_totals as t where t.hub_id = p_hub_id) then
    return true;
  end if;
  delete from app.vote_pools as v
  where v.ctid in (
    select old.ctid from app.vote_pools as old where old.hub_id = p_hub_id limit 1000 for update skip locked
  );
  return found or exists (select from app.vote_pools as v where v.hub_id = p_hub_id);
end
$$;
comment on function app.close_hub_votes is
  'Deletes a batch of the pending totals and pools of a closed Hub. Returns whether more may be left.';

-- Positions are not stored.
create function app.export_votes() returns setof jsonb
language plpgsql stable set search_path = '' as $$
begin
  return query
  select jsonb_build_object('postId', r.post_id, 'votedAt', app.iso(r.voted_at))
  from app.vote_receipts as r
  where r.user_id = app.user_id()
  -- Sort by exported values only: the physical position of a row must not leak.
  order by r.voted_at desc, r.post_id desc
  limit 100000;
end
$$;
comment on function app.export_votes is
  'Returns the section votes of the export: posts that the caller voted on, to the minute.';
grant execute on function app.export_votes to authenticated;

-- schemas/60_votes/90_policies.sql

create policy vote_receipts_select on app.vote_receipts for select to authenticated
using (user_id = (select app.user_id()));

-- schemas/65_cards/01_cards.sql

-- Args: p_hub_id (null, or the Hub whose votes the card shows). Errors: POST_NOT_FOUND.
create function app.post_detail(p_post_id uuid, p_hub_id uuid default null) returns json
language plpgsql stable set search_path = '' as $$
declare
  v_cards json[] := app.post_cards(array[p_post_id], p_hub_id, p_level => app.viewer_level());
begin
  if cardinality(v_cards) = 0 then
    raise exception using errcode = 'PT404', message = 'POST_NOT_FOUND';
  end if;
  return v_cards[1];
end
$$;
comment on function app.post_detail is
  'Returns the detail of a post that the caller may see: its card and permissions (docs/product.md PO16).';
grant execute on function app.post_detail to anon, authenticated;

-- Returns the cards of posts in the given order, without those that the caller may not see.
--
-- It reads posts and their originals under the policy of posts, and app.cards_of adds what follows from that.
-- It joins ids, so the policy looks up one author per post; a comparison with an array makes it hash every
-- hidden user. It forces a generic plan, because planning costs more than running.
-- Args: p_hub_id (null, or the Hub whose votes the cards show; see app.displayed_hub), p_contexts (null, or
-- the feedContext of each post), p_level (null, or the level of the caller, for the permissions of a detail),
-- p_posts (null, or the posts as the caller has read them), p_shows_phone (false where cards never have
-- authorPhoneNumber).
create function app.post_cards(
  p_post_ids uuid[], p_hub_id uuid default null, p_contexts text[] default null, p_level integer default null,
  p_posts app.posts[] default null, p_shows_phone boolean default true
) returns json[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_posts app.posts[] := p_posts;
  v_source_ids uuid[];
  v_sources app.posts[];
begin
  if v_posts is null then
    select array_agg(p), array_agg(p.source_post_id) filter (where p.source_post_id is not null)
    into v_posts, v_source_ids
    from unnest(p_post_ids) as wanted (id)
    join app.posts as p on p.id = wanted.id;
  else
    select array_agg(p.source_post_id) into v_source_ids from unnest(v_posts) as p where p.source_post_id is not null;
  end if;
  if v_source_ids is not null then
    v_sources := array(
      select p from (select distinct unnest(v_source_ids) as id) as source join app.posts as p on p.id = source.id
    );
  end if;
  return app.cards_of(v_posts, v_sources, p_post_ids, p_hub_id, p_contexts, p_level, p_shows_phone);
end
$$;
comment on function app.post_cards is 'Returns cards of posts that the caller may see (docs/product.md PO15, PO17).';
grant execute on function app.post_cards to anon, authenticated;

-- A definer function, because the rest of a card follows from its post, and under policies each table adds
-- subqueries to the plan: whoever sees a post sees its author and its article. Votes and saved posts are
-- those of the caller alone, by their id.
--
-- Args: p_posts and p_sources (the posts and originals that the caller has read under their policy), and as
-- app.post_cards.
create function app.cards_of(
  p_posts app.posts[], p_sources app.posts[], p_post_ids uuid[], p_hub_id uuid, p_contexts text[], p_level integer,
  p_shows_phone boolean
) returns json[]
language plpgsql stable security definer
set search_path = ''
set plan_cache_mode = force_generic_plan
-- A plan made while the slots of votes are empty would scan them when they are full.
set enable_seqscan = off
as $$
declare
  v_user_id uuid := app.user_id();
  -- The Hub that a card shows by itself (app.displayed_hub) is one of the caller with the post.
  v_counted_ids uuid[] := case when p_hub_id is not null then app.posts_in_my_hub(p_post_ids, p_hub_id) end;
begin
  -- A key that stays without a value has the JSON null. Subqueries instead of joins: each join would pass all
  -- columns on.
  return array(
    select json_object(
      'id': p.id,
      'author': coalesce(
        (select app.user_lite(a) from app.profiles as a where a.user_id = p.author_id), app.user_lite(null)
      ),
      'createdAt': app.iso(p.created_at),
      'article': coalesce((select app.article_card(a) from app.articles as a where a.id = p.article_id), 'null'),
      'thoughtText': coalesce(to_json(p.thought_text), 'null'),
      'sliderText': coalesce(to_json(p.slider_text), 'null'),
      'slider': app.post_slider(p),
      'visibility': p.visibility,
      'hubs': (
        select coalesce(json_agg(json_object('id': h.id, 'name': h.name) order by t.placed_at, t.hub_id), '[]')
        from app.placements as t
        join app.my_hubs as mine on mine.hub_id = t.hub_id
        join app.hubs as h on h.id = t.hub_id and h.is_open
        where t.post_id = p.id
      ),
      'sourcePostId': coalesce(to_json(p.source_post_id), 'null'),
      'sourcePost': case when p.source_post_id is null then 'null'
        else app.source_card(p.source_post_id, p_sources) end,
      'isShareable': shareable.is_so,
      'commentCount': p.comment_count,
      'repostCount': p.repost_count,
      'viewerSaved': exists (select from app.saved_posts as s where s.post_id = p.id and s.user_id = v_user_id),
      'viewerVote': case when p.slider_text is null then 'null' else app.viewer_vote(receipt.voted_at) end,
      'voteScope': case when p.slider_text is null then 'null' else app.vote_scope(shown.hub_id) end,
      'voteSummary': case when p.slider_text is null then 'null' else app.vote_summary(votes) end,
      'voteDistribution': case when receipt.voted_at is not null then app.vote_distribution(votes) end,
      'authorPhoneNumber': case
        when p_shows_phone and not shareable.is_so then app.author_phone(p.id) ->> 'authorPhoneNumber'
      end,
      'feedContext': p_contexts[array_position(p_post_ids, p.id)],
      'permissions': case when p_level is not null then json_object(
        'canVote': p_level >= case when p.is_public then 2 else 4 end and p.slider_text is not null
          and receipt.voted_at is null
          and (p.is_public or app.earliest_hub(p.id) is not null),
        'canComment': p_level >= 2 and p.is_public,
        'canRepost': p_level >= case when p.is_public then 3 else 4 end and p.source_post_id is null
          and shareable.is_so,
        'canShareToFeed': p_level >= 2,
        'canShareToHubs': p_level >= 4 and shareable.is_so,
        'canDelete': coalesce(p.author_id = v_user_id, false)
      ) end
      absent on null returning json
    )
    from unnest(p_posts) as p
    cross join lateral (select app.is_shareable(p) as is_so offset 0) as shareable
    cross join lateral (
      select case when p.slider_text is not null then app.displayed_hub(p, p_hub_id) end as hub_id offset 0
    ) as shown
    left join app.vote_receipts as receipt on receipt.post_id = p.id and receipt.user_id = v_user_id
    left join lateral app.scope_totals(p.id, shown.hub_id) as votes
      on p.slider_text is not null and (v_counted_ids is null or p.id = any (v_counted_ids))
    order by array_position(p_post_ids, p.id)
  );
end
$$;
comment on function app.cards_of is 'Builds the cards of posts, for app.post_cards.';
grant execute on function app.cards_of to anon, authenticated;

-- Few posts have media, so a function of its own keeps these tables out of the plan of app.cards_of.
create function app.article_media(p_article_id uuid) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(json_agg(app.asset_media(a) || jsonb_build_object('altText', m.alt_text) order by m.place), '[]')
    from app.article_assets as m
    join app.assets as a on a.id = m.asset_id
    where m.article_id = p_article_id
  );
end
$$;
comment on function app.article_media is 'Returns the media of an article, in order (docs/product.md M7).';

create function app.article_card(p_article app.articles) returns json
language sql stable
return case when p_article.id is null then 'null'::json else json_object(
  'id': p_article.id, 'url': p_article.url, 'title': p_article.title, 'text': p_article.body,
  'media': case when p_article.media_count > 0 then app.article_media(p_article.id) else '[]' end
) end;
comment on function app.article_card is 'Returns an article as cards show it; the JSON null for a null row.';

-- Few posts are reposts, so a function of its own keeps originals out of the plan of app.cards_of.
create function app.source_card(p_post_id uuid, p_sources app.posts[]) returns json
language plpgsql stable set search_path = '' as $$
begin
  return coalesce(
    (
      select json_object(
        'article': app.article_card(article),
        'thoughtText': p.thought_text,
        'sliderText': p.slider_text,
        'slider': app.post_slider(p),
        'isShareable': app.is_shareable(p)
      )
      from unnest(p_sources) as p
      left join app.articles as article on article.id = p.article_id
      where p.id = p_post_id
    ),
    'null'
  );
end
$$;
comment on function app.source_card is
  'Returns what a repost shows of its original (docs/product.md PO6, PO7); the JSON null for an original that is not '
  'in p_sources, those that the caller may see.';

-- It is empty unless the post is locked and the caller and the author are members of its target Hub. A
-- definer function, because no policy shows phones.
create function app.author_phone(p_post_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_phone text;
begin
  select u.phone into v_phone
  from app.posts as p
  join app.placements as target on target.post_id = p.id and target.kind = 'targeted'
  join app.memberships as mine on mine.hub_id = target.hub_id and mine.user_id = app.user_id()
  join app.memberships as theirs on theirs.hub_id = target.hub_id and theirs.user_id = p.author_id
  join app.users as u on u.id = p.author_id
  where p.id = p_post_id and not app.is_shareable(p);
  return case when v_phone is not null then jsonb_build_object('authorPhoneNumber', v_phone) else '{}' end;
end
$$;
comment on function app.author_phone is
  'Returns authorPhoneNumber of a card as an object to merge into it (docs/product.md PO17).';
grant execute on function app.author_phone to anon, authenticated;

-- schemas/65_cards/02_read.sql

-- Returns the detail of a post.
--
-- Args: postId, hubId (optional: show the votes of this Hub). Returns app.post_detail.
create function api.get_post(jsonb) returns json
language plpgsql stable set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
begin
  perform app.require_scope(v_hub_id);
  return app.post_detail((p_args ->> 'postId')::uuid, v_hub_id);
end
$$;
comment on function api.get_post is 'GET /posts/{postId} (docs/product.md PO13-PO16).';
grant execute on function api.get_post to anon, authenticated;

-- Lists the original of a post and its reposts that the caller may see, oldest first.
--
-- Args: postId, cursor, limit, hubId (optional: show the votes of this Hub). Returns items (cards) and
-- nextCursor.
create function api.list_frames(jsonb) returns json
language plpgsql stable set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
  v_limit integer := app.page_size(p_args, 20, 50);
  v_list text := app.list_of('list_frames', p_args, p_is_shared => true);
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor', true);
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_seed app.posts;
  v_source_id uuid;
  v_page app.list_entry[];
begin
  perform app.require_scope(v_hub_id);
  v_seed := app.require_post((p_args ->> 'postId')::uuid);
  v_source_id := coalesce(v_seed.source_post_id, v_seed.id);
  v_page := array(
    select (frame.created_at, frame.id)::app.list_entry
    from (
      (
        select p.created_at, p.id
        from app.posts as p
        where p.id = v_source_id and (p.created_at, p.id) > (v_from.at, v_from.id)
      )
      union all
      (
        select p.created_at, p.id
        from app.posts as p
        where p.source_post_id = v_source_id and (p.created_at, p.id) > (v_from.at, v_from.id)
        order by p.created_at, p.id
        limit v_limit + 1
      )
    ) as frame
    order by frame.created_at, frame.id
    limit v_limit + 1
  );
  return json_object(
    'items': app.post_cards(array(select entry.id from unnest(v_page[:v_limit]) as entry), v_hub_id),
    'nextCursor': app.next_cursor(v_list, v_page, v_limit)
  );
end
$$;
comment on function api.list_frames is 'GET /posts/{postId}/frames (docs/product.md PO8).';
grant execute on function api.list_frames to anon, authenticated;

-- Lists the saved posts of the caller, last saved first.
--
-- Args: cursor, limit. Returns items (cards) and nextCursor.
create function api.list_saved_posts(jsonb) returns json
language plpgsql stable set search_path = '' as $$
declare
  p_args alias for $1;
  v_limit integer := app.page_size(p_args, 20, 50);
  v_list text := app.list_of('list_saved_posts', p_args);
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor');
  v_page app.list_entry[];
begin
  perform app.require_level(2);
  v_page := array(
    select (s.saved_at, s.post_id)::app.list_entry
    from app.saved_posts as s
    join app.posts as p on p.id = s.post_id
    where s.user_id = app.user_id() and (s.saved_at, s.post_id) < (v_from.at, v_from.id)
    order by s.saved_at desc, s.post_id desc
    limit v_limit + 1
  );
  return json_object(
    'items': app.post_cards(array(select entry.id from unnest(v_page[:v_limit]) as entry)),
    'nextCursor': app.next_cursor(v_list, v_page, v_limit)
  );
end
$$;
comment on function api.list_saved_posts is 'GET /users/me/saved-posts (docs/product.md PO19).';
grant execute on function api.list_saved_posts to authenticated;

-- schemas/65_cards/03_create.sql

-- Publishes a post.
--
-- Args: article (url, title, text, media or assetIds), thoughtText, sliderText, slider, visibility, hubIds.
-- Returns the detail of the post.
create function api.create_post(jsonb) returns json
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_post_id uuid;
begin
  perform app.require_destination(p_args);
  v_post_id := app.insert_post(p_args, app.argument(p_args, 'article', 'object'), null);
  return app.post_detail(v_post_id);
end
$$;
comment on function api.create_post is 'POST /posts (docs/product.md PO1, PO2, PO9-PO12).';
grant execute on function api.create_post to authenticated;

-- Publishes a repost.
--
-- Args: postId, thoughtText, sliderText, slider, visibility, hubIds. Returns the detail of the new post.
create function api.create_repost(jsonb) returns json
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_source app.posts;
  v_post_id uuid;
begin
  perform app.require_destination(p_args);
  v_source := app.require_post((p_args ->> 'postId')::uuid);
  if not v_source.is_public then
    perform app.require_level(4);
  end if;
  if not app.may_repost(v_source.id) then
    raise exception using errcode = 'PT409', message = 'REPOST_NOT_ALLOWED';
  end if;
  v_post_id := app.insert_post(p_args, null, v_source.id);
  return app.post_detail(v_post_id);
end
$$;
comment on function api.create_repost is 'POST /posts/{postId}/reposts (docs/product.md PO3, PO4, PO9).';
grant execute on function api.create_repost to authenticated;

-- schemas/65_cards/04_share.sql

-- Places a post in Hubs and counts its pending votes there at once. A post that is there already moves up,
-- unless the caller was the last to share it there.
--
-- Args: postId, hubIds, pendingVoteKeys (from the service). Returns postId and hubs: for each hubId, sharedAt
-- (since when the post is there) and created.
create function api.share_to_hubs(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_ids uuid[];
  v_post app.posts;
  v_placed_in uuid[];
  v_moved_count integer;
begin
  perform app.require_level(4);
  v_hub_ids := app.ids_argument(p_args, 'hubIds', 1, 20);
  v_post := app.require_post((p_args ->> 'postId')::uuid);
  if not app.is_shareable(v_post) then
    raise exception using errcode = 'PT409', message = 'POST_NOT_SHAREABLE';
  end if;
  v_placed_in := app.place_post(v_post.id, v_hub_ids, 'shared');
  update app.placements as p
  set last_shared_at = default
  where p.post_id = v_post.id and p.hub_id = any (v_hub_ids) and p.hub_id <> all (coalesce(v_placed_in, '{}'));
  get diagnostics v_moved_count = row_count;
  if v_post.slider_text is not null then
    perform app.promote_pending(
      v_post.id, array(select jsonb_array_elements_text(app.items_argument(p_args, 'pendingVoteKeys', 0, 16)))
    );
  end if;
  perform app.use_limit('shares', coalesce(cardinality(v_placed_in), 0) + v_moved_count);
  return app.hub_shares_json(v_post.id, v_hub_ids, v_placed_in);
end
$$;
comment on function api.share_to_hubs is 'POST /posts/{postId}/share/hubs (docs/product.md PO21, PO22, V7).';
grant execute on function api.share_to_hubs to authenticated;

-- Returns in which of these Hubs the post is, as far as the caller is a member of them.
--
-- Args: p_created_in (the Hubs into which the share brought it; null for none).
create function app.hub_shares_json(p_post_id uuid, p_hub_ids uuid[], p_created_in uuid[]) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return jsonb_build_object('postId', p_post_id, 'hubs', (
    select coalesce(jsonb_agg(jsonb_build_object(
      'hubId', p.hub_id, 'sharedAt', app.iso(p.placed_at), 'created', coalesce(p.hub_id = any (p_created_in), false)
    ) order by requested.place), '[]')
    from unnest(p_hub_ids) with ordinality as requested (id, place)
    join app.placements as p on p.post_id = p_post_id and p.hub_id = requested.id
  ));
end
$$;
comment on function app.hub_shares_json is
  'Returns a share of a post into Hubs as it is now (docs/product.md PO21, PO22).';
grant execute on function app.hub_shares_json to authenticated;

-- schemas/65_cards/05_search.sql

create type app.found_posts as (hits app.search_hit[], reached bigint, examined integer, is_end boolean);
comment on type app.found_posts is
  'What a search has found: its hits, the number of app.post_words down to which it has looked, how many candidates it '
  'examined, and whether it has reached the end.';

-- Searches posts by their words, newest first.
--
-- Args: q, hubId (optional: in this Hub only, with its votes), cursor, limit. Returns items (cards) and
-- nextCursor; a page may be short before the end.
create function api.search_posts(jsonb) returns json
language plpgsql set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
  v_limit integer := app.page_size(p_args, 20, 50);
  v_search record := app.search_query(app.text_argument(p_args, 'q', 1, 80));
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_list text := app.list_of('search_posts', p_args, p_is_shared => true);
  v_after app.search_hit := app.decode_hit(v_list, p_args ->> 'cursor');
  v_batch integer := v_limit + 1;
  -- The candidates that one search examines, to the end of a bucket.
  v_budget integer := 20000;
  v_found app.found_posts;
  v_hits app.search_hit[] := array[]::app.search_hit[];
begin
  perform app.require_arguments(p_args, 'q');
  perform app.require_scope(v_hub_id);
  perform app.use_limit('searches');
  v_found.reached := nullif(v_after.key, '')::bigint;
  loop
    v_found := app.find_posts(v_search.query, v_search.candidates, v_hub_id, v_found.reached, v_batch, v_budget);
    v_hits := v_hits || array(
      select (hit.tier, hit.key, hit.id)::app.search_hit
      from unnest(v_found.hits) with ordinality as hit (tier, key, id, place)
      join app.posts as p on p.id = hit.id
      order by hit.place
    );
    v_budget := v_budget - v_found.examined;
    exit when cardinality(v_hits) > v_limit or v_found.is_end or v_budget <= 0;
    -- The policy of posts has hidden some. Larger batches soon reach the end of what a blocked user has written.
    v_batch := 8 * v_batch;
  end loop;
  return json_object(
    'items': app.post_cards(
      array(select hit.id from unnest(v_hits[:v_limit]) as hit), v_hub_id, p_shows_phone => false
    ),
    'nextCursor': case
      when cardinality(v_hits) > v_limit then app.encode_hit(v_list, v_hits, v_limit)
      when not v_found.is_end then app.seal_cursor(v_list, jsonb_build_array(1, v_found.reached, null))
    end
  );
end
$$;
comment on function api.search_posts is 'GET /search/posts (docs/product.md PO24).';
grant execute on function api.search_posts to anon, authenticated;

-- Finds posts with the words of a query: public posts, those of the caller's Hubs and their own; or those of
-- one Hub.
--
-- Args: p_query and p_candidates (app.search_query), p_hub_id (null, or a Hub), p_below (null, or the number
-- of app.post_words to begin below), p_limit (hits), p_budget (candidates, to the end of a bucket). It goes
-- back in time, bucket by bucket. It bypasses policies, because their conditions would keep the operator from
-- the index; callers must apply the policy of posts.
create function app.find_posts(
  p_query tsquery, p_candidates tsquery, p_hub_id uuid, p_below bigint, p_limit integer, p_budget integer
) returns app.found_posts
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_newest bigint := (
    select w.number
    from app.post_words as w
    where w.number < coalesce(p_below, 9223372036854775807)
    order by w.number desc
    limit 1
  );
  v_hub_ids uuid[] := case
    when p_hub_id is null then array(select mine.hub_id from app.my_hubs as mine)
    else array[p_hub_id]
  end;
  v_are_few boolean := (
    select count(*) from (select from app.placements as p where p.hub_id = any (v_hub_ids) limit 5001) as few
  ) <= 5000;
  v_few app.search_hit[];
  v_step app.found_posts;
  v_found app.found_posts := (array[]::app.search_hit[], coalesce(v_newest + 1, 0), 0, true)::app.found_posts;
begin
  if p_query is null or v_newest is null then
    return v_found;
  end if;
  v_few := app.find_few_posts(p_query, case when v_are_few then v_hub_ids end, p_hub_id is null, v_newest);
  if p_hub_id is null then
    v_found := app.find_newest_posts(p_query, case when not v_are_few then v_hub_ids end, v_newest, p_limit);
  elsif v_are_few then
    v_found.reached := 0;
  end if;
  while cardinality(v_found.hits) < p_limit and v_found.examined < p_budget and v_found.reached > 0 loop
    v_step := app.find_posts_in_bucket(
      p_query, p_candidates, case when p_hub_id is null then null else v_hub_ids end,
      case when not v_are_few then v_hub_ids end, v_found.reached - 1, p_limit
    );
    v_found := (v_found.hits || v_step.hits, v_step.reached, v_found.examined + v_step.examined, true)::app.found_posts;
  end loop;
  v_found.hits := array(
    select found.hit
    -- An own post in a large Hub is found in both ways.
    from (select distinct hit from unnest(v_found.hits || v_few) as hit) as found
    where (found.hit).key::bigint >= v_found.reached
    order by (found.hit).key::bigint desc
    limit p_limit
  );
  v_found.is_end := v_found.reached = 0 and cardinality(v_found.hits) < p_limit;
  if cardinality(v_found.hits) = p_limit then
    v_found.reached := v_found.hits[p_limit].key::bigint;
  end if;
  return v_found;
end
$$;
comment on function app.find_posts is 'Returns posts with the words of a query, newest first (docs/product.md PO24).';
grant execute on function app.find_posts to anon, authenticated;

-- Finds all posts from p_newest down that need no index: those of Hubs with at most 5,000 posts together
-- (null for no Hub), of which p_private_only leaves out public ones, and with it the private posts of the
-- caller.
create function app.find_few_posts(p_query tsquery, p_hub_ids uuid[], p_private_only boolean, p_newest bigint)
returns app.search_hit[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    select (1, w.number::text, w.post_id)::app.search_hit
    from (
      select p.post_id from app.placements as p where p.hub_id = any (p_hub_ids)
      union
      select p.id from app.posts as p where p_private_only and p.author_id = app.user_id() and not p.is_public
    ) as few
    join app.post_words as w on w.post_id = few.post_id
    where not (p_private_only and w.is_public) and w.number <= p_newest and ts_match_vq(w.words, p_query)
  );
end
$$;
comment on function app.find_few_posts is
  'Returns the posts with the words of a query in small Hubs of the caller, and their own.';

-- Finds the newest posts without the index: a frequent word is in them. The function instead of its operator
-- keeps the query off the index. Private posts count where they are in p_hub_ids; null for no private posts.
create function app.find_newest_posts(p_query tsquery, p_hub_ids uuid[], p_newest bigint, p_limit integer)
returns app.found_posts
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_oldest bigint := greatest(p_newest - 1999, 0);
  v_hits app.search_hit[] := array(
    select (1, w.number::text, w.post_id)::app.search_hit
    from app.post_words as w
    where w.number <= p_newest and w.number >= v_oldest and ts_match_vq(w.words, p_query)
      and (w.is_public or exists (
        select from app.placements as p where p.post_id = w.post_id and p.hub_id = any (p_hub_ids)
      ))
    order by w.number desc
    limit p_limit
  );
begin
  return (v_hits, v_oldest, p_newest - v_oldest + 1, true)::app.found_posts;
end
$$;
comment on function app.find_newest_posts is
  'Returns the posts with the words of a query among the newest 2,000 from p_newest down.';

-- Finds the posts of a bucket from p_newest down, at most p_limit.
--
-- Public posts count where they are in p_hub_ids, or everywhere for null; private ones where they are in
-- p_private_hub_ids.
create function app.find_posts_in_bucket(
  p_query tsquery, p_candidates tsquery, p_hub_ids uuid[], p_private_hub_ids uuid[], p_newest bigint, p_limit integer
) returns app.found_posts
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_bucket integer := app.search_bucket(p_newest);
  v_found app.found_posts;
begin
  with candidates as materialized (
    select w.number, w.post_id, ts_match_vq(w.words, p_query) and (p_hub_ids is null or exists (
      select from app.placements as p where p.post_id = w.post_id and p.hub_id = any (p_hub_ids)
    )) as is_hit
    from app.post_words as w
    where w.bucket = v_bucket and w.words @@ p_candidates and w.number <= p_newest
    union all
    select w.number, w.post_id, ts_match_vq(w.words, p_query) and exists (
      select from app.placements as p where p.post_id = w.post_id and p.hub_id = any (p_private_hub_ids)
    )
    from app.post_words as w
    where p_private_hub_ids is not null and w.bucket = -1 - v_bucket and w.words @@ p_candidates
      and w.number <= p_newest
  )
  select
    array(
      select (1, c.number::text, c.post_id)::app.search_hit
      from candidates as c
      where c.is_hit
      order by c.number desc
      limit p_limit
    ),
    app.first_in_bucket(v_bucket), (select count(*)::integer from candidates), true
  into v_found.hits, v_found.reached, v_found.examined, v_found.is_end;
  return v_found;
end
$$;
comment on function app.find_posts_in_bucket is
  'Returns the posts with the words of a query in the bucket of number p_newest.';

-- Stores the words of a new post, which never change.
create function app.record_post_words() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into app.post_words (post_id, is_public, words)
  select new.id, new.is_public, app.word_vector(concat_ws(E'\n', new.thought_text, new.slider_text, a.title, a.body))
  from (select new.article_id) as post (article_id)
  left join app.articles as a on a.id = post.article_id;
  return null;
end
$$;
comment on function app.record_post_words is 'Trigger: stores the words of a new post (docs/product.md PO24).';

create trigger posts_record_words_after_insert after insert on app.posts
for each row execute function app.record_post_words();

-- schemas/67_profiles/01_profiles.sql

-- Completes the media step, with or without a profile photo.
--
-- Args: profileAssetId (or null). Returns nextStep, status and profile.
create function api.complete_media(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_status jsonb;
begin
  perform app.require_level(2);
  if p_args ->> 'profileAssetId' is not null then
    update app.profiles as p
    set photo_asset_id = app.photo_or(p.photo_asset_id, p_args)
    where p.user_id = app.user_id();
  end if;
  update app.users as u
  set media_completed_at = coalesce(u.media_completed_at, app.now())
  where u.id = app.user_id();
  v_status := app.onboarding_status();
  return jsonb_build_object('nextStep', v_status -> 'nextStep', 'status', v_status, 'profile', app.own_profile());
end
$$;
comment on function api.complete_media is 'PUT /users/me/onboarding/media (docs/product.md O4).';
grant execute on function api.complete_media to authenticated;

-- Reads a public profile.
--
-- Args: userId. Returns the public profile.
create function api.get_profile(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
begin
  perform app.require_person((p_args ->> 'userId')::uuid);
  return app.public_profile((p_args ->> 'userId')::uuid);
end
$$;
comment on function api.get_profile is 'GET /users/{userId}/profile (docs/product.md P6, P8, P18).';
grant execute on function api.get_profile to anon, authenticated;

-- Reads the public profile of the present owner of a username.
--
-- Args: username. Returns the public profile.
create function api.get_profile_by_username(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
  v_user_id uuid := (select p.user_id from app.profiles as p where p.username = p_args ->> 'username');
begin
  perform app.require_person(v_user_id);
  return app.public_profile(v_user_id);
end
$$;
comment on function api.get_profile_by_username is 'GET /users/by-username/{username} (docs/product.md P6, P8).';
grant execute on function api.get_profile_by_username to anon, authenticated;

create function app.public_profile(p_user_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object(
      'id', person.id,
      'name', p.full_name,
      'username', p.username,
      'bio', p.bio,
      'profilePhotoUrl', app.photo_url(p.photo_asset_id),
      'isAnonymous', p.user_id is null,
      'counts', jsonb_build_object(
        'followers', coalesce(c.follower_count, 0), 'following', coalesce(c.following_count, 0)
      ),
      'activity', jsonb_build_object(
        'posts', published.post_count,
        'reposts', published.repost_count,
        'comments', app.comment_count(person.id),
        'votes', app.vote_count(person.id)
      ),
      'adminHubs', app.admin_hubs(person.id),
      'viewer', app.viewer_relation(person.id)
    )
    from (values (p_user_id)) as person (id)
    left join app.profiles as p on p.user_id = person.id
    left join app.follow_counts as c on c.user_id = person.id
    cross join lateral (
      select
        count(*) filter (where post.source_post_id is null) as post_count,
        count(post.source_post_id) as repost_count
      from app.posts as post
      where post.author_id = person.id
    ) as published
  );
end
$$;
comment on function app.public_profile is
  'Returns the public profile of a user (docs/product.md P6), as far as the caller sees it.';
grant execute on function app.public_profile to anon, authenticated;

-- No other membership is public, so this bypasses policies.
create function app.admin_hubs(p_user_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select coalesce(jsonb_agg(
      jsonb_build_object(
        'id', h.id, 'name', h.name, 'profilePhotoUrl', app.photo_url(h.photo_asset_id)
      ) order by m.joined_at, h.id
    ), '[]')
    from app.memberships as m
    join app.hubs as h on h.id = m.hub_id
    where m.user_id = p_user_id and m.role = 'admin'
  );
end
$$;
comment on function app.admin_hubs is
  'Returns the Hubs that a user is admin of, as the public profile names them (docs/product.md P6).';
grant execute on function app.admin_hubs to anon, authenticated;

-- It bypasses policies, because a visibility check of each comment's post would make a profile as slow as its
-- user is talkative.
create function app.comment_count(p_user_id uuid) returns bigint
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select count(*) from app.comments as c where c.author_id = p_user_id);
end
$$;
comment on function app.comment_count is 'Returns the number of existing comments of a user.';
grant execute on function app.comment_count to anon, authenticated;

-- Other users see a vote at least half an hour late, together with all votes of that half hour: an observer
-- of both this count and the results of a post could otherwise tell who voted how.
create function app.vote_count(p_user_id uuid) returns bigint
language plpgsql stable security definer set search_path = '' as $$
declare
  v_lag interval := interval '30 minutes';
  v_until timestamptz := case
    when p_user_id = app.user_id() then 'infinity'
    else date_bin(v_lag, app.now() - v_lag, timestamptz 'epoch')
  end;
begin
  return (
    select count(*)
    from app.vote_receipts as r
    where r.user_id = p_user_id and r.voted_at < v_until
      -- Leave out votes that no feed shows yet.
      and (v_until = 'infinity' or r.post_id not in (
        select h.post_id
        from app.held_votes as h
        where h.user_id = p_user_id and coalesce(h.released_at, 'infinity') >= v_until
      ))
  );
end
$$;
comment on function app.vote_count is 'Returns the number of votes of a user (docs/product.md P7).';
grant execute on function app.vote_count to anon, authenticated;

-- Reads the caller's own profile.
--
-- Returns the own profile.
create function api.get_own_profile(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  perform app.require_level(1);
  return app.own_profile();
end
$$;
comment on function api.get_own_profile is 'GET /users/me/profile (docs/product.md P9).';
grant execute on function api.get_own_profile to authenticated;

-- Errors: UNAUTHORIZED if the account has ended, even after the operation began.
create function app.own_profile() returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select app.public_profile(u.id) || jsonb_build_object(
      'fullName', p.full_name,
      'phoneNumber', u.phone,
      'level', app.require_level(1),
      'createdAt', app.iso(u.created_at),
      'editable', jsonb_build_object(
        'fullName', p.full_name, 'username', p.username, 'bio', p.bio, 'profileAssetId', p.photo_asset_id
      )
    )
    from app.users as u
    left join app.profiles as p on p.user_id = u.id
    where u.id = (select app.user_id())
  );
end
$$;
comment on function app.own_profile is
  'Returns the caller''s own profile (docs/product.md P9): the public one and the fields for its owner alone.';
grant execute on function app.own_profile to authenticated;

-- Changes the caller's public profile. The commit deletes a replaced photo that nothing else shows.
--
-- Args: any of fullName, username, bio, profileAssetId; null clears the bio and removes the photo. Returns
-- the own profile.
create function api.update_own_profile(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(2);
  perform app.require_any_argument(p_args, 'fullName', 'username', 'bio', 'profileAssetId');
  update app.profiles as p
  set full_name = coalesce(app.name_argument(p_args, 'fullName'), p.full_name),
    username = coalesce(app.text_argument(p_args, 'username'), p.username),
    bio = case when p_args ? 'bio' then nullif(app.text_argument(p_args, 'bio'), '') else p.bio end,
    photo_asset_id = app.photo_or(p.photo_asset_id, p_args)
  where p.user_id = app.user_id();
  return app.own_profile();
end
$$;
comment on function api.update_own_profile is 'PATCH /users/me/profile (docs/product.md P3, P9, P10).';
grant execute on function api.update_own_profile to authenticated;

-- schemas/70_feeds/01_tables.sql

create type app.feed_candidate as (at timestamptz, id uuid, kind app.feed_event_kind, actor_id uuid);
comment on type app.feed_candidate is
  'The id of a post at its position in a feed, with the kind, time and actor of its event. In a ranking by trending '
  'score, at is the score, and kind and actor are null.';

create type app.feed_entry as (at timestamptz, id uuid, kind app.feed_event_kind, post app.posts);
comment on type app.feed_entry is
  'A candidate of a feed (app.feed_candidate) with its post, which the caller has read under the policy of posts.';

create type app.feed_position as (
  at timestamptz, id uuid, began_at timestamptz, seen pg_snapshot, part text, is_own boolean, list text
);
comment on type app.feed_position is
  'A cursor position in a feed: the last post shown (at, id), the time of page one (began_at), the transactions '
  'committed at page one (seen), the part of the feed (recent; active or quiet of a trending feed), whether the home '
  'feed had sources of the caller''s (is_own), and the list of its cursors (app.list_of). A time cannot replace the '
  'snapshot: a transaction that began before page one may commit after it.';

create table app.default_feed_users (
  user_id uuid primary key references app.users (id) on delete cascade,
  added_at timestamptz not null default app.now()
);
comment on table app.default_feed_users is
  'One row per user whose public posts fill the home feed of callers without sources of their own (docs/product.md '
  'F3). Staff chooses them.';
alter table app.default_feed_users enable row level security;
grant select on app.default_feed_users to anon, authenticated;

-- schemas/70_feeds/02_feeds.sql

-- Lists a page of the home feed, or of the feed of one Hub.
--
-- Args: sort (recent, trending), cursor, limit, hubId (optional). Returns items (cards with feedContext) and
-- nextCursor.
create function api.get_home_feed(jsonb) returns json
language plpgsql set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
begin
  if p_args ->> 'hubId' is not null then
    perform app.require_member((p_args ->> 'hubId')::uuid);
  end if;
  return app.feed('get_home_feed', p_args);
end
$$;
comment on function api.get_home_feed is 'GET /posts (docs/product.md F1-F11, F14-F16).';
grant execute on function api.get_home_feed to anon, authenticated;

create function api.get_hub_feed(jsonb) returns json
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_member((p_args ->> 'hubId')::uuid);
  return app.feed('get_hub_feed', p_args);
end
$$;
comment on function api.get_hub_feed is
  'GET /hubs/{hubId}/feed (docs/product.md F11). Lists a page of the feed of a Hub, last placed or shared first. '
  'Args: hubId, cursor, limit. Returns items (cards with feedContext) and nextCursor. Errors: UNAUTHORIZED, '
  'FORBIDDEN (below level 4 or a non-member), HUB_NOT_FOUND, VALIDATION_FAILED (foreign cursor).';
grant execute on function api.get_hub_feed to authenticated;

create function api.get_profile_feed(jsonb) returns json
language plpgsql stable set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
  v_user_id uuid := (p_args ->> 'userId')::uuid;
  v_limit integer := app.page_size(p_args, 20, 50);
  v_list text := app.list_of('get_profile_feed', p_args, p_is_shared => true);
  v_place app.feed_position := app.decode_feed_cursor(v_list, p_args ->> 'cursor');
begin
  perform app.require_person(v_user_id);
  return app.feed_page(
    app.profile_entries(v_user_id, v_place, v_limit + 1), null, v_place, v_limit, p_shows_phone => false
  );
end
$$;
comment on function api.get_profile_feed is
  'GET /users/{userId}/feed (docs/product.md F12, F13). Lists a page of the feed of a profile. Args: userId, '
  'cursor, limit. Returns items (cards) and nextCursor. Errors: UNAUTHORIZED (the session has ended), '
  'USER_NOT_FOUND, VALIDATION_FAILED (foreign cursor).';
grant execute on function api.get_profile_feed to anon, authenticated;

create function app.feed(p_name text, p_args jsonb) returns json
language plpgsql stable set search_path = '' as $$
declare
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_sort text := coalesce(app.choice_argument(p_args, 'sort', 'recent', 'trending'), 'recent');
  v_limit integer := app.page_size(p_args, 20, 50);
  v_list text := app.list_of(p_name, p_args, '{"sort": "recent"}');
  v_place app.feed_position := app.decode_feed_cursor(v_list, p_args ->> 'cursor', v_sort, v_hub_id is null);
  v_entries app.feed_entry[];
  v_contexts text[];
begin
  v_entries := case v_sort
    when 'trending' then app.trending_entries(v_hub_id, v_place, v_limit + 1)
    else app.recent_entries(v_hub_id, v_place, v_limit + 1)
  end;
  if v_place.is_own then
    v_contexts := app.home_reasons(v_entries[:v_limit], v_place);
  elsif v_hub_id is not null then
    v_contexts := app.hub_reasons(v_hub_id, v_entries[:v_limit]);
  else
    v_contexts := array_fill('default_feed_user'::text, array[v_limit]);
  end if;
  return app.feed_page(v_entries, v_contexts, v_place, v_limit, v_hub_id);
end
$$;
comment on function app.feed is
  'Returns a page of a feed of the caller''s. Args: p_name (the operation); p_args with sort (recent, trending), '
  'cursor, limit, hubId (a Hub of the caller''s; none for the home feed). Returns items (cards with feedContext) '
  'and nextCursor. Errors: VALIDATION_FAILED (a cursor of another feed or sort).';
grant execute on function app.feed to anon, authenticated;

create function app.has_sources() returns boolean
language plpgsql stable set search_path = '' as $$
begin
  if app.user_id() is null then
    return false;
  end if;
  -- A statement of its own: most callers have sources, and the policy of posts costs more to start than these.
  if exists (
    select
    from app.my_sources as s
    where not exists (select from app.users_hidden_from_all as h where h.user_id = s.source_id)
  ) then
    return true;
  end if;
  return exists (select from app.posts as p where p.author_id = app.user_id());
end
$$;
comment on function app.has_sources is
  'Returns whether the caller has a home feed of their own: they follow a person who is not hidden from everybody, are '
  'in a Hub, or have a post (docs/product.md F3).';
grant execute on function app.has_sources to anon, authenticated;

create view app.my_sources with (security_barrier = true) as
select 'follows' as kind, f.followee_id as source_id
from app.follows as f
where f.follower_id = (select app.user_id())
union all
select 'memberships', mine.hub_id
from app.my_hubs as mine;
comment on view app.my_sources is
  'One row per stream of app.feed_events that the caller reads now: each followed person and each Hub of theirs, '
  'and the table that says so (kind). Like app.my_hubs, it reads with its owner''s rights.';
grant select on app.my_sources to authenticated;

create function app.recent_entries(p_hub_id uuid, p_after app.feed_position, p_limit integer)
returns app.feed_entry[]
language plpgsql stable set search_path = '' as $$
begin
  if p_hub_id is not null then
    return app.hub_entries(p_hub_id, p_after, p_limit);
  elsif p_after.is_own then
    return app.home_entries(p_after, p_limit);
  end if;
  return app.default_entries(p_after, p_limit);
end
$$;
comment on function app.recent_entries is
  'Returns the first posts after p_after in a feed of the caller''s, newest first. Args: p_hub_id (null for the home '
  'feed); p_after (cursor position); p_limit.';
grant execute on function app.recent_entries to anon, authenticated;

-- Builds a page of a feed.
--
-- Args: p_entries after p_after, one more than p_limit if there is a next page; p_contexts (feedContext of
-- each entry, or null); p_after (cursor position); p_limit; p_hub_id and p_shows_phone (as app.post_cards).
-- Returns items (cards) and nextCursor.
create function app.feed_page(
  p_entries app.feed_entry[], p_contexts text[], p_after app.feed_position, p_limit integer, p_hub_id uuid default null,
  p_shows_phone boolean default true
) returns json
language plpgsql stable set search_path = '' as $$
declare
  v_page app.feed_entry[] := p_entries[:p_limit];
begin
  return json_object(
    'items': app.post_cards(
      array(select entry.id from unnest(v_page) as entry), p_hub_id, p_contexts,
      p_posts => array(select entry.post from unnest(v_page) as entry), p_shows_phone => p_shows_phone
    ),
    'nextCursor': case when cardinality(p_entries) > p_limit then
      app.encode_feed_cursor((
        v_page[p_limit].at, v_page[p_limit].id, p_after.began_at, p_after.seen,
        case when p_after.part = 'active' and v_page[p_limit].kind is not null then 'quiet' else p_after.part end,
        p_after.is_own, p_after.list
      )::app.feed_position)
    end
  );
end
$$;
comment on function app.feed_page is 'Builds a page of a feed (docs/product.md W5).';
grant execute on function app.feed_page to anon, authenticated;

create function app.encode_feed_cursor(p_after app.feed_position) returns text
language plpgsql stable set search_path = '' as $$
begin
  return app.seal_cursor(p_after.list, jsonb_build_array(
    p_after.at, p_after.id, p_after.began_at, p_after.seen::text, p_after.part, p_after.is_own
  ));
end
$$;
comment on function app.encode_feed_cursor is 'Returns the cursor of a position in a feed.';
grant execute on function app.encode_feed_cursor to anon, authenticated;

-- Returns the position where a page of a feed begins.
--
-- p_list is the feed (app.list_of), p_sort its order, recent or trending, p_is_home whether it is the home feed. Page
-- one decides whether that is a feed of the caller's own. Nothing that a request holds dates page one later than now:
-- activity that is still to come would count (docs/product.md V15).
create function app.decode_feed_cursor(
  p_list text, p_cursor text, p_sort text default 'recent', p_is_home boolean default false
) returns app.feed_position
language plpgsql stable set search_path = '' as $$
declare
  v_place jsonb := app.open_cursor(p_list, p_cursor);
begin
  if v_place is null then
    return (
      'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff', app.now(), pg_current_snapshot(),
      case p_sort when 'trending' then 'active' else 'recent' end, p_is_home and app.has_sources(), p_list
    )::app.feed_position;
  end if;
  return (
    v_place ->> 0, v_place ->> 1, least((v_place ->> 2)::timestamptz, app.now()), v_place ->> 3, v_place ->> 4,
    v_place ->> 5, p_list
  )::app.feed_position;
end
$$;
comment on function app.decode_feed_cursor is
  'Returns where a page of a feed begins; VALIDATION_FAILED for a foreign cursor.';
grant execute on function app.decode_feed_cursor to anon, authenticated;

-- schemas/70_feeds/03_page_one.sql

-- The pages of a feed show the feed as it was at page one, without the posts that its reader may no longer see.
--
-- Each relation here returns what counted when the first page of p_after was read (docs/decisions/011-feeds.md).
-- On page one that is the present. They stand in FROM, where the planner inlines them.

-- Page one itself needs no snapshot: it reads the present, and the snapshot would cost a twentieth of it.
create function app.counted_at(
  p_after app.feed_position, p_occurred_at timestamptz, p_begun_by xid8, p_ended_by xid8
) returns boolean language sql stable
return p_occurred_at <= p_after.began_at
  and (p_begun_by is null or p_after.at = 'infinity' or pg_visible_in_snapshot(p_begun_by, p_after.seen))
  and (p_ended_by is null or (p_after.at <> 'infinity' and not pg_visible_in_snapshot(p_ended_by, p_after.seen)));
comment on function app.counted_at is 'Returns whether an event with these times and transactions counted at page one.';
grant execute on function app.counted_at to anon, authenticated;

-- The first condition follows from the second, and lets an index find the changes.
create function app.is_since(p_after app.feed_position, p_changed_by xid8) returns boolean
language sql stable
return p_changed_by >= pg_snapshot_xmin(p_after.seen) and not pg_visible_in_snapshot(p_changed_by, p_after.seen);
comment on function app.is_since is 'Returns whether a transaction was not yet committed at page one.';
grant execute on function app.is_since to anon, authenticated;

-- The first change since page one says how a thing was then. A definer function, because no policy shows changes.
create function app.changed_since(p_after app.feed_position) returns setof app.feed_changes
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_after.at = 'infinity' then
    return;
  end if;
  return query
  select distinct on (c.kind, c.object_id) c.*
  from app.feed_changes as c
  where (c.subject_id = app.user_id() or c.subject_id is null) and c.kind <> 'feed_shares'
    and app.is_since(p_after, c.changed_by)
  order by c.kind, c.object_id, c.id;
end
$$;
comment on function app.changed_since is
  'Returns what has changed for the caller''s feeds since page one, each thing once, as it was at page one.';
grant execute on function app.changed_since to anon, authenticated;

-- Inlined, so that a condition on a source reaches the index of follows, and a kind leaves the other out.
create function app.sources_at(p_after app.feed_position, p_kinds text[] default '{follows,memberships}')
returns setof uuid
language sql stable
begin atomic
  select s.source_id
  from app.my_sources as s
  where s.kind = any (p_kinds)
    and (s.kind, s.source_id) not in (select c.kind, c.object_id from app.changed_since(p_after) as c)
  union all
  select c.object_id
  from app.changed_since(p_after) as c
  where c.kind = any (p_kinds) and c.former_at is not null;
end;
comment on function app.sources_at is
  'Returns the streams that the caller''s home feed read at page one: followed people and Hubs.';

create function app.default_users_at(p_after app.feed_position) returns setof uuid
language sql stable
begin atomic
  select d.user_id
  from app.default_feed_users as d
  where d.user_id not in (
    select c.object_id from app.changed_since(p_after) as c where c.kind = 'default_feed_users'
  )
  union all
  select c.object_id
  from app.changed_since(p_after) as c
  where c.kind = 'default_feed_users' and c.former_at is not null;
end;
comment on function app.default_users_at is 'Returns the default feed users of page one (docs/product.md F3).';
grant execute on function app.default_users_at to anon, authenticated;

create function app.unhidden_since(p_after app.feed_position) returns setof uuid
language sql stable
begin atomic
  select c.object_id
  from app.changed_since(p_after) as c
  where c.kind in ('blocks', 'blockers', 'suspensions', 'account_deletions') and c.former_at is not null;
end;
comment on function app.unhidden_since is
  'Returns the users hidden from the caller at page one for a reason that has ended since.';
grant execute on function app.unhidden_since to anon, authenticated;

-- Not inlined: a plan that mentions it would take longer to start than to run.
create function app.hidden_at(p_after app.feed_position) returns setof uuid
language plpgsql stable set search_path = '' as $$
begin
  if p_after.at = 'infinity' then
    return query select h.user_id from app.hidden_users as h;
    return;
  end if;
  return query
  select h.user_id
  from app.hidden_users as h
  where (h.reason, h.user_id) not in (select c.kind, c.object_id from app.changed_since(p_after) as c)
  union all
  select shown.id from app.unhidden_since(p_after) as shown (id);
end
$$;
comment on function app.hidden_at is 'Returns the users hidden from the caller at page one.';
grant execute on function app.hidden_at to authenticated;

-- Reads under the policies of posts: what the caller may not see by now is in no page.
create function app.posts_at(p_after app.feed_position) returns setof app.posts
language sql stable
as $$
  select p.*
  from app.posts as p
  where p.author_id not in (select shown.id from app.unhidden_since(p_after) as shown (id));
$$;
comment on function app.posts_at is
  'Returns the posts that the caller may see, without those of authors who were hidden from them at page one.';
grant execute on function app.posts_at to anon, authenticated;

-- The caller's own activity moves nothing in their home feed but posts and targets (docs/product.md F8); for their Hub
-- shares see app.own_shares_at. Queries choose the streams themselves.
create function app.recorded_events_at(p_after app.feed_position) returns setof app.feed_events
language sql stable
as $$
  select e.*
  from app.feed_events as e
  where app.counted_at(p_after, e.occurred_at, e.begun_by, e.ended_by)
    and (e.kind in ('published', 'targeted') or e.actor_id is distinct from (select app.user_id()));
$$;
comment on function app.recorded_events_at is
  'Returns the events that counted in the caller''s home feed at page one, those of hidden users too.';

-- Activity of hidden users does not count; their placements in a common Hub do (docs/product.md P20).
create function app.events_at(p_after app.feed_position) returns setof app.feed_events
language sql stable
as $$
  select e.*
  from app.recorded_events_at(p_after) as e
  where app.is_placement(e.kind) or e.actor_id not in (select hidden.id from app.hidden_at(p_after) as hidden (id));
$$;
comment on function app.events_at is 'Returns the events that counted in the caller''s home feed at page one.';

-- The same as app.events_at says, of a few events: it looks up their actors instead of all hidden users.
create function app.without_hidden(p_events app.feed_candidate[], p_after app.feed_position)
returns app.feed_candidate[]
language plpgsql stable set search_path = '' as $$
declare
  v_actor_ids uuid[] := array(select distinct event.actor_id from unnest(p_events) as event);
  v_hidden_ids uuid[] := app.hidden_among(v_actor_ids, p_after);
begin
  if v_hidden_ids = '{}' then
    return p_events;
  end if;
  return array(
    select event from unnest(p_events) as event
    where app.is_placement(event.kind) or event.actor_id is null or event.actor_id <> all (v_hidden_ids)
  );
end
$$;
comment on function app.without_hidden is
  'Returns those of some events that counted although their actors may be hidden.';
grant execute on function app.without_hidden to authenticated;

create function app.hidden_among(p_user_ids uuid[], p_after app.feed_position) returns uuid[]
language plpgsql stable set search_path = '' as $$
begin
  if p_after.at = 'infinity' then
    return array(
      select wanted.id from unnest(p_user_ids) as wanted (id)
      where exists (select from app.hidden_users as h where h.user_id = wanted.id)
    );
  end if;
  return array(select hidden.id from app.hidden_at(p_after) as hidden (id) where hidden.id = any (p_user_ids));
end
$$;
comment on function app.hidden_among is 'Returns those of some users who were hidden from the caller at page one.';
grant execute on function app.hidden_among to authenticated;

create function app.own_shares_at(p_after app.feed_position) returns setof app.feed_events
language sql stable
as $$
  select e.*
  from app.feed_events as e
  where e.actor_id = (select app.user_id()) and e.kind = 'shared_to_hub'
    and app.counted_at(p_after, e.occurred_at, e.begun_by, e.ended_by);
$$;
comment on function app.own_shares_at is
  'Returns the caller''s shares into Hubs of page one; these place a post only if nothing else does '
  '(docs/product.md F9).';

-- Keeps how things were before a change, because later pages read the feed as it was at page one.
--
-- Args: the kind of change; the columns of the subject ('' for everybody), the object and the time. Follows,
-- memberships and feed shares, which change often, have statements of their own.
create function app.record_feed_changes() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  execute format(
    'insert into app.feed_changes (kind, subject_id, object_id, former_at) select %L, %s, changed.%I, %s from changed',
    tg_argv[0],
    case tg_argv[1] when '' then 'null::uuid' else format('changed.%I', tg_argv[1]) end,
    tg_argv[2],
    case tg_op when 'INSERT' then 'null::timestamptz' else format('changed.%I', tg_argv[3]) end
  );
  return null;
end
$$;
comment on function app.record_feed_changes is 'Trigger: records changes in app.feed_changes.';

create function app.record_follow_changes() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into app.feed_changes (kind, subject_id, object_id, former_at)
  select 'follows', changed.follower_id, changed.followee_id, case tg_op when 'DELETE' then changed.created_at end
  from changed;
  return null;
end
$$;
comment on function app.record_follow_changes is 'Trigger: records follows and their ends in app.feed_changes.';

create trigger follows_change_after_insert after insert on app.follows
referencing new table as changed
for each statement execute function app.record_follow_changes();

create trigger follows_change_after_delete after delete on app.follows
referencing old table as changed
for each statement execute function app.record_follow_changes();

create trigger blocks_change_after_insert after insert on app.blocks
referencing new table as changed
for each statement execute function app.record_feed_changes('blocks', 'blocker_id', 'blocked_id', 'created_at');

create trigger blocks_change_after_delete after delete on app.blocks
referencing old table as changed
for each statement execute function app.record_feed_changes('blocks', 'blocker_id', 'blocked_id', 'created_at');

create trigger blocks_change_blockers_after_insert after insert on app.blocks
referencing new table as changed
for each statement execute function app.record_feed_changes('blockers', 'blocked_id', 'blocker_id', 'created_at');

create trigger blocks_change_blockers_after_delete after delete on app.blocks
referencing old table as changed
for each statement execute function app.record_feed_changes('blockers', 'blocked_id', 'blocker_id', 'created_at');

create trigger suspensions_change_after_insert after insert on app.suspensions
referencing new table as changed
for each statement execute function app.record_feed_changes('suspensions', '', 'user_id', 'suspended_at');

create trigger suspensions_change_after_delete after delete on app.suspensions
referencing old table as changed
for each statement execute function app.record_feed_changes('suspensions', '', 'user_id', 'suspended_at');

create trigger account_deletions_change_after_insert after insert on app.account_deletions
referencing new table as changed
for each statement execute function app.record_feed_changes('account_deletions', '', 'user_id', 'deleted_at');

create trigger account_deletions_change_after_delete after delete on app.account_deletions
referencing old table as changed
for each statement execute function app.record_feed_changes('account_deletions', '', 'user_id', 'deleted_at');

create trigger default_feed_users_change_after_insert after insert on app.default_feed_users
referencing new table as changed
for each statement execute function app.record_feed_changes('default_feed_users', '', 'user_id', 'added_at');

create trigger default_feed_users_change_after_delete after delete on app.default_feed_users
referencing old table as changed
for each statement execute function app.record_feed_changes('default_feed_users', '', 'user_id', 'added_at');

-- schemas/70_feeds/04_home.sql

create function app.home_entries(p_after app.feed_position, p_limit integer) returns app.feed_entry[]
language plpgsql stable set search_path = '' as $$
declare
  v_place app.feed_position := p_after;
  v_size integer := 2 * p_limit;
  v_events app.feed_candidate[];
  v_counted app.feed_candidate[];
  v_known uuid[] := '{}'::uuid[];
  v_found app.feed_entry[] := '{}'::app.feed_entry[];
begin
  loop
    v_events := app.newest_events(v_place, v_size, v_known);
    v_counted := app.without_hidden(v_events, p_after);
    v_found := v_found || app.first_shown(v_counted, p_after);
    exit when cardinality(v_found) >= p_limit or cardinality(v_events) < v_size;
    v_known := v_known || array(select distinct event.id from unnest(v_counted) as event);
    v_place.at := v_events[v_size].at;
    v_place.id := v_events[v_size].id;
    v_size := least(2 * v_size, 2000);
  end loop;
  return v_found[:p_limit];
end
$$;
comment on function app.home_entries is
  'Returns the first posts after p_after in the caller''s home feed, each at its newest event (docs/product.md F1).';
grant execute on function app.home_entries to authenticated;

-- Returns the newest of p_events for each post that the caller may see.
--
-- Leaves out posts that have their position before p_after, and so were on an earlier page.
create function app.first_shown(p_events app.feed_candidate[], p_after app.feed_position) returns app.feed_entry[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_before uuid[] := '{}'::uuid[];
begin
  if p_after.at <> 'infinity' then
    v_before := app.home_posts(
      array(select distinct event.id from unnest(p_events) as event), p_after, p_after.at, p_after.id
    );
  end if;
  return array(
    select ((newest).at, (newest).id, (newest).kind, p)::app.feed_entry
    from (
      select distinct on (event.id) event
      from unnest(p_events) as event
      order by event.id, event.at desc
    ) as event_of_post (newest)
    join app.posts_at(p_after) as p on p.id = (newest).id
    where (newest).id <> all (v_before)
    order by (newest).at desc, (newest).id desc
  );
end
$$;
comment on function app.first_shown is
  'Returns the posts of p_events that a page of the home feed shows after p_after, newest first.';
grant execute on function app.first_shown to authenticated;

-- Returns the newest events after p_after in the caller's home feed, without the posts in p_except.
--
-- These are events of their sources, those of hidden users too, which a look at the few events found leaves out for
-- less; their own posts; and their own Hub shares where nothing else counts. It probes each stream once, and the
-- streams with new events a few times more. A comparison of rows would be an index condition that is checked for
-- each event of a page; one of times begins the scan. A definer function, because no policy shows streams; the
-- caller reads the posts under policies.
create function app.newest_events(p_after app.feed_position, p_limit integer, p_except uuid[])
returns app.feed_candidate[]
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_until timestamptz := least(p_after.at, p_after.began_at);
  v_hub_ids uuid[] := array(select hub.id from app.sources_at(p_after, '{memberships}') as hub (id));
  v_newest app.feed_candidate[];
begin
  v_newest := array(
    with sources as materialized (
      select followed.id from app.sources_at(p_after, '{follows}') as followed (id)
      union all
      select unnest(v_hub_ids)
    ),
    -- The newest N events lie in the N streams with the newest heads, so the others need no further read.
    heads as materialized (
      select source.id, head.occurred_at, head.post_id
      from sources as source
      cross join lateral (
        select e.occurred_at, e.post_id
        from app.recorded_events_at(p_after) as e
        where e.source_id = source.id
          and e.occurred_at <= v_until and (e.occurred_at < p_after.at or e.post_id < p_after.id)
          and (p_except = '{}' or e.post_id not in (select known.id from unnest(p_except) as known (id)))
        order by e.occurred_at desc, e.post_id desc
        limit 1
      ) as head
      order by head.occurred_at desc, head.post_id desc
      limit p_limit
    ),
    since as materialized (
      select case when count(*) < p_limit then '-infinity' else min(h.occurred_at) - interval '1 microsecond' end as at
      from heads as h
    )
    select (found.at, found.id, found.kind, found.actor_id)::app.feed_candidate
    from (
      select event.occurred_at, event.post_id, event.kind, event.actor_id
      from heads
      cross join since
      cross join lateral (
        select e.occurred_at, e.post_id, e.kind, e.actor_id
        from app.recorded_events_at(p_after) as e
        where e.source_id = heads.id
          and e.occurred_at <= v_until and (e.occurred_at < p_after.at or e.post_id < p_after.id)
          and e.occurred_at > since.at
          and (p_except = '{}' or e.post_id not in (select known.id from unnest(p_except) as known (id)))
        order by e.occurred_at desc, e.post_id desc
        limit p_limit
      ) as event
      union all
      (
        select p.created_at, p.id, 'published'::app.feed_event_kind, p.author_id
        from app.posts as p
        where p.author_id = (select app.user_id()) and p.is_public
          and (p.created_at, p.id) < (p_after.at, p_after.id)
          and (p_except = '{}' or p.id not in (select known.id from unnest(p_except) as known (id)))
        order by p.created_at desc, p.id desc
        limit p_limit
      )
    ) as found (at, id, kind, actor_id)
    order by found.at desc, found.id desc
    limit p_limit
  );
  if v_hub_ids = '{}' then
    return v_newest;
  end if;
  return array(
    select candidate
    from unnest(v_newest || app.newest_own_shares(p_after, p_limit, p_except, v_hub_ids)) as candidate
    order by candidate.at desc, candidate.id desc
    limit p_limit
  );
end
$$;
comment on function app.newest_events is
  'Returns the newest events after p_after that counted at page one, without the posts in p_except.';
grant execute on function app.newest_events to authenticated;

create function app.newest_own_shares(
  p_after app.feed_position, p_limit integer, p_except uuid[], p_hub_ids uuid[]
) returns app.feed_candidate[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    select (own.occurred_at, own.post_id, own.kind, own.actor_id)::app.feed_candidate
    from app.own_shares_at(p_after) as own
    where own.hub_id = any (p_hub_ids)
      and (own.occurred_at, own.post_id) < (p_after.at, p_after.id)
      and own.post_id not in (select known.id from unnest(p_except) as known (id))
      and not exists (
        select
        from app.own_shares_at(p_after) as later
        where later.post_id = own.post_id and later.occurred_at > own.occurred_at
          and later.hub_id = any (p_hub_ids)
      )
      and not app.is_home_post(own.post_id, p_after)
    order by own.occurred_at desc, own.post_id desc
    limit p_limit
  );
end
$$;
comment on function app.newest_own_shares is
  'Returns the newest shares of the caller into Hubs that alone bring their posts into the home feed. For definer '
  'functions only.';

-- Returns the posts of p_post_ids that were in the caller's home feed at page one, at (p_at, p_id) or newer.
--
-- Their own Hub shares do not count. A definer function, because it reads streams, and no policy shows these.
create function app.home_posts(p_post_ids uuid[], p_after app.feed_position, p_at timestamptz, p_id uuid)
returns uuid[]
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  -- Two events cost about as much as a probe of one source, so posts with more events are probed by source.
  v_look bigint := greatest(200, 2 * (select count(*) from app.sources_at(p_after)));
  v_found uuid[];
  v_viral uuid[];
begin
  v_found := array(
    select distinct wanted.id
    from unnest(p_post_ids) as wanted (id)
    where exists (
      select
      from (
        select e.source_id
        from app.events_at(p_after) as e
        where e.post_id = wanted.id and (e.occurred_at, e.post_id) >= (p_at, p_id)
        order by e.occurred_at desc
        limit v_look
      ) as event
      -- As an expression, the subquery is a hashed subplan. The caller's own stream has their posts.
      where (event.source_id in (
        select source.id from app.sources_at(p_after) as source (id) union all select app.user_id()
      )) is true
    )
  );
  v_viral := array(
    select distinct wanted.id
    from unnest(p_post_ids) as wanted (id)
    -- Counts all events, which an index alone answers. A post with too few that count is probed too, in vain.
    where wanted.id <> all (v_found) and v_look = (
      select count(*)
      from (
        select
        from app.feed_events as e
        where e.post_id = wanted.id and (e.occurred_at, e.post_id) >= (p_at, p_id)
        limit v_look
      ) as event
    )
  );
  if v_viral = '{}' then
    return v_found;
  end if;
  return v_found || array(
    select viral.id
    from unnest(v_viral) as viral (id)
    where exists (
      select
      from app.sources_at(p_after) as source (id)
      cross join lateral (
        (
          select
          from app.events_at(p_after) as e
          where e.post_id = viral.id and e.source_id = source.id and e.ended_at is null
            and (e.occurred_at, e.post_id) >= (p_at, p_id)
          limit 1
        )
        union all
        (
          select
          from app.events_at(p_after) as e
          where e.post_id = viral.id and e.source_id = source.id and e.ended_at is not null
            and (e.occurred_at, e.post_id) >= (p_at, p_id)
          limit 1
        )
      ) as event
    ) or exists (
      select
      from app.posts as own
      where own.id = viral.id and own.author_id = app.user_id() and own.is_public
        and (own.created_at, own.id) >= (p_at, p_id)
    )
  );
end
$$;
comment on function app.home_posts is
  'Returns the posts of p_post_ids that were in the caller''s home feed at page one, at a position or newer, for a '
  'reason other than their own Hub share.';
grant execute on function app.home_posts to anon, authenticated;

create function app.is_home_post(p_post_id uuid, p_after app.feed_position) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return app.home_posts(array[p_post_id], p_after, '-infinity', '00000000-0000-0000-0000-000000000000') <> '{}';
end
$$;
comment on function app.is_home_post is
  'Returns whether a post was in the caller''s home feed at page one for a reason other than their own Hub share.';

-- Returns the feedContext of each entry of the caller's home feed, in order.
--
-- A definer function, because policies of follows, memberships and placements would cost more than their rows.
create function app.home_reasons(p_entries app.feed_entry[], p_after app.feed_position) returns text[]
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_hub_ids uuid[] := array(select hub.id from app.sources_at(p_after, '{memberships}') as hub (id));
begin
  return array(
    -- "offset 0" keeps the planner from reading all follows and co-members of the caller for twenty authors.
    select case
      when p.author_id = (select app.user_id()) then 'own_post'
      when p.is_public and exists (
        select from app.sources_at(p_after, '{follows}') as followed (id) where followed.id = p.author_id offset 0
      ) then 'followed_author'
      when p.is_public and exists (
        select from app.memberships as theirs
        where theirs.user_id = p.author_id and theirs.hub_id = any (v_hub_ids)
        offset 0
      ) then 'hub_co_member_author'
      when exists (
        select from app.placements as target
        where target.post_id = p.id and target.kind = 'targeted' and target.hub_id = any (v_hub_ids)
        offset 0
      ) then 'joined_hub_post'
      when entry.kind <> 'shared_to_hub'
        -- A look at the events of a post may read thousands, and only a post in a Hub of the caller needs one.
        or not exists (
          select from app.placements as placed
          where placed.post_id = p.id and placed.hub_id = any (v_hub_ids)
          offset 0
        )
        or app.has_other_activity(p.id, p_after) then 'friend_interaction'
      else 'shared_to_hub'
    end
    from unnest(p_entries) with ordinality as entry (at, id, kind, post, place)
    cross join lateral (select (entry.post).*) as p
    order by entry.place
  );
end
$$;
comment on function app.home_reasons is
  'Returns the feedContext of each entry of the caller''s home feed: the first reason that applies '
  '(docs/product.md F10).';
grant execute on function app.home_reasons to authenticated;

create function app.has_other_activity(p_post_id uuid, p_after app.feed_position) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return exists (
    select
    from app.events_at(p_after) as e
    where e.post_id = p_post_id and e.kind <> 'shared_to_hub'
      and e.source_id in (select source.id from app.sources_at(p_after) as source (id))
  );
end
$$;
comment on function app.has_other_activity is
  'Returns whether anything but a Hub share brought a post into the caller''s home feed. For definer functions only, '
  'because it reads streams.';

create function app.default_entries(p_after app.feed_position, p_limit integer) returns app.feed_entry[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    select (newest.created_at, newest.id, 'published', newest.post)::app.feed_entry
    from app.default_users_at(p_after) as author (id)
    cross join lateral (
      select p.created_at, p.id, p as post
      from app.posts_at(p_after) as p
      where p.author_id = author.id and p.is_public
        and (p.created_at, p.id) < (p_after.at, p_after.id)
      order by p.created_at desc, p.id desc
      limit p_limit
    ) as newest
    order by newest.created_at desc, newest.id desc
    limit p_limit
  );
end
$$;
comment on function app.default_entries is
  'Returns the first public posts after p_after of the default feed users, for callers without sources of their own '
  '(docs/product.md F3).';
grant execute on function app.default_entries to anon, authenticated;

-- schemas/70_feeds/05_hub_and_profile.sql

-- Returns the first posts after p_after in a Hub of the caller's, by their last placement or share there at page one.
--
-- A post that was shared again since keeps its position of page one. No transaction lasts a minute, so what was shared
-- earlier before page one was committed then; app.share_at_page_one knows of the rest.
create function app.hub_entries(p_hub_id uuid, p_after app.feed_position, p_limit integer) returns app.feed_entry[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_settled timestamptz := p_after.began_at - interval '1 minute';
begin
  return array(
    select (entry.at, entry.id, 'shared_to_hub', entry.post)::app.feed_entry
    from (
      (
        select placed.last_shared_at as at, placed.post_id as id, p as post
        from app.placements as placed
        join app.posts_at(p_after) as p on p.id = placed.post_id
        where placed.hub_id = p_hub_id and (placed.last_shared_at, placed.post_id) < (p_after.at, p_after.id)
          and placed.last_shared_at <= v_settled
        order by placed.last_shared_at desc, placed.post_id desc
        limit p_limit
      )
      union all
      select former.at, placed.post_id, p
      from app.placements as placed
      join app.posts_at(p_after) as p on p.id = placed.post_id
      cross join app.share_at_page_one(p_hub_id, placed.post_id, p_after) as former (at)
      where placed.hub_id = p_hub_id and placed.last_shared_at > v_settled
        and (former.at, placed.post_id) < (p_after.at, p_after.id)
    ) as entry
    order by entry.at desc, entry.id desc
    limit p_limit
  );
end
$$;
comment on function app.hub_entries is
  'Returns the first posts after p_after in a Hub of the caller''s, as at page one (docs/product.md F11).';
grant execute on function app.hub_entries to authenticated;

create function app.hub_reasons(p_hub_id uuid, p_entries app.feed_entry[]) returns text[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    select case placed.kind when 'targeted' then 'joined_hub_post' else 'shared_to_hub' end
    from unnest(p_entries) with ordinality as entry (at, id, kind, post, place)
    left join app.placements as placed on placed.post_id = entry.id and placed.hub_id = p_hub_id
    order by entry.place
  );
end
$$;
comment on function app.hub_reasons is
  'Returns the feedContext of each entry in the feed of a Hub of the caller''s, in order: target or onward share '
  '(docs/product.md F11).';
grant execute on function app.hub_reasons to authenticated;

-- A definer function, because no policy shows the Hub's stream; it does not reveal the actor.
create function app.share_at_page_one(p_hub_id uuid, p_post_id uuid, p_after app.feed_position) returns timestamptz
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return (
    select max(e.occurred_at)
    from app.feed_events as e
    where e.post_id = p_post_id and e.hub_id = p_hub_id and app.is_placement(e.kind)
      and app.counted_at(p_after, e.occurred_at, e.begun_by, e.ended_by)
      and e.hub_id in (select mine.hub_id from app.my_hubs as mine)
  );
end
$$;
comment on function app.share_at_page_one is
  'Returns when a post had last been placed or shared in a Hub of the caller''s at page one; null if it was not there.';
grant execute on function app.share_at_page_one to authenticated;

-- Returns the first posts after p_after in the feed of a profile that the caller may see.
--
-- These are the owner's public posts, and the posts shared to their feed, each at the time of its last share at page
-- one. A private post that they shared is there while they are in a Hub that has it.
create function app.profile_entries(p_user_id uuid, p_after app.feed_position, p_limit integer) returns app.feed_entry[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_changed app.feed_changes[] := array(select changed from app.shares_changed_since(p_user_id, p_after) as changed);
  v_changed_ids uuid[] := array(select changed.object_id from unnest(v_changed) as changed);
begin
  return array(
    select (entry.at, entry.id, entry.kind, entry.post)::app.feed_entry
    from (
      (
        select p.created_at as at, p.id, 'published' as kind, p as post
        from app.posts_at(p_after) as p
        where p.author_id = p_user_id and p.is_public
          and (p.created_at, p.id) < (p_after.at, p_after.id)
          and not exists (
            select
            from app.feed_shares as s
            where s.user_id = p_user_id and s.post_id = p.id and s.post_id <> all (v_changed_ids)
          )
          and not exists (
            select from unnest(v_changed) as former where former.object_id = p.id and former.former_at is not null
          )
        order by p.created_at desc, p.id desc
        limit p_limit
      )
      union all
      (
        select s.shared_at, s.post_id, 'shared_to_feed', p
        from app.feed_shares as s
        join app.posts_at(p_after) as p on p.id = s.post_id
        where s.user_id = p_user_id and (s.shared_at, s.post_id) < (p_after.at, p_after.id)
          and s.post_id <> all (v_changed_ids)
          and (p.is_public or app.is_in_hub_of(p_user_id, p.id))
        order by s.shared_at desc, s.post_id desc
        limit p_limit
      )
      union all
      select former.former_at, former.object_id, 'shared_to_feed', p
      from unnest(v_changed) as former
      join app.posts_at(p_after) as p on p.id = former.object_id
      where (former.former_at, former.object_id) < (p_after.at, p_after.id)
        and (p.is_public or app.is_in_hub_of(p_user_id, p.id))
    ) as entry
    order by entry.at desc, entry.id desc
    limit p_limit
  );
end
$$;
comment on function app.profile_entries is
  'Returns the first posts after p_after in the feed of a profile, as at page one (docs/product.md F12, F13).';
grant execute on function app.profile_entries to anon, authenticated;

-- A definer function, because no policy shows changes; it returns ids of posts, which the caller reads under policies.
create function app.shares_changed_since(p_user_id uuid, p_after app.feed_position) returns setof app.feed_changes
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_after.at = 'infinity' then
    return;
  end if;
  return query
  select distinct on (c.object_id) c.*
  from app.feed_changes as c
  where c.subject_id = p_user_id and c.kind = 'feed_shares'
    and app.is_since(p_after, c.changed_by)
  order by c.object_id, c.id;
end
$$;
comment on function app.shares_changed_since is
  'Returns the shares to a person''s feed that have changed since page one, each as it was at page one.';
grant execute on function app.shares_changed_since to anon, authenticated;

-- A definer function, because no policy shows the memberships of others in Hubs that the caller is not in.
create function app.is_in_hub_of(p_user_id uuid, p_post_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select
    from app.placements as placed
    join app.memberships as m on m.hub_id = placed.hub_id and m.user_id = p_user_id
    where placed.post_id = p_post_id
  );
end
$$;
comment on function app.is_in_hub_of is
  'Returns whether a person is a member of a Hub that has a post (docs/product.md F13).';
grant execute on function app.is_in_hub_of to anon, authenticated;

-- schemas/70_feeds/06_trending.sql

create function app.trending_entries(p_hub_id uuid, p_after app.feed_position, p_limit integer)
returns app.feed_entry[]
language plpgsql stable set search_path = '' as $$
declare
  v_place app.feed_position := p_after;
  v_size integer := p_limit;
  v_active app.feed_candidate[];
  v_batch app.feed_entry[];
  v_found app.feed_entry[] := '{}'::app.feed_entry[];
begin
  while v_place.part = 'active' and cardinality(v_found) < p_limit loop
    v_active := app.active_candidates(p_hub_id, v_place, p_limit);
    v_found := v_found || array(
      select (active.at, active.id, active.kind, p)::app.feed_entry
      from unnest(v_active) with ordinality as active (at, id, kind, actor_id, place)
      join app.posts_at(p_after) as p on p.id = active.id
      order by active.place
    );
    if cardinality(v_active) = p_limit then
      v_place.at := v_active[p_limit].at;
      v_place.id := v_active[p_limit].id;
    else
      v_place.part := 'quiet';
      v_place.at := v_place.began_at;
      v_place.id := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
    end if;
  end loop;
  while cardinality(v_found) < p_limit loop
    v_batch := app.recent_entries(p_hub_id, v_place, v_size);
    v_found := v_found || array(
      select (entry.at, entry.id, entry.kind, entry.post)::app.feed_entry
      from unnest(v_batch) with ordinality as entry (at, id, kind, post, place)
      where entry.id not in (
        select s.post_id from app.scores_at_page_one(array(select batch.id from unnest(v_batch) as batch), v_place) as s
      )
      order by entry.place
    );
    exit when cardinality(v_batch) < v_size;
    v_place.at := v_batch[v_size].at;
    v_place.id := v_batch[v_size].id;
    v_size := least(2 * v_size, 500);
  end loop;
  return v_found[:p_limit];
end
$$;
comment on function app.trending_entries is
  'Returns the first posts after p_after in a trending feed of the caller''s, ranked as of page one '
  '(docs/product.md F14, F15): posts with activity in the seven days before, by trending score (their kind is '
  'null), then the others in the order of the recent feed. Args: p_hub_id (null for the home feed); p_after (cursor '
  'position); p_limit.';
grant execute on function app.trending_entries to anon, authenticated;

create function app.active_candidates(p_hub_id uuid, p_after app.feed_position, p_limit integer)
returns app.feed_candidate[]
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_since timestamptz := p_after.began_at - app.trending_period();
  v_changed uuid[];
  v_change_count bigint;
  v_looked app.feed_candidate[];
  v_lowest app.feed_candidate;
  v_found app.feed_candidate[];
  v_size integer;
begin
  foreach v_size in array array[100, 300] loop
    select coalesce(array_agg(distinct c.post_id), '{}'), count(*) into v_changed, v_change_count
    from (
      select c.post_id
      from app.score_changes as c
      where app.is_since(p_after, c.changed_by)
      order by c.changed_by
      limit 10 * v_size
    ) as c;
    continue when cardinality(v_changed) > v_size or v_change_count = 10 * v_size;
    v_looked := array(
      select (s.score, s.post_id, null, null)::app.feed_candidate
      from app.trending_scores as s
      where (s.score, s.post_id) < (p_after.at, p_after.id) and s.score > v_since
      order by s.score desc, s.post_id desc
      limit v_size
    );
    -- Posts below the last score read have no final rank yet: unread posts may come between them.
    v_lowest := case when cardinality(v_looked) = v_size then v_looked[v_size] end;
    v_found := app.ranked_candidates(
      app.posts_in_feed(p_hub_id, p_after, array(select looked.id from unnest(v_looked) as looked) || v_changed),
      p_after, v_lowest, p_limit
    );
    if cardinality(v_found) = p_limit or cardinality(v_looked) < v_size then
      return v_found;
    end if;
  end loop;
  return app.ranked_candidates(app.active_in_feed(p_hub_id, p_after), p_after, null, p_limit);
end
$$;
comment on function app.active_candidates is
  'Returns the first posts after p_after in a feed of the caller''s with activity in the seven days before page '
  'one, by their trending score as of page one. It searches the scores of all posts for posts in the feed. It ranks '
  'the whole feed instead if such posts are too rare, or if too many scores changed since page one. A definer '
  'function, because no policy shows scores and streams; the caller reads the posts under policies. Args: p_hub_id '
  '(null for the home feed); p_after (cursor position); p_limit.';
grant execute on function app.active_candidates to anon, authenticated;

-- Returns the distinct posts of a feed of the caller's that may have activity in the seven days before page one.
--
-- It reads the whole feed, without a check of visibility. p_hub_id is null for the home feed.
create function app.active_in_feed(p_hub_id uuid, p_after app.feed_position) returns uuid[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_since timestamptz := p_after.began_at - app.trending_period();
  v_changed uuid[] := array(
    select distinct c.post_id from app.score_changes as c where app.is_since(p_after, c.changed_by)
  );
begin
  if p_hub_id is not null then
    return app.posts_in_feed(p_hub_id, p_after, v_changed || array(
      select placed.post_id
      from app.placements as placed
      join app.trending_scores as s on s.post_id = placed.post_id
      where placed.hub_id = p_hub_id and s.active_at > v_since and placed.post_id <> all (v_changed)
    ));
  elsif not p_after.is_own then
    return app.posts_in_feed(p_hub_id, p_after, v_changed) || array(
      select p.id
      from app.default_users_at(p_after) as author (id)
      join app.posts as p on p.author_id = author.id
      join app.trending_scores as s on s.post_id = p.id
      where p.is_public and s.active_at > v_since and p.id <> all (v_changed)
    );
  end if;
  return app.posts_in_feed(p_hub_id, p_after, v_changed) || array(
    select known.post_id
    from (
      select event.post_id
      from (select own.id from app.sources_at(p_after) as own (id) union select app.user_id()) as source (id)
      -- "offset 0" keeps the planner from reading all streams.
      cross join lateral (
        select e.post_id from app.events_at(p_after) as e where e.source_id = source.id offset 0
      ) as event
      union
      select own.post_id
      from app.own_shares_at(p_after) as own
      where own.hub_id in (select hub.id from app.sources_at(p_after, '{memberships}') as hub (id))
    ) as known
    join app.trending_scores as s on s.post_id = known.post_id
    where s.active_at > v_since and known.post_id <> all (v_changed)
  );
end
$$;
comment on function app.active_in_feed is
  'Returns the posts of a feed of the caller''s with activity since seven days before page one. For definer functions '
  'only, because it reads streams.';

-- Returns the distinct posts of p_post_ids that were in a feed of the caller's at page one.
--
-- It does not check visibility. p_hub_id is null for the home feed.
create function app.posts_in_feed(p_hub_id uuid, p_after app.feed_position, p_post_ids uuid[]) returns uuid[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  if p_hub_id is not null then
    return array(
      select placed.post_id
      from app.placements as placed
      where placed.hub_id = p_hub_id and placed.post_id = any (p_post_ids)
        and placed.hub_id in (select mine.hub_id from app.my_hubs as mine)
        -- As in app.hub_entries.
        and (
          placed.last_shared_at <= p_after.began_at - interval '1 minute'
          or app.share_at_page_one(p_hub_id, placed.post_id, p_after) is not null
        )
    );
  elsif not p_after.is_own then
    return array(
      select p.id
      from app.posts as p
      where p.id = any (p_post_ids) and p.is_public
        and p.author_id in (select author.id from app.default_users_at(p_after) as author (id))
    );
  end if;
  return array(
    select unnest(app.home_posts(p_post_ids, p_after, '-infinity', '00000000-0000-0000-0000-000000000000'))
    union
    select own.post_id
    from app.own_shares_at(p_after) as own
    where own.post_id = any (p_post_ids)
      and own.hub_id in (select hub.id from app.sources_at(p_after, '{memberships}') as hub (id))
  );
end
$$;
comment on function app.posts_in_feed is
  'Returns the posts of p_post_ids that were in a feed of the caller''s at page one. For definer functions only, '
  'because it reads streams.';

create function app.ranked_candidates(
  p_post_ids uuid[], p_after app.feed_position, p_lowest app.feed_candidate, p_limit integer
) returns app.feed_candidate[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    select (s.score, s.post_id, null, null)::app.feed_candidate
    from app.scores_at_page_one(p_post_ids, p_after) as s
    where (s.score, s.post_id) < (p_after.at, p_after.id)
      and (p_lowest.id is null or (s.score, s.post_id) >= (p_lowest.at, p_lowest.id))
    order by s.score desc, s.post_id desc
    limit p_limit
  );
end
$$;
comment on function app.ranked_candidates is
  'Ranks posts by their trending score as of page one. Args: p_post_ids (distinct); p_after (cursor position); '
  'p_lowest (the last entry to return, null for no bound); p_limit.';

-- Returns the trending scores that posts had at page one of p_after.
--
-- The first change since page one says what the score was. Returns no row for a post without activity in the seven
-- days before page one.
create function app.scores_at_page_one(p_post_ids uuid[], p_after app.feed_position)
returns table (post_id uuid, score timestamptz)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return query
  select wanted.id, case when former.is_former then former.score else s.score end
  from unnest(p_post_ids) as wanted (id)
  left join app.trending_scores as s on s.post_id = wanted.id
  left join lateral (
    select true as is_former, c.former_score as score, c.former_active_at as active_at
    from app.score_changes as c
    where c.post_id = wanted.id and app.is_since(p_after, c.changed_by)
    order by c.id
    limit 1
  ) as former on true
  where case when former.is_former then former.active_at else s.active_at end
    > p_after.began_at - app.trending_period();
end
$$;
comment on function app.scores_at_page_one is 'Returns the trending scores that posts had at page one.';
grant execute on function app.scores_at_page_one to anon, authenticated;

-- schemas/70_feeds/07_pruning.sql

create function app.prune_feeds() returns void
language sql security definer set search_path = ''
begin atomic
  delete from app.feed_events
  where ctid in (
    -- The deletion of a post takes its events along, in any order.
    select e.ctid
    from app.feed_events as e
    where e.ended_at <= app.now() - interval '1 day'
    limit 20000
    for update skip locked
  );
  delete from app.feed_changes
  where id in (select c.id from app.feed_changes as c where c.changed_at <= app.now() - interval '1 day' limit 20000);
  delete from app.trending_activities
  where ctid in (
    select a.ctid
    from app.trending_activities as a
    where a.at <= app.now() - interval '30 days'
    limit 20000
    for update skip locked
  );
  delete from app.score_changes
  where id in (select c.id from app.score_changes as c where c.changed_at <= app.now() - interval '1 day' limit 20000);
end;
comment on function app.prune_feeds is
  'Upkeep: deletes ended events and changes older than a day, which only older cursors need, and activity that adds '
  'nothing to trending scores by now; at most 20,000 rows of each.';
grant execute on function app.prune_feeds to opine_worker;

-- schemas/70_feeds/80_account.sql

create function app.move_feeds(p_from uuid, p_into uuid) returns void
language sql set search_path = ''
begin atomic
  update app.default_feed_users as d
  set user_id = p_into
  where d.user_id = p_from and not exists (select from app.default_feed_users as own where own.user_id = p_into);
end;
comment on function app.move_feeds is 'Makes an account a default feed user in the place of the one merged into it.';

create function app.erase_feeds(p_user_id uuid) returns void
language sql set search_path = ''
begin atomic
  delete from app.default_feed_users where user_id = p_user_id;
end;
comment on function app.erase_feeds is 'An ended account is no default feed user (docs/product.md F3).';

-- schemas/70_feeds/90_policies.sql

create policy default_feed_users_select on app.default_feed_users for select to anon, authenticated using (true);

-- schemas/75_discussions/01_tables.sql

-- It exists from the placement on.
create table app.discussions (
  id uuid primary key default app.uuid_v7(),
  hub_id uuid not null,
  post_id uuid not null,
  message_count integer not null default 0,
  last_activity_at timestamptz not null default app.now(),
  is_hidden boolean not null default false,
  constraint discussions_one_per_placement unique (post_id, hub_id),
  constraint discussions_id_hub_id_key unique (id, hub_id),
  constraint discussions_are_of_placements foreign key (post_id, hub_id) references app.placements (post_id, hub_id)
    on delete cascade,
  constraint discussions_message_count_is_not_negative check (message_count >= 0)
);
comment on table app.discussions is
  'One row per placement: what the members of a Hub say about a post in it (docs/product.md D1).';
comment on column app.discussions.last_activity_at is
  'The time of the latest message, deleted ones included, or of the placement.';
comment on column app.discussions.is_hidden is
  'Whether staff has removed the post: the discussion is hidden with it. A copy of posts.removed_at, which no caller '
  'may read.';
comment on column app.discussions.message_count is 'The number of messages with content.';
create index discussions_hub_id_idx on app.discussions (hub_id, last_activity_at desc, id desc);
alter table app.discussions enable row level security;
-- Guests see no row, but the policy of assets, which applies to guests, reads this table.
grant select on app.discussions to anon, authenticated;

create table app.messages (
  id uuid primary key default app.uuid_v7(),
  discussion_id uuid not null,
  hub_id uuid not null,
  author_id uuid references app.users (id) on delete set null,
  parent_id uuid,
  body text,
  asset_id uuid references app.assets (id) on delete restrict,
  alt_text text,
  is_deleted boolean not null generated always as (num_nonnulls(body, asset_id) = 0) stored,
  reply_count integer not null default 0,
  created_at timestamptz not null default app.now(),
  constraint messages_id_discussion_id_key unique (id, discussion_id),
  constraint messages_are_of_discussions foreign key (discussion_id, hub_id) references app.discussions (id, hub_id)
    on delete cascade,
  constraint messages_parent_has_same_discussion foreign key (parent_id, discussion_id)
    references app.messages (id, discussion_id) on delete cascade,
  constraint messages_have_content check (author_id is null or not is_deleted),
  constraint messages_body_length check (char_length(body) between 1 and 2000),
  constraint messages_body_visible check (app.has_visible_character(body)),
  constraint messages_alt_text_is_of_asset check (alt_text is null or asset_id is not null),
  constraint messages_alt_text_length check (char_length(alt_text) between 1 and 500),
  constraint messages_alt_text_visible check (app.has_visible_character(alt_text)),
  constraint messages_replies_have_none check (parent_id is null or reply_count = 0)
);
comment on table app.messages is 'One row per message of a discussion, in threads of one level (docs/product.md D3).';
comment on column app.messages.is_deleted is 'Whether the message has no content any more; it stays for its replies.';
comment on column app.messages.created_at is
  'Grows in the order of commits within a discussion, so no cursor or read position passes a message that is committed '
  'later.';
comment on column app.messages.hub_id is
  'The Hub of the discussion, copied for the policy: a look-up of the discussion would cost more than reading the '
  'message.';
comment on column app.messages.author_id is
  'Null after account deletion, which keeps the text and removes the picture, and after removal by staff or deletion '
  'of a root with replies, which remove both.';
create index messages_roots_idx on app.messages (discussion_id, created_at, id) where parent_id is null;
create index messages_parent_id_idx on app.messages (parent_id, discussion_id, created_at, id);
-- Includes the author, so that app.discussed_posts counts unread messages from the index alone.
create index messages_discussion_id_idx on app.messages (discussion_id, created_at, id) include (author_id)
where not is_deleted;
create index messages_hub_id_idx on app.messages (discussion_id, hub_id);
create index messages_author_id_idx on app.messages (author_id);
create index messages_asset_id_idx on app.messages (asset_id);
alter table app.messages enable row level security;
grant select on app.messages to anon, authenticated;

-- A row outlives the membership: lists omit it until its owner is a member again.
create table app.saved_discussions (
  user_id uuid not null references app.users (id) on delete cascade,
  discussion_id uuid not null references app.discussions (id) on delete cascade,
  saved_at timestamptz not null default app.now(),
  constraint saved_discussions_pkey primary key (user_id, discussion_id)
);
comment on table app.saved_discussions is 'One row per person and saved discussion (docs/product.md D6).';
create index saved_discussions_discussion_id_idx on app.saved_discussions (discussion_id);
create index saved_discussions_saved_at_idx on app.saved_discussions (user_id, saved_at desc, discussion_id desc);
alter table app.saved_discussions enable row level security;
grant select on app.saved_discussions to authenticated;
grant insert (user_id, discussion_id) on app.saved_discussions to authenticated;
grant delete on app.saved_discussions to authenticated;

-- A row outlives the membership, as in app.saved_discussions.
create table app.discussion_reads (
  user_id uuid not null references app.users (id) on delete cascade,
  discussion_id uuid not null references app.discussions (id) on delete cascade,
  read_until timestamptz not null,
  constraint discussion_reads_pkey primary key (user_id, discussion_id)
);
comment on table app.discussion_reads is
  'One row per person and discussion that they marked as read: their read position (docs/product.md D10).';
comment on column app.discussion_reads.read_until is 'The created_at of the latest message that the person has read.';
create index discussion_reads_discussion_id_idx on app.discussion_reads (discussion_id);
alter table app.discussion_reads enable row level security;
grant select on app.discussion_reads to authenticated;
grant insert (user_id, discussion_id, read_until) on app.discussion_reads to authenticated;
grant update (read_until) on app.discussion_reads to authenticated;

-- Row-level: every reply updates its root, and only a trigger without transition tables can name a column.
create trigger messages_release_asset_after_update after update of asset_id on app.messages
for each row when (old.asset_id is distinct from new.asset_id)
execute function app.delete_former_asset('asset_id');

create trigger messages_release_asset_after_delete after delete on app.messages
for each row when (old.asset_id is not null)
execute function app.delete_former_asset('asset_id');

-- schemas/75_discussions/02_discussions.sql

-- Lists the discussions of a Hub, last active first.
--
-- Args: hubId, cursor, limit. Returns items and nextCursor.
create function api.list_discussions(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_list text := app.list_of('list_discussions', p_args);
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor');
  v_page app.list_entry[];
begin
  perform app.require_member(v_hub_id);
  v_page := array(
    select (d.last_activity_at, d.id)::app.list_entry
    from app.discussions as d
    where d.hub_id = v_hub_id and (d.last_activity_at, d.id) < (v_from.at, v_from.id)
    order by d.last_activity_at desc, d.id desc
    limit v_limit + 1
  );
  return jsonb_build_object(
    'items', app.discussions_json(v_hub_id, v_page[:v_limit]),
    'nextCursor', app.next_cursor(v_list, v_page, v_limit)
  );
end
$$;
comment on function api.list_discussions is 'GET /hubs/{hubId}/discussions (docs/product.md D1, D2).';
grant execute on function api.list_discussions to authenticated;

create function app.discussions_json(p_hub_id uuid, p_entries app.list_entry[]) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_ids uuid[] := array(select entry.id from unnest(p_entries) as entry);
begin
  return (
    with post as materialized (select * from app.discussed_posts(p_hub_id, v_ids)),
    author as materialized (select * from app.hub_people(p_hub_id, array(select p.author_id from post as p)))
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', post.discussion_id,
      'hubId', p_hub_id,
      'postId', post.post_id,
      'preview', jsonb_build_object(
        'thoughtText', post.thought_text,
        'sliderText', post.slider_text,
        'articleTitle', post.article_title,
        'author', app.discussion_author(author)
      ),
      'messageCount', post.message_count,
      'lastActivityAt', app.iso(post.last_activity_at),
      'viewerSaved', post.is_saved,
      'unreadCount', post.unread_count
    ) order by entry.place), '[]')
    from unnest(v_ids) with ordinality as entry (id, place)
    join post on post.discussion_id = entry.id
    left join author on author.user_id = post.author_id
  );
end
$$;
comment on function app.discussions_json is
  'Returns discussions of a Hub of the caller as JSON in the given order, with their unread messages (docs/product.md '
  'D2, D10).';
grant execute on function app.discussions_json to authenticated;

create type app.discussed_post as (
  discussion_id uuid, post_id uuid, message_count integer, last_activity_at timestamptz,
  author_id uuid, thought_text text, slider_text text, article_title text, is_saved boolean, unread_count integer
);
comment on type app.discussed_post is
  'A discussion with its post, for the preview, whether the caller has saved the discussion, and how many of its '
  'messages they have not read.';

-- Returns discussions of a Hub with their posts, and none to a non-member.
--
-- It ignores blocks, which the policy of discussions applies, so it is a definer function. The post of an author
-- hidden from everybody is empty. It counts the unread messages that the policy of messages shows, at most 100:
-- under that policy the count would cost twice as much.
create function app.discussed_posts(p_hub_id uuid, p_discussion_ids uuid[]) returns setof app.discussed_post
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select
    d.id, d.post_id, d.message_count, d.last_activity_at, p.author_id, p.thought_text, p.slider_text, a.title,
    exists (select from app.saved_discussions as s where s.discussion_id = d.id and s.user_id = app.user_id()),
    (
      select count(*)::integer
      from (
        select
        from app.messages as unread
        where unread.discussion_id = d.id and not unread.is_deleted
          and unread.created_at > greatest(m.joined_at, (
            select r.read_until from app.discussion_reads as r where r.discussion_id = d.id and r.user_id = m.user_id
          ))
          and (
            unread.author_id is null
            or unread.author_id <> m.user_id and unread.author_id not in (select s.user_id from app.suspensions as s)
          )
        limit 100
      ) as at_most
    )
  from app.discussions as d
  join app.memberships as m on m.hub_id = d.hub_id and m.user_id = app.user_id()
  left join app.posts as p
    on p.id = d.post_id and not exists (select from app.users_hidden_from_all as h where h.user_id = p.author_id)
  left join app.articles as a on a.id = p.article_id
  where d.id = any (p_discussion_ids) and d.hub_id = p_hub_id;
end
$$;
comment on function app.discussed_posts is 'Returns discussions of a Hub with their posts (docs/product.md D2, D10).';
grant execute on function app.discussed_posts to authenticated;

-- The planner inlines it.
create function app.discussion_author(p_person app.hub_person) returns jsonb language sql stable
return jsonb_build_object(
  'userId', coalesce(p_person.user_id::text, ''),
  'displayName', coalesce(p_person.display_name, ''),
  'profilePhotoUrl', app.photo_url(p_person.photo_asset_id),
  'phoneNumber', p_person.phone_number,
  'publicUsername', case when p_person.role is null then p_person.username end,
  'isAnonymous', p_person.user_id is null,
  'isFormerMember', p_person.role is null
);
comment on function app.discussion_author is
  'Returns a HubDiscussionAuthor (docs/product.md D5): a member with their phone, a former member with their username, '
  'a null row (an ended or suspended account) with neither.';
grant execute on function app.discussion_author to authenticated;

-- Saves a discussion for the caller.
--
-- Args: hubId, discussionId. Returns saved.
create function api.save_discussion(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_discussion app.discussions := app.require_discussion(p_args);
begin
  perform app.lock_member(v_discussion.hub_id, p_hidden => 'DISCUSSION_NOT_FOUND');
  insert into app.saved_discussions (user_id, discussion_id)
  values (app.user_id(), v_discussion.id)
  on conflict (user_id, discussion_id) do nothing;
  return '{"saved": true}'::jsonb;
end
$$;
comment on function api.save_discussion is 'POST /hubs/{hubId}/discussions/{discussionId}/save (docs/product.md D6).';
grant execute on function api.save_discussion to authenticated;

create function app.discussion_save_state(p_discussion_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object('saved', exists (
      select from app.saved_discussions as s where s.user_id = app.user_id() and s.discussion_id = d.id
    ))
    from app.discussions as d
    where d.id = p_discussion_id
  );
end
$$;
comment on function app.discussion_save_state is
  'Returns whether the caller has saved a discussion (docs/product.md D6); null for one that they may not see.';
grant execute on function app.discussion_save_state to authenticated;

-- Removes a discussion from the saved ones of the caller.
--
-- Args: hubId, discussionId. Returns saved.
create function api.unsave_discussion(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_discussion app.discussions := app.require_discussion(p_args, p_despite_blocks => true);
begin
  delete from app.saved_discussions as s where s.user_id = app.user_id() and s.discussion_id = v_discussion.id;
  return '{"saved": false}'::jsonb;
end
$$;
comment on function api.unsave_discussion is
  'DELETE /hubs/{hubId}/discussions/{discussionId}/save (docs/product.md D6).';
grant execute on function api.unsave_discussion to authenticated;

-- Lists the saved discussions in Hubs of the caller, last saved first. Below level 4 nobody is a member of a
-- Hub, so the list is empty.
create function api.list_saved_discussions(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args alias for $1;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_list text := app.list_of('list_saved_discussions', p_args);
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor');
  v_page app.list_entry[];
begin
  perform app.require_level(1);
  v_page := array(
    select (s.saved_at, s.discussion_id)::app.list_entry
    from app.saved_discussions as s
    join app.discussions as d on d.id = s.discussion_id
    where s.user_id = app.user_id() and (s.saved_at, s.discussion_id) < (v_from.at, v_from.id)
    order by s.saved_at desc, s.discussion_id desc
    limit v_limit + 1
  );
  return jsonb_build_object(
    'items', (
      select coalesce(jsonb_agg(app.saved_discussion(d) order by entry.place), '[]')
      from unnest(v_page[:v_limit]) with ordinality as entry (at, id, place)
      join app.discussions as d on d.id = entry.id
    ),
    'nextCursor', app.next_cursor(v_list, v_page, v_limit)
  );
end
$$;
comment on function api.list_saved_discussions is
  'GET /users/me/saved-discussions (docs/product.md D6). Lists the saved discussions of the caller.';
grant execute on function api.list_saved_discussions to authenticated;

create function app.saved_discussion(p_discussion app.discussions) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return app.discussions_json(
    p_discussion.hub_id, array[(null, p_discussion.id)::app.list_entry]
  ) -> 0 || jsonb_build_object(
    'hub', (select jsonb_build_object('id', h.id, 'name', h.name) from app.hubs as h where h.id = p_discussion.hub_id),
    'previewMessages', app.messages_json(p_discussion.hub_id, array(
      select m
      from app.messages as m
      where m.discussion_id = p_discussion.id and not m.is_deleted
      order by m.created_at, m.id
      limit 3
    ))
  );
end
$$;
comment on function app.saved_discussion is
  'Returns a saved discussion as JSON, with its Hub and its three earliest messages that are not deleted '
  '(docs/product.md D6, D9).';
grant execute on function app.saved_discussion to authenticated;

-- Marks the messages of a discussion as read by the caller.
--
-- Args: hubId, discussionId. Returns unreadCount.
create function api.mark_discussion_read(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_discussion app.discussions := app.require_discussion(p_args);
begin
  perform app.lock_member(v_discussion.hub_id, p_hidden => 'DISCUSSION_NOT_FOUND');
  insert into app.discussion_reads as r (user_id, discussion_id, read_until)
  -- A message that is committed from now on is later than last_activity_at: see app.put_message.
  values (app.user_id(), v_discussion.id, v_discussion.last_activity_at)
  on conflict (user_id, discussion_id) do update set read_until = greatest(r.read_until, excluded.read_until);
  return '{"unreadCount": 0}'::jsonb;
end
$$;
comment on function api.mark_discussion_read is
  'POST /hubs/{hubId}/discussions/{discussionId}/read (docs/product.md D10).';
grant execute on function api.mark_discussion_read to authenticated;

-- Returns the discussion that hubId and discussionId of p_args name, in a Hub of the caller.
--
-- Args: p_despite_blocks (whether one that a block hides will do). Errors: those of app.require_member,
-- DISCUSSION_NOT_FOUND (also for a non-member).
create function app.require_discussion(p_args jsonb, p_despite_blocks boolean default false) returns app.discussions
language plpgsql set search_path = '' as $$
declare
  v_discussion app.discussions;
begin
  perform app.require_member((p_args ->> 'hubId')::uuid, p_hidden => 'DISCUSSION_NOT_FOUND');
  if p_despite_blocks then
    v_discussion := app.discussion_despite_blocks((p_args ->> 'discussionId')::uuid);
  else
    select * into v_discussion from app.discussions as d where d.id = (p_args ->> 'discussionId')::uuid;
  end if;
  if v_discussion.hub_id is distinct from (p_args ->> 'hubId')::uuid then
    raise exception using errcode = 'PT404', message = 'DISCUSSION_NOT_FOUND';
  end if;
  return v_discussion;
end
$$;
comment on function app.require_discussion is 'Returns a discussion in a Hub of the caller (docs/product.md D7, D11).';
grant execute on function app.require_discussion to authenticated;

create function app.discussion_despite_blocks(p_discussion_id uuid) returns app.discussions
language plpgsql stable security definer set search_path = '' as $$
declare
  v_discussion app.discussions;
begin
  select * into v_discussion
  from app.discussions as d
  where d.id = p_discussion_id and not d.is_hidden and d.hub_id in (select mine.hub_id from app.my_hubs as mine);
  return v_discussion;
end
$$;
comment on function app.discussion_despite_blocks is
  'Returns a discussion in a Hub of the caller, also one that a block hides; null for any other (docs/product.md D11).';
grant execute on function app.discussion_despite_blocks to authenticated;

create function app.is_post_across_block(p_post_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from app.posts as p join app.blocked_users as b on b.user_id = p.author_id where p.id = p_post_id
  );
end
$$;
comment on function app.is_post_across_block is
  'Returns whether the caller and the author of a post are a blocked pair.';
grant execute on function app.is_post_across_block to authenticated;

create function app.open_discussion() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into app.discussions (hub_id, post_id) values (new.hub_id, new.post_id);
  return null;
end
$$;
comment on function app.open_discussion is
  'Trigger: a post that comes into a Hub has a discussion there (docs/product.md D1).';

create trigger placements_open_discussion_after_insert after insert on app.placements
for each row execute function app.open_discussion();

create function app.hide_discussions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update app.discussions as d set is_hidden = new.removed_at is not null where d.post_id = new.id;
  return null;
end
$$;
comment on function app.hide_discussions is
  'Trigger: hides the discussions of a post that staff removes, and shows those of one that it restores.';

create trigger posts_hide_discussions_after_update after update of removed_at on app.posts
for each row when ((old.removed_at is null) <> (new.removed_at is null))
execute function app.hide_discussions();

-- schemas/75_discussions/03_messages.sql

-- Lists the messages of a discussion, or the replies of one thread, oldest first.
--
-- Args: hubId, discussionId, cursor, limit, parentMessageId (optional: the root of a thread). Returns items
-- and nextCursor.
create function api.list_messages(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_discussion app.discussions := app.require_discussion(p_args);
  v_parent_id uuid := (p_args ->> 'parentMessageId')::uuid;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_list text := app.list_of('list_messages', p_args);
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor', true);
  v_page app.messages[];
  v_until timestamptz;
begin
  if v_parent_id is null then
    v_page := array(
      select m
      from app.messages as m
      where m.discussion_id = v_discussion.id and m.parent_id is null and (m.created_at, m.id) > (v_from.at, v_from.id)
      order by m.created_at, m.id
      limit v_limit + 1
    );
    v_until := coalesce((v_page[v_limit + 1]).created_at, 'infinity');
    v_page := array(
      select m.message
      from (
        select seen as message, seen.created_at, seen.id
        from unnest(v_page) as seen
        union all
        select hidden, hidden.created_at, hidden.id
        from app.hidden_message_roots(v_discussion.id, v_from.at, v_until) as hidden
        where (hidden.created_at, hidden.id) > (v_from.at, v_from.id)
          and exists (select from app.messages as reply where reply.parent_id = hidden.id)
      ) as m
      order by m.created_at, m.id
      limit v_limit + 1
    );
  else
    -- A thread exists for the caller if they see its root or a reply.
    if not exists (
      select from app.messages as m
      where m.discussion_id = v_discussion.id
        and (m.parent_id = v_parent_id or m.id = v_parent_id and m.parent_id is null)
    ) then
      raise exception using errcode = 'PT404', message = 'MESSAGE_NOT_FOUND';
    end if;
    v_page := array(
      select m
      from app.messages as m
      where m.discussion_id = v_discussion.id and m.parent_id = v_parent_id
        and (m.created_at, m.id) > (v_from.at, v_from.id)
      order by m.created_at, m.id
      limit v_limit + 1
    );
  end if;
  return jsonb_build_object(
    'items', app.messages_json(v_discussion.hub_id, v_page[:v_limit]),
    'nextCursor', app.next_cursor(
      v_list, array(select (m.created_at, m.id)::app.list_entry from unnest(v_page) as m), v_limit
    )
  );
end
$$;
comment on function api.list_messages is
  'GET /hubs/{hubId}/discussions/{discussionId}/messages (docs/product.md D3, D5).';
grant execute on function api.list_messages to authenticated;

-- They look deleted: no author, text or asset. A definer function, because the policy of messages hides them.
--
-- Returns none to a non-member.
create function app.hidden_message_roots(p_discussion_id uuid, p_from timestamptz, p_until timestamptz)
returns setof app.messages
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select m.id, m.discussion_id, m.hub_id, null::uuid, null::uuid, null::text, null::uuid, null::text, true,
    m.reply_count, m.created_at
  from app.messages as m
  where m.discussion_id = p_discussion_id and m.parent_id is null and m.created_at between p_from and p_until
    and m.reply_count > 0
    and m.author_id in (select s.user_id from app.suspensions as s)
    and m.hub_id in (select mine.hub_id from app.my_hubs as mine);
end
$$;
comment on function app.hidden_message_roots is
  'Returns the thread roots of a discussion, from p_from to p_until, of suspended authors.';
grant execute on function app.hidden_message_roots to authenticated;

create function app.messages_json(p_hub_id uuid, p_messages app.messages[]) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    with author as materialized (
      select * from app.hub_people(p_hub_id, array(select m.author_id from unnest(p_messages) as m))
    )
    select coalesce(jsonb_agg(app.message_json(p_messages[place], app.discussion_author(author)) order by place), '[]')
    from generate_subscripts(p_messages, 1) as place
    left join author on author.user_id = p_messages[place].author_id
  );
end
$$;
comment on function app.messages_json is
  'Returns messages of a Hub of the caller as JSON in the given order (docs/product.md D3, D5).';
grant execute on function app.messages_json to authenticated;

create function app.message_json(p_message app.messages, p_author jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return jsonb_build_object(
    'id', p_message.id,
    'discussionId', p_message.discussion_id,
    'parentMessageId', p_message.parent_id,
    'author', p_author,
    'text', p_message.body,
    'replyCount', p_message.reply_count,
    'createdAt', app.iso(p_message.created_at),
    'isDeleted', p_message.is_deleted
  ) || app.picture_json(p_message.asset_id, p_message.alt_text);
end
$$;
comment on function app.message_json is 'Returns a message of a discussion as JSON (docs/product.md D3, D5, D9).';
grant execute on function app.message_json to authenticated;

-- Writes a message into a discussion.
--
-- Args: hubId, discussionId, parentMessageId, text, assetId, altText. Returns the message.
create function api.create_message(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_discussion app.discussions := app.require_discussion(p_args);
  v_text text := app.text_argument(p_args, 'text');
  v_alt_text text := app.alt_text_argument(p_args);
  v_message_id uuid;
begin
  perform app.check_limit('comments');
  v_message_id := app.put_message(
    v_discussion.id, (p_args ->> 'parentMessageId')::uuid, v_text, (p_args ->> 'assetId')::uuid, v_alt_text
  );
  perform app.use_limit('comments');
  -- A block may have hidden the discussion while the insert waited.
  return app.found(app.new_message_json(v_message_id), 'DISCUSSION_NOT_FOUND');
end
$$;
comment on function api.create_message is
  'POST /hubs/{hubId}/discussions/{discussionId}/messages (docs/product.md D3, D4).';
grant execute on function api.create_message to authenticated;

create function app.new_message_json(p_message_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_message app.messages;
begin
  select m.* into v_message
  from app.messages as m
  join app.discussions as d on d.id = m.discussion_id
  where m.id = p_message_id and not m.is_deleted;
  return case when v_message.id is not null then app.messages_json(v_message.hub_id, array[v_message]) -> 0 end;
end
$$;
comment on function app.new_message_json is
  'Returns a message with content that the caller sees (docs/product.md D3); null for any other.';
grant execute on function app.new_message_json to authenticated;

-- Returns its id. Errors: those of app.require_member, DISCUSSION_NOT_FOUND (also for a non-member),
-- MESSAGE_NOT_FOUND (no such parent, or a deleted one), VALIDATION_FAILED (an asset that is no post image of
-- the caller).
create function app.put_message(p_discussion_id uuid, p_parent_id uuid, p_body text, p_asset_id uuid, p_alt_text text)
returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  v_hub_id uuid := (select d.hub_id from app.discussions as d where d.id = p_discussion_id);
  v_created_at timestamptz;
  v_root_id uuid;
  v_message_id uuid;
begin
  if v_hub_id is null then
    raise exception using errcode = 'PT404', message = 'DISCUSSION_NOT_FOUND';
  end if;
  perform app.lock_member(v_hub_id, p_hidden => 'DISCUSSION_NOT_FOUND');
  -- The discussion first: its lock orders messages, and replies and the deletion of their root. Each message
  -- is later than those committed before, although app.now() is the time at which its transaction began.
  update app.discussions as d
  set message_count = d.message_count + 1,
    last_activity_at = greatest(app.now(), d.last_activity_at + interval '1 microsecond')
  where d.id = p_discussion_id
  returning d.last_activity_at into v_created_at;
  if not found then
    raise exception using errcode = 'PT404', message = 'DISCUSSION_NOT_FOUND';
  end if;
  if p_parent_id is not null then
    select coalesce(m.parent_id, m.id) into v_root_id
    from app.messages as m
    where m.id = p_parent_id and m.discussion_id = p_discussion_id and not m.is_deleted
      and not exists (select from app.suspensions as s where s.user_id = m.author_id);
    if v_root_id is null then
      raise exception using errcode = 'PT404', message = 'MESSAGE_NOT_FOUND';
    end if;
  end if;
  if p_asset_id is not null then
    perform app.require_asset(p_asset_id, '{post_image}', '["assetId"]');
  end if;
  insert into app.messages (discussion_id, hub_id, author_id, parent_id, body, asset_id, alt_text, created_at)
  values (p_discussion_id, v_hub_id, app.user_id(), v_root_id, p_body, p_asset_id, p_alt_text, v_created_at)
  returning id into v_message_id;
  update app.messages as m set reply_count = m.reply_count + 1 where m.id = v_root_id;
  perform app.record_hub_activity(v_hub_id);
  return v_message_id;
end
$$;
comment on function app.put_message is
  'Inserts a message of the caller into a discussion of a Hub of theirs; a reply to a reply joins its thread.';
grant execute on function app.put_message to authenticated;

-- Deletes a message. Args: hubId, discussionId, messageId. Returns {}.
--
-- Authors delete their own messages in a discussion that a block hides from them too.
create function api.delete_message(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_message_id uuid := (p_args ->> 'messageId')::uuid;
  v_discussion app.discussions := app.require_discussion(p_args, p_despite_blocks => exists (
    select from app.messages as m where m.id = (p_args ->> 'messageId')::uuid and m.author_id = app.user_id()
  ));
begin
  perform app.remove_message(v_discussion.id, v_message_id);
  return '{}'::jsonb;
end
$$;
comment on function api.delete_message is
  'DELETE /hubs/{hubId}/discussions/{discussionId}/messages/{messageId} (docs/product.md D8, D9, D11).';
grant execute on function api.delete_message to authenticated;

-- Deletes a message of a discussion in a Hub of the caller, for its author or an admin.
--
-- Admins delete messages of suspended people too, which only they do not get 404 for. Errors: those of
-- app.require_member; DISCUSSION_NOT_FOUND (non-member), MESSAGE_NOT_FOUND, FORBIDDEN (any other member).
create function app.remove_message(p_discussion_id uuid, p_message_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_message app.messages;
  v_role app.hub_role;
begin
  perform app.lock_member(d.hub_id, p_hidden => 'DISCUSSION_NOT_FOUND')
  from app.discussions as d
  where d.id = p_discussion_id;
  -- After this lock a concurrent deletion is over.
  perform app.lock_discussion_of(p_message_id);
  select m.* into v_message
  from app.messages as m
  where m.id = p_message_id and m.discussion_id = p_discussion_id and not m.is_deleted;
  v_role := (select mine.role from app.my_hubs as mine where mine.hub_id = v_message.hub_id);
  if v_message.id is null or v_role is distinct from 'admin' and exists (
    select from app.suspensions as s where s.user_id = v_message.author_id
  ) then
    raise exception using errcode = 'PT404', message = 'MESSAGE_NOT_FOUND';
  end if;
  if v_message.author_id is distinct from app.user_id() and v_role is distinct from 'admin' then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  perform app.erase_message(p_message_id);
end
$$;
comment on function app.remove_message is
  'Deletes a message for its author or an admin of the Hub (docs/product.md D8).';
grant execute on function app.remove_message to authenticated;

-- The root of a thread stays, without text, asset and author, until its last reply goes.
--
-- Returns false if it was gone or has no content.
create function app.erase_message(p_message_id uuid) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_message app.messages;
begin
  perform app.lock_discussion_of(p_message_id);
  select * into v_message
  from app.messages as m
  where m.id = p_message_id and not m.is_deleted
  for update;
  if v_message.id is null then
    return false;
  end if;
  if v_message.reply_count > 0 then
    update app.messages as m
    set author_id = null, body = null, asset_id = null, alt_text = null
    where m.id = v_message.id;
  else
    delete from app.messages as m where m.id = v_message.id;
    update app.messages as root set reply_count = root.reply_count - 1 where root.id = v_message.parent_id;
    delete from app.messages as root
    where root.id = v_message.parent_id and root.reply_count = 0 and root.is_deleted;
  end if;
  update app.discussions as d set message_count = d.message_count - 1 where d.id = v_message.discussion_id;
  return true;
end
$$;
comment on function app.erase_message is 'Deletes a message.';

create function app.lock_discussion_of(p_message_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  perform from app.discussions as d
  where d.id = (select m.discussion_id from app.messages as m where m.id = p_message_id)
  for no key update;
end
$$;
comment on function app.lock_discussion_of is
  'Locks the discussion of a message before a change of the message, as app.put_message does: replies come before or '
  'after.';

-- schemas/75_discussions/80_account.sql

create function app.erase_discussions(p_user_id uuid) returns void
language sql set search_path = ''
begin atomic
  delete from app.saved_discussions where user_id = p_user_id;
  delete from app.discussion_reads where user_id = p_user_id;
end;
comment on function app.erase_discussions is
  'Deletes what an ended account saved and read of discussions (docs/product.md I17).';

-- Deletions of posts and Hubs lock rows in another order, so a batch skips what they have locked.
create function app.erase_messages(p_user_id uuid) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_discussion_ids uuid[] := array(
    select d.id
    from app.discussions as d
    where d.id in (select m.discussion_id from app.messages as m where m.author_id = p_user_id limit 1000)
    for no key update skip locked
  );
begin
  with emptied as (
    update app.messages as m
    set author_id = null, asset_id = null, alt_text = null
    where m.id in (
      select own.id
      from app.messages as own
      where own.author_id = p_user_id and own.discussion_id = any (v_discussion_ids)
      limit 1000
      for no key update skip locked
    )
    returning m.discussion_id, m.body
  )
  update app.discussions as d
  set message_count = d.message_count - gone.count
  -- A picture without text no longer counts.
  from (select e.discussion_id, count(*) from emptied as e where e.body is null group by 1) as gone
  where d.id = gone.discussion_id;
  return exists (select from app.messages where author_id = p_user_id);
end
$$;
comment on function app.erase_messages is
  'Takes author and picture off a batch of the messages of an ended account (docs/product.md I18). Returns whether '
  'more are left.';

create function app.close_hub_discussions(p_hub_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  delete from app.messages as m
  where m.id in (
    select old.id
    from app.discussions as d
    join app.posts as post on post.id = d.post_id
    join app.messages as old on old.discussion_id = d.id
    where d.hub_id = p_hub_id
    limit 5000
    for key share of post skip locked
    for update of old skip locked
  );
  return found or exists (
    select from app.discussions as d join app.messages as m on m.discussion_id = d.id where d.hub_id = p_hub_id
  );
end
$$;
comment on function app.close_hub_discussions is
  'Deletes a batch of the messages of a closed Hub. Returns whether more may be left.';

create function app.export_discussion_reads() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('discussionId', r.discussion_id, 'readUntil', app.iso(r.read_until))
  from app.discussion_reads as r
  where r.user_id = app.user_id()
  order by r.read_until desc, r.discussion_id desc
  limit 100000;
end;
comment on function app.export_discussion_reads is 'Returns the section discussionReads of the export.';
grant execute on function app.export_discussion_reads to authenticated;

-- A definer function, because it includes Hubs that the caller left, and no policy shows these. It holds the
-- caller's own words only: neither the discussion nor the person addressed.
create function app.export_messages() returns setof jsonb
language sql stable security definer set search_path = ''
begin atomic
  select jsonb_build_object(
    'id', m.id, 'hubId', m.hub_id, 'text', m.body, 'assetId', m.asset_id, 'altText', m.alt_text, 'createdAt',
    app.iso(m.created_at)
  )
  from app.messages as m
  where m.author_id = app.user_id()
  order by m.created_at desc, m.id desc
  limit 100000;
end;
comment on function app.export_messages is 'Returns the section messages of the export.';
grant execute on function app.export_messages to authenticated;

create function app.export_saved_discussions() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('discussionId', s.discussion_id, 'savedAt', app.iso(s.saved_at))
  from app.saved_discussions as s
  where s.user_id = app.user_id()
  order by s.saved_at desc, s.discussion_id desc
  limit 100000;
end;
comment on function app.export_saved_discussions is 'Returns the section savedDiscussions of the export.';
grant execute on function app.export_saved_discussions to authenticated;

-- schemas/75_discussions/90_policies.sql

create policy discussions_select on app.discussions for select to authenticated
using (
  not is_hidden
  and hub_id in (select mine.hub_id from app.my_hubs as mine)
  and (
    not app.is_post_across_block(post_id)
    or hub_id in (select mine.hub_id from app.my_hubs as mine where mine.role >= 'manager')
  )
);

create policy messages_select on app.messages for select to authenticated
using (
  hub_id in (select mine.hub_id from app.my_hubs as mine)
  and (author_id is null or author_id not in (select s.user_id from app.suspensions as s))
);

create policy saved_discussions_select on app.saved_discussions for select to authenticated
using (user_id = (select app.user_id()));

create policy saved_discussions_insert on app.saved_discussions for insert to authenticated
with check (
  user_id = (select app.user_id())
  and exists (select from app.discussions as d where d.id = saved_discussions.discussion_id)
);

create policy saved_discussions_delete on app.saved_discussions for delete to authenticated
using (user_id = (select app.user_id()));

create policy discussion_reads_select on app.discussion_reads for select to authenticated
using (user_id = (select app.user_id()));

create policy discussion_reads_insert on app.discussion_reads for insert to authenticated
with check (
  user_id = (select app.user_id())
  and exists (select from app.discussions as d where d.id = discussion_reads.discussion_id)
);

create policy discussion_reads_update on app.discussion_reads for update to authenticated
using (user_id = (select app.user_id()))
with check (user_id = (select app.user_id()));

-- schemas/75_discussions/91_assets.sql

-- Follows all tables that refer to app.assets, because it reads them.
create policy assets_select on app.assets for select to anon, authenticated
using (
  owner_id = (select app.user_id()) and not is_evidence_only
  or exists (select from app.article_assets as m where m.asset_id = assets.id)
  or exists (select from app.profiles as p where p.photo_asset_id = assets.id)
  or exists (select from app.hubs as h where h.photo_asset_id = assets.id)
  or exists (select from app.comments as c where c.asset_id = assets.id)
  -- A block hides discussions and not their messages.
  or exists (
    select
    from app.messages as m
    join app.discussions as d on d.id = m.discussion_id
    where m.asset_id = assets.id
  )
);

comment on policy assets_select on app.assets is
  'The owner of an asset sees it, and so does everybody who sees what it is attached to (docs/product.md M9).';

-- schemas/80_notifications/01_tables.sql

-- An event goes with what it is about. The table lies below all of that (15_activity).
alter table app.events
  add constraint events_actor_id_fkey foreign key (actor_id) references app.users (id) on delete cascade,
  add constraint events_subject_id_fkey foreign key (subject_id) references app.users (id) on delete cascade,
  add constraint events_hub_id_fkey foreign key (hub_id) references app.hubs (id) on delete cascade,
  add constraint events_post_id_fkey foreign key (post_id) references app.posts (id) on delete cascade,
  add constraint events_comment_id_fkey foreign key (comment_id) references app.comments (id) on delete cascade,
  add constraint events_invitation_id_fkey foreign key (invitation_id) references app.hub_invitations (id)
    on delete cascade,
  add constraint events_join_request_id_fkey foreign key (join_request_id) references app.join_requests (id)
    on delete cascade;

-- The conditions on which a recipient sees a notification:
--
-- everybody: none. post_viewer: they can see its post. target_member: they are Hub-ready too (a private post).
-- hub_member: they are Hub-ready and a member of its Hub. hub_ready: they are Hub-ready, and its Hub is open.
-- nobody: never. It holds malformed notifications, and those of withdrawn join requests.
create type app.audience as enum (
  'everybody', 'post_viewer', 'target_member', 'hub_member', 'hub_ready', 'nobody'
);
comment on type app.audience is 'What a recipient must be to see a notification (docs/product.md N8, N9).';

-- The event has the content. Rows that the recipient may not see at the moment stay
-- (app.visible_notifications).
create table app.notifications (
  id uuid primary key default app.uuid_v7(),
  event_id uuid not null references app.events (id) on delete cascade,
  recipient_id uuid not null,
  audience app.audience not null,
  audience_id uuid not null,
  actor_id uuid,
  author_id uuid,
  thread_author_id uuid,
  is_comment_hidden boolean not null default false,
  created_at timestamptz not null default app.now(),
  read_at timestamptz,
  constraint notifications_event_id_recipient_id_key unique (event_id, recipient_id)
);
comment on table app.notifications is 'The inbox: one row per event and recipient.';
comment on column app.notifications.recipient_id is
  'No foreign key: its check would lock the account of each recipient, and accounts are never deleted.';
comment on column app.notifications.audience_id is
  'The Hub for the audiences hub_member and hub_ready, the author of the post for post_viewer and target_member, else '
  'the recipient. An audience that is hidden (app.inbox_audiences) hides all its notifications.';
comment on column app.notifications.actor_id is
  'A copy of the event''s actor, so that an index finds what a block hides. No foreign key, for the same reason as '
  'recipient_id.';
comment on column app.notifications.author_id is
  'The author of the post, if neither the recipient nor the actor; here for the same reasons as actor_id.';
comment on column app.notifications.thread_author_id is
  'The author of the first comment of the thread, if neither the recipient, the actor nor author_id; here for the same '
  'reasons as actor_id.';
comment on column app.notifications.is_comment_hidden is
  'A copy of is_hidden of the comment that it is about: a block hides the comment from everybody.';
create index notifications_audience_idx on app.notifications (
  recipient_id, audience, audience_id, created_at desc, id desc
);
create index notifications_judged_idx on app.notifications (recipient_id, created_at desc, id desc)
where audience in ('post_viewer', 'target_member', 'hub_ready');
create index notifications_unread_audience_idx on app.notifications (
  recipient_id, audience, audience_id, created_at desc, id desc
)
where read_at is null;
create index notifications_unread_actor_idx on app.notifications (recipient_id, actor_id)
where read_at is null and actor_id is not null;
create index notifications_unread_author_idx on app.notifications (recipient_id, author_id)
where read_at is null and author_id is not null;
create index notifications_unread_thread_author_idx on app.notifications (recipient_id, thread_author_id)
where read_at is null and thread_author_id is not null;
create index notifications_unread_hidden_idx on app.notifications (recipient_id)
where read_at is null and is_comment_hidden;
alter table app.notifications enable row level security;

-- Triggers insert a row per change, so that transactions with the same recipient never wait for each other.
-- The worker folds the rows into one per audience. No foreign key: its check would cost a lookup per row.
create table app.inbox_counts (
  user_id uuid not null,
  audience app.audience not null,
  audience_id uuid not null,
  unread_count integer not null,
  change_count bigint not null,
  is_folded boolean not null default false
);
comment on table app.inbox_counts is
  'Counters of an inbox by audience: the sums of their rows are the unread count and the version.';
comment on column app.inbox_counts.unread_count is
  'Includes hidden notifications: visibility is checked when the counts are read (app.inbox_state_of).';
comment on column app.inbox_counts.change_count is
  'The sum over all rows of a user, and over the audiences of these in app.audience_changes, is the inbox version, '
  'which '
  'only grows (docs/product.md N11).';
create unique index inbox_counts_folded_key on app.inbox_counts (user_id, audience, audience_id) where is_folded;
create index inbox_counts_user_id_idx on app.inbox_counts (user_id);
create index inbox_counts_author_idx on app.inbox_counts (audience_id)
where audience in ('post_viewer', 'target_member');
create index inbox_counts_unfolded_idx on app.inbox_counts (user_id) where not is_folded;
alter table app.inbox_counts enable row level security;

-- The inbox versions of everybody with notifications of this audience contain it, so that a suspension writes
-- one row, however many people it concerns. No foreign key: a version must not fall when a Hub is deleted.
-- app.delete_audience_changes removes that of an ended account.
create table app.audience_changes (
  audience_id uuid primary key,
  change_count bigint not null
);
comment on table app.audience_changes is 'One row per person or Hub that was hidden or shown again: how often.';
alter table app.audience_changes enable row level security;

create table app.fan_outs (
  event_id uuid not null references app.events (id) on delete cascade,
  next_user_id uuid not null default '00000000-0000-0000-0000-000000000000',
  until_user_id uuid,
  batch_index integer not null default 0,
  constraint fan_outs_pkey primary key (event_id, next_user_id)
);
comment on table app.fan_outs is
  'The worker''s queue: one row per event with too many recipients for the request, then one per batch of them.';
comment on column app.fan_outs.batch_index is
  'How many batches of the event come before. The fewest come first, so that an event for a thousand people does not '
  'wait for one for a million.';
comment on column app.fan_outs.next_user_id is 'The first user who is not notified yet, in the order of ids.';
comment on column app.fan_outs.until_user_id is 'The first user of the next batch; null without one.';
create index fan_outs_turn_count_idx on app.fan_outs (batch_index, event_id);
alter table app.fan_outs enable row level security;

-- The row is inserted with the notification, and deleted when the stream has been notified and
-- app.push_leases or app.pushes has its pushes. No foreign key: its check would cost a lookup per row, and
-- readers skip a row without its notification.
create table app.outbox (
  notification_id uuid primary key,
  due_at timestamptz not null default app.now(),
  attempt_count integer not null default 0,
  is_queued boolean not null default false
);
comment on table app.outbox is 'One row per notification that is not yet published (docs/product.md N14, N15).';
comment on column app.outbox.is_queued is 'Whether app.pushes has the pushes already: only the stream is retried.';
comment on column app.outbox.due_at is 'The time of the next attempt.';
alter table app.outbox enable row level security;

-- It deletes the row with the results (app.settle_published).
create table app.push_leases (
  id uuid primary key default app.uuid_v7(),
  notification_ids uuid[] not null,
  lapses_at timestamptz not null
);
comment on table app.push_leases is
  'One row per batch of published notifications whose pushes the worker that published them is sending.';
-- Ids hardly compress.
alter table app.push_leases alter column notification_ids set storage external;
comment on column app.push_leases.lapses_at is
  'The time by which the worker must have died. Another one then puts the pushes into app.pushes.';
alter table app.push_leases enable row level security;

-- The row is deleted when the push is settled. No foreign keys: readers skip a row without its notification
-- or device.
create table app.pushes (
  notification_id uuid not null,
  token_hash bytea not null,
  due_at timestamptz not null default app.now(),
  attempt_count integer not null default 0,
  constraint pushes_pkey primary key (notification_id, token_hash)
);
comment on table app.pushes is 'One row per notification and device that is still to be sent.';
comment on column app.pushes.due_at is
  'The time from which a worker may take the row, again after a lease: another worker then follows one that died.';
create index pushes_due_at_idx on app.pushes (due_at);
alter table app.pushes enable row level security;

-- Inbox and stream do not depend on it.
create table app.notification_preferences (
  user_id uuid primary key references app.users (id) on delete cascade,
  silent_types app.event_type[] not null default '{}',
  quiet_from time,
  quiet_to time,
  time_zone text,
  constraint notification_preferences_quiet_hours_are_whole check (
    num_nonnulls(quiet_from, quiet_to, time_zone) in (0, 3)
  ),
  constraint notification_preferences_quiet_hours_have_length check (quiet_from <> quiet_to)
);
comment on table app.notification_preferences is
  'One row per person who has changed what is pushed to their devices (docs/product.md N27-N29).';
comment on column app.notification_preferences.silent_types is 'The types of notifications that are not pushed.';
comment on column app.notification_preferences.quiet_from is
  'The local time at which the quiet hours of each day begin. They pass midnight where quiet_to is earlier.';
comment on column app.notification_preferences.time_zone is
  'The IANA name of the time zone of the quiet hours, as app.time_zone_named spells it.';
alter table app.notification_preferences enable row level security;
grant select on app.notification_preferences to authenticated;
grant insert (user_id), update (
  silent_types, quiet_from, quiet_to, time_zone
) on app.notification_preferences to authenticated;

create table app.dead_letters (
  id uuid primary key default app.uuid_v7(),
  notification_id uuid not null references app.notifications (id) on delete cascade,
  token_hash bytea,
  is_of_stream boolean not null generated always as (token_hash is null) stored,
  attempt_count integer not null,
  failure text not null,
  died_at timestamptz not null default app.now(),
  constraint dead_letters_failure_length check (char_length(failure) between 1 and 200)
);
comment on table app.dead_letters is
  'One row per delivery that failed at every attempt, for staff to read and requeue (staff.dead_letters).';
comment on column app.dead_letters.token_hash is 'The device; null for the stream.';
comment on column app.dead_letters.failure is 'The code of the last failure.';
create unique index dead_letters_notification_id_token_hash_key
  on app.dead_letters (notification_id, token_hash) nulls not distinct;
create index dead_letters_died_at_idx on app.dead_letters (died_at, id);
alter table app.dead_letters enable row level security;

-- schemas/80_notifications/02_deliver.sql

create function app.deliver_new_event() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform app.deliver_event(new);
  return null;
end
$$;
comment on function app.deliver_new_event is
  'Trigger: notifies the recipients of an event. Those of milestones are notified by app.fan_out_milestones.';

create trigger events_deliver_after_insert after insert on app.events
for each row when (new.type <> 'post_vote_milestone')
execute function app.deliver_new_event();

create function app.deliver_event(p_event app.events) returns void
language plpgsql set search_path = '' as $$
declare
  -- At most 1,000 recipients per transaction, whatever it does, so that no request waits for thousands of inserts.
  v_left integer := 1000 - coalesce(nullif(current_setting('app.recipient_count', true), ''), '0')::integer;
  v_user_ids uuid[] := app.candidates_for(p_event, '00000000-0000-0000-0000-000000000000', v_left + 1);
begin
  if cardinality(v_user_ids) > v_left then
    insert into app.fan_outs (event_id) values (p_event.id);
  else
    perform set_config('app.recipient_count', (1000 - v_left + cardinality(v_user_ids))::text, true);
    perform app.notify(p_event, v_user_ids);
  end if;
end
$$;
comment on function app.deliver_event is
  'Notifies the recipients of an event, or queues a fan-out for the worker if there are too many.';

-- It skips ended accounts, the actor, blocked pairs with the actor or the author of the post or of the
-- thread, and, for types that honour mutes, users who muted the Hub.
create function app.notify(p_event app.events, p_user_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
declare
  v_now timestamptz := app.now();
  v_audience app.audience := app.audience_of(p_event);
  v_post_author_id uuid;
  v_author_id uuid;
  v_thread_author_id uuid;
  v_is_comment_hidden boolean;
  v_muting_ids uuid[] := '{}'::uuid[];
begin
  if p_event.post_id is not null then
    select
      p.author_id, nullif(p.author_id, p_event.actor_id), nullif(nullif(root.author_id, p_event.actor_id), p.author_id),
      c.is_hidden
    into v_post_author_id, v_author_id, v_thread_author_id, v_is_comment_hidden
    from app.posts as p
    left join app.comments as c on c.id = p_event.comment_id
    left join app.comments as root on root.id = c.parent_id
    where p.id = p_event.post_id;
  end if;
  if p_event.hub_id is not null then
    v_muting_ids := array(select m.user_id from app.event_mutes as m where m.event_id = p_event.id);
  end if;
  insert into app.notifications (
    event_id, recipient_id, audience, audience_id, actor_id, author_id, thread_author_id, is_comment_hidden, created_at
  )
  select
    p_event.id, u.id, v_audience,
    case
      when v_audience in ('hub_member', 'hub_ready') then p_event.hub_id
      when v_audience in ('post_viewer', 'target_member') then v_post_author_id
      else u.id
    end,
    p_event.actor_id, nullif(v_author_id, u.id), nullif(v_thread_author_id, u.id),
    coalesce(v_is_comment_hidden, false), v_now
  from app.users as u
  where u.id = any (p_user_ids) and u.ended_at is null and u.id is distinct from p_event.actor_id
    and not exists (
      select from app.blocked_pairs as b
      where b.user_id = u.id and b.other_id in (p_event.actor_id, v_author_id, v_thread_author_id)
    )
    and u.id <> all (v_muting_ids)
  order by u.id
  on conflict (event_id, recipient_id) do nothing;
end
$$;
comment on function app.notify is 'Inserts the notifications of an event for p_user_ids, each once.';

-- An event without the Hub or post that its type needs is for nobody.
create function app.audience_of(p_event app.events) returns app.audience
language plpgsql stable set search_path = '' as $$
begin
  if p_event.hub_id is not null then
    return case
      when p_event.type in (
        'hub_invite_received', 'hub_join_request_rejected', 'hub_member_removed'
      ) then 'hub_ready'::app.audience
      else 'hub_member'
    end;
  end if;
  return case
    when p_event.type in ('user_followed', 'moderation_decided') then 'everybody'::app.audience
    when p_event.type in ('post_commented', 'comment_replied', 'post_shared_to_feed', 'post_voted')
      and p_event.post_id is not null then 'everybody'
    when p_event.type in (
      'post_reposted', 'post_vote_milestone', 'followed_user_posted', 'user_mentioned'
    ) then coalesce((
      select case
        when not p.is_public then 'target_member'
        when p_event.type in ('post_vote_milestone', 'user_mentioned') then 'post_viewer'
        else 'everybody'::app.audience
      end
      from app.posts as p
      where p.id = p_event.post_id
    ), 'nobody')
    else 'nobody'
  end;
end
$$;
comment on function app.audience_of is 'Returns the audience of an event''s notifications (docs/product.md N8, N9).';

-- Returns whether there may be more.
create function app.fan_out() returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  v_size integer := 2000;
  v_next record;
  v_batch app.fan_outs;
  v_event app.events;
  v_user_ids uuid[];
begin
  -- Skip events under deletion: the deletion waits for the lock of their batches.
  select f as batch, e as event into v_next
  from app.fan_outs as f
  join app.events as e on e.id = f.event_id
  order by f.batch_index, f.event_id
  limit 1
  for update of f skip locked for key share of e skip locked;
  if not found then
    return false;
  end if;
  v_batch := v_next.batch;
  v_event := v_next.event;
  if v_batch.until_user_id is null then
    v_user_ids := app.candidates_for(v_event, v_batch.next_user_id, 100 * v_size + 1);
    if cardinality(v_user_ids) > v_size then
      perform app.divide_fan_out(v_batch, v_user_ids, v_size);
      return true;
    end if;
  else
    v_user_ids := array(
      select c.id
      from unnest(app.candidates_for(v_event, v_batch.next_user_id, v_size + 1)) as c (id)
      where c.id < v_batch.until_user_id
    );
  end if;
  perform app.notify(v_event, array(
    select given.id from unnest(v_user_ids[:v_size]) as given (id)
    except all
    -- A mention in the same text has notified them: they had muted the Hub at that time.
    select n.recipient_id
    from app.events as mention
    join app.notifications as n on n.event_id = mention.id
    where mention.post_id = v_event.post_id and mention.type = 'user_mentioned'
      and mention.comment_id is not distinct from v_event.comment_id
  ));
  -- A merge may have added recipients since the division.
  if cardinality(v_user_ids) > v_size then
    update app.fan_outs
    set next_user_id = v_user_ids[v_size + 1]
    where event_id = v_batch.event_id and next_user_id = v_batch.next_user_id;
  else
    delete from app.fan_outs where event_id = v_batch.event_id and next_user_id = v_batch.next_user_id;
  end if;
  return true;
end
$$;
comment on function app.fan_out is
  'Notifies a batch of recipients of a queued event, or divides an event into batches, which several calls notify at '
  'the same time.';
grant execute on function app.fan_out to opine_worker;

-- Args: p_rest; p_user_ids (its first recipients; the last batch has those that follow, too); p_size
-- (recipients of a batch).
create function app.divide_fan_out(p_rest app.fan_outs, p_user_ids uuid[], p_size integer) returns void
language plpgsql set search_path = '' as $$
begin
  delete from app.fan_outs where event_id = p_rest.event_id and next_user_id = p_rest.next_user_id;
  insert into app.fan_outs (event_id, next_user_id, until_user_id, batch_index)
  select p_rest.event_id, p_user_ids[first], p_user_ids[first + p_size], p_rest.batch_index + first / p_size
  from generate_series(1, cardinality(p_user_ids), p_size) as first;
end
$$;
comment on function app.divide_fan_out is 'Divides the rest of an event''s recipients into batches.';

-- schemas/80_notifications/03_recipients.sql

create function app.candidates_for(p_event app.events, p_from uuid, p_limit integer) returns uuid[]
language plpgsql stable set search_path = '' as $$
begin
  return case
    when p_event.type in ('hub_post_created', 'post_shared_to_hub', 'hub_member_joined') then
      array(select app.members_of_hub(p_event, p_from, p_limit))
    when p_event.type = 'followed_user_posted' then array(select app.followers_of_actor(p_event, p_from, p_limit))
    when p_event.type = 'hub_join_request_created' then array(
      select app.admins_and_managers_of_hub(p_event, p_from, p_limit)
    )
    when p_event.type = 'hub_invite_received' then array(select app.invited_by_phone(p_event, p_from, p_limit))
    when p_event.type = 'post_reposted' then array(select app.owner_of_source(p_event, p_from, p_limit))
    when p_event.type in ('post_commented', 'post_shared_to_feed', 'post_voted') then
      array(select app.owner_of_post(p_event, p_from, p_limit))
    when p_event.type = 'comment_replied' then array(select app.authors_replied_to(p_event, p_from, p_limit))
    when p_event.type = 'user_mentioned' then array(select app.mentioned_users(p_event, p_from, p_limit))
    else array(select app.subject_of(p_event, p_from, p_limit))
  end;
end
$$;
comment on function app.candidates_for is
  'Returns the users that the type of an event addresses (docs/product.md N3): the first p_limit from p_from on, by '
  'id.';

create function app.subject_of(p_event app.events, p_from uuid, p_limit integer) returns setof uuid
language plpgsql immutable set search_path = '' as $$
begin
  return query
  select p_event.subject_id where p_event.subject_id >= p_from;
end
$$;
comment on function app.subject_of is
  'Returns the subject of an event: the recipient of a follow, an approval, a rejection, a removal, a new role, a '
  'milestone or a decision of staff.';

create function app.followers_of_actor(p_event app.events, p_from uuid, p_limit integer) returns setof uuid
language plpgsql stable set search_path = '' as $$
begin
  return query
  select f.follower_id
  from app.follows as f
  where f.followee_id = p_event.actor_id and not f.is_muted and f.follower_id >= p_from
    and f.created_at <= p_event.occurred_at
  order by f.follower_id
  limit p_limit;
end
$$;
comment on function app.followers_of_actor is
  'Returns the followers of the actor who followed before the event and have publication alerts on.';

-- The author of the original of a repost that is published into the Hub is left out, because post_reposted
-- notifies them.
create function app.members_of_hub(p_event app.events, p_from uuid, p_limit integer) returns setof uuid
language plpgsql stable set search_path = '' as $$
declare
  v_source_author_id uuid := (
    select source.author_id
    from app.posts as p
    join app.posts as source on source.id = p.source_post_id
    join app.placements as t on t.post_id = p.id and t.hub_id = p_event.hub_id and t.kind = 'targeted'
    where p.id = p_event.post_id
  );
begin
  return query
  select m.user_id
  from app.memberships as m
  where m.hub_id = p_event.hub_id and m.user_id >= p_from and m.joined_at <= p_event.occurred_at
    and m.user_id is distinct from v_source_author_id
  order by m.user_id
  limit p_limit;
end
$$;
comment on function app.members_of_hub is
  'Returns the members of a Hub who joined before the event: the recipients of posts and of new members.';

create function app.admins_and_managers_of_hub(p_event app.events, p_from uuid, p_limit integer) returns setof uuid
language plpgsql stable set search_path = '' as $$
begin
  return query
  select m.user_id
  from app.memberships as m
  where m.hub_id = p_event.hub_id and m.role <> 'member' and m.user_id >= p_from
  order by m.user_id
  limit p_limit;
end
$$;
comment on function app.admins_and_managers_of_hub is
  'Returns the admins and managers of a Hub: the recipients of join requests.';

create function app.owner_of_post(p_event app.events, p_from uuid, p_limit integer) returns setof uuid
language plpgsql stable set search_path = '' as $$
begin
  return query
  select p.author_id from app.posts as p where p.id = p_event.post_id and p.author_id >= p_from;
end
$$;
comment on function app.owner_of_post is
  'Returns the author of the post of an event: the recipient of comments and of feed shares.';

-- The author of the post is left out, because post_commented notifies them.
create function app.authors_replied_to(p_event app.events, p_from uuid, p_limit integer) returns setof uuid
language plpgsql stable set search_path = '' as $$
begin
  return query
  select distinct replied_to.author_id
  from app.comments as c
  join app.comments as replied_to on replied_to.id in (c.parent_id, c.reply_to_id)
  join app.posts as p on p.id = c.post_id
  where c.id = p_event.comment_id and replied_to.author_id >= p_from and replied_to.author_id <> p.author_id
  order by replied_to.author_id
  limit p_limit;
end
$$;
comment on function app.authors_replied_to is
  'Returns the authors of the comment that a reply answers and of the first comment of its thread.';

-- The other events of the text come first.
create function app.mentioned_users(p_event app.events, p_from uuid, p_limit integer) returns setof uuid
language plpgsql stable set search_path = '' as $$
declare
  v_post app.posts;
  v_usernames text[];
begin
  select * into v_post from app.posts as p where p.id = p_event.post_id;
  v_usernames := app.usernames_in(
    case
      when p_event.comment_id is null then v_post.thought_text
      else (select c.body from app.comments as c where c.id = p_event.comment_id)
    end
  );
  return query
  select mentioned.user_id
  from app.profiles as mentioned
  where mentioned.username = any (v_usernames) and mentioned.user_id >= p_from
    and exists (select from app.seen_post(v_post.id, mentioned.user_id))
    and not exists (
      select
      from app.events as e
      where e.post_id = v_post.id and e.comment_id is not distinct from p_event.comment_id
        and e.type <> 'user_mentioned'
        and app.notifies(e, mentioned.user_id)
    )
  order by mentioned.user_id
  limit p_limit;
end
$$;
comment on function app.mentioned_users is
  'Returns the users whom the thought or comment of an event mentions, who can see it, and whom no other event '
  'notifies of the same text (docs/product.md N25).';

create function app.notifies(p_event app.events, p_user_id uuid) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return p_user_id = any (app.candidates_for(p_event, p_user_id, 1))
    and not exists (select from app.event_mutes as m where m.event_id = p_event.id and m.user_id = p_user_id);
end
$$;
comment on function app.notifies is
  'Returns whether an event notifies a user: its type addresses them, and they have not muted its Hub.';

create function app.owner_of_source(p_event app.events, p_from uuid, p_limit integer) returns setof uuid
language plpgsql stable set search_path = '' as $$
begin
  return query
  select source.author_id
  from app.posts as p
  join app.posts as source on source.id = p.source_post_id
  where p.id = p_event.post_id and source.author_id >= p_from
    and (
      p_event.hub_id is null
      or exists (select from app.memberships as m where m.hub_id = p_event.hub_id and m.user_id = source.author_id)
    );
end
$$;
comment on function app.owner_of_source is
  'Returns the author of a repost''s original: once for a public repost; for a private one, once for each target Hub '
  'of which the author is a member (docs/product.md N7).';

create function app.invited_by_phone(p_event app.events, p_from uuid, p_limit integer) returns setof uuid
language plpgsql stable set search_path = '' as $$
begin
  return query
  select u.id
  from app.hub_invitations as i
  join app.users as u on u.phone = i.phone
  where i.id = p_event.invitation_id and u.id >= p_from
    and not exists (select from app.memberships as m where m.hub_id = i.hub_id and m.user_id = u.id);
end
$$;
comment on function app.invited_by_phone is
  'Returns the user with the phone of an invitation, if there is one and they are not a member of the Hub already.';

create view app.event_mutes as
select e.id as event_id, m.user_id
from app.events as e
join app.hub_mutes as m on m.hub_id = e.hub_id
where e.type in ('hub_post_created', 'post_shared_to_hub', 'post_reposted');
comment on view app.event_mutes is 'The users whose mute of a Hub silences an event (docs/product.md N13).';

-- schemas/80_notifications/04_renew.sql

-- Makes an invitation or a change of role the newest state of the notification of an earlier one.
--
-- That is one to the same person of the same Hub within 24 hours of the first. The notification is unread
-- again, and moves up. Streams hear of it at once; devices get at most one push in 10 minutes, which
-- app.claim_pushes drops if it has been read by then. Changes in a Hub are serialised (app.lock_hub). The new event
-- is inserted if there is no such notification, or the person must not be notified of this actor.
create function app.renew_event() returns trigger
language plpgsql set search_path = '' as $$
declare
  v_now timestamptz := app.now();
  v_recipient_id uuid := new.subject_id;
  v_found record;
  v_push_at timestamptz;
begin
  if new.type = 'hub_invite_received' then
    select u.id into v_recipient_id
    from app.hub_invitations as i
    join app.users as u on u.phone = i.phone
    where i.id = new.invitation_id;
  end if;
  select n.id, e.id as event_id, coalesce(e.pushed_at, e.occurred_at) as pushed_at into v_found
  from app.notifications as n
  join app.events as e on e.id = n.event_id
  where n.recipient_id = v_recipient_id and n.audience_id = new.hub_id and n.created_at > v_now - interval '24 hours'
    and n.audience = case new.type when 'hub_invite_received' then 'hub_ready'::app.audience else 'hub_member' end
    and e.type = new.type and e.occurred_at > v_now - interval '24 hours'
    and new.actor_id is distinct from v_recipient_id
    and not exists (
      select from app.blocked_pairs as b where b.user_id = v_recipient_id and b.other_id = new.actor_id
    )
  order by n.created_at desc
  limit 1
  for no key update of n;
  if not found then
    return new;
  end if;
  -- A push that is still to come carries the newest state.
  if v_found.pushed_at <= v_now
    and not exists (select from app.outbox as o where o.notification_id = v_found.id and not o.is_queued) then
    v_push_at := greatest(v_now, v_found.pushed_at + interval '10 minutes');
    insert into app.pushes (notification_id, token_hash, due_at)
    select v_found.id, d.token_hash, v_push_at from app.device_tokens as d where d.user_id = v_recipient_id
    on conflict do nothing;
  end if;
  update app.events as e
  set actor_id = new.actor_id, invitation_id = new.invitation_id, pushed_at = coalesce(v_push_at, e.pushed_at)
  where e.id = v_found.event_id;
  update app.notifications as n
  set actor_id = new.actor_id, created_at = v_now, read_at = null
  where n.id = v_found.id;
  insert into app.outbox (notification_id, due_at, is_queued) values (v_found.id, v_now, true)
  on conflict (notification_id) do nothing;
  return null;
end
$$;
comment on function app.renew_event is
  'Trigger: renews the notification of an invitation or a role within 24 hours (docs/product.md N33).';

create trigger events_renew_before_insert before insert on app.events
for each row when (new.type in ('hub_invite_received', 'hub_role_changed'))
execute function app.renew_event();

create function app.hide_join_request() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update app.notifications as n
  set audience = 'nobody'
  from app.events as e
  where e.join_request_id = new.id and e.type = 'hub_join_request_created' and n.event_id = e.id;
  return null;
end
$$;
comment on function app.hide_join_request is
  'Trigger: hides the notifications of a withdrawn join request from everybody (docs/product.md H27).';

create trigger join_requests_hide_after_update after update of state on app.join_requests
for each row when (new.state = 'withdrawn' and old.state <> 'withdrawn')
execute function app.hide_join_request();

-- Lets the notifications of an earlier request of the last 24 hours be those of a new one by an invite link, read or
-- unread as they were. Who has become an admin or manager since then is notified. Without an earlier request the new
-- event is inserted.
create function app.show_join_request_again() returns trigger
language plpgsql set search_path = '' as $$
declare
  v_event app.events;
begin
  update app.events as e
  set join_request_id = new.join_request_id
  where e.id = (
    select former.id
    from app.events as former
    where former.subject_id = new.subject_id and former.hub_id = new.hub_id
      and former.type = 'hub_join_request_created' and former.occurred_at > app.now() - interval '24 hours'
    order by former.occurred_at desc
    limit 1
  ) and exists (select from app.join_requests as r where r.id = new.join_request_id and r.link_id is not null)
  returning * into v_event;
  if v_event.id is null then
    return new;
  end if;
  update app.notifications as n set audience = 'hub_member' where n.event_id = v_event.id;
  perform app.deliver_event(v_event);
  return null;
end
$$;
comment on function app.show_join_request_again is
  'Trigger: shows the notifications of a join request that is made again (docs/product.md H30).';

create trigger events_show_again_before_insert before insert on app.events
for each row when (new.type = 'hub_join_request_created')
execute function app.show_join_request_again();

-- schemas/80_notifications/05_hide.sql

create function app.delete_invitation_notifications() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from app.notifications as n
  using app.events as e, app.hub_invitations as i
  where i.phone = old.phone and e.invitation_id = i.id and n.event_id = e.id and n.recipient_id = old.id;
  return null;
end
$$;
comment on function app.delete_invitation_notifications is
  'Trigger: a user with another phone is notified of no invitation to the old one (docs/product.md I22).';

create trigger users_delete_invitation_notifications_after_update after update of phone on app.users
for each row when (old.phone <> new.phone)
execute function app.delete_invitation_notifications();

-- The update raises the versions of inboxes. Most updates of comments hide none, and end after a look at their rows.
create function app.hide_notifications() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_hidden uuid[];
  v_shown uuid[];
begin
  select
    array_agg(c.id) filter (where c.is_hidden), array_agg(c.id) filter (where not c.is_hidden)
  into v_hidden, v_shown
  from present as c
  join former as f on f.id = c.id and f.is_hidden <> c.is_hidden;
  if num_nonnulls(v_hidden, v_shown) = 0 then
    return null;
  end if;
  perform
  from app.events as e
  join app.notifications as n on n.event_id = e.id
  where e.comment_id = any (v_hidden || v_shown)
  -- The order of app.mark_all_read.
  order by n.id
  for no key update of n;
  update app.notifications as n
  set is_comment_hidden = e.comment_id = any (coalesce(v_hidden, '{}'))
  from app.events as e
  where e.comment_id = any (v_hidden || v_shown) and n.event_id = e.id;
  return null;
end
$$;
comment on function app.hide_notifications is
  'Trigger: hides the notifications about comments that a block hides, and shows them again (docs/product.md N10).';

create trigger comments_hide_notifications_after_update after update on app.comments
referencing old table as former new table as present
for each statement execute function app.hide_notifications();

create function app.show_thread() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update app.notifications as n
  set thread_author_id = null
  from app.comments as reply
  join app.events as e on e.comment_id = reply.id
  where reply.parent_id = old.id and n.event_id = e.id and n.thread_author_id = old.author_id;
  return null;
end
$$;
comment on function app.show_thread is
  'Trigger: a block of the author of a deleted comment no longer hides the replies to it (docs/product.md N10).';

create trigger comments_show_thread_after_update after update of author_id on app.comments
for each row when (new.author_id is null and old.author_id is not null)
execute function app.show_thread();

-- schemas/80_notifications/06_unread_counts.sql

create function app.record_notifications() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' then
    insert into app.inbox_counts (user_id, audience, audience_id, unread_count, change_count)
    select f.recipient_id, f.audience, f.audience_id, -count(*) filter (where f.read_at is null), 1
    from former as f
    group by f.recipient_id, f.audience, f.audience_id;
  end if;
  if tg_op <> 'DELETE' then
    insert into app.inbox_counts (user_id, audience, audience_id, unread_count, change_count)
    select p.recipient_id, p.audience, p.audience_id, count(*) filter (where p.read_at is null), 1
    from present as p
    group by p.recipient_id, p.audience, p.audience_id;
  end if;
  if tg_op = 'INSERT' then
    insert into app.outbox (notification_id, due_at) select p.id, app.now() from present as p;
  end if;
  return null;
end
$$;
comment on function app.record_notifications is
  'Trigger: counts new, read and deleted notifications in app.inbox_counts, and inserts new ones into the outbox, in '
  'the same transaction.';

-- Args: the columns with their ids.
create function app.record_inbox_changes() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_row jsonb := to_jsonb(case tg_op when 'DELETE' then old else new end);
begin
  insert into app.inbox_counts (user_id, audience, audience_id, unread_count, change_count)
  select person.id, 'everybody', person.id, 0, 1
  from (select (v_row ->> arg.name)::uuid as id from unnest(tg_argv) as arg (name)) as person;
  return null;
end
$$;
comment on function app.record_inbox_changes is
  'Trigger: raises the inbox version of users after a change of what they may see.';

create trigger users_record_inbox_after_update after update on app.users
for each row when (
  (old.phone is null, old.media_completed_at is null, old.contacts_synced_at is null)
  is distinct from (new.phone is null, new.media_completed_at is null, new.contacts_synced_at is null)
)
execute function app.record_inbox_changes('id');

create trigger blocks_record_inboxes_after_change after insert or delete on app.blocks
for each row execute function app.record_inbox_changes('blocker_id', 'blocked_id');

create function app.record_member_inboxes() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into app.inbox_counts (user_id, audience, audience_id, unread_count, change_count)
  select c.user_id, 'everybody', c.user_id, 0, 1 from changed as c;
  return null;
end
$$;
comment on function app.record_member_inboxes is
  'Trigger: raises the inbox version of all users whose memberships a statement inserts or deletes.';

-- Raises the inbox version of everybody with notifications of an audience that was hidden or shown again.
create function app.record_audience_change() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_row jsonb := to_jsonb(case tg_op when 'DELETE' then old else new end);
begin
  insert into app.audience_changes as s (audience_id, change_count)
  values ((v_row ->> tg_argv[0])::uuid, 1)
  on conflict (audience_id) do update set change_count = s.change_count + 1;
  return null;
end
$$;
comment on function app.record_audience_change is
  'Trigger: counts that a person or Hub was hidden or shown. Args: the column with its id.';

create trigger suspensions_record_audience_after_change after insert or delete on app.suspensions
for each row execute function app.record_audience_change('user_id');

create trigger account_deletions_record_audience_after_insert after insert on app.account_deletions
for each row execute function app.record_audience_change('user_id');

create trigger hubs_record_audience_after_update after update on app.hubs
for each row when (old.is_open is distinct from new.is_open)
execute function app.record_audience_change('id');

-- Raises the inbox version of those who may lose or regain a private post: its mentions have no Hub.
create function app.record_inboxes_of_placements() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into app.inbox_counts (user_id, audience, audience_id, unread_count, change_count)
  select n.recipient_id, n.audience, n.audience_id, 0, 1
  from (select distinct c.post_id from changed as c) as placed
  join app.posts as p on p.id = placed.post_id and not p.is_public
  join app.events as e on e.post_id = p.id and e.hub_id is null
  join app.notifications as n on n.event_id = e.id;
  return null;
end
$$;
comment on function app.record_inboxes_of_placements is
  'Trigger: raises the inbox version of those notified of private posts whose Hubs change.';

create trigger placements_record_inboxes_after_insert after insert on app.placements
referencing new table as changed
for each statement execute function app.record_inboxes_of_placements();

create trigger placements_record_inboxes_after_delete after delete on app.placements
referencing old table as changed
for each statement execute function app.record_inboxes_of_placements();

create trigger memberships_record_inboxes_after_insert after insert on app.memberships
referencing new table as changed
for each statement execute function app.record_member_inboxes();

create trigger memberships_record_inboxes_after_delete after delete on app.memberships
referencing old table as changed
for each statement execute function app.record_member_inboxes();

create trigger notifications_record_after_insert after insert on app.notifications
referencing new table as present
for each statement execute function app.record_notifications();

create trigger notifications_record_after_update after update on app.notifications
referencing old table as former new table as present
for each statement execute function app.record_notifications();

create trigger notifications_record_after_delete after delete on app.notifications
referencing old table as former
for each statement execute function app.record_notifications();

-- schemas/80_notifications/07_inbox.sql

-- It merges the newest of each Hub of theirs, so notifications in other Hubs cost nothing, with those whose
-- audience or post is judged one by one.
create function app.inbox_entries(p_unread_only boolean, p_from app.list_entry, p_limit integer)
returns app.list_entry[]
language plpgsql stable security definer set search_path = ''
-- Forces index scans for inboxes of any size: a plan for a user with 100,000 notifications would read those
-- of all users.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
begin
  return array(
    select (shown.created_at, shown.id)::app.list_entry
    from (
      select newest.created_at, newest.id
      from app.inbox_audiences as s
      cross join lateral (
        select n.created_at, n.id
        from app.notifications_with_visibility as n
        where n.recipient_id = s.user_id and n.audience = s.audience and n.audience_id = s.audience_id
          and (n.created_at, n.id) < (p_from.at, p_from.id)
          and (n.read_at is null or not p_unread_only)
          and not n.is_withheld
        order by n.created_at desc, n.id desc
        limit p_limit
      ) as newest
      where s.user_id = app.user_id() and s.audience in ('everybody', 'hub_member')
      union all
      -- The audiences of these are many: authors and Hubs.
      (
        select n.created_at, n.id
        from app.visible_notifications as n
        where n.recipient_id = app.user_id() and n.audience in ('post_viewer', 'target_member', 'hub_ready')
          and (n.created_at, n.id) < (p_from.at, p_from.id)
          and (n.read_at is null or not p_unread_only)
        order by n.created_at desc, n.id desc
        limit p_limit
      )
    ) as shown
    order by shown.created_at desc, shown.id desc
    limit p_limit
  );
end
$$;
comment on function app.inbox_entries is
  'Returns the next p_limit notifications of the caller''s inbox after p_from that they may see, newest first.';
grant execute on function app.inbox_entries to authenticated;

-- Args: p_entries, notifications of the caller's that they may see.
create function app.inbox_items(p_entries app.list_entry[]) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  -- As for an empty page of comments.
  if p_entries = '{}' then
    return '[]'::jsonb;
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', n.id,
      'type', e.type,
      'actor', app.user_lite(e.actor) - 'name',
      'postId', e.post_id,
      'sourcePostId', e.source_post_id,
      'commentId', e.comment_id,
      'hub', case when h.id is not null then jsonb_build_object('id', h.id, 'name', h.name) end,
      'invitationId', e.invitation_id,
      'joinRequestId', e.join_request_id,
      'decisionId', e.decision_id,
      'milestoneTotal', e.milestone_total,
      'milestoneCount', e.milestone_count,
      'createdAt', app.iso(n.created_at),
      'read', n.read_at is not null
    ) order by entry.place), '[]')
    from unnest(p_entries) with ordinality as entry (at, id, place)
    join app.notifications as n on n.id = entry.id and n.recipient_id = app.user_id()
    join app.event_details as e on e.id = n.event_id
    left join app.hubs as h on h.id = e.hub_id
  );
end
$$;
comment on function app.inbox_items is 'Returns p_entries as JSON, in order (docs/product.md N2, N5).';
grant execute on function app.inbox_items to authenticated;

-- The audiences of notifications that a user may see at the moment, by kind.
--
-- The authors and Hubs of the audiences post_viewer, target_member and hub_ready are those of all people: look
-- them up, and read the others to list the audiences of a user.
create view app.inbox_audiences as
select u.id as user_id, 'everybody'::app.audience as audience, u.id as audience_id
from app.users as u
where u.ended_at is null
union all
select u.id, 'post_viewer', author.id
from app.users as u
cross join app.users as author
where u.ended_at is null
  and (
    author.id = u.id or not exists (select from app.users_hidden_from_all as h where h.user_id = author.id)
  )
union all
select l.user_id, 'target_member', author.id
from app.user_levels as l
cross join app.users as author
where l.level = 4
  and (
    author.id = l.user_id or not exists (select from app.users_hidden_from_all as h where h.user_id = author.id)
  )
union all
select l.user_id, 'hub_ready', h.id
from app.user_levels as l
cross join app.hubs as h
where l.level = 4 and h.is_open
union all
select l.user_id, 'hub_member', m.hub_id
from app.user_levels as l
join app.memberships as m on m.user_id = l.user_id
where l.level = 4;
comment on view app.inbox_audiences is
  'One row per audience of notifications that a user may see at the moment (docs/product.md N8-N10).';

-- All notifications. is_withheld marks those that stay hidden although their audience is visible.
--
-- A block separates the recipient from the actor or the author of the post or of the thread, or hides the comment
-- from everybody; or the recipient cannot see the post.
create view app.notifications_with_visibility as
select
  n.*,
  n.is_comment_hidden
  or exists (
    select
    from app.blocked_pairs as b
    where b.user_id = n.recipient_id and b.other_id in (n.actor_id, n.author_id, n.thread_author_id)
  )
  or n.audience in ('post_viewer', 'target_member') and not exists (
    select
    from app.events as e
    cross join lateral app.seen_post(e.post_id, n.recipient_id) as seen
    where e.id = n.event_id
  ) as is_withheld
from app.notifications as n;
comment on view app.notifications_with_visibility is
  'All notifications, and whether each is withheld from its recipient (docs/product.md N9, N10).';

-- The stream, push messages and the export read this view. Lists and counts go by audience, so they read the two
-- views that it combines.
create view app.visible_notifications as
select n.*
from app.notifications_with_visibility as n
-- "offset 0" prevents a join of all audiences with a few notifications.
where exists (
    select
    from app.inbox_audiences as s
    where s.user_id = n.recipient_id and s.audience = n.audience and s.audience_id = n.audience_id
    offset 0
  )
  and not n.is_withheld;
comment on view app.visible_notifications is
  'The notifications that their recipients may see at the moment (docs/product.md N10).';

-- Of the audience post_viewer these are those across a block: a public post is hidden by nothing else but its
-- author's suspension or end, which hides the audience.
create view app.withheld_notifications as
-- The recipient is the one of the pair, so that a query for some recipients reads the blocks of these alone.
select n.id, b.user_id as recipient_id, n.audience, n.audience_id
from app.blocked_pairs as b
cross join lateral (
  select own.id, own.audience, own.audience_id
  from app.notifications as own
  where own.recipient_id = b.user_id and own.actor_id = b.other_id and own.read_at is null
  union all
  select own.id, own.audience, own.audience_id
  from app.notifications as own
  where own.recipient_id = b.user_id and own.author_id = b.other_id and own.read_at is null
  union all
  select own.id, own.audience, own.audience_id
  from app.notifications as own
  where own.recipient_id = b.user_id and own.thread_author_id = b.other_id and own.read_at is null
  -- Keeps Postgres from reading all unread notifications for those of a few people.
  offset 0
) as n
union
select n.id, n.recipient_id, n.audience, n.audience_id
from app.notifications as n
where n.is_comment_hidden and n.read_at is null
union
select n.id, n.recipient_id, n.audience, n.audience_id
from app.notifications_with_visibility as n
where n.audience = 'target_member' and n.read_at is null and n.is_withheld;
comment on view app.withheld_notifications is
  'Unread notifications that are withheld (app.notifications_with_visibility), found without reading the others.';

create function app.named_actor(p_type app.event_type, p_actor_id uuid) returns uuid
language sql immutable
return case when p_type not in ('post_vote_milestone', 'post_voted') then p_actor_id end;
comment on function app.named_actor is
  'Returns the actor that a notification may name: null for votes (docs/product.md N5).';

-- The inbox, the stream, push messages and the export read the actor here. actor is null if anonymous: the
-- event is about votes, or the account is gone or hidden from everybody.
create view app.event_details as
select
  e.id, e.type, e.post_id, p.source_post_id, e.comment_id, e.hub_id, e.invitation_id, e.join_request_id, e.decision_id,
  e.milestone_total,
  e.milestone_count, actor
from app.events as e
left join app.profiles as actor
  on actor.user_id = app.named_actor(e.type, e.actor_id)
  and not exists (select from app.users_hidden_from_all as h where h.user_id = actor.user_id)
left join app.posts as p on p.id = e.post_id;
comment on view app.event_details is 'One row per event: what its notifications show.';

-- Marks one notification, or all visible ones, as read.
--
-- Args: notificationId, or all (true). Returns updated (how many were unread; 0 for a hidden one) and
-- unreadCount.
create function api.mark_notifications_read(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_id uuid := (p_args ->> 'notificationId')::uuid;
  v_updated bigint;
begin
  perform app.require_level(1);
  if (v_id is not null) = (p_args -> 'all' is not distinct from 'true') then
    perform app.refuse_argument('{}', 'invalid_union', 'Either notificationId or all is to be given.');
  end if;
  if v_id is not null then
    perform app.require_notification(v_id);
  end if;
  v_updated := app.mark_read(v_id);
  return jsonb_build_object('updated', v_updated, 'unreadCount', (app.my_inbox_state()).unread_count);
end
$$;
comment on function api.mark_notifications_read is 'PATCH /notifications/read (docs/product.md N12).';
grant execute on function api.mark_notifications_read to authenticated;

-- Returns how many were unread.
create function app.mark_read(p_notification_id uuid) returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  v_count bigint;
begin
  if p_notification_id is null then
    return app.mark_all_read();
  end if;
  update app.notifications as n
  set read_at = app.now()
  where n.id = (
    select v.id from app.visible_notifications as v where v.id = p_notification_id and v.recipient_id = app.user_id()
  )
    and n.read_at is null;
  get diagnostics v_count = row_count;
  return v_count;
end
$$;
comment on function app.mark_read is
  'Marks as read a notification of the caller''s that they may see, or for null all of these.';
grant execute on function app.mark_read to authenticated;

-- Returns how many were unread.
create function app.mark_all_read() returns bigint
language plpgsql set search_path = '' as $$
declare
  v_count bigint;
begin
  with own as materialized (
    select c.user_id, c.audience, c.audience_id
    from app.inbox_counts as c
    where c.user_id = app.user_id() and exists (
      select from app.inbox_audiences as s
      where s.user_id = c.user_id and s.audience = c.audience and s.audience_id = c.audience_id
      offset 0
    )
    group by c.user_id, c.audience, c.audience_id
    having sum(c.unread_count) > 0
  ),
  unread as materialized (
    select n.id
    from own as s
    join app.notifications as n on n.recipient_id = s.user_id and n.audience = s.audience
      and n.audience_id = s.audience_id
    where n.read_at is null
      and n.id not in (select w.id from app.withheld_notifications as w where w.recipient_id = app.user_id())
    -- Locks in the order of ids, so that concurrent calls of one user wait instead of deadlocking.
    order by n.id
    for no key update of n
  )
  update app.notifications as n
  set read_at = app.now()
  from unread
  where n.id = unread.id and n.read_at is null;
  get diagnostics v_count = row_count;
  return v_count;
end
$$;
comment on function app.mark_all_read is 'Marks as read all notifications that the caller may see.';

create function app.require_notification(p_notification_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (
    select from app.notifications as n where n.id = p_notification_id and n.recipient_id = app.user_id()
  ) then
    raise exception using errcode = 'PT404', message = 'NOTIFICATION_NOT_FOUND';
  end if;
end
$$;
comment on function app.require_notification is
  'Raises NOTIFICATION_NOT_FOUND unless the notification is the caller''s, visible at the moment or not.';
grant execute on function app.require_notification to authenticated;

create type app.inbox_state as (unread_count bigint, version bigint);
comment on type app.inbox_state is 'The unread count and the version of an inbox (app.inbox_state_of).';

-- Lists the caller's notifications, newest first.
--
-- Args: cursor, limit, unreadOnly. Returns items, nextCursor, unreadCount and inboxVersion, all of one
-- snapshot.
create function api.list_notifications(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args alias for $1;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_list text := app.list_of('list_notifications', p_args, '{"unreadOnly": false}');
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor');
  v_page app.list_entry[];
  v_state app.inbox_state;
begin
  perform app.require_level(1);
  v_page := app.inbox_entries(
    coalesce(app.argument(p_args, 'unreadOnly', 'boolean')::boolean, false), v_from, v_limit + 1
  );
  v_state := app.my_inbox_state();
  return jsonb_build_object(
    'items', app.inbox_items(v_page[:v_limit]),
    'nextCursor', app.next_cursor(v_list, v_page, v_limit),
    'unreadCount', v_state.unread_count,
    'inboxVersion', v_state.version
  );
end
$$;
comment on function api.list_notifications is 'GET /notifications (docs/product.md N2, N8-N11).';
grant execute on function api.list_notifications to authenticated;

create function app.my_inbox_state() returns app.inbox_state
language plpgsql stable security definer set search_path = '' as $$
begin
  return app.inbox_state_of(app.user_id());
end
$$;
comment on function app.my_inbox_state is 'Returns the unread count and the inbox version of the caller.';
grant execute on function app.my_inbox_state to authenticated;

create function app.inbox_state_of(p_user_id uuid) returns app.inbox_state
language plpgsql stable set search_path = '' as $$
declare
  v_state app.inbox_state;
begin
  select coalesce(sum(s.unread_count), 0)::bigint, coalesce(sum(s.version), 0)::bigint
  into v_state
  from app.inbox_states(array[p_user_id]) as s;
  return v_state;
end
$$;
comment on function app.inbox_state_of is
  'Returns the unread count and the version of the inbox of a user (app.inbox_states).';

-- Users without any notification have no row.
create function app.inbox_states(p_user_ids uuid[]) returns table (user_id uuid, unread_count bigint, version bigint)
language plpgsql stable set search_path = ''
-- Forces index scans for inboxes of any size: a plan for a user with 100,000 notifications would read those
-- of all users.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
begin
  -- "offset 0" prevents joins of all audiences with a few rows.
  return query
  select counted.user_id, sum(counted.unread_count)::bigint, sum(counted.change_count)::bigint
  from (
    select
      c.user_id,
      sum(c.change_count)::bigint
      + coalesce(
        (select s.change_count from app.audience_changes as s where s.audience_id = c.audience_id), 0
      ) as change_count,
      case when sum(c.unread_count) <> 0 and exists (
        select from app.inbox_audiences as s
        where s.user_id = c.user_id and s.audience = c.audience and s.audience_id = c.audience_id
        offset 0
      ) then sum(c.unread_count) else 0 end as unread_count
    from app.inbox_counts as c
    where c.user_id = any (p_user_ids)
    group by c.user_id, c.audience, c.audience_id
    union all
    select w.recipient_id, 0, -1
    from app.withheld_notifications as w
    where w.recipient_id = any (p_user_ids) and exists (
      select from app.inbox_audiences as s
      where s.user_id = w.recipient_id and s.audience = w.audience and s.audience_id = w.audience_id
      offset 0
    )
  ) as counted
  group by counted.user_id;
end
$$;
comment on function app.inbox_states is
  'Returns for each user the exact number of unread notifications that they may see, by sums instead of a count, and '
  'the version of the inbox, which grows with every change.';

-- One statement does it, so every reader sees each change exactly once.
--
-- Returns whether there may be more.
create function app.fold_inbox_counts() returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  v_limit integer := 20000;
  v_count integer;
begin
  perform app.lock_inbox_counts();
  with folded as (
    delete from app.inbox_counts
    where ctid = any (array(select c.ctid from app.inbox_counts as c where not c.is_folded limit v_limit))
    returning *
  ),
  summed as (
    insert into app.inbox_counts as base (user_id, audience, audience_id, unread_count, change_count, is_folded)
    select f.user_id, f.audience, f.audience_id, sum(f.unread_count), sum(f.change_count), true
    from folded as f
    group by f.user_id, f.audience, f.audience_id
    on conflict (user_id, audience, audience_id) where is_folded do update
      set unread_count = base.unread_count + excluded.unread_count,
        change_count = base.change_count + excluded.change_count
  )
  select count(*)::integer into v_count from folded;
  return v_count = v_limit;
end
$$;
comment on function app.fold_inbox_counts is
  'Upkeep: folds rows of app.inbox_counts into one per audience, 20,000 at a time.';
grant execute on function app.fold_inbox_counts to opine_worker;

-- Removes an ended account, whose notifications are gone, from the counts of those who had them.
--
-- Their versions stay: what the audience contributes becomes their own. It takes 1,000 people at a time, each
-- whole, because every audience of a person contains the changes of the account. The transaction must hold
-- app.lock_inbox_counts. Returns whether there may be more.
create function app.delete_audience_changes(p_user_id uuid) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_change_count bigint := coalesce(
    (select s.change_count from app.audience_changes as s where s.audience_id = p_user_id), 0
  );
  v_limit integer := 1000;
  v_user_ids uuid[] := array(
    select distinct c.user_id
    from app.inbox_counts as c
    where c.audience_id = p_user_id and c.audience in ('post_viewer', 'target_member')
    limit v_limit
  );
begin
  with gone as (
    delete from app.inbox_counts as c
    where c.audience_id = p_user_id and c.audience in ('post_viewer', 'target_member') and c.user_id = any (v_user_ids)
    returning *
  )
  insert into app.inbox_counts (user_id, audience, audience_id, unread_count, change_count)
  select g.user_id, 'everybody', g.user_id, 0, sum(g.change_count) + v_change_count
  from gone as g
  where g.user_id <> p_user_id
  group by g.user_id, g.audience;
  if cardinality(v_user_ids) < v_limit then
    delete from app.audience_changes as s where s.audience_id = p_user_id;
    return false;
  end if;
  return true;
end
$$;
comment on function app.delete_audience_changes is
  'Removes an ended account from the counts of inboxes (docs/product.md I18).';

-- The fold and the removal of an inbox delete the same rows in different orders, so they would deadlock.
create function app.lock_inbox_counts() returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtext('app.inbox_counts'));
end
$$;
comment on function app.lock_inbox_counts is
  'Locks the deletion of rows of app.inbox_counts until the transaction ends.';

-- schemas/80_notifications/08_preferences.sql

-- Reads what is pushed to the caller's devices.
--
-- Args: none. Returns push (a boolean for each type) and quietHours (from, to, timeZone; or null).
create function api.get_notification_preferences(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  perform app.require_level(2);
  return app.preferences_json();
end
$$;
comment on function api.get_notification_preferences is
  'GET /users/me/notification-preferences (docs/product.md N27-N29).';
grant execute on function api.get_notification_preferences to authenticated;

create function app.preferences_json() returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_own app.notification_preferences;
begin
  select * into v_own from app.notification_preferences as p where p.user_id = app.user_id();
  return jsonb_build_object(
    'push', (
      select jsonb_object_agg(t.type, t.type <> all (coalesce(v_own.silent_types, '{}')))
      from unnest(app.optional_types()) as t (type)
    ),
    'quietHours', case
      when v_own.time_zone is not null then jsonb_build_object(
        'from', to_char(v_own.quiet_from, 'HH24:MI'), 'to', to_char(v_own.quiet_to, 'HH24:MI'), 'timeZone',
        v_own.time_zone
      )
    end
  );
end
$$;
comment on function app.preferences_json is
  'Returns the notification preferences of the caller as JSON; everything is pushed until they change it '
  '(docs/product.md N27).';
grant execute on function app.preferences_json to authenticated;

-- Changes what is pushed to the caller's devices; a part that is missing stays.
--
-- Args: push (booleans by type), quietHours (from, to, timeZone, all of them the first time; or null).
-- Returns the preferences.
create function api.update_notification_preferences(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_push jsonb := app.switches_argument(p_args, 'push');
  v_own app.notification_preferences;
begin
  perform app.require_level(2);
  insert into app.notification_preferences (user_id) values (app.user_id()) on conflict (user_id) do nothing;
  -- Two requests that change different parts must not undo each other.
  select * into v_own from app.notification_preferences as p where p.user_id = app.user_id() for update;
  v_own.silent_types := array(
    select t.type
    from unnest(app.optional_types()) as t (type)
    where not coalesce((v_push -> t.type::text)::boolean, t.type <> all (v_own.silent_types))
  );
  if p_args -> 'quietHours' = 'null' then
    v_own.quiet_from := null;
    v_own.quiet_to := null;
    v_own.time_zone := null;
  elsif p_args ? 'quietHours' then
    v_own := app.with_quiet_hours(v_own, app.argument(p_args, 'quietHours', 'object'));
  end if;
  update app.notification_preferences as p
  set silent_types = v_own.silent_types, quiet_from = v_own.quiet_from, quiet_to = v_own.quiet_to,
    time_zone = v_own.time_zone
  where p.user_id = app.user_id();
  return app.preferences_json();
end
$$;
comment on function api.update_notification_preferences is
  'PATCH /users/me/notification-preferences (docs/product.md N27-N29).';
grant execute on function api.update_notification_preferences to authenticated;

create function app.optional_types() returns app.event_type[]
language plpgsql stable set search_path = '' as $$
begin
  return array_remove(enum_range(null::app.event_type), 'moderation_decided');
end
$$;
comment on function app.optional_types is
  'Returns the types of notifications that a person may silence on their devices: all but decisions of staff '
  '(docs/product.md N27).';
grant execute on function app.optional_types to authenticated;

-- Args: as app.argument. Returns the JSON object; null if it is missing or null. Errors: VALIDATION_FAILED.
create function app.switches_argument(p_args jsonb, p_name text) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_switches jsonb := app.argument(p_args, p_name, 'object');
  v_wrong text := (
    select given.key
    from jsonb_each(v_switches) as given
    where jsonb_typeof(given.value) <> 'boolean' or given.key <> all (app.optional_types()::text[])
    limit 1
  );
begin
  if v_wrong is not null then
    perform app.refuse_argument(
      array[p_name, v_wrong], 'invalid_type', 'Must be a boolean for a type of notification.'
    );
  end if;
  return v_switches;
end
$$;
comment on function app.switches_argument is 'Reads booleans by types of notifications.';
grant execute on function app.switches_argument to authenticated;

-- Args: p_own, p_hours (from, to, timeZone). Errors: VALIDATION_FAILED.
create function app.with_quiet_hours(
  p_own app.notification_preferences, p_hours jsonb
) returns app.notification_preferences
language plpgsql stable set search_path = '' as $$
declare
  v_zone text := app.text_argument(p_hours, 'timeZone', 1, 64, 'quietHours');
begin
  p_own.quiet_from := coalesce(app.time_argument(p_hours, 'from', 'quietHours'), p_own.quiet_from);
  p_own.quiet_to := coalesce(app.time_argument(p_hours, 'to', 'quietHours'), p_own.quiet_to);
  if p_hours ? 'timeZone' then
    p_own.time_zone := app.time_zone_named(v_zone);
    if p_own.time_zone is null then
      perform app.refuse_argument('{quietHours,timeZone}', 'invalid_value', 'Must be the IANA name of a time zone.');
    end if;
  end if;
  if num_nulls(p_own.quiet_from, p_own.quiet_to, p_own.time_zone) > 0 then
    perform app.refuse_argument('{quietHours}', 'required', 'Needs from, to and timeZone.');
  elsif p_own.quiet_from = p_own.quiet_to then
    perform app.refuse_argument('{quietHours,to}', 'invalid_value', 'Must differ from the beginning.');
  end if;
  return p_own;
end
$$;
comment on function app.with_quiet_hours is 'Returns preferences with the given parts of quiet hours.';
grant execute on function app.with_quiet_hours to authenticated;

-- Args: as app.argument. Returns the time; null if it is missing. Errors: VALIDATION_FAILED.
create function app.time_argument(p_args jsonb, p_name text, p_within text) returns time
language plpgsql stable set search_path = '' as $$
declare
  v_text text := app.argument(p_args, p_name, 'string', p_within) #>> '{}';
begin
  if p_args ? p_name and coalesce(v_text, '') !~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' then
    perform app.refuse_argument(array[p_within, p_name], 'invalid_format', 'Must be a time of day such as 22:30.');
  end if;
  return v_text::time;
end
$$;
comment on function app.time_argument is 'Reads a time of day, HH:MM.';
grant execute on function app.time_argument to authenticated;

create function app.time_zone_named(p_name text) returns text
language plpgsql stable set search_path = '' as $$
begin
  return (
    select z.name
    from pg_catalog.pg_timezone_names as z
    -- Copies of zones and the machine's own zone, which some systems keep beside them, begin in lower case.
    where lower(z.name) = lower(p_name) and z.name ~ '^[A-Z]'
    limit 1
  );
end
$$;
comment on function app.time_zone_named is
  'Returns the IANA name of a time zone as Postgres spells it; null for any other text, abbreviations and offsets '
  'included.';
grant execute on function app.time_zone_named to authenticated;

-- It is null for a zone that Postgres no longer knows, such as after a restore on a system with older zones:
-- one person's zone must not stop the deliveries of all.
create function app.local_time(p_time_zone text) returns time
language plpgsql stable set search_path = '' as $$
begin
  return (app.now() at time zone p_time_zone)::time;
exception when invalid_parameter_value then
  return null;
end
$$;
comment on function app.local_time is 'Returns the time of day in a time zone.';

create function app.is_quiet(p_from time, p_to time, p_at time) returns boolean
language sql immutable set search_path = ''
begin atomic
  select case when p_from < p_to then p_at >= p_from and p_at < p_to else p_at >= p_from or p_at < p_to end;
end;
comment on function app.is_quiet is
  'Returns whether a local time lies in the quiet hours from p_from to p_to, which pass midnight where p_to is '
  'earlier; null without quiet hours or p_at.';

-- schemas/80_notifications/09_stream.sql

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
  'their Hub (docs/product.md N13). is_pushed is whether they go to devices too, by the preferences and quiet hours of '
  'the recipient (docs/product.md N28, N29). payload is the content of signals and push messages: ids only '
  '(docs/product.md N16).';

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
  select * into lease_id, messages from app.take_pushes(v_taken);
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
create function app.publish_batch(p_due app.due_notifications[]) returns void
language plpgsql set search_path = '' as $$
declare
  v_signals bytea[] := array(select uuid_send(due.recipient_id) || uuid_send(due.id) from unnest(p_due) as due);
begin
  -- A project may run without Realtime, or Realtime may not have started yet.
  if to_regprocedure('realtime.send(jsonb,text,text,boolean)') is not null then
    perform app.publish_to_realtime(p_due);
  end if;
  perform pg_notify('opine_signals', app.seal_signals(uuid_send(app.uuid_v7()) || (
    select string_agg(signal, '') from unnest(v_signals[first : first + 99]) as signal
  )))
  from generate_series(1, cardinality(v_signals), 100) as first;
end
$$;
comment on function app.publish_batch is 'Publishes notifications to event streams and Realtime (docs/product.md N15).';

create function app.publish_to_realtime(p_due app.due_notifications[]) returns void
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
comment on function app.publish_to_realtime is 'Broadcasts notifications on the private channels of their recipients.';

-- Returns the ids of these.
create function app.notify_streams(p_due app.due_notifications[]) returns uuid[]
language plpgsql set search_path = '' as $$
declare
  v_one app.due_notifications;
  v_failed_ids uuid[] := '{}'::uuid[];
begin
  begin
    perform app.publish_batch(p_due);
  exception when others then
    -- One by one, so that a failure delays no other notification.
    foreach v_one in array p_due loop
      begin
        perform app.publish_batch(array[v_one]);
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

-- schemas/80_notifications/10_push.sql

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
create function app.take_pushes(p_due app.due_notifications[], out lease_id uuid, out messages json) returns record
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
comment on function app.take_pushes is
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
-- Forces index scans for a queue of any size, and fresh plans: one made for an empty queue would scan a full one.
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

-- schemas/80_notifications/11_edge_functions.sql

-- The vault holds the URL of the functions as opine_functions_url and PUSH_SECRET as opine_push_secret;
-- without them nothing is called.
--
-- Args: p_name (push or upkeep).
create function app.call_function(p_name text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_url text := (select s.decrypted_secret from vault.decrypted_secrets as s where s.name = 'opine_functions_url');
  v_secret text := (select s.decrypted_secret from vault.decrypted_secrets as s where s.name = 'opine_push_secret');
begin
  if v_url is not null and v_secret is not null then
    perform net.http_post(
      url => v_url || '/' || p_name,
      headers => jsonb_build_object('Content-Type', 'application/json', 'Authorization', 'Bearer ' || v_secret),
      body => '{}'::jsonb,
      timeout_milliseconds => 55000
    );
  end if;
end
$$;
comment on function app.call_function is 'Calls an edge function that runs tasks of the worker, for pg_cron.';

-- schemas/80_notifications/12_milestones.sql

-- An author who voted may get one of each for the same total.
--
-- Returns whether there may be more.
create function app.fan_out_milestones() returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  v_reached app.milestones;
  v_last integer;
  v_event app.events;
begin
  perform pg_advisory_xact_lock(hashtext('app.fan_out_milestones'));
  select * into v_reached from app.milestones as m order by m.id limit 1;
  if not found then
    return false;
  end if;
  -- A removal deletes the events that it sees, so it waits for these.
  perform from app.posts as p where p.id = v_reached.post_id for share;
  -- The number of voters with a milestone grows with the total, so the range shrinks: about 2,000
  -- notifications per run.
  v_last := least(v_reached.last_total, v_reached.next_total + 1000000 / v_reached.last_total);
  for v_event in
    insert into app.events (type, subject_id, post_id, milestone_total, milestone_count)
    select 'post_vote_milestone', u.id, v_reached.post_id, due.total, due.count
    from (
      select p.author_id as user_id, reached.total, reached.total as count
      from app.posts as p
      cross join generate_series(v_reached.next_total, v_last) as reached (total)
      where p.id = v_reached.post_id and reached.total % app.author_milestone() = 0
      union all
      select r.user_id, reached.total, reached.total - r.baseline
      from generate_series(v_reached.next_total, v_last) as reached (total)
      join app.vote_receipts as r
        on r.post_id = v_reached.post_id
          and r.baseline % app.voter_milestone() = reached.total % app.voter_milestone()
          and r.baseline <= reached.total - app.voter_milestone()
    ) as due
    cross join lateral (
      select living.id from app.users as living where living.id = due.user_id and living.ended_at is null offset 0
    ) as u
    where exists (select from app.seen_post(v_reached.post_id, u.id))
    returning *
  loop
    perform app.notify(v_event, array[v_event.subject_id]);
  end loop;
  if v_last = v_reached.last_total then
    delete from app.milestones as m where m.id = v_reached.id;
  else
    update app.milestones as m set next_total = v_last + 1 where m.id = v_reached.id;
  end if;
  return true;
end
$$;
comment on function app.fan_out_milestones is
  'Inserts the milestone events of some totals that posts have reached, and notifies their subjects as far as they can '
  'see the post (docs/product.md N6): the author at each app.author_milestone(), a voter at each '
  'app.voter_milestone() after their own vote.';
grant execute on function app.fan_out_milestones to opine_worker;

-- schemas/80_notifications/13_schedule.sql

-- Without both extensions, another scheduler must call the functions, or a worker must run.
do $$
begin
  if (select count(*) from pg_extension where extname in ('pg_cron', 'pg_net')) = 2 then
    perform cron.schedule('opine-push', '10 seconds', $job$select app.call_function('push')$job$);
    perform cron.schedule('opine-upkeep', '* * * * *', $job$select app.call_function('upkeep')$job$);
  end if;
end
$$;

-- schemas/80_notifications/14_pruning.sql

-- Deletes notifications older than p_days, then the events of that age that have none, at most 5,000 of each.
--
-- It takes the rows in the order of their ids, which hold their time, so it needs no index on times and ends
-- at the first id of the horizon. It skips locked rows and waits for no other transaction that touches
-- inboxes; the next run takes them. Triggers of app.notifications keep counts and versions. The queues of
-- deliveries drop rows without their notification. Returns whether there may be more.
create function app.prune_notifications(p_days integer) returns boolean
language plpgsql security definer set search_path = ''
-- Forces index scans in the order of ids: a plan made for few old rows would read and sort all of many.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  v_limit integer := 5000;
  v_until timestamptz := app.now() - make_interval(days => p_days);
  v_end uuid := app.first_id_at(v_until);
  v_count integer;
begin
  with old as materialized (
    select n.id, n.recipient_id
    from app.notifications as n
    where n.id < v_end and n.created_at <= v_until
    order by n.id
    limit v_limit
    for update skip locked
  )
  delete from app.notifications as n using old where n.id = old.id and n.recipient_id = old.recipient_id;
  get diagnostics v_count = row_count;
  -- The events come last, because a search for those without notifications would pass all others again and
  -- again.
  if v_count = v_limit then
    return true;
  end if;
  delete from app.events
  where id in (
    select e.id
    from app.events as e
    where e.id < v_end and e.occurred_at <= v_until
      and not exists (select from app.notifications as n where n.event_id = e.id)
      and not exists (select from app.fan_outs as f where f.event_id = e.id)
    order by e.id
    limit v_limit
    for update skip locked
  );
  get diagnostics v_count = row_count;
  return v_count = v_limit;
end
$$;
comment on function app.prune_notifications is 'Upkeep: deletes old notifications (docs/product.md N32).';
grant execute on function app.prune_notifications to opine_worker;

-- schemas/80_notifications/15_signal_key.sql

-- The migration generator diffs no rows. Create the keys here, once per database, so that replicas have them.
do $$
begin
  insert into app.signal_keys default values on conflict do nothing;
end
$$;

-- schemas/80_notifications/80_account.sql

create function app.move_events(p_from uuid, p_into uuid) returns void
language plpgsql set search_path = '' as $$
begin
  delete from app.events as e
  using app.events as own
  where e.subject_id = p_from and e.type = 'post_vote_milestone'
    and own.subject_id = p_into and own.type = e.type and own.post_id = e.post_id
    and (own.milestone_total, own.milestone_count) = (e.milestone_total, e.milestone_count);
  -- One notification of what both did, or of what somebody did to both, within a day.
  delete from app.events as e
  using app.events as own
  where e.actor_id = p_from and e.type in ('user_followed', 'post_shared_to_feed')
    and own.actor_id = p_into and own.type = e.type
    and coalesce(own.post_id, own.subject_id) = coalesce(e.post_id, e.subject_id)
    and own.occurred_at between e.occurred_at - interval '24 hours' and e.occurred_at + interval '24 hours';
  delete from app.events as e
  using app.events as own
  where e.subject_id = p_from and e.type = 'user_followed'
    and own.subject_id = p_into and own.type = e.type and own.actor_id = e.actor_id
    and own.occurred_at between e.occurred_at - interval '24 hours' and e.occurred_at + interval '24 hours';
  update app.notifications as n
  set actor_id = p_into
  from app.events as e
  where e.actor_id = p_from and n.event_id = e.id;
  update app.notifications as n
  set author_id = case n.author_id when p_from then p_into else n.author_id end,
    audience_id = case n.audience_id when p_from then p_into else n.audience_id end
  from app.posts as p
  join app.events as e on e.post_id = p.id
  where p.author_id = p_into and n.event_id = e.id and n.recipient_id <> p_from
    and p_from in (n.author_id, n.audience_id);
  update app.notifications as n
  set thread_author_id = p_into
  from app.comments as root
  join app.comments as reply on reply.parent_id = root.id
  join app.events as e on e.comment_id = reply.id
  where root.author_id = p_into and n.event_id = e.id and n.thread_author_id = p_from;
  update app.events set actor_id = p_into where actor_id = p_from;
  update app.events set subject_id = p_into where subject_id = p_from;
  -- A user must not be notified of following themselves.
  delete from app.events where type = 'user_followed' and actor_id = p_into and subject_id = p_into;
end
$$;
comment on function app.move_events is
  'Moves the events of a merged account, and who is named in notifications of others (docs/product.md I16).';

create function app.move_notifications(p_from uuid, p_into uuid) returns void
language plpgsql set search_path = '' as $$
begin
  delete from app.notifications where recipient_id = p_from and actor_id = p_into;
  delete from app.notifications where recipient_id = p_into and actor_id = p_into;
  update app.notifications as n
  set recipient_id = p_into, audience_id = case n.audience_id when p_from then p_into else n.audience_id end,
    author_id = nullif(n.author_id, p_into), thread_author_id = nullif(n.thread_author_id, p_into)
  where n.recipient_id = p_from and not exists (
    select from app.notifications as own where own.event_id = n.event_id and own.recipient_id = p_into
  );
  delete from app.notifications where recipient_id = p_from;
  perform app.lock_inbox_counts();
  delete from app.inbox_counts where user_id = p_from;
  update app.notification_preferences as p
  set user_id = p_into
  where p.user_id = p_from
    and not exists (select from app.notification_preferences as own where own.user_id = p_into);
  update app.device_tokens set user_id = p_into, session_id = null where user_id = p_from;
  perform app.keep_newest_device_tokens(p_into);
end
$$;
comment on function app.move_notifications is
  'Moves the inbox, the preferences and the device tokens of a merged account (docs/product.md I16).';

create function app.erase_preferences(p_user_id uuid) returns void
language sql set search_path = ''
begin atomic
  delete from app.notification_preferences where user_id = p_user_id;
end;
comment on function app.erase_preferences is
  'Deletes the preferences of an ended account for notifications (docs/product.md I17).';

-- Locked rows are left to the next batch. An event goes when its notifications are gone.
create function app.erase_notifications(p_user_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  delete from app.notifications
  where id in (
    select n.id from app.notifications as n where n.recipient_id = p_user_id limit 1000 for update skip locked
  );
  delete from app.notifications
  where id in (
    select n.id
    from app.events as e
    join app.notifications as n on n.event_id = e.id
    where e.actor_id = p_user_id
    limit 5000
    for update of n skip locked
  );
  delete from app.notifications
  where id in (
    select n.id
    from app.events as e
    join app.notifications as n on n.event_id = e.id
    where e.subject_id = p_user_id
    limit 5000
    for update of n skip locked
  );
  delete from app.events
  where id in (
    select e.id
    from app.events as e
    where e.actor_id = p_user_id and not exists (select from app.notifications as n where n.event_id = e.id)
    limit 1000
    for update skip locked
  );
  delete from app.events
  where id in (
    select e.id
    from app.events as e
    where e.subject_id = p_user_id and not exists (select from app.notifications as n where n.event_id = e.id)
    limit 1000
    for update skip locked
  );
  return exists (select from app.notifications where recipient_id = p_user_id)
    or exists (select from app.events where actor_id = p_user_id)
    or exists (select from app.events where subject_id = p_user_id);
end
$$;
comment on function app.erase_notifications is
  'Deletes a batch of the notifications to and about an ended account. Returns whether more are left.';

create function app.erase_inbox(p_user_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  perform app.lock_inbox_counts();
  delete from app.inbox_counts where user_id = p_user_id;
  return app.delete_audience_changes(p_user_id);
end
$$;
comment on function app.erase_inbox is
  'Deletes the counters of the inbox of an ended account. Returns whether its audience is still counted by others.';

create function app.close_hub_notifications(p_hub_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  delete from app.notifications as n
  where n.id in (
    select old.id
    from app.events as e
    join app.notifications as old on old.event_id = e.id
    where e.hub_id = p_hub_id
    limit 5000
    for update of old skip locked
  );
  if found or exists (
    select from app.events as e join app.notifications as n on n.event_id = e.id where e.hub_id = p_hub_id
  ) then
    return true;
  end if;
  delete from app.events as e
  where e.id in (select old.id from app.events as old where old.hub_id = p_hub_id limit 5000 for update skip locked);
  return found or exists (select from app.events as e where e.hub_id = p_hub_id);
end
$$;
comment on function app.close_hub_notifications is
  'Deletes a batch of the notifications and events of a closed Hub. Returns whether more may be left.';

-- Withheld ones would reveal who blocks the caller.
create function app.export_notifications() returns setof jsonb
language sql stable security definer set search_path = ''
begin atomic
  select jsonb_build_object(
    'id', n.id, 'type', e.type, 'actorId', (e.actor).user_id, 'postId', e.post_id, 'commentId', e.comment_id, 'hubId',
    e.hub_id,
    'invitationId', e.invitation_id, 'joinRequestId', e.join_request_id, 'decisionId', e.decision_id, 'milestoneTotal',
    e.milestone_total,
    'milestoneCount', e.milestone_count, 'createdAt', app.iso(n.created_at), 'readAt', app.iso(n.read_at)
  )
  from app.visible_notifications as n
  join app.event_details as e on e.id = n.event_id
  where n.recipient_id = app.user_id()
  order by n.created_at desc, n.id desc
  limit 100000;
end;
comment on function app.export_notifications is
  'Returns the section notifications of the export: those that the caller may see at the moment.';
grant execute on function app.export_notifications to authenticated;

-- schemas/80_notifications/90_policies.sql

create policy device_tokens_select on app.device_tokens for select to authenticated
using (user_id = (select app.user_id()));

create policy device_tokens_delete on app.device_tokens for delete to authenticated
using (user_id = (select app.user_id()));

create policy notification_preferences_select on app.notification_preferences for select to authenticated
using (user_id = (select app.user_id()));

create policy notification_preferences_insert on app.notification_preferences for insert to authenticated
with check (user_id = (select app.user_id()));

create policy notification_preferences_update on app.notification_preferences for update to authenticated
using (user_id = (select app.user_id()))
with check (user_id = (select app.user_id()));

-- schemas/82_monitoring/01_backlog.sql

create function app.backlog(
  out outbox_count bigint, out outbox_age_seconds double precision,
  out push_count bigint, out push_age_seconds double precision,
  out dead_letter_count bigint, out fan_out_count bigint, out account_deletion_count bigint,
  out vote_age_seconds double precision, out inbox_change_count bigint
) returns record
language plpgsql stable security definer set search_path = ''
-- Forces index scans for any statistics: each count then ends at its limit, and each age is one lookup.
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
  v_most integer := 100000;
  v_now timestamptz := app.now();
  v_due_at timestamptz;
begin
  select count(*), min(o.due_at) into outbox_count, v_due_at
  from (select due_at from app.outbox order by notification_id limit v_most) as o;
  select count(*) into push_count from (select from app.pushes limit v_most) as p;
  select count(*) into dead_letter_count from (select from app.dead_letters limit v_most) as d;
  select count(distinct f.event_id)
  into fan_out_count
  from (select waiting.event_id from app.fan_outs as waiting limit v_most) as f;
  select count(*) into account_deletion_count from (select from app.account_deletions limit v_most) as d;
  select count(*)
  into inbox_change_count
  from (select from app.inbox_counts as c where not c.is_folded limit v_most) as c;
  outbox_age_seconds := extract(epoch from v_now - v_due_at)::double precision;
  push_age_seconds := extract(epoch from v_now - least(
    (
      select p.due_at from app.pushes as p order by p.due_at limit 1
    ), (select min(l.lapses_at) from app.push_leases as l)
  ))::double precision;
  -- Rounded, so that metrics do not reveal when a person voted.
  vote_age_seconds := (10 * floor(extract(epoch from v_now - least(
    (select v.cast_at from app.fresh_votes as v where (v.hub_count > 200) order by v.cast_at limit 1),
    (select v.cast_at from app.fresh_votes as v where not (v.hub_count > 200) order by v.cast_at limit 1)
  )) / 10))::double precision;
  outbox_age_seconds := greatest(0, coalesce(outbox_age_seconds, 0));
  push_age_seconds := greatest(0, coalesce(push_age_seconds, 0));
  vote_age_seconds := greatest(0, coalesce(vote_age_seconds, 0));
end
$$;
comment on function app.backlog is
  'Returns what waits for the worker, for its metrics: row counts up to 100,000, and the age of the oldest row in '
  'seconds: of the outbox and of pushes since they are due, of votes since they were cast, rounded down to ten '
  'seconds.';
grant execute on function app.backlog to opine_worker;

-- schemas/82_monitoring/02_waiting_tasks.sql

-- Names the tasks of the worker whose queues have rows, so that an idle worker runs no others.
--
-- One probe of each queue. The tasks themselves say what is due, in more detail; the worker runs each of them every
-- half minute anyway (src/worker/tasks.ts), so what this function misses is late and not lost.
create function app.waiting_tasks() returns text[]
language plpgsql stable security definer set search_path = ''
-- As in app.backlog.
set enable_seqscan = off
set enable_bitmapscan = off
-- A lock on one queue delays its task alone: after a look that fails, the worker runs all tasks.
set lock_timeout = '100ms'
as $$
declare
  v_now timestamptz := app.now();
begin
  return array_remove(array[
    case when exists (
      select from app.outbox as o
      where o.notification_id > app.first_id_within(interval '2 seconds') and o.due_at <= v_now
    ) then 'deliver outbox' end,
    case when exists (select from app.fan_outs) then 'fan out' end,
    case when exists (select from app.milestones) then 'fan out milestones' end,
    case when exists (select from app.inbox_counts as c where not c.is_folded) then 'fold inbox counts' end,
    case when exists (select from app.pushes as p where p.due_at <= v_now)
      or exists (select from app.push_leases as l where l.lapses_at <= v_now) then 'push to devices' end,
    case when exists (select from app.account_deletions as d where d.due_at <= v_now)
      then 'finish account deletions' end,
    case when exists (select from app.stored_objects as o where o.expires_at <= v_now)
      then 'remove expired objects' end
  ], null);
end
$$;
comment on function app.waiting_tasks is 'Returns the names of the tasks of the worker that have something to do.';
grant execute on function app.waiting_tasks to opine_worker;

-- schemas/85_moderation/01_tables.sql

create type app.report_reason as enum (
  'spam', 'harassment', 'hate', 'violence', 'nudity', 'misinformation', 'impersonation', 'other'
);
comment on type app.report_reason is 'Why a person reports a target (docs/product.md S7).';

create type app.report_state as enum ('open', 'actioned', 'dismissed');
comment on type app.report_state is
  'open until staff decides: actioned if it removed or suspended the target, else dismissed (docs/product.md S19).';

create type app.target_kind as enum ('user', 'post', 'comment', 'message', 'hub');
comment on type app.target_kind is 'What a report or a decision is about.';

-- A report notifies no one.
create table app.reports (
  id uuid primary key default app.uuid_v7(),
  reporter_id uuid references app.users (id) on delete set null,
  user_id uuid references app.users (id) on delete cascade,
  post_id uuid,
  hub_id uuid,
  comment_id uuid,
  message_id uuid,
  target_id uuid generated always as (coalesce(user_id, post_id, hub_id, comment_id, message_id)) stored,
  reason app.report_reason not null,
  details text,
  state app.report_state not null default 'open',
  is_by_service boolean not null default false,
  created_at timestamptz not null default app.now(),
  constraint reports_have_one_target check (num_nonnulls(user_id, post_id, hub_id, comment_id, message_id) = 1),
  constraint reports_details_length check (char_length(details) between 1 and 1000),
  constraint reports_details_visible check (app.has_visible_character(details))
);
comment on table app.reports is
  'One row per report of a user, post, Hub, comment or message to staff (docs/product.md S7, S8).';
comment on column app.reports.post_id is 'No foreign key: deleting the post does not settle the report.';
comment on column app.reports.hub_id is 'No foreign key, as for post_id: a closed Hub is removed.';
comment on column app.reports.comment_id is
  'No foreign key, as for post_id: deleting a comment does not remove reports of it.';
comment on column app.reports.message_id is
  'No foreign key, as for post_id: a message goes with its Hub, or with the post of its discussion.';
comment on column app.reports.target_id is
  'The one target that is set. Staff decides about all open reports of a target at once.';
comment on column app.reports.reporter_id is 'Null after account deletion of the reporter: the report stays.';
comment on column app.reports.is_by_service is
  'Whether the service reported the target, because it holds a blocked term (docs/product.md S24).';
create unique index reports_open_by_service_key on app.reports (target_id) where state = 'open' and is_by_service;
create unique index reports_open_key on app.reports (reporter_id, target_id) where state = 'open';
create index reports_open_idx on app.reports (target_id, id) where state = 'open';
create index reports_reporter_id_idx on app.reports (reporter_id);
create index reports_user_id_idx on app.reports (user_id);
create index reports_post_id_idx on app.reports (post_id);
create index reports_hub_id_idx on app.reports (hub_id);
create index reports_comment_id_idx on app.reports (comment_id);
create index reports_message_id_idx on app.reports (message_id);
alter table app.reports enable row level security;
grant select on app.reports to authenticated;
grant insert (
  reporter_id, user_id, post_id, hub_id, comment_id, message_id, reason, details
) on app.reports to authenticated;

create table app.evidence (
  report_id uuid primary key references app.reports (id) on delete cascade,
  author_id uuid references app.users (id) on delete set null,
  name text,
  content text not null,
  closed_at timestamptz
);
comment on table app.evidence is
  'One row per report: what was reported, as it was then, for staff alone (docs/product.md S25). A task prunes it.';
comment on column app.evidence.author_id is
  'The reported person, or the author; null for a Hub. It outlives the account.';
comment on column app.evidence.name is 'The username of that person, or the name of the Hub.';
comment on column app.evidence.content is 'All texts of the target, alt texts included.';
comment on column app.evidence.closed_at is 'Time when the report was closed; null while it is open.';
create index evidence_author_id_idx on app.evidence (author_id);
create index evidence_closed_at_idx on app.evidence (closed_at) where closed_at is not null;
alter table app.evidence enable row level security;

create table app.evidence_assets (
  report_id uuid not null references app.evidence (report_id) on delete cascade,
  -- No use of the asset (app.delete_unused_assets); app.keep_evidence_asset keeps it.
  asset_id uuid not null references app.assets (id) on delete cascade,
  constraint evidence_assets_pkey primary key (report_id, asset_id)
);
comment on table app.evidence_assets is
  'One row per open report and file of what was reported: the file stays so long (docs/product.md S25).';
create index evidence_assets_asset_id_idx on app.evidence_assets (asset_id);
alter table app.evidence_assets enable row level security;

create trigger evidence_assets_release_after_delete after delete on app.evidence_assets
referencing old table as former
for each statement execute function app.delete_former_assets('asset_id');

create type app.decision_action as enum ('content_removed', 'account_suspended', 'hub_suspended');
comment on type app.decision_action is 'What staff did (docs/product.md S18).';

create type app.appeal_state as enum ('open', 'upheld', 'reversed');
comment on type app.appeal_state is 'open until another member of staff upholds or reverses the decision.';

create table app.decisions (
  id uuid primary key default app.uuid_v7(),
  action app.decision_action not null,
  reason app.report_reason not null,
  statement text not null,
  target_kind app.target_kind not null,
  target_id uuid not null,
  excerpt text not null default '',
  decided_by text not null,
  decided_at timestamptz not null default app.now(),
  reversed_at timestamptz,
  constraint decisions_statement_length check (char_length(statement) between 1 and 2000),
  constraint decisions_statement_visible check (app.has_visible_character(statement)),
  constraint decisions_excerpt_length check (char_length(excerpt) <= 200)
);
comment on table app.decisions is
  'One row per removal or suspension by staff (docs/product.md S18): what the people concerned are notified of.';
comment on column app.decisions.target_id is 'No foreign key: the decision outlives its target.';
comment on column app.decisions.excerpt is 'The beginning of the removed text, or the name of the person or Hub.';
comment on column app.decisions.decided_by is 'The member of staff, as in staff.audit_log. Nobody else learns it.';
comment on column app.decisions.reversed_at is
  'Time when staff took the decision back, after an appeal or without one.';
create index decisions_target_id_idx on app.decisions (target_id);
create index decisions_decided_at_idx on app.decisions (decided_at);
alter table app.decisions enable row level security;
grant select (
  id, action, reason, statement, target_kind, target_id, excerpt, decided_at
) on app.decisions to authenticated;

create table app.decision_subjects (
  decision_id uuid not null references app.decisions (id) on delete cascade,
  user_id uuid not null references app.users (id) on delete cascade,
  constraint decision_subjects_pkey primary key (decision_id, user_id)
);
comment on table app.decision_subjects is
  'One row per decision and person concerned: the author, the suspended person, or each admin of the suspended Hub.';
create index decision_subjects_user_id_idx on app.decision_subjects (user_id, decision_id);
alter table app.decision_subjects enable row level security;
grant select on app.decision_subjects to authenticated;

create table app.appeals (
  decision_id uuid primary key references app.decisions (id) on delete cascade,
  user_id uuid references app.users (id) on delete set null,
  text text not null,
  created_at timestamptz not null default app.now(),
  state app.appeal_state not null default 'open',
  statement text,
  decided_by text,
  decided_at timestamptz,
  constraint appeals_text_length check (char_length(text) between 1 and 2000),
  constraint appeals_text_visible check (app.has_visible_character(text)),
  constraint appeals_statement_length check (char_length(statement) between 1 and 2000),
  constraint appeals_are_decided_whole check (
    num_nonnulls(statement, decided_by, decided_at) = case when state = 'open' then 0 else 3 end
  )
);
comment on table app.appeals is
  'One row per appeal of a person concerned against a decision (docs/product.md S20, S21).';
comment on column app.appeals.user_id is 'Null after account deletion: the appeal stays with its decision.';
create index appeals_user_id_idx on app.appeals (user_id);
create index appeals_open_idx on app.appeals (created_at, decision_id) where state = 'open';
alter table app.appeals enable row level security;
grant select (decision_id, user_id, text, created_at, state, decided_at) on app.appeals to authenticated;
grant insert (decision_id, user_id, text) on app.appeals to authenticated;

-- A removed post stays in app.posts.
create table app.removed_contents (
  decision_id uuid primary key references app.decisions (id) on delete cascade,
  author_id uuid not null references app.users (id) on delete cascade,
  content_id uuid not null,
  post_id uuid references app.posts (id) on delete cascade,
  parent_id uuid,
  body text,
  asset_id uuid references app.assets (id) on delete restrict,
  alt_text text,
  created_at timestamptz not null
);
comment on table app.removed_contents is
  'One row per comment or message that staff removed, until it can no longer be restored (docs/product.md S22).';
comment on column app.removed_contents.post_id is
  'The post of a comment; null for a message, whose row stays without content.';
create index removed_contents_author_id_idx on app.removed_contents (author_id);
create index removed_contents_post_id_idx on app.removed_contents (post_id);
create index removed_contents_asset_id_idx on app.removed_contents (asset_id);
alter table app.removed_contents enable row level security;

create trigger removed_contents_release_assets_after_delete after delete on app.removed_contents
referencing old table as former
for each statement execute function app.delete_former_assets('asset_id');

-- Each is a role of Postgres, staff_<role>.
create type staff.role as enum ('support', 'moderator', 'admin');
comment on type staff.role is
  'Roles of staff. support looks up accounts, moderator also decides reports, admin may do everything.';

create table staff.allowed_emails (
  email text primary key,
  role staff.role not null default 'moderator',
  added_at timestamptz not null default app.now(),
  constraint allowed_emails_email_is_lower_case check (email = lower(email))
);
comment on table staff.allowed_emails is
  'One row per e-mail that may sign in as staff, besides those of the configuration.';
alter table staff.allowed_emails enable row level security;

create table staff.logins (
  login text primary key,
  email text not null references staff.allowed_emails (email) on delete cascade
);
comment on table staff.logins is
  'One row per SQL login of a person on the list: what the login does, the person does (docs/product.md S21).';
create index logins_email_idx on staff.logins (email);
alter table staff.logins enable row level security;

create table staff.sessions (
  token_hash bytea primary key,
  email text not null,
  created_at timestamptz not null default app.now(),
  expires_at timestamptz not null,
  constraint sessions_token_hash_is_sha256 check (length(token_hash) = 32)
);
comment on table staff.sessions is 'One row per staff session, identified by the SHA-256 of its cookie''s token.';
create index sessions_expires_at_idx on staff.sessions (expires_at);
alter table staff.sessions enable row level security;

-- Append-only.
create table staff.audit_log (
  id uuid primary key default app.uuid_v7(),
  occurred_at timestamptz not null default app.now(),
  actor_email text,
  action text not null,
  details jsonb not null default '{}'
);
comment on table staff.audit_log is 'One row per action of staff or attempt to sign in as staff (docs/product.md S6).';
comment on column staff.audit_log.actor_email is 'Null if unknown, because the ID token was invalid.';
create index audit_log_occurred_at_idx on staff.audit_log (occurred_at);
alter table staff.audit_log enable row level security;

-- No other staff decides about its reports for an hour.
create table staff.claims (
  target_id uuid primary key,
  claimed_by text not null,
  claimed_at timestamptz not null default app.now()
);
comment on table staff.claims is
  'One row per claimed report target (user, post, comment, message or Hub) (docs/product.md S9).';
alter table staff.claims enable row level security;

create function staff.audit(p_actor_email text, p_action text, p_details jsonb default '{}') returns void
language sql set search_path = ''
begin atomic
  insert into staff.audit_log (actor_email, action, details) values (p_actor_email, p_action, p_details);
end;
comment on function staff.audit is 'Writes an action or attempt of staff to the audit log.';

-- Errors: REASON_MISSING (the reason is empty).
create function staff.record(p_action text, p_reason text, p_details jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  if coalesce(btrim(p_reason), '') = '' then
    raise exception using errcode = 'PT422', message = 'REASON_MISSING';
  end if;
  perform staff.audit(staff.actor(), p_action, p_details || jsonb_build_object('reason', btrim(p_reason)));
end
$$;
comment on function staff.record is
  'Writes an action of the current member of staff, and its reason, to the audit log.';

-- Returns the current member of staff: the e-mail of the staff session behind a request, else that of the
-- database login, else the login.
create function staff.actor() returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  -- A direct login could set any claims.
  return case
    when session_user = 'opine_gateway' then nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email'
    else coalesce((select l.email from staff.logins as l where l.login = session_user), session_user::text)
  end;
end
$$;
comment on function staff.actor is
  'Returns the current member of staff, as the audit log names them (docs/product.md S6).';
grant execute on function staff.actor to staff_support;

alter table app.events add constraint events_decision_id_fkey foreign key (decision_id)
references app.decisions (id) on delete cascade;

-- schemas/85_moderation/02_report.sql

-- Reports a post to staff.
--
-- Args: postId, reason, details. Returns reportId and state.
create function api.report_post(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(1);
  return app.put_report(p_args, 'post', (p_args ->> 'postId')::uuid);
end
$$;
comment on function api.report_post is 'POST /reports/posts/{postId} (docs/product.md S7, S8).';
grant execute on function api.report_post to authenticated;

-- Reports a comment to staff.
--
-- Args: commentId, reason, details. Returns reportId and state.
create function api.report_comment(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(1);
  return app.put_report(p_args, 'comment', (p_args ->> 'commentId')::uuid);
end
$$;
comment on function api.report_comment is
  'POST /reports/comments/{commentId} (docs/product.md S7, S8; docs/decisions/015-own-data.md).';
grant execute on function api.report_comment to authenticated;

-- Reports a Hub message to staff.
--
-- Args: messageId, reason, details. Returns reportId and state.
create function api.report_message(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(1);
  return app.put_report(p_args, 'message', (p_args ->> 'messageId')::uuid);
end
$$;
comment on function api.report_message is
  'POST /reports/messages/{messageId} (docs/product.md S7, S8; docs/decisions/015-own-data.md).';
grant execute on function api.report_message to authenticated;

-- Reports a user to staff.
--
-- Args: userId, reason, details. Returns reportId and state.
create function api.report_user(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(1);
  return app.put_report(p_args, 'user', (p_args ->> 'userId')::uuid);
end
$$;
comment on function api.report_user is 'POST /reports/users/{userId} (docs/product.md S7, S8).';
grant execute on function api.report_user to authenticated;

-- Reports a Hub to staff.
--
-- Args: hubId, reason, details. Returns reportId and state.
create function api.report_hub(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(1);
  return app.put_report(p_args, 'hub', (p_args ->> 'hubId')::uuid);
end
$$;
comment on function api.report_hub is 'POST /reports/hubs/{hubId} (docs/product.md S7, S8).';
grant execute on function api.report_hub to authenticated;

-- Inserts a report by the caller of one target, or finds their open report of it.
--
-- Args: p_args (reason, details), the target. Returns reportId and state. Errors: those of app.require_reportable,
-- RATE_LIMITED.
create function app.put_report(p_args jsonb, p_kind app.target_kind, p_id uuid) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_report app.reports;
begin
  perform app.require_arguments(p_args, 'reason');
  -- Retries if staff closes the open report between the insert and the select.
  loop
    insert into app.reports (reporter_id, user_id, post_id, hub_id, comment_id, message_id, reason, details)
    select
      app.user_id(),
      case when p_kind = 'user' then target.id end,
      case when p_kind = 'post' then target.id end,
      case when p_kind = 'hub' then target.id end,
      case when p_kind = 'comment' then target.id end,
      case when p_kind = 'message' then target.id end,
      app.choice_argument(p_args, 'reason', variadic enum_range(null::app.report_reason)::text[])::app.report_reason,
      app.text_argument(p_args, 'details')
    from app.require_reportable(p_kind, p_id) as target (id)
    on conflict (reporter_id, target_id) where state = 'open' do nothing
    returning * into v_report;
    if v_report.id is not null then
      perform app.use_limit('reports');
      exit;
    end if;
    select * into v_report
    from app.reports as r
    where r.reporter_id = app.user_id() and r.target_id = p_id and r.state = 'open';
    exit when v_report.id is not null;
  end loop;
  return app.own_report_json(v_report.id);
end
$$;
comment on function app.put_report is
  'Inserts a report by the caller, or finds their open one (docs/product.md S7, S8).';
grant execute on function app.put_report to authenticated;

create function app.own_report_json(p_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object('reportId', r.id, 'state', r.state)
    from app.reports as r
    where r.id = p_id and r.reporter_id = app.user_id()
  );
end
$$;
comment on function app.own_report_json is
  'Returns a report by the caller with its state (docs/product.md S7, S19); null for any other.';
grant execute on function app.own_report_json to authenticated;

-- Returns the id of a target that is not the caller's own, and that the caller sees or would see but for a block.
--
-- A definer function, because policies apply blocks. Errors: USER_NOT_FOUND, POST_NOT_FOUND, HUB_NOT_FOUND,
-- COMMENT_NOT_FOUND, MESSAGE_NOT_FOUND, VALIDATION_FAILED (oneself or own content).
create function app.require_reportable(p_kind app.target_kind, p_id uuid) returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  v_owner_id uuid;
  v_is_seen boolean;
begin
  if p_kind = 'hub' then
    return app.require_hub(p_id);
  end if;
  select t.owner_id, t.is_seen into v_owner_id, v_is_seen
  from (
    select u.id as owner_id, exists (select from app.profiles as p where p.user_id = u.id) as is_seen
    from app.users as u
    where p_kind = 'user' and u.id = p_id
    union all
    -- What staff has removed is hidden from its author too.
    select p.author_id, exists (select from app.seen_despite_blocks(p.id, app.user_id()))
    from app.posts as p
    where p_kind = 'post' and p.id = p_id and p.removed_at is null
    union all
    select c.author_id, exists (select from app.seen_despite_blocks(p.id, app.user_id()))
    from app.comments as c
    join app.posts as p on p.id = c.post_id
    where p_kind = 'comment' and c.id = p_id and c.author_id is not null
    union all
    select m.author_id, m.hub_id in (select mine.hub_id from app.my_hubs as mine)
    from app.messages as m
    where p_kind = 'message' and m.id = p_id and not m.is_deleted
  ) as t
  where not exists (
    select
    from app.users_hidden_from_all as h
    where h.user_id = t.owner_id
      -- The messages of an ended account stay.
      and (p_kind <> 'message' or h.user_id in (select s.user_id from app.suspensions as s))
  );
  if v_owner_id = app.user_id() then
    perform app.refuse_argument(array[p_kind || 'Id'], 'own', 'Must not be your own.');
  end if;
  if not coalesce(v_is_seen, false) then
    raise exception using errcode = 'PT404', message = upper(p_kind::text) || '_NOT_FOUND';
  end if;
  return p_id;
end
$$;
comment on function app.require_reportable is 'Returns a target that the caller may report (docs/product.md S8).';
grant execute on function app.require_reportable to authenticated;

-- Lists the reports of the caller with their outcomes, newest first.
--
-- Args: cursor, limit. Returns items and nextCursor.
create function api.list_own_reports(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args alias for $1;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_list text := app.list_of('list_own_reports', p_args);
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor');
  v_page app.list_entry[];
begin
  perform app.require_level(1);
  v_page := array(
    select (r.created_at, r.id)::app.list_entry
    from app.reports as r
    where r.reporter_id = app.user_id() and (r.created_at, r.id) < (v_from.at, v_from.id)
    order by r.created_at desc, r.id desc
    limit v_limit + 1
  );
  return jsonb_build_object(
    'items', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'reportId', r.id,
        'target', jsonb_build_object('type', app.kind_of(r), 'id', r.target_id),
        'reason', r.reason,
        'state', r.state,
        'createdAt', app.iso(r.created_at)
      ) order by entry.place), '[]')
      from unnest(v_page[:v_limit]) with ordinality as entry (at, id, place)
      join app.reports as r on r.id = entry.id
    ),
    'nextCursor', app.next_cursor(v_list, v_page, v_limit)
  );
end
$$;
comment on function api.list_own_reports is 'GET /users/me/reports (docs/product.md S19).';
grant execute on function api.list_own_reports to authenticated;

create function app.kind_of(p_report app.reports) returns app.target_kind
language sql immutable set search_path = ''
begin atomic
  select case
    when p_report.user_id is not null then 'user'::app.target_kind
    when p_report.post_id is not null then 'post'
    when p_report.comment_id is not null then 'comment'
    when p_report.message_id is not null then 'message'
    else 'hub'
  end;
end;
comment on function app.kind_of is 'Returns what a report is about.';
grant execute on function app.kind_of to authenticated, staff_moderator;

-- schemas/85_moderation/03_evidence.sql

-- Keeps what is reported as it is: its author may change or delete it before staff looks.
create function app.keep_evidence() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into app.evidence (report_id, author_id, name, content)
  select new.id, seen.author_id, coalesce(p.username, seen.name), coalesce(seen.content, '')
  from app.reported_content(new) as seen
  left join app.profiles as p on p.user_id = seen.author_id;
  insert into app.evidence_assets (report_id, asset_id)
  select new.id, kept.id
  from (
    -- A concurrent deletion of the target may have removed its files.
    select a.id from app.assets as a where a.id in (select app.assets_of(new)) order by a.id for key share
  ) as kept;
  return null;
end
$$;
comment on function app.keep_evidence is
  'Trigger: keeps the texts, author and files of a reported target (docs/product.md S25).';

create trigger reports_keep_evidence_after_insert after insert on app.reports
for each row execute function app.keep_evidence();

-- Returns one row: who wrote the target of a report, and all of its texts in one. A target that is gone has
-- neither.
create function app.reported_content(p_report app.reports, out author_id uuid, out name text, out content text)
language plpgsql stable set search_path = '' as $$
begin
  case app.kind_of(p_report)
    when 'user' then
      author_id := p_report.user_id;
      select concat_ws(' / ', p.full_name, h.display_name, p.bio) into content
      from app.users as u
      left join app.profiles as p on p.user_id = u.id
      left join app.hub_profiles as h on h.user_id = u.id
      where u.id = p_report.user_id;
    when 'hub' then
      select h.name, concat_ws(' / ', h.name, nullif(h.description, ''), h.custom_link) into name, content
      from app.hubs as h
      where h.id = p_report.hub_id;
    when 'post' then
      select p.author_id, app.texts_of(p) into author_id, content from app.posts as p where p.id = p_report.post_id;
    when 'comment' then
      select c.author_id, concat_ws(' / ', c.body, c.alt_text) into author_id, content
      from app.comments as c
      where c.id = p_report.comment_id;
    else
      select m.author_id, concat_ws(' / ', m.body, m.alt_text) into author_id, content
      from app.messages as m
      where m.id = p_report.message_id;
  end case;
end
$$;
comment on function app.reported_content is
  'Returns the author and the texts of what a report is about (docs/product.md S25).';

create function app.texts_of(p_post app.posts) returns text
language plpgsql stable set search_path = '' as $$
begin
  return concat_ws(
    ' / ',
    (select concat_ws(' / ', a.url, a.title, a.body) from app.articles as a where a.id = p_post.article_id),
    p_post.thought_text, p_post.slider_text, nullif(p_post.left_label, 'Disagree'), nullif(p_post.right_label, 'Agree'),
    (
      select string_agg(m.alt_text, ' / ' order by m.place)
      from app.article_assets as m
      where m.article_id = p_post.article_id
    )
  );
end
$$;
comment on function app.texts_of is
  'Returns all texts of a post in one, those of its article and of its files included.';

create function app.assets_of(p_report app.reports) returns setof uuid
language plpgsql stable set search_path = '' as $$
begin
  return query
  select m.asset_id
  from app.posts as p
  join app.article_assets as m on m.article_id = p.article_id
  where p.id = p_report.post_id
  union
  select c.asset_id from app.comments as c where c.id = p_report.comment_id and c.asset_id is not null
  union
  select m.asset_id from app.messages as m where m.id = p_report.message_id and m.asset_id is not null
  union
  select p.photo_asset_id from app.profiles as p where p.user_id = p_report.user_id and p.photo_asset_id is not null
  union
  select p.photo_asset_id from app.hub_profiles as p where p.user_id = p_report.user_id and p.photo_asset_id is not null
  union
  select h.photo_asset_id from app.hubs as h where h.id = p_report.hub_id and h.photo_asset_id is not null;
end
$$;
comment on function app.assets_of is 'Returns the files of what a report is about.';

create function app.close_evidence() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update app.evidence as e set closed_at = app.now() where e.report_id = new.id;
  delete from app.evidence_assets as a where a.report_id = new.id;
  return null;
end
$$;
comment on function app.close_evidence is
  'Trigger: releases the files of a report that is closed, and dates its texts (docs/product.md S25).';

create trigger reports_close_evidence_after_update after update of state on app.reports
for each row when (old.state = 'open' and new.state <> 'open')
execute function app.close_evidence();

create function app.prune_evidence() returns void
language sql security definer set search_path = ''
begin atomic
  delete from app.evidence
  where report_id in (
    select e.report_id
    from app.evidence as e
    where e.closed_at <= app.now() - interval '90 days'
    order by e.closed_at
    limit 1000
  );
end;
comment on function app.prune_evidence is
  'Upkeep: deletes evidence of reports that were closed 90 days ago, in batches (docs/product.md S25).';
grant execute on function app.prune_evidence to opine_worker;

-- Its owner must not learn of the report.
create function app.keep_evidence_asset() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from app.evidence_assets as e where e.asset_id = old.id) then
    return old;
  end if;
  update app.assets as a set is_evidence_only = true where a.id = old.id;
  return null;
end
$$;
comment on function app.keep_evidence_asset is
  'Trigger: hides an asset that is evidence of an open report, in the place of its deletion (docs/product.md S25).';

create trigger assets_keep_evidence_before_delete before delete on app.assets
for each row execute function app.keep_evidence_asset();

-- schemas/85_moderation/04_decisions.sql

-- Lists the decisions of staff that concern the caller, newest first.
--
-- Args: cursor, limit. Returns items and nextCursor.
create function api.list_moderation_decisions(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args alias for $1;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_list text := app.list_of('list_moderation_decisions', p_args);
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor');
  v_page app.list_entry[];
begin
  perform app.require_level(1);
  v_page := array(
    select (d.decided_at, d.id)::app.list_entry
    from app.decisions as d
    where d.id in (select own.decision_id from app.decision_subjects as own where own.user_id = app.user_id())
      and (d.decided_at, d.id) < (v_from.at, v_from.id)
    order by d.decided_at desc, d.id desc
    limit v_limit + 1
  );
  return jsonb_build_object(
    'items', (
      select coalesce(jsonb_agg(app.decision_json(entry.id) order by entry.place), '[]')
      from unnest(v_page[:v_limit]) with ordinality as entry (at, id, place)
    ),
    'nextCursor', app.next_cursor(v_list, v_page, v_limit)
  );
end
$$;
comment on function api.list_moderation_decisions is 'GET /users/me/moderation-decisions (docs/product.md S18).';
grant execute on function api.list_moderation_decisions to authenticated;

create function app.decision_json(p_decision_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object(
      'id', d.id,
      'action', d.action,
      'reason', d.reason,
      'statement', d.statement,
      'target', jsonb_build_object('type', d.target_kind, 'id', d.target_id, 'excerpt', d.excerpt),
      'decidedAt', app.iso(d.decided_at),
      'appeal', case when a.decision_id is not null then
        jsonb_build_object('state', a.state, 'text', a.text, 'decidedAt', app.iso(a.decided_at))
      end
    )
    from app.decisions as d
    left join app.appeals as a on a.decision_id = d.id
    where d.id = p_decision_id
  );
end
$$;
comment on function app.decision_json is
  'Returns a decision as the people concerned see it (docs/product.md S18); null for a decision that the caller may '
  'not see.';
grant execute on function app.decision_json to authenticated;

-- Appeals against a decision that concerns the caller.
--
-- Args: decisionId, text. Returns the decision.
create function api.appeal_decision(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_decision_id uuid := (p_args ->> 'decisionId')::uuid;
begin
  perform app.require_level(1);
  perform app.require_arguments(p_args, 'text');
  perform app.require_appealable(v_decision_id, app.user_id());
  insert into app.appeals (decision_id, user_id, text)
  values (v_decision_id, app.user_id(), app.text_argument(p_args, 'text', 1, 2000));
  return app.decision_json(v_decision_id);
end
$$;
comment on function api.appeal_decision is 'POST /moderation-decisions/{decisionId}/appeal (docs/product.md S20).';
grant execute on function api.appeal_decision to authenticated;

-- Errors: DECISION_NOT_FOUND (also for one that concerns others only), APPEAL_EXISTS, APPEAL_TOO_LATE.
create function app.require_appealable(p_decision_id uuid, p_user_id uuid) returns void
language plpgsql stable set search_path = '' as $$
declare
  v_decided_at timestamptz := (
    select d.decided_at
    from app.decisions as d
    join app.decision_subjects as own on own.decision_id = d.id and own.user_id = p_user_id
    where d.id = p_decision_id
  );
begin
  if v_decided_at is null then
    raise exception using errcode = 'PT404', message = 'DECISION_NOT_FOUND';
  end if;
  if exists (select from app.appeals as a where a.decision_id = p_decision_id) then
    raise exception using errcode = 'PT409', message = 'APPEAL_EXISTS';
  end if;
  if v_decided_at <= app.now() - app.appeal_period() then
    raise exception using errcode = 'PT409', message = 'APPEAL_TOO_LATE';
  end if;
end
$$;
comment on function app.require_appealable is 'Raises unless a person may appeal against a decision.';
grant execute on function app.require_appealable to authenticated;

create function app.appeal_period() returns interval
language plpgsql immutable set search_path = '' as $$
begin
  return interval '180 days';
end
$$;
comment on function app.appeal_period is
  'Returns how long after a decision the people concerned may appeal, and what was removed is kept.';
grant execute on function app.appeal_period to authenticated;

-- Args: the decision, p_subject_ids. Returns its id.
create function app.decide(
  p_action app.decision_action, p_reason app.report_reason, p_statement text, p_decided_by text,
  p_target_kind app.target_kind,
  p_target_id uuid, p_excerpt text, p_subject_ids uuid[]
) returns uuid
language plpgsql set search_path = '' as $$
declare
  v_decision_id uuid;
begin
  insert into app.decisions (action, reason, statement, decided_by, target_kind, target_id, excerpt)
  values (
    p_action, p_reason, btrim(p_statement), p_decided_by, p_target_kind, p_target_id, left(coalesce(p_excerpt, ''), 200)
  )
  returning id into v_decision_id;
  insert into app.decision_subjects (decision_id, user_id)
  select v_decision_id, u.id from app.users as u where u.id = any (p_subject_ids) and u.ended_at is null;
  perform app.notify_subjects(v_decision_id);
  return v_decision_id;
end
$$;
comment on function app.decide is 'Inserts a decision of staff, and notifies the people concerned.';

create function app.notify_subjects(p_decision_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  perform app.emit('moderation_decided', p_actor_id => null, p_subject_id => s.user_id, p_decision_id => p_decision_id)
  from app.decision_subjects as s
  where s.decision_id = p_decision_id;
end
$$;
comment on function app.notify_subjects is
  'Notifies the people concerned of a decision, or of the end of the appeal against it.';

create function app.prune_removed_contents() returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_due uuid[] := array(
    select d.id
    from app.decisions as d
    left join app.appeals as a on a.decision_id = d.id
    where d.action = 'content_removed' and d.reversed_at is null
      and (a.state = 'upheld' or a.decision_id is null and d.decided_at <= app.now() - app.appeal_period())
      and (
        exists (select from app.removed_contents as k where k.decision_id = d.id)
        or exists (select from app.posts as p where p.id = d.target_id and p.removed_at is not null)
      )
    order by d.decided_at
    limit 20
  );
begin
  delete from app.removed_contents as k where k.decision_id = any (v_due);
  perform app.delete_post(p.id)
  from app.decisions as d
  join app.posts as p on p.id = d.target_id and p.removed_at is not null
  where d.id = any (v_due)
  order by p.id;
end
$$;
comment on function app.prune_removed_contents is
  'Upkeep: erases what staff removed, once nobody can appeal any more or an appeal has failed (docs/product.md S22).';
grant execute on function app.prune_removed_contents to opine_worker;

-- schemas/85_moderation/05_staff_sign_in.sql

-- Starts a staff session.
--
-- Args: identity (email in lower case, isEmailVerified, hostedDomain; null for an invalid ID token), policy
-- (allowedDomain, allowedEmails), tokenHash (SHA-256, hex), addressHash (null where addresses do not count).
-- Returns email, expiresAt and expiresIn (seconds).
create function api.start_staff_session(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
  v_identity jsonb := nullif(p_args -> 'identity', 'null');
  v_email text := v_identity ->> 'email';
  v_refusal text := staff.sign_in_refusal(v_identity, p_args -> 'policy');
  v_lifetime interval := interval '8 hours';
begin
  perform app.require_rate_limit('staff sign-ins', p_args ->> 'addressHash', 60, interval '1 hour');
  if v_refusal is not null then
    perform staff.audit(v_email, 'sign_in_refused', jsonb_build_object('reason', v_refusal));
    return app.refusal('FORBIDDEN');
  end if;
  insert into staff.sessions (token_hash, email, expires_at)
  values (decode(p_args ->> 'tokenHash', 'hex'), v_email, app.now() + v_lifetime);
  perform staff.audit(v_email, 'sign_in');
  return jsonb_build_object(
    'email', v_email,
    'expiresAt', app.iso(app.now() + v_lifetime),
    'expiresIn', extract(epoch from v_lifetime)::integer
  );
end
$$;
comment on function api.start_staff_session is 'POST /admin/auth/idp (docs/product.md S1-S3).';
grant execute on function api.start_staff_session to opine_service;

-- Args: p_identity (email, isEmailVerified, hostedDomain; null for an invalid ID token); p_policy
-- (allowedDomain, allowedEmails).
create function staff.sign_in_refusal(p_identity jsonb, p_policy jsonb) returns text
language plpgsql stable set search_path = '' as $$
begin
  return case
    when p_identity is null then 'token_invalid'
    when p_identity -> 'isEmailVerified' is distinct from 'true' then 'email_unverified'
    when coalesce(p_identity ->> 'hostedDomain' <> p_policy ->> 'allowedDomain', true) then 'wrong_domain'
    when staff.role_of(p_identity ->> 'email', p_policy) is null then 'not_listed'
  end;
end
$$;
comment on function staff.sign_in_refusal is
  'Returns why an identity may not sign in as staff, or null if it may (docs/product.md S2).';

-- Args: p_email (lower case); p_policy (of the configuration).
create function staff.role_of(p_email text, p_policy jsonb) returns staff.role
language plpgsql stable set search_path = '' as $$
begin
  return case
    when p_policy -> 'allowedEmails' ? p_email then 'admin'
    else (select a.role from staff.allowed_emails as a where a.email = p_email)
  end;
end
$$;
comment on function staff.role_of is
  'Returns the staff role of an e-mail: admin if allowedEmails of p_policy has it, else its role in '
  'staff.allowed_emails, else null.';

-- Returns the staff session of the request. Args: staffTokenHash (of a session that the gateway found live).
-- Returns email, expiresAt and role (from the claims).
create function api.get_staff_session(jsonb) returns jsonb
language sql stable security definer set search_path = ''
begin atomic
  select jsonb_build_object(
    'email', s.email,
    'expiresAt', app.iso(s.expires_at),
    'role', substr(nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role', length('staff_') + 1)
  )
  from staff.sessions as s
  where s.token_hash = decode($1 ->> 'staffTokenHash', 'hex');
end;
comment on function api.get_staff_session is 'GET /admin/auth/session (docs/product.md S3, S4).';
grant execute on function api.get_staff_session to opine_staff;

-- Ends the staff session of the request.
--
-- Args: staffTokenHash (of a session that the gateway found live). Returns {}.
create function api.end_staff_session(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
  v_email text;
begin
  delete from staff.sessions as s
  where s.token_hash = decode(p_args ->> 'staffTokenHash', 'hex')
  returning s.email into v_email;
  perform staff.audit(v_email, 'sign_out');
  return '{}'::jsonb;
end
$$;
comment on function api.end_staff_session is 'POST /admin/auth/logout (docs/product.md S3).';
grant execute on function api.end_staff_session to opine_staff;

-- Adds an e-mail of the workspace to the allow-list, or changes its role. p_login is a SQL login of this
-- person: it acts as they do. A login of somebody else stays theirs until they are dismissed.
create function staff.admit(p_email text, p_role staff.role, p_reason text, p_login text default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_email text := lower(btrim(p_email));
begin
  insert into staff.allowed_emails (email, role) values (v_email, p_role)
  on conflict (email) do update set role = excluded.role;
  if p_login is not null then
    insert into staff.logins (login, email) values (p_login, v_email) on conflict (login) do nothing;
    if not exists (select from staff.logins as l where l.login = p_login and l.email = v_email) then
      perform app.refuse_argument('{login}', 'taken', 'Is the login of somebody else.');
    end if;
  end if;
  perform staff.record(
    'admit', p_reason, jsonb_strip_nulls(jsonb_build_object('email', v_email, 'role', p_role, 'login', p_login))
  );
end
$$;
comment on function staff.admit is
  'Adds an e-mail, and a SQL login of the same person, to the lists of staff (docs/product.md S2, S21).';
grant execute on function staff.admit to staff_admin;

-- An e-mail of the configuration may sign in again.
--
-- Errors: USER_NOT_FOUND (neither on the list nor with a session), REASON_MISSING.
create function staff.dismiss(p_email text, p_reason text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_email text := lower(btrim(p_email));
  v_was_listed boolean;
begin
  delete from staff.allowed_emails as a where a.email = v_email;
  v_was_listed := found;
  delete from staff.sessions as s where s.email = v_email;
  if not v_was_listed and not found then
    raise exception using errcode = 'PT404', message = 'USER_NOT_FOUND';
  end if;
  perform staff.record('dismiss', p_reason, jsonb_build_object('email', v_email));
end
$$;
comment on function staff.dismiss is 'Removes an e-mail from the allow-list and ends its staff sessions.';
grant execute on function staff.dismiss to staff_admin;

create function staff.prune_sessions() returns void
language sql security definer set search_path = ''
begin atomic
  delete from staff.sessions where expires_at <= app.now();
end;
comment on function staff.prune_sessions is 'Upkeep: deletes expired staff sessions.';
grant execute on function staff.prune_sessions to opine_worker;

grant usage on schema staff to opine_worker;

-- schemas/85_moderation/06_reports.sql

-- One row per report, with the evidence of its target: staff reads no live text of comments, messages and Hub
-- profiles (docs/product.md S5).
--
-- author_id stays known while the content is there, also when the evidence is pruned. is_gone says that
-- nothing is left to remove, is_author_gone that nobody is left to suspend.
create view staff.reports with (security_invoker = true) as
select
  r.id, r.state, r.reason, r.details, r.created_at, r.reporter_id,
  r.is_by_service,
  app.kind_of(r) as target_kind,
  r.target_id,
  author.id as author_id,
  e.name as target_name,
  coalesce(e.content, '') as content,
  case app.kind_of(r)
    when 'user' then author.ended_at is not null
    when 'hub' then h.closed_at is not null or h.id is null
    when 'post' then p.removed_at is not null or p.id is null
    when 'comment' then c.author_id is null
    else coalesce(m.is_deleted, true)
  end as is_gone,
  author.ended_at is not null or author.id is null as is_author_gone
from app.reports as r
left join app.evidence as e on e.report_id = r.id
left join app.posts as p on p.id = r.post_id
left join app.comments as c on c.id = r.comment_id
left join app.messages as m on m.id = r.message_id
left join app.hubs as h on h.id = r.hub_id
left join app.users as author on author.id = coalesce(e.author_id, r.user_id, p.author_id, c.author_id, m.author_id);
comment on view staff.reports is 'One row per report, with what was reported as it was then (docs/product.md S5, S25).';
grant select on staff.reports to staff_moderator;

create function staff.requested_page(
  p_name text, p_args jsonb, out list text, out at timestamptz, out id uuid, out size integer
) returns record
language plpgsql stable security definer set search_path = '' as $$
declare
  v_from app.list_entry;
begin
  list := app.list_of(p_name, p_args);
  v_from := app.decode_cursor(list, p_args ->> 'cursor', p_is_oldest_first => true);
  at := v_from.at;
  id := v_from.id;
  size := app.page_size(p_args, 30, 100);
end
$$;
comment on function staff.requested_page is
  'Returns the list (app.list_of), the place and the size of a page of staff, oldest first.';
grant execute on function staff.requested_page to staff_moderator;

-- Errors: REPORT_NOT_FOUND, REPORT_CLAIMED.
create function staff.claim_report(p_report_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_report staff.reports := staff.lock_report(p_report_id);
begin
  insert into staff.claims (target_id, claimed_by) values (v_report.target_id, staff.actor())
  on conflict (target_id) do update set claimed_by = excluded.claimed_by, claimed_at = app.now();
  perform staff.audit(staff.actor(), 'claim_report', staff.target_of(v_report));
end
$$;
comment on function staff.claim_report is
  'Claims a report, and all others of its target, for the current member of staff, for an hour.';
grant execute on function staff.claim_report to staff_moderator;

-- Runs staff.claim_report.
--
-- Args: reportId. Returns {}.
create function api.claim_report(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select staff.claim_report(($1 ->> 'reportId')::uuid);
  select '{}'::jsonb;
end;
comment on function api.claim_report is 'POST /admin/reports/{reportId}/claim (docs/product.md S9).';
grant execute on function api.claim_report to staff_moderator;

create function staff.claimed_by(p_target_id uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select c.claimed_by
    from staff.claims as c
    where c.target_id = p_target_id and c.claimed_at > app.now() - interval '1 hour'
  );
end
$$;
comment on function staff.claimed_by is
  'Returns the member of staff who claimed a target within the last hour, or null.';
grant execute on function staff.claimed_by to staff_moderator;

-- One row per target with open reports, which share a claim and a decision (docs/product.md S9).
--
-- report_id is the first report, which names the row. content has each version that was reported, in the
-- order of the reports; remarks are of the last reporters.
create view staff.report_queue with (security_invoker = true) as
select
  min(r.id::text)::uuid as report_id, r.target_kind, r.target_id,
  (array_agg(r.target_name order by r.id desc) filter (where r.target_name is not null))[1] as target_name,
  (array_agg(r.author_id order by r.id desc) filter (where r.author_id is not null))[1] as author_id,
  coalesce(
    string_agg(r.content, e'\n\n' order by r.id) filter (where r.repetition = 1 and r.content <> ''), ''
  ) as content,
  bool_and(r.is_gone) as is_gone, bool_and(r.is_author_gone) as is_author_gone,
  count(*) as report_count, array_agg(distinct r.reason) as reasons,
  coalesce((array_agg(r.details order by r.id desc) filter (where r.details is not null))[:5], '{}') as remarks,
  min(r.created_at) as first_reported_at, max(r.created_at) as last_reported_at,
  bool_or(r.is_by_service) as is_by_service, staff.claimed_by(r.target_id) as claimed_by
from (
  select report.*, row_number() over (partition by report.target_id, report.content order by report.id) as repetition
  from staff.reports as report
  where report.state = 'open'
) as r
group by r.target_kind, r.target_id;
comment on view staff.report_queue is 'One row per target with open reports (docs/product.md S9).';
grant select on staff.report_queue to staff_moderator;

-- Lists staff.report_queue, oldest first.
--
-- Args: kind and reason (optional filters), cursor, limit. Returns items and nextCursor.
create function api.list_reports(jsonb) returns jsonb
language sql stable set search_path = ''
begin atomic
  with found as (
    select q.*, requested.list, requested.size, row_number() over (order by q.first_reported_at, q.report_id) as place
    from staff.requested_page('list_reports', $1) as requested
    join staff.report_queue as q on (q.first_reported_at, q.report_id) > (requested.at, requested.id)
    where q.target_kind::text = coalesce($1 ->> 'kind', q.target_kind::text)
      and ($1 ->> 'reason' is null or $1 ->> 'reason' = any (q.reasons::text[]))
    order by q.first_reported_at, q.report_id
    limit (select requested.size + 1 from staff.requested_page('list_reports', $1) as requested)
  )
  select jsonb_build_object(
    'items', coalesce(jsonb_agg(jsonb_build_object(
      'reportId', f.report_id,
      'target', jsonb_build_object('kind', f.target_kind, 'id', f.target_id, 'name', f.target_name),
      'authorId', f.author_id,
      'content', f.content,
      'isGone', f.is_gone,
      'isAuthorGone', f.is_author_gone,
      'reportCount', f.report_count,
      'reasons', to_jsonb(f.reasons),
      'remarks', to_jsonb(f.remarks),
      'firstReportedAt', app.iso(f.first_reported_at),
      'lastReportedAt', app.iso(f.last_reported_at),
      'isByService', f.is_by_service,
      'claimedBy', f.claimed_by
    ) order by f.place) filter (where f.place <= f.size), '[]'),
    'nextCursor', case when bool_or(f.place > f.size) then
      min(app.encode_cursor(f.list, f.first_reported_at, f.report_id)) filter (where f.place = f.size)
    end
  )
  from found as f;
end;
comment on function api.list_reports is 'GET /admin/reports (docs/product.md S9).';
grant execute on function api.list_reports to staff_moderator;

-- Errors: REPORT_NOT_FOUND, REPORT_CLAIMED (by another member of staff).
create function staff.release_report(p_report_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_report staff.reports := staff.lock_report(p_report_id);
begin
  delete from staff.claims as c where c.target_id = v_report.target_id;
  if found then
    perform staff.audit(staff.actor(), 'release_report', staff.target_of(v_report));
  end if;
end
$$;
comment on function staff.release_report is 'Releases the claim on a report and all others of its target.';
grant execute on function staff.release_report to staff_moderator;

-- Runs staff.release_report.
--
-- Args: reportId. Returns {}.
create function api.release_report(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select staff.release_report(($1 ->> 'reportId')::uuid);
  select '{}'::jsonb;
end;
comment on function api.release_report is 'POST /admin/reports/{reportId}/release (docs/product.md S9).';
grant execute on function api.release_report to staff_moderator;

-- Errors: REPORT_NOT_FOUND, REPORT_CLAIMED, REASON_MISSING.
create function staff.dismiss_report(p_report_id uuid, p_reason text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_report staff.reports := staff.lock_report(p_report_id);
begin
  perform staff.record(
    'dismiss_report', p_reason,
    staff.target_of(v_report) || jsonb_build_object(
      'reportIds', staff.close_reports_of(array[v_report.target_id], 'dismissed')
    )
  );
end
$$;
comment on function staff.dismiss_report is 'Closes a report, and all others of its target, without another action.';
grant execute on function staff.dismiss_report to staff_moderator;

-- Runs staff.dismiss_report.
--
-- Args: reportId, reason. Returns {}.
create function api.dismiss_report(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select staff.dismiss_report(($1 ->> 'reportId')::uuid, $1 ->> 'reason');
  select '{}'::jsonb;
end;
comment on function api.dismiss_report is 'POST /admin/reports/{reportId}/dismiss (docs/product.md S9, S10).';
grant execute on function api.dismiss_report to staff_moderator;

-- Errors: REPORT_NOT_FOUND, REPORT_CLAIMED (by another member of staff).
create function staff.lock_report(p_report_id uuid) returns staff.reports
language plpgsql set search_path = '' as $$
declare
  v_report staff.reports;
begin
  select * into v_report from staff.reports as r where r.id = p_report_id and r.state = 'open';
  if v_report.id is null then
    raise exception using errcode = 'PT404', message = 'REPORT_NOT_FOUND';
  end if;
  perform staff.lock_reports_of(array[v_report.target_id]);
  if not exists (select from app.reports as r where r.id = p_report_id and r.state = 'open') then
    raise exception using errcode = 'PT404', message = 'REPORT_NOT_FOUND';
  end if;
  if staff.claimed_by(v_report.target_id) <> staff.actor() then
    raise exception using errcode = 'PT409', message = 'REPORT_CLAIMED';
  end if;
  return v_report;
end
$$;
comment on function staff.lock_report is
  'Returns an open report, and locks its target against decisions of other staff until the transaction ends.';

create function staff.lock_reports_of(p_target_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(locks.key)
  from (
    select distinct hashtextextended('report of ' || target.id, 0) as key
    from unnest(p_target_ids) as target (id)
    order by 1
  ) as locks;
end
$$;
comment on function staff.lock_reports_of is
  'Locks the reports of targets, until the transaction ends, against claims and decisions of other staff.';

-- Closes all open reports of targets after a decision, and deletes the claims, also those of other members of
-- staff. Args: p_state (actioned or dismissed). Returns the ids of the closed reports.
create function staff.close_reports_of(p_target_ids uuid[], p_state app.report_state) returns uuid[]
language plpgsql set search_path = '' as $$
declare
  v_report_ids uuid[];
begin
  perform staff.lock_reports_of(p_target_ids);
  with closed as (
    update app.reports as r
    set state = p_state
    where r.target_id = any (p_target_ids) and r.state = 'open'
    returning r.id
  )
  select coalesce(array_agg(c.id order by c.id), '{}') into v_report_ids from closed as c;
  delete from staff.claims as c where c.target_id = any (p_target_ids);
  return v_report_ids;
end
$$;
comment on function staff.close_reports_of is
  'Closes the open reports of targets after a decision (docs/product.md S9).';

create function staff.target_of(p_report staff.reports) returns jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('targetKind', p_report.target_kind, 'targetId', p_report.target_id);
end;
comment on function staff.target_of is 'Returns the target of a report as details for the audit log.';

-- schemas/85_moderation/07_content.sql

-- Removes the post, comment or message of a report by a decision, and closes all reports of it. A message
-- stays in its thread without content.
--
-- Content that is gone meanwhile makes no decision, so its reports are dismissed: staff may still decide
-- about the author. The audit log records which of both it was (wasThere). Nobody is concerned by the removal
-- of a message whose author's account has ended.
create function staff.remove_content(p_report_id uuid, p_reason app.report_reason, p_statement text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_report staff.reports := staff.lock_report(p_report_id);
  v_decision_id uuid;
  v_was_there boolean;
begin
  if v_report.target_kind not in ('post', 'comment', 'message') then
    raise exception using errcode = 'PT409', message = 'REPORT_NOT_OF_CONTENT';
  end if;
  perform staff.require_statement(p_reason, p_statement);
  if not v_report.is_author_gone then
    v_decision_id := app.decide(
      'content_removed', p_reason, p_statement, staff.actor(), v_report.target_kind, v_report.target_id,
      v_report.content,
      array[v_report.author_id]
    );
  end if;
  case v_report.target_kind
    when 'post' then v_was_there := app.hide_post(v_report.target_id);
    when 'comment' then v_was_there := staff.take_comment(v_decision_id, v_report.target_id);
    else v_was_there := staff.take_message(v_decision_id, v_report.target_id);
  end case;
  if not v_was_there then
    delete from app.decisions as d where d.id = v_decision_id;
    v_decision_id := null;
  end if;
  perform staff.record_decision(
    'remove_content', staff.target_of(v_report) || jsonb_build_object('wasThere', v_was_there),
    array[v_report.target_id], case when v_was_there then 'actioned'::app.report_state else 'dismissed' end,
    v_decision_id, p_reason, p_statement
  );
end
$$;
comment on function staff.remove_content is
  'Removes the post, comment or message of a report by a decision (docs/product.md S10, S18, S25).';
grant execute on function staff.remove_content to staff_moderator;

-- Runs staff.remove_content.
--
-- Args: reportId, reason, statement. Returns {}.
create function api.remove_content(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
begin
  perform staff.remove_content(($1 ->> 'reportId')::uuid, staff.reason_argument($1), $1 ->> 'statement');
  return '{}'::jsonb;
end
$$;
comment on function api.remove_content is 'POST /admin/reports/{reportId}/remove (docs/product.md S10).';
grant execute on function api.remove_content to staff_moderator;

-- Errors: VALIDATION_FAILED.
create function staff.reason_argument(p_args jsonb) returns app.report_reason
language plpgsql stable security definer set search_path = '' as $$
begin
  return app.choice_argument(p_args, 'reason', variadic enum_range(null::app.report_reason)::text[])::app.report_reason;
end
$$;
comment on function staff.reason_argument is
  'Reads the reason of a decision, one of those of reports; null if it is missing.';
grant execute on function staff.reason_argument to staff_moderator;

create function staff.require_statement(p_reason app.report_reason, p_statement text) returns void
language plpgsql stable set search_path = '' as $$
begin
  if p_reason is null or coalesce(btrim(p_statement), '') = '' then
    raise exception using errcode = 'PT422', message = 'REASON_MISSING';
  end if;
  perform app.text_argument(jsonb_build_object('statement', p_statement), 'statement', 1, 2000);
end
$$;
comment on function staff.require_statement is
  'Refuses a decision without a reason or a readable statement for the person concerned (docs/product.md S18, W24).';

-- Closes the open reports of targets after a decision, and writes both to the audit log. p_decision_id is
-- null if there was nothing left to decide about.
create function staff.record_decision(
  p_action text, p_details jsonb, p_target_ids uuid[], p_state app.report_state, p_decision_id uuid,
  p_reason app.report_reason, p_statement text
) returns void
language plpgsql set search_path = '' as $$
begin
  perform staff.audit(staff.actor(), p_action, p_details || jsonb_build_object(
    'reportIds', staff.close_reports_of(p_target_ids, p_state), 'decisionId', p_decision_id, 'reason', p_reason,
    'statement', btrim(p_statement)
  ));
end
$$;
comment on function staff.record_decision is
  'Closes reports after a decision, and records both (docs/product.md S6, S9).';

-- Returns false if it was gone.
create function staff.take_comment(p_decision_id uuid, p_comment_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  insert into app.removed_contents (
    decision_id, author_id, content_id, post_id, parent_id, body, asset_id, alt_text, created_at
  )
  select p_decision_id, c.author_id, c.id, c.post_id, c.parent_id, c.body, c.asset_id, c.alt_text, c.created_at
  from app.comments as c
  -- Without a decision there is no appeal that could bring it back.
  where c.id = p_comment_id and c.author_id is not null and p_decision_id is not null;
  return app.delete_comment(p_comment_id);
end
$$;
comment on function staff.take_comment is 'Deletes a comment, and keeps its content for a reversal.';

-- Returns whether it had content.
create function staff.take_message(p_decision_id uuid, p_message_id uuid) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_discussion_id uuid;
begin
  perform app.lock_discussion_of(p_message_id);
  insert into app.removed_contents (decision_id, author_id, content_id, body, asset_id, alt_text, created_at)
  select p_decision_id, m.author_id, m.id, m.body, m.asset_id, m.alt_text, m.created_at
  from app.messages as m
  -- Without a decision there is no appeal that could bring it back.
  where m.id = p_message_id and m.author_id is not null and p_decision_id is not null;
  update app.messages as m
  set author_id = null, body = null, asset_id = null, alt_text = null
  where m.id = p_message_id and not m.is_deleted
  returning m.discussion_id into v_discussion_id;
  update app.discussions as d set message_count = d.message_count - 1 where d.id = v_discussion_id;
  return v_discussion_id is not null;
end
$$;
comment on function staff.take_message is
  'Empties a message, which stays in its thread and no longer counts, and keeps its content for a reversal; that of an '
  'ended account is gone for good.';

-- It names Hubs of both the viewer and the post, and shows nothing of the post's content. The audit log
-- records the question.
create function staff.why_visible(p_viewer_id uuid, p_post_id uuid)
returns table (rule text, holds boolean, detail text)
language plpgsql security definer set search_path = '' as $$
declare
  v_claims text := current_setting('request.jwt.claims', true);
  v_post app.posts;
  v_is_public boolean;
  v_is_own boolean;
  v_hubs text;
begin
  perform staff.audit(staff.actor(), 'why_visible', jsonb_build_object('viewerId', p_viewer_id, 'postId', p_post_id));
  perform set_config('request.jwt.claims', jsonb_build_object('sub', p_viewer_id)::text, true);
  select * into v_post from app.posts as p where p.id = p_post_id;
  v_is_own := coalesce(v_post.author_id = p_viewer_id, false);
  v_is_public := coalesce(v_post.is_public, false);
  v_hubs := (
    select string_agg(h.name, ', ' order by h.name)
    from app.placements as t
    join app.my_hubs as mine on mine.hub_id = t.hub_id
    join app.hubs as h on h.id = t.hub_id
    where t.post_id = p_post_id
  );
  return query
  values
    ('the post exists', v_post.id is not null, null),
    ('staff has not removed the post', v_post.removed_at is null, null),
    ('the viewer is the author', v_is_own, 'authors always see their own posts'),
    ('the post is public', v_is_public, v_post.visibility::text),
    ('the post is in a Hub of the viewer', v_hubs is not null, v_hubs),
    (
      'no block exists between author and viewer',
      not exists (
        select from app.blocked_users as b where b.user_id = v_post.author_id
      ), 'a block by either of them hides the post'
    ),
    (
      'the author''s account has not ended',
      not exists (select from app.account_deletions as d where d.user_id = v_post.author_id), null
    ),
    (
      'the author is not suspended', not exists (select from app.suspensions as s where s.user_id = v_post.author_id),
      null
    ),
    (
      'the viewer sees the post', exists (select from app.seen_post(p_post_id, p_viewer_id)),
      'it is their own, or public or in a Hub of theirs and by no hidden user'
    );
  perform set_config('request.jwt.claims', coalesce(v_claims, ''), true);
end
$$;
comment on function staff.why_visible is
  'Returns each rule of the policy posts_select, whether it holds for a viewer (null for a guest) and a post, and the '
  'result (docs/product.md S17).';
grant execute on function staff.why_visible to staff_moderator;

-- Runs staff.why_visible.
--
-- Args: postId, viewerId (null for a guest). Returns rules.
create function api.why_visible(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select jsonb_build_object(
    'rules', jsonb_agg(jsonb_build_object('rule', w.rule, 'holds', w.holds, 'detail', w.detail) order by w.place)
  )
  from staff.why_visible(
    ($1 ->> 'viewerId')::uuid, ($1 ->> 'postId')::uuid
  ) with ordinality as w (rule, holds, detail, place);
end;
comment on function api.why_visible is 'POST /admin/posts/{postId}/why-visible (docs/product.md S17).';
grant execute on function api.why_visible to staff_moderator;

-- schemas/85_moderation/08_accounts.sql

create function staff.phone_hint(p_user_id uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select left(u.phone, 3) || '…' || right(u.phone, 2) from app.users as u where u.id = p_user_id);
end
$$;
comment on function staff.phone_hint is
  'Returns the first three characters and the last two of an account''s phone, or null without a phone: enough to '
  'recognise a number, too little to learn it.';
grant execute on function staff.phone_hint to staff_support;

-- The whole phone needs staff.unmask_phone, which writes to the audit log.
create view staff.accounts with (security_invoker = true) as
select
  u.id as user_id, p.username, p.full_name, staff.phone_hint(u.id) as phone_hint, u.created_at, u.ended_at,
  s.suspended_at
from app.users as u
left join app.profiles as p on p.user_id = u.id
left join app.suspensions as s on s.user_id = u.id;
comment on view staff.accounts is 'One row per account, as staff sees it.';
grant select on staff.accounts to staff_support;

-- The audit log records the query; of a query that is neither an id nor a username, only its beginning and
-- end.
create function staff.find_accounts(p_query text) returns setof staff.accounts
language plpgsql security definer set search_path = '' as $$
declare
  v_query text := lower(btrim(p_query));
  v_id uuid := case when pg_input_is_valid(v_query, 'uuid') then v_query::uuid end;
begin
  perform staff.audit(staff.actor(), 'find_accounts', jsonb_build_object(
    -- Any other text may be a phone, in any notation.
    'query', case when v_id is not null or v_query ~ '^@?\d*[a-z_][a-z0-9_]*$' then left(v_query, 100)
      else left(v_query, 3) || '…' || right(v_query, 2) end
  ));
  return query
  select a.*
  from staff.accounts as a
  where a.user_id in (
    select u.id from app.users as u where u.id = v_id or u.phone = v_query
    union all
    select p.user_id from app.profiles as p where p.username = ltrim(v_query, '@')
  );
end
$$;
comment on function staff.find_accounts is 'Returns the account of an id, a whole phone (E.164) or a username.';
grant execute on function staff.find_accounts to staff_support;

-- Runs staff.find_accounts.
--
-- Args: q. Returns items.
create function api.find_accounts(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select jsonb_build_object('items', coalesce(jsonb_agg(jsonb_build_object(
    'userId', a.user_id,
    'username', a.username,
    'fullName', a.full_name,
    'phoneHint', a.phone_hint,
    'createdAt', app.iso(a.created_at),
    'endedAt', app.iso(a.ended_at),
    'suspendedAt', app.iso(a.suspended_at)
  ) order by a.user_id), '[]'))
  from staff.find_accounts($1 ->> 'q') as a;
end;
comment on function api.find_accounts is 'POST /admin/accounts/find (docs/product.md S5).';
grant execute on function api.find_accounts to staff_support;

-- A direct login in SQL gets the phone only on a second call within ten minutes, after the first has
-- committed.
--
-- Errors: USER_NOT_FOUND, REASON_MISSING.
create function staff.unmask_phone(p_user_id uuid, p_reason text) returns text
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from app.users as u where u.id = p_user_id) then
    raise exception using errcode = 'PT404', message = 'USER_NOT_FOUND';
  end if;
  perform staff.record('unmask_phone', p_reason, jsonb_build_object('userId', p_user_id));
  -- A direct login could read the phone and roll the audit entry back, so it needs a committed entry first.
  if session_user <> 'opine_gateway' and not staff.is_repeated('unmask_phone', p_user_id) then
    return 'Recorded in the audit log. Repeat the call to see the phone.';
  end if;
  return (select u.phone from app.users as u where u.id = p_user_id);
end
$$;
comment on function staff.unmask_phone is
  'Returns the phone of an account, or null, and writes the reason to the audit log.';
grant execute on function staff.unmask_phone to staff_support;

-- Runs staff.unmask_phone.
--
-- Args: userId, reason. Returns phoneNumber.
create function api.unmask_phone(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select jsonb_build_object('phoneNumber', staff.unmask_phone(($1 ->> 'userId')::uuid, $1 ->> 'reason'));
end;
comment on function api.unmask_phone is 'POST /admin/users/{userId}/unmask (docs/product.md S5).';
grant execute on function api.unmask_phone to staff_support;

create function staff.is_repeated(p_action text, p_user_id uuid) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return exists (
    select
    from staff.audit_log as l
    where l.actor_email = staff.actor() and l.action = p_action and l.details ->> 'userId' = p_user_id::text
      -- Rows of this transaction have its own time, also after a savepoint.
      and l.occurred_at > app.now() - interval '10 minutes' and l.occurred_at < app.now()
  );
end
$$;
comment on function staff.is_repeated is
  'Returns whether the current member of staff did this to an account in an earlier transaction of the last ten '
  'minutes, by the audit log.';

-- Suspends an account until staff.restore_user: its sessions end at once, sign-in is refused, and its content
-- and activity are hidden from everybody. A Hub without another admin gets one, who stays admin.
--
-- It is a decision unless the account is suspended already. It closes the reports of the account, and of all
-- that the account wrote, deleted content included.
create function staff.suspend_user(p_user_id uuid, p_reason app.report_reason, p_statement text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_target_ids uuid[] := staff.reported_targets_of(p_user_id);
  v_decision_id uuid;
begin
  perform staff.require_statement(p_reason, p_statement);
  perform staff.refuse_own_appealed('account_suspended', p_user_id);
  -- Reports before everything else: who decides about content holds them while it locks the author.
  perform staff.lock_reports_of(v_target_ids);
  -- Lock order: Hubs before the account, as in joins.
  perform app.lock_hubs_of(p_user_id);
  -- A concurrent sign-in locks this row until its session is visible here.
  perform from app.users as u where u.id = p_user_id and u.ended_at is null for update;
  if not found then
    raise exception using errcode = 'PT404', message = 'USER_NOT_FOUND';
  end if;
  insert into app.suspensions (user_id) values (p_user_id) on conflict do nothing;
  if found then
    v_decision_id := app.decide(
      'account_suspended', p_reason, p_statement, staff.actor(), 'user', p_user_id,
      (select p.full_name from app.profiles as p where p.user_id = p_user_id), array[p_user_id]
    );
  end if;
  perform app.succeed_admin(m.hub_id, null) from app.memberships as m where m.user_id = p_user_id;
  delete from app.sessions as s where s.user_id = p_user_id;
  delete from app.device_tokens as d where d.user_id = p_user_id;
  perform staff.record_decision(
    'suspend_user', jsonb_build_object('userId', p_user_id), v_target_ids, 'actioned', v_decision_id, p_reason,
    p_statement
  );
end
$$;
comment on function staff.suspend_user is 'Suspends an account by a decision (docs/product.md S11-S14, S18, S25).';
grant execute on function staff.suspend_user to staff_moderator;

create function staff.reported_targets_of(p_user_id uuid) returns uuid[]
language plpgsql stable set search_path = '' as $$
begin
  return array(
    select p_user_id
    union
    select r.target_id
    from app.evidence as e
    join app.reports as r on r.id = e.report_id
    where e.author_id = p_user_id and r.state = 'open'
  );
end
$$;
comment on function staff.reported_targets_of is 'Returns an account, and what it wrote that has open reports.';

-- Runs staff.suspend_user.
--
-- Args: userId, reason, statement. Returns {}.
create function api.suspend_user(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select staff.suspend_user(($1 ->> 'userId')::uuid, staff.reason_argument($1), $1 ->> 'statement');
  select '{}'::jsonb;
end;
comment on function api.suspend_user is 'POST /admin/users/{userId}/suspend (docs/product.md S10, S11).';
grant execute on function api.suspend_user to staff_moderator;

-- Ends the suspension of an account: its content and activity are visible again, and its owner may sign in.
-- The owner becomes admin of a Hub that everybody else has left. An open appeal is decided as reversed.
create function staff.restore_user(p_user_id uuid, p_reason text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform staff.refuse_own_appealed('account_suspended', p_user_id);
  if not staff.lift_suspension(p_user_id) then
    raise exception using errcode = 'PT404', message = 'USER_NOT_FOUND';
  end if;
  perform staff.record('restore_user', p_reason, jsonb_build_object('userId', p_user_id));
  perform staff.mark_reversed('account_suspended', p_user_id, p_reason);
end
$$;
comment on function staff.restore_user is
  'Ends the suspension of an account (docs/product.md S11, S21). Not for who took an appealed decision.';
grant execute on function staff.restore_user to staff_moderator;

create function staff.lift_suspension(p_user_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  perform app.lock_hubs_of(p_user_id);
  delete from app.suspensions as s where s.user_id = p_user_id;
  if not found then
    return false;
  end if;
  -- A Hub that everybody else left during the suspension has no admin.
  perform app.succeed_admin(m.hub_id, null) from app.memberships as m where m.user_id = p_user_id;
  return true;
end
$$;
comment on function staff.lift_suspension is 'Ends the suspension of an account. Returns false if it is not suspended.';

-- Runs staff.restore_user.
--
-- Args: userId, reason. Returns {}.
create function api.restore_user(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select staff.restore_user(($1 ->> 'userId')::uuid, $1 ->> 'reason');
  select '{}'::jsonb;
end;
comment on function api.restore_user is 'POST /admin/users/{userId}/restore (docs/product.md S11).';
grant execute on function api.restore_user to staff_moderator;

-- Suspends a Hub until staff.restore_hub: it is hidden from everybody, and its members count as non-members.
-- Closes the reports of the Hub. It is a decision that concerns each admin.
create function staff.suspend_hub(p_hub_id uuid, p_reason app.report_reason, p_statement text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_admin_ids uuid[];
  v_decision_id uuid;
begin
  perform staff.require_statement(p_reason, p_statement);
  perform staff.refuse_own_appealed('hub_suspended', p_hub_id);
  perform staff.lock_reports_of(array[p_hub_id]);
  perform app.lock_hub(p_hub_id);
  perform app.require_hub(p_hub_id);
  v_admin_ids := array(select m.user_id from app.memberships as m where m.hub_id = p_hub_id and m.role = 'admin');
  insert into app.suspended_memberships (hub_id, user_id, role, joined_at)
  select m.hub_id, m.user_id, m.role, m.joined_at from app.memberships as m where m.hub_id = p_hub_id;
  delete from app.memberships as m where m.hub_id = p_hub_id;
  update app.hubs as h set suspended_at = app.now() where h.id = p_hub_id;
  v_decision_id := app.decide(
    'hub_suspended', p_reason, p_statement, staff.actor(), 'hub', p_hub_id, (
      select h.name from app.hubs as h where h.id = p_hub_id
    ),
    v_admin_ids
  );
  perform staff.record_decision(
    'suspend_hub', jsonb_build_object('hubId', p_hub_id), array[p_hub_id], 'actioned', v_decision_id, p_reason,
    p_statement
  );
end
$$;
comment on function staff.suspend_hub is 'Suspends a Hub by a decision (docs/product.md S15, S18).';
grant execute on function staff.suspend_hub to staff_moderator;

-- Runs staff.suspend_hub.
--
-- Args: hubId, reason, statement. Returns {}.
create function api.suspend_hub(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select staff.suspend_hub(($1 ->> 'hubId')::uuid, staff.reason_argument($1), $1 ->> 'statement');
  select '{}'::jsonb;
end;
comment on function api.suspend_hub is 'POST /admin/hubs/{hubId}/suspend (docs/product.md S10, S15).';
grant execute on function api.suspend_hub to staff_moderator;

-- Ends the suspension of a Hub: its members are members again, with their roles. A Hub whose admins' accounts
-- have ended gets another admin; a Hub without any remaining account closes. An open appeal is decided as
-- reversed.
create function staff.restore_hub(p_hub_id uuid, p_reason text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform staff.refuse_own_appealed('hub_suspended', p_hub_id);
  if not staff.lift_hub_suspension(p_hub_id) then
    raise exception using errcode = 'PT404', message = 'HUB_NOT_FOUND';
  end if;
  perform staff.record('restore_hub', p_reason, jsonb_build_object('hubId', p_hub_id));
  perform staff.mark_reversed('hub_suspended', p_hub_id, p_reason);
end
$$;
comment on function staff.restore_hub is
  'Ends the suspension of a Hub (docs/product.md S15, S21). Not for who took an appealed decision.';
grant execute on function staff.restore_hub to staff_moderator;

create function staff.lift_hub_suspension(p_hub_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  perform app.lock_hub(p_hub_id);
  update app.hubs as h set suspended_at = null where h.id = p_hub_id and h.suspended_at is not null;
  if not found then
    return false;
  end if;
  with former as (
    delete from app.suspended_memberships as s where s.hub_id = p_hub_id
    returning s.*
  )
  insert into app.memberships (hub_id, user_id, role, joined_at)
  select f.hub_id, f.user_id, f.role, f.joined_at from former as f;
  perform app.succeed_admin(p_hub_id, null);
  update app.hubs as h set closed_at = app.now(), custom_link = null where h.id = p_hub_id and h.member_count = 0;
  return true;
end
$$;
comment on function staff.lift_hub_suspension is 'Ends the suspension of a Hub. Returns false if it is not suspended.';

-- Runs staff.restore_hub.
--
-- Args: hubId, reason. Returns {}.
create function api.restore_hub(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select staff.restore_hub(($1 ->> 'hubId')::uuid, $1 ->> 'reason');
  select '{}'::jsonb;
end;
comment on function api.restore_hub is 'POST /admin/hubs/{hubId}/restore (docs/product.md S15).';
grant execute on function api.restore_hub to staff_moderator;

create view staff.decisions with (security_invoker = true) as
select d.id, s.user_id, d.action, d.reason, d.statement, d.target_kind, d.target_id, d.excerpt, d.decided_by,
  d.decided_at, d.reversed_at
from app.decisions as d
join app.decision_subjects as s on s.decision_id = d.id;
comment on view staff.decisions is 'One row per decision and person concerned (docs/product.md S18).';
grant select on staff.decisions to staff_moderator;

create function staff.report_json(p_report staff.reports) returns jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'target', jsonb_build_object(
      'type', p_report.target_kind, 'id', p_report.target_id,
      'excerpt', left(coalesce(nullif(p_report.content, ''), p_report.target_name, ''), 200)
    ),
    'reason', p_report.reason,
    'state', p_report.state,
    'createdAt', app.iso(p_report.created_at)
  );
end;
comment on function staff.report_json is 'Returns a report in the history of an account.';
grant execute on function staff.report_json to staff_moderator;

create function staff.require_account(p_user_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (select from app.users as u where u.id = p_user_id) then
    raise exception using errcode = 'PT404', message = 'USER_NOT_FOUND';
  end if;
end
$$;
comment on function staff.require_account is 'Raises USER_NOT_FOUND for an unknown account.';
grant execute on function staff.require_account to staff_moderator;

-- Reads what staff knows of an account: the last 50 reports about it, its posts, comments and messages, the
-- last 50 reports by it, and the last 50 decisions that concern it.
--
-- Args: userId. Returns reportsAbout, reportsBy and decisions, newest first.
create function api.get_account_history(jsonb) returns jsonb
language sql stable set search_path = ''
begin atomic
  select staff.require_account(($1 ->> 'userId')::uuid);
  with about as (
    select r as report
    from staff.reports as r
    where r.author_id = ($1 ->> 'userId')::uuid
    order by r.created_at desc, r.id desc
    limit 50
  ),
  given as (
    select r as report
    from staff.reports as r
    where r.reporter_id = ($1 ->> 'userId')::uuid
    order by r.created_at desc, r.id desc
    limit 50
  ),
  decided as (
    select d.*
    from staff.decisions as d
    where d.user_id = ($1 ->> 'userId')::uuid
    order by d.decided_at desc, d.id desc
    limit 50
  )
  select jsonb_build_object(
    'reportsAbout', (
      select coalesce(
        jsonb_agg(staff.report_json(a.report) order by (a.report).created_at desc, (a.report).id desc), '[]'
      )
      from about as a
    ),
    'reportsBy', (
      select coalesce(
        jsonb_agg(staff.report_json(g.report) order by (g.report).created_at desc, (g.report).id desc), '[]'
      )
      from given as g
    ),
    'decisions', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'decisionId', d.id,
        'action', d.action,
        'reason', d.reason,
        'statement', d.statement,
        'target', jsonb_build_object('type', d.target_kind, 'id', d.target_id, 'excerpt', d.excerpt),
        'decidedBy', d.decided_by,
        'decidedAt', app.iso(d.decided_at),
        'reversedAt', app.iso(d.reversed_at)
      ) order by d.decided_at desc, d.id desc), '[]')
      from decided as d
    )
  );
end;
comment on function api.get_account_history is 'GET /admin/users/{userId}/history (docs/product.md S23).';
grant execute on function api.get_account_history to staff_moderator;

-- schemas/85_moderation/09_operations.sql

create view staff.default_feed_users with (security_invoker = true) as
select d.user_id, p.username, p.full_name, d.added_at
from app.default_feed_users as d
left join app.profiles as p on p.user_id = d.user_id;
comment on view staff.default_feed_users is
  'One row per default feed user: their public posts fill the feed of callers without sources of their own '
  '(docs/product.md F3).';
grant select on staff.default_feed_users to staff_support;

-- Errors: USER_NOT_FOUND, REASON_MISSING.
create function staff.add_default_feed_user(p_username text, p_reason text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_user_id uuid := (select p.user_id from app.profiles as p where p.username = lower(btrim(p_username)));
begin
  if v_user_id is null then
    raise exception using errcode = 'PT404', message = 'USER_NOT_FOUND';
  end if;
  insert into app.default_feed_users (user_id) values (v_user_id) on conflict do nothing;
  perform staff.record('add_default_feed_user', p_reason, jsonb_build_object('userId', v_user_id));
end
$$;
comment on function staff.add_default_feed_user is 'Makes a user a default feed user (docs/product.md F3, S16).';
grant execute on function staff.add_default_feed_user to staff_admin;

-- Errors: USER_NOT_FOUND, REASON_MISSING.
create function staff.remove_default_feed_user(p_username text, p_reason text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_user_id uuid := (select d.user_id from staff.default_feed_users as d where d.username = lower(btrim(p_username)));
begin
  if v_user_id is null then
    raise exception using errcode = 'PT404', message = 'USER_NOT_FOUND';
  end if;
  delete from app.default_feed_users as d where d.user_id = v_user_id;
  perform staff.record('remove_default_feed_user', p_reason, jsonb_build_object('userId', v_user_id));
end
$$;
comment on function staff.remove_default_feed_user is
  'Makes a user no default feed user any more (docs/product.md F3, S16).';
grant execute on function staff.remove_default_feed_user to staff_admin;

-- Lists staff.default_feed_users.
--
-- Args: none. Returns items.
create function api.list_default_feed_users(jsonb) returns jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('items', coalesce(jsonb_agg(jsonb_build_object(
    'userId', d.user_id, 'username', d.username, 'fullName', d.full_name, 'addedAt', app.iso(d.added_at)
  ) order by d.added_at, d.user_id), '[]'))
  from staff.default_feed_users as d;
end;
comment on function api.list_default_feed_users is 'GET /admin/default-feed-users (docs/product.md F3, S16).';
grant execute on function api.list_default_feed_users to staff_support;

-- Runs staff.add_default_feed_user.
--
-- Args: username, reason. Returns {}.
create function api.add_default_feed_user(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select staff.add_default_feed_user($1 ->> 'username', $1 ->> 'reason');
  select '{}'::jsonb;
end;
comment on function api.add_default_feed_user is 'POST /admin/default-feed-users/add (docs/product.md F3, S16).';
grant execute on function api.add_default_feed_user to staff_admin;

-- Runs staff.remove_default_feed_user.
--
-- Args: username, reason. Returns {}.
create function api.remove_default_feed_user(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select staff.remove_default_feed_user($1 ->> 'username', $1 ->> 'reason');
  select '{}'::jsonb;
end;
comment on function api.remove_default_feed_user is 'POST /admin/default-feed-users/remove (docs/product.md F3, S16).';
grant execute on function api.remove_default_feed_user to staff_admin;

-- staff.requeue_dead_letter sends it again.
create view staff.dead_letters with (security_invoker = true) as
select
  d.id, d.notification_id, e.type, n.recipient_id,
  case when d.is_of_stream then 'stream' else 'device' end as channel,
  d.attempt_count, d.failure, d.died_at
from app.dead_letters as d
join app.notifications as n on n.id = d.notification_id
join app.events as e on e.id = n.event_id;
comment on view staff.dead_letters is
  'One row per notification and channel that failed at every attempt: recipient, channel, and the code of the last '
  'failure (docs/product.md N20).';
grant select on staff.dead_letters to staff_admin;

-- Lists staff.dead_letters, oldest first.
--
-- Args: cursor, limit. Returns items and nextCursor.
create function api.list_dead_letters(jsonb) returns jsonb
language sql stable set search_path = ''
begin atomic
  with found as (
    select d.*, requested.list, requested.size, row_number() over (order by d.died_at, d.id) as place
    from staff.requested_page('list_dead_letters', $1) as requested
    join staff.dead_letters as d on (d.died_at, d.id) > (requested.at, requested.id)
    order by d.died_at, d.id
    limit (select requested.size + 1 from staff.requested_page('list_dead_letters', $1) as requested)
  )
  select jsonb_build_object(
    'items', coalesce(jsonb_agg(jsonb_build_object(
      'deadLetterId', f.id,
      'notificationId', f.notification_id,
      'type', f.type,
      'recipientId', f.recipient_id,
      'channel', f.channel,
      'attemptCount', f.attempt_count,
      'failure', f.failure,
      'diedAt', app.iso(f.died_at)
    ) order by f.place) filter (where f.place <= f.size), '[]'),
    'nextCursor', case when bool_or(f.place > f.size) then
      min(app.encode_cursor(f.list, f.died_at, f.id)) filter (where f.place = f.size)
    end
  )
  from found as f;
end;
comment on function api.list_dead_letters is 'GET /admin/dead-letters (docs/product.md N20, S16).';
grant execute on function api.list_dead_letters to staff_admin;

-- Errors: DEAD_LETTER_NOT_FOUND.
create function staff.requeue_dead_letter(p_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_letter app.dead_letters;
begin
  delete from app.dead_letters as d where d.id = p_id returning * into v_letter;
  if v_letter.id is null then
    raise exception using errcode = 'PT404', message = 'DEAD_LETTER_NOT_FOUND';
  end if;
  if v_letter.token_hash is null then
    insert into app.outbox (notification_id, is_queued) values (v_letter.notification_id, true) on conflict do nothing;
  else
    insert into app.pushes (notification_id, token_hash) values (v_letter.notification_id, v_letter.token_hash)
    on conflict do nothing;
  end if;
  perform staff.audit(
    staff.actor(), 'requeue_dead_letter', jsonb_build_object('notificationId', v_letter.notification_id)
  );
end
$$;
comment on function staff.requeue_dead_letter is 'Queues a dead letter again, as if it was new.';
grant execute on function staff.requeue_dead_letter to staff_admin;

-- Runs staff.requeue_dead_letter.
--
-- Args: deadLetterId. Returns {}.
create function api.requeue_dead_letter(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select staff.requeue_dead_letter(($1 ->> 'deadLetterId')::uuid);
  select '{}'::jsonb;
end;
comment on function api.requeue_dead_letter is
  'POST /admin/dead-letters/{deadLetterId}/requeue (docs/product.md N20, S16).';
grant execute on function api.requeue_dead_letter to staff_admin;

-- The age of votes is in whole minutes, for vote secrecy.
create function staff.health() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_backlog record := app.backlog();
begin
  return jsonb_build_object(
    'outboxCount', v_backlog.outbox_count,
    'outboxAgeSeconds', floor(v_backlog.outbox_age_seconds),
    'pushCount', v_backlog.push_count,
    'deadLetterCount', v_backlog.dead_letter_count,
    'unfoldedVoteAgeMinutes', floor(v_backlog.vote_age_seconds / 60),
    'accountDeletionCount', v_backlog.account_deletion_count,
    'openReportCount', (select count(*) from app.reports as r where r.state = 'open')
  );
end
$$;
comment on function staff.health is
  'Returns the work that waits for workers and staff: counts and ages from app.backlog, as far as people can act on '
  'them, and the number of open reports.';
grant execute on function staff.health to staff_support;

-- Runs staff.health.
--
-- Args: none. Returns counts and ages.
create function api.get_staff_health(jsonb) returns jsonb
language sql stable set search_path = ''
begin atomic
  select staff.health();
end;
comment on function api.get_staff_health is 'GET /admin/health.';
grant execute on function api.get_staff_health to staff_support;

-- schemas/85_moderation/10_reads.sql

grant select (id, created_at, ended_at) on app.users to staff_support;

grant select on app.suspensions to staff_support;

grant select on app.default_feed_users to staff_support;

grant select (id, name, description, member_count, closed_at, suspended_at) on app.hubs to staff_moderator;

grant select on app.reports to staff_moderator;

grant select on app.evidence to staff_moderator;

grant select (id, author_id, article_id, thought_text, slider_text, removed_at) on app.posts to staff_moderator;

grant select (id, url, title, body) on app.articles to staff_moderator;

grant select (id, author_id) on app.comments to staff_moderator;

grant select (id, author_id, is_deleted) on app.messages to staff_moderator;

grant select on app.decisions to staff_moderator;

grant select on app.decision_subjects to staff_moderator;

grant select on app.appeals to staff_moderator;

grant select (decision_id, body, alt_text) on app.removed_contents to staff_moderator;

grant select (id, notification_id, is_of_stream, attempt_count, failure, died_at) on app.dead_letters to staff_admin;

grant select (id, event_id, recipient_id) on app.notifications to staff_admin;

grant select (id, type) on app.events to staff_admin;

grant select on staff.allowed_emails to staff_admin;

grant select on staff.logins to staff_admin;

grant select on staff.audit_log to staff_admin;

grant usage on schema staff to staff_support;

-- schemas/85_moderation/11_appeals.sql

-- staff.decide_appeal decides.
create view staff.appeals with (security_invoker = true) as
select
  a.decision_id, a.state, a.text, a.created_at, d.action, d.reason, d.statement, d.target_kind, d.target_id, d.excerpt,
  d.decided_by, d.decided_at,
  coalesce(
    nullif(concat_ws(' / ', k.body, k.alt_text), ''),
    concat_ws(' / ', art.url, art.title, art.body, p.thought_text, p.slider_text), ''
  ) as content,
  (select max(r.id::text)::uuid from app.reports as r where r.target_id = d.target_id) as report_id
from app.appeals as a
join app.decisions as d on d.id = a.decision_id
left join app.removed_contents as k on k.decision_id = d.id
left join app.posts as p on p.id = d.target_id
left join app.articles as art on art.id = p.article_id;
comment on view staff.appeals is
  'One row per appeal, with the decision, what was removed, and the last report of it (docs/product.md S20, S21).';
grant select on staff.appeals to staff_moderator;

-- Lists the open ones of staff.appeals, oldest first.
--
-- Args: cursor, limit. Returns items and nextCursor.
create function api.list_appeals(jsonb) returns jsonb
language sql stable set search_path = ''
begin atomic
  with found as (
    select a.*, requested.list, requested.size, row_number() over (order by a.created_at, a.decision_id) as place
    from staff.requested_page('list_appeals', $1) as requested
    join staff.appeals as a on (a.created_at, a.decision_id) > (requested.at, requested.id)
    where a.state = 'open'
    order by a.created_at, a.decision_id
    limit (select requested.size + 1 from staff.requested_page('list_appeals', $1) as requested)
  )
  select jsonb_build_object(
    'items', coalesce(jsonb_agg(jsonb_build_object(
      'decisionId', f.decision_id,
      'action', f.action,
      'reason', f.reason,
      'statement', f.statement,
      'target', jsonb_build_object('type', f.target_kind, 'id', f.target_id, 'excerpt', f.excerpt),
      'content', f.content,
      'reportId', f.report_id,
      'decidedBy', f.decided_by,
      'decidedAt', app.iso(f.decided_at),
      'text', f.text,
      'appealedAt', app.iso(f.created_at)
    ) order by f.place) filter (where f.place <= f.size), '[]'),
    'nextCursor', case when bool_or(f.place > f.size) then
      min(app.encode_cursor(f.list, f.created_at, f.decision_id)) filter (where f.place = f.size)
    end
  )
  from found as f;
end;
comment on function api.list_appeals is 'GET /admin/appeals (docs/product.md S21).';
grant execute on function api.list_appeals to staff_moderator;

-- Decides an open appeal: upheld, or reversed, which restores what can be restored. The people concerned are
-- notified. p_statement says why.
create function staff.decide_appeal(p_decision_id uuid, p_outcome app.appeal_state, p_statement text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_decision app.decisions;
  v_is_restored boolean;
begin
  select d.* into v_decision
  from app.appeals as a
  join app.decisions as d on d.id = a.decision_id
  where a.decision_id = p_decision_id and a.state = 'open'
  for update;
  if v_decision.id is null then
    raise exception using errcode = 'PT404', message = 'APPEAL_NOT_FOUND';
  end if;
  if not staff.may_judge(v_decision.decided_by) then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  if coalesce(btrim(p_statement), '') = '' or coalesce(p_outcome, 'open') = 'open' then
    raise exception using errcode = 'PT422', message = 'REASON_MISSING';
  end if;
  perform app.text_argument(jsonb_build_object('statement', p_statement), 'statement', 1, 2000);
  if p_outcome = 'reversed' then
    v_is_restored := staff.restore_target(v_decision);
    update app.decisions as d set reversed_at = coalesce(d.reversed_at, app.now()) where d.id = p_decision_id;
  end if;
  perform staff.close_appeal(p_decision_id, p_outcome, p_statement);
  perform staff.audit(staff.actor(), 'decide_appeal', jsonb_build_object(
    'decisionId', p_decision_id, 'outcome', p_outcome, 'isRestored', v_is_restored, 'reason', btrim(p_statement)
  ));
end
$$;
comment on function staff.decide_appeal is
  'Decides an open appeal (docs/product.md S21, S22). Not for who took the decision.';
grant execute on function staff.decide_appeal to staff_moderator;

-- Returns whether the current member of staff may judge a decision: it was another person's.
--
-- A person is an e-mail, in a staff session and in SQL. Nobody knows whose a login without an e-mail is, so
-- it judges nothing. Decisions of a login before it had an e-mail count as its owner's.
create function staff.may_judge(p_decided_by text) returns boolean
language plpgsql stable set search_path = '' as $$
declare
  v_actor text := staff.actor();
begin
  return (session_user = 'opine_gateway' or exists (select from staff.logins as l where l.login = session_user))
    and p_decided_by <> v_actor
    and not exists (select from staff.logins as l where l.email = v_actor and l.login = p_decided_by);
end
$$;
comment on function staff.may_judge is
  'Returns whether a decision was taken by another person than the current member of staff (docs/product.md S21).';

create function staff.refuse_own_appealed(p_action app.decision_action, p_target_id uuid) returns void
language plpgsql stable set search_path = '' as $$
begin
  if exists (
    select
    from app.decisions as d
    join app.appeals as a on a.decision_id = d.id and a.state = 'open'
    where d.target_id = p_target_id and d.action = p_action and d.reversed_at is null
      and not staff.may_judge(d.decided_by)
  ) then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
end
$$;
comment on function staff.refuse_own_appealed is
  'Refuses to restore or suspend anew while an appeal waits for somebody else (docs/product.md S21).';

create function staff.restore_target(p_decision app.decisions) returns boolean
language plpgsql set search_path = '' as $$
begin
  -- Reversed already: a later decision may hold now.
  if p_decision.reversed_at is not null then
    return false;
  end if;
  return case
    when p_decision.action = 'account_suspended' then staff.lift_suspension(p_decision.target_id)
    when p_decision.action = 'hub_suspended' then staff.lift_hub_suspension(p_decision.target_id)
    when p_decision.target_kind = 'post' then app.restore_post(p_decision.target_id)
    when p_decision.target_kind = 'comment' then app.restore_comment(p_decision.id)
    else app.restore_message(p_decision.id)
  end;
end
$$;
comment on function staff.restore_target is 'Undoes a decision. Returns whether anything was left to restore.';

create function staff.close_appeal(p_decision_id uuid, p_outcome app.appeal_state, p_statement text) returns void
language plpgsql set search_path = '' as $$
begin
  update app.appeals as a
  set state = p_outcome, statement = left(btrim(p_statement), 2000), decided_by = staff.actor(), decided_at = app.now()
  where a.decision_id = p_decision_id and a.state = 'open';
  if found then
    perform app.notify_subjects(p_decision_id);
  end if;
end
$$;
comment on function staff.close_appeal is
  'Closes the open appeal against a decision, if there is one, and notifies the people concerned.';

create function staff.mark_reversed(p_action app.decision_action, p_target_id uuid, p_statement text) returns void
language plpgsql set search_path = '' as $$
declare
  v_decision_id uuid;
begin
  for v_decision_id in
    update app.decisions as d set reversed_at = app.now()
    where d.target_id = p_target_id and d.action = p_action and d.reversed_at is null
    returning d.id
  loop
    perform staff.close_appeal(v_decision_id, 'reversed', p_statement);
  end loop;
end
$$;
comment on function staff.mark_reversed is
  'Records that staff took back the decisions about a target without waiting for an appeal, which it closes.';

-- Runs staff.decide_appeal.
--
-- Args: decisionId, outcome (upheld or reversed), statement. Returns {}.
create function api.decide_appeal(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select staff.decide_appeal(($1 ->> 'decisionId')::uuid, ($1 ->> 'outcome')::app.appeal_state, $1 ->> 'statement');
  select '{}'::jsonb;
end;
comment on function api.decide_appeal is 'POST /admin/appeals/{decisionId}/decide (docs/product.md S21).';
grant execute on function api.decide_appeal to staff_moderator;

-- Returns false if its post or its thread is gone.
create function app.restore_comment(p_decision_id uuid) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_kept app.removed_contents;
  v_is_hidden boolean;
begin
  perform app.lock_pair_of(k.post_id, k.author_id) from app.removed_contents as k where k.decision_id = p_decision_id;
  select * into v_kept from app.removed_contents as k where k.decision_id = p_decision_id for update;
  perform from app.posts as p where p.id = v_kept.post_id for no key update;
  if not found then
    return false;
  end if;
  v_is_hidden := app.is_across_block(v_kept.post_id, v_kept.author_id);
  update app.comments as c
  set author_id = v_kept.author_id, body = v_kept.body, asset_id = v_kept.asset_id, alt_text = v_kept.alt_text,
    is_hidden = v_is_hidden
  where c.id = v_kept.content_id;
  if found then
    update app.posts as p set comment_count = p.comment_count + 1 where p.id = v_kept.post_id and not v_is_hidden;
  elsif v_kept.parent_id is null or exists (select from app.comments as root where root.id = v_kept.parent_id) then
    insert into app.comments (id, post_id, author_id, parent_id, body, asset_id, alt_text, is_hidden, created_at)
    values (
      v_kept.content_id, v_kept.post_id, v_kept.author_id, v_kept.parent_id, v_kept.body, v_kept.asset_id,
      v_kept.alt_text, v_is_hidden, v_kept.created_at
    );
    -- While staff hides the post, nobody is to be notified of what is written below it.
    delete from app.events as e
    using app.posts as p
    where e.comment_id = v_kept.content_id and p.id = v_kept.post_id and p.removed_at is not null;
  else
    return false;
  end if;
  delete from app.removed_contents as k where k.decision_id = p_decision_id;
  return true;
end
$$;
comment on function app.restore_comment is
  'Restores a comment that staff removed by a decision: in its thread, where replies kept its place, or as it was '
  'written, which notifies again.';

-- Returns false if its thread or discussion is gone.
create function app.restore_message(p_decision_id uuid) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_kept app.removed_contents;
  v_discussion_id uuid;
begin
  select * into v_kept from app.removed_contents as k where k.decision_id = p_decision_id for update;
  perform app.lock_discussion_of(v_kept.content_id);
  update app.messages as m
  set author_id = v_kept.author_id, body = v_kept.body, asset_id = v_kept.asset_id, alt_text = v_kept.alt_text
  where m.id = v_kept.content_id
  returning m.discussion_id into v_discussion_id;
  if v_discussion_id is null then
    return false;
  end if;
  update app.discussions as d set message_count = d.message_count + 1 where d.id = v_discussion_id;
  delete from app.removed_contents as k where k.decision_id = p_decision_id;
  return true;
end
$$;
comment on function app.restore_message is 'Restores a message that staff removed by a decision.';

-- schemas/85_moderation/12_blocked_terms.sql

create table staff.blocked_terms (
  term text primary key,
  query tsquery not null generated always as (app.phrase_of(term)) stored,
  words tsquery not null generated always as (app.in_any_order(app.phrase_of(term))) stored,
  added_at timestamptz not null default app.now(),
  constraint blocked_terms_term_length check (char_length(term) between 1 and 100)
);
comment on table staff.blocked_terms is
  'One row per word or phrase that opens a report by the service where somebody writes it (docs/product.md S24).';
comment on column staff.blocked_terms.query is
  'The term as texts are compared with it: whole words, in any case and with any accents.';
comment on column staff.blocked_terms.words is
  'The words of the term in any order. They cost a tenth of the phrase, and rule out most terms of a long list.';
alter table staff.blocked_terms enable row level security;
grant select on staff.blocked_terms to staff_moderator;

-- Texts that exist already are not searched.
--
-- Errors: VALIDATION_FAILED (no word), REASON_MISSING.
create function staff.add_blocked_term(p_term text, p_reason text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if char_length(btrim(p_term)) > 100 or app.has_too_many_marks(p_term)
    -- One character may stand for eighteen, and a row has at most 8 kB for its query.
    or coalesce(char_length(app.search_key(p_term)), 0) not between 1 and 100
  then
    perform app.refuse_argument('{term}', 'invalid_value', 'Must have a word, and at most 100 characters.');
  end if;
  insert into staff.blocked_terms (term) values (lower(btrim(p_term))) on conflict do nothing;
  perform staff.record('add_blocked_term', p_reason, jsonb_build_object('term', lower(btrim(p_term))));
end
$$;
comment on function staff.add_blocked_term is 'Adds a word or phrase to the blocked terms.';
grant execute on function staff.add_blocked_term to staff_moderator;

-- Errors: TERM_NOT_FOUND, REASON_MISSING.
create function staff.remove_blocked_term(p_term text, p_reason text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  delete from staff.blocked_terms as t where t.term = lower(btrim(p_term));
  if not found then
    raise exception using errcode = 'PT404', message = 'TERM_NOT_FOUND';
  end if;
  perform staff.record('remove_blocked_term', p_reason, jsonb_build_object('term', lower(btrim(p_term))));
end
$$;
comment on function staff.remove_blocked_term is 'Removes a word or phrase from the blocked terms.';
grant execute on function staff.remove_blocked_term to staff_moderator;

-- Lists staff.blocked_terms.
--
-- Args: none. Returns items.
create function api.list_blocked_terms(jsonb) returns jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('items', coalesce(jsonb_agg(jsonb_build_object(
    'term', t.term, 'addedAt', app.iso(t.added_at)
  ) order by t.term), '[]'))
  from staff.blocked_terms as t;
end;
comment on function api.list_blocked_terms is 'GET /admin/blocked-terms (docs/product.md S24).';
grant execute on function api.list_blocked_terms to staff_moderator;

-- Runs staff.add_blocked_term.
--
-- Args: term, reason. Returns {}.
create function api.add_blocked_term(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select staff.add_blocked_term($1 ->> 'term', $1 ->> 'reason');
  select '{}'::jsonb;
end;
comment on function api.add_blocked_term is 'POST /admin/blocked-terms/add (docs/product.md S24).';
grant execute on function api.add_blocked_term to staff_moderator;

-- Runs staff.remove_blocked_term.
--
-- Args: term, reason. Returns {}.
create function api.remove_blocked_term(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select staff.remove_blocked_term($1 ->> 'term', $1 ->> 'reason');
  select '{}'::jsonb;
end;
comment on function api.remove_blocked_term is 'POST /admin/blocked-terms/remove (docs/product.md S24).';
grant execute on function api.remove_blocked_term to staff_moderator;

-- Opens a report by the service of a text that holds a blocked term; one is enough while it is open.
--
-- Args: the kind of the target, and the columns of its texts. The article of a post counts with it: address,
-- texts, and the alt texts and names of its files.
create function staff.report_blocked_terms() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_row jsonb := to_jsonb(new);
  v_former jsonb := case when tg_op = 'UPDATE' then to_jsonb(old) end;
  v_kind app.target_kind := tg_argv[0]::app.target_kind;
  v_id uuid := coalesce(v_row ->> 'id', v_row ->> 'user_id')::uuid;
begin
  -- Most services have no list. A request of staff has no user id: staff has judged what it restores.
  if app.user_id() is null or not exists (select from staff.blocked_terms) then
    return null;
  end if;
  if staff.holds_blocked_term(array(
    -- Unchanged columns were checked when they were written.
    select v_row ->> columns.name
    from unnest(tg_argv[1:]) as columns (name)
    where v_row ->> columns.name is distinct from v_former ->> columns.name
    union all
    select part.text
    from app.articles as a
    cross join unnest(array[a.url, a.title, a.body]) as part (text)
    where a.id = (v_row ->> 'article_id')::uuid
    union all
    select part.text
    from app.article_assets as m
    join app.assets as file on file.id = m.asset_id
    cross join unnest(array[m.alt_text, file.file_name]) as part (text)
    where m.article_id = (v_row ->> 'article_id')::uuid
  )) then
    insert into app.reports (user_id, post_id, comment_id, message_id, hub_id, reason, is_by_service)
    values (
      case when v_kind = 'user' then v_id end, case when v_kind = 'post' then v_id end, case when v_kind = 'comment'
        then v_id end,
      case when v_kind = 'message' then v_id end, case when v_kind = 'hub' then v_id end, 'other', true
    )
    on conflict (target_id) where state = 'open' and is_by_service do nothing;
  end if;
  return null;
end
$$;
comment on function staff.report_blocked_terms is
  'Trigger: reports a text that holds a blocked term (docs/product.md S24).';

create function staff.holds_blocked_term(p_texts text[]) returns boolean
language plpgsql stable set search_path = '' as $$
declare
  v_text text;
  v_words tsvector := ''::tsvector;
begin
  foreach v_text in array p_texts loop
    -- No word is an apostrophe, so no phrase goes on from one text into the next.
    v_words := tsvector_concat(tsvector_concat(v_words, '''ʼ'':1'), app.word_vector(coalesce(v_text, '')));
  end loop;
  return exists (
    select
    from staff.blocked_terms as t
    where case when ts_match_vq(v_words, t.words) then ts_match_vq(v_words, t.query) end
  );
end
$$;
comment on function staff.holds_blocked_term is
  'Returns whether one of the texts holds a blocked term (docs/product.md S24).';

create trigger posts_report_terms_after_insert after insert on app.posts
for each row execute function staff.report_blocked_terms(
  'post', 'thought_text', 'slider_text', 'left_label', 'right_label'
);

create trigger comments_report_terms_after_insert after insert on app.comments
for each row when (new.author_id is not null)
execute function staff.report_blocked_terms('comment', 'body', 'alt_text');

create trigger messages_report_terms_after_insert after insert on app.messages
for each row when (new.author_id is not null)
execute function staff.report_blocked_terms('message', 'body', 'alt_text');

create trigger profiles_report_terms_after_write after insert or update of username, full_name, bio on app.profiles
for each row execute function staff.report_blocked_terms('user', 'username', 'full_name', 'bio');

create trigger hub_profiles_report_terms_after_write after insert or update of display_name on app.hub_profiles
for each row execute function staff.report_blocked_terms('user', 'display_name');

create trigger hubs_report_terms_after_write after insert or update of name, description, custom_link on app.hubs
for each row execute function staff.report_blocked_terms('hub', 'name', 'description', 'custom_link');

-- schemas/85_moderation/13_media.sql

-- Returns the pictures and documents of what a report is about: as it was reported while a report of it is
-- open, then as it is, also while it is removed and may be restored. The audit log records the look.
create function staff.reported_assets(p_report_id uuid) returns setof app.assets
language plpgsql security definer set search_path = '' as $$
declare
  v_report app.reports;
begin
  select * into v_report from app.reports as r where r.id = p_report_id;
  if v_report.id is null then
    raise exception using errcode = 'PT404', message = 'REPORT_NOT_FOUND';
  end if;
  perform staff.audit(staff.actor(), 'view_media', jsonb_build_object(
    'reportId', p_report_id, 'targetKind', app.kind_of(v_report), 'targetId', v_report.target_id
  ));
  return query
  select a.*
  from app.assets as a
  where a.id in (
    select e.asset_id
    from app.reports as r
    join app.evidence_assets as e on e.report_id = r.id
    where r.target_id = v_report.target_id
    union all
    select app.assets_of(v_report)
    union all
    select k.asset_id from app.removed_contents as k where k.content_id = v_report.target_id
  )
  order by a.id;
end
$$;
comment on function staff.reported_assets is
  'Returns the pictures and documents of what a report is about (docs/product.md S23, S25).';
grant execute on function staff.reported_assets to staff_moderator;

create function staff.link_end() returns timestamptz
language plpgsql stable security definer set search_path = '' as $$
begin
  return app.now() + app.link_lifetime();
end
$$;
comment on function staff.link_end is 'Returns when a link to reported media that is signed now ends.';
grant execute on function staff.link_end to staff_moderator;

-- Runs staff.reported_assets; the service signs a link to each.
--
-- Args: reportId. Returns items (assetId, bucket, contentType, fileName) and expiresAt of the links, in five
-- minutes.
create function api.view_reported_media(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select jsonb_build_object('items', coalesce(jsonb_agg(jsonb_build_object(
    'assetId', a.id, 'bucket', app.bucket_of(a.purpose), 'contentType', a.content_type, 'fileName', a.file_name
  ) order by a.id), '[]'), 'expiresAt', app.iso(staff.link_end()))
  from staff.reported_assets(($1 ->> 'reportId')::uuid) as a;
end;
comment on function api.view_reported_media is 'POST /admin/reports/{reportId}/media (docs/product.md S23).';
grant execute on function api.view_reported_media to staff_moderator;

-- schemas/85_moderation/14_suspensions.sql

-- Appeals against the suspension of an account, which opens no session.
--
-- Args: decisionId and userId (from the appeal token, which the service has verified), text, addressHash
-- (null where addresses do not count). Returns the decision.
create function api.appeal_suspension(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
  v_decision_id uuid := (p_args ->> 'decisionId')::uuid;
  v_user_id uuid := (p_args ->> 'userId')::uuid;
begin
  perform app.require_rate_limit('appeals', p_args ->> 'addressHash', 60, interval '1 hour');
  perform app.require_arguments(p_args, 'text');
  -- The account may have ended, or been restored, since the token was issued.
  if (app.suspension_of(v_user_id) ->> 'decisionId')::uuid is distinct from v_decision_id then
    raise exception using errcode = 'PT401', message = 'UNAUTHORIZED';
  end if;
  perform app.require_appealable(v_decision_id, v_user_id);
  insert into app.appeals (decision_id, user_id, text)
  values (v_decision_id, v_user_id, app.text_argument(p_args, 'text', 1, 2000));
  return app.decision_json(v_decision_id);
end
$$;
comment on function api.appeal_suspension is 'POST /moderation-appeals (docs/product.md S20).';
grant execute on function api.appeal_suspension to opine_service;

create function app.suspension_of(p_user_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object('decisionId', d.id, 'statement', d.statement, 'userId', p_user_id)
    from app.suspensions as suspended
    join app.decision_subjects as s on s.user_id = suspended.user_id
    join app.decisions as d on d.id = s.decision_id
    where suspended.user_id = p_user_id and d.action = 'account_suspended' and d.reversed_at is null
    order by d.decided_at desc
    limit 1
  );
end
$$;
comment on function app.suspension_of is
  'Returns the details of ACCOUNT_SUSPENDED: decisionId, statement, and userId for the appeal token of the service; '
  'null if the account is not suspended, or without a decision.';

-- After the insert, whose lock on the user comes before or after staff.suspend_user: triggers of foreign keys run
-- first, by their names.
--
-- Raises ACCOUNT_SUSPENDED with app.suspension_of.
create function app.refuse_suspended() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from app.suspensions as s where s.user_id = new.user_id) then
    raise exception using errcode = 'PT403', message = 'ACCOUNT_SUSPENDED',
      detail = coalesce(app.suspension_of(new.user_id), '{}')::text;
  end if;
  return null;
end
$$;
comment on function app.refuse_suspended is 'Trigger: a suspended account opens no session (docs/product.md I20).';

create trigger sessions_refuse_suspended_after_insert after insert on app.sessions
for each row execute function app.refuse_suspended();

-- schemas/85_moderation/80_account.sql

create function app.move_moderation(p_from uuid, p_into uuid) returns void
language plpgsql set search_path = '' as $$
begin
  update app.removed_contents set author_id = p_into where author_id = p_from;
  update app.decision_subjects as s
  set user_id = p_into
  where s.user_id = p_from and not exists (
    select from app.decision_subjects as own where own.decision_id = s.decision_id and own.user_id = p_into
  );
  delete from app.decision_subjects where user_id = p_from;
  update app.appeals set user_id = p_into where user_id = p_from;
  update app.evidence set author_id = p_into where author_id = p_from;
  -- Where both have an open report on one target, or by one person, p_into keeps its own.
  update app.reports as r
  set reporter_id = p_into
  where r.reporter_id = p_from and (r.state <> 'open' or not exists (
    select from app.reports as own
    where own.reporter_id = p_into and own.state = 'open' and own.target_id = r.target_id
  ));
  delete from app.reports where reporter_id = p_from;
  update app.reports as r
  set user_id = p_into
  where r.user_id = p_from and (r.state <> 'open' or not exists (
    select from app.reports as other
    where other.reporter_id = r.reporter_id and other.user_id = p_into and other.state = 'open'
  ));
end
$$;
comment on function app.move_moderation is
  'Moves reports by and about a merged account, and decisions that concern it (docs/product.md I16).';

create function app.erase_moderation(p_user_id uuid) returns void
language sql set search_path = ''
begin atomic
  delete from app.removed_contents where author_id = p_user_id;
  -- Decisions that concern others too, such as the suspension of a Hub, stay, and so does an appeal against one.
  delete from app.decisions as d
  using app.decision_subjects as s
  where s.decision_id = d.id and s.user_id = p_user_id and not exists (
    select from app.decision_subjects as other where other.decision_id = d.id and other.user_id <> p_user_id
  );
  delete from app.decision_subjects where user_id = p_user_id;
  update app.appeals set user_id = null where user_id = p_user_id;
  update app.reports set reporter_id = null where reporter_id = p_user_id;
end;
comment on function app.erase_moderation is
  'Takes an ended account out of reports, decisions and appeals (docs/product.md I18).';

-- A definer function, because no policy shows these two.
create function app.export_moderation_decisions() returns setof jsonb
language sql stable security definer set search_path = ''
begin atomic
  select app.decision_json(d.id) || jsonb_build_object(
    'reversedAt', app.iso(d.reversed_at), 'appealStatement', a.statement, 'removedText', k.body, 'removedAssetId',
    k.asset_id
  )
  from app.decisions as d
  join app.decision_subjects as s on s.decision_id = d.id
  left join app.appeals as a on a.decision_id = d.id
  left join app.removed_contents as k on k.decision_id = d.id
  where s.user_id = app.user_id()
  order by d.decided_at desc, d.id desc
  limit 100000;
end;
comment on function app.export_moderation_decisions is
  'Returns the section moderationDecisions of the export: each decision with the answer to the appeal, and with what '
  'was removed and is kept.';
grant execute on function app.export_moderation_decisions to authenticated;

-- It never shows who reported the caller.
create function app.export_reports() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'reportId', r.id, 'userId', case when not exists (
      select from app.users_hidden_from_all as h where h.user_id = r.user_id
    ) then r.user_id end, 'postId', r.post_id, 'hubId', r.hub_id, 'commentId', r.comment_id,
    'messageId', r.message_id, 'reason', r.reason, 'details', r.details, 'state', r.state, 'createdAt',
    app.iso(r.created_at)
  )
  from app.reports as r
  where r.reporter_id = app.user_id()
  order by r.created_at desc, r.id desc
  limit 100000;
end;
comment on function app.export_reports is
  'Returns the section reports of the export: what the caller reported, without ids of users hidden from everybody.';
grant execute on function app.export_reports to authenticated;

-- schemas/85_moderation/90_policies.sql

create policy reports_select on app.reports for select to authenticated
using (reporter_id = (select app.user_id()));

create policy reports_insert on app.reports for insert to authenticated
with check (reporter_id = (select app.user_id()));

create policy decisions_select on app.decisions for select to authenticated
using (id in (select own.decision_id from app.decision_subjects as own where own.user_id = (select app.user_id())));

create policy decision_subjects_select on app.decision_subjects for select to authenticated
using (user_id = (select app.user_id()));

create policy appeals_select on app.appeals for select to authenticated
using (
  decision_id in (select own.decision_id from app.decision_subjects as own where own.user_id = (select app.user_id()))
);

create policy appeals_insert on app.appeals for insert to authenticated
with check (
  user_id = (select app.user_id())
  and decision_id in (
    select own.decision_id from app.decision_subjects as own where own.user_id = (select app.user_id())
  )
);

-- All that staff reads of schema app: these rows, and the columns granted in 10_reads.sql.

create policy users_staff_select on app.users for select to staff_support using (true);

create policy profiles_staff_select on app.profiles for select to staff_support using (true);

create policy suspensions_staff_select on app.suspensions for select to staff_support using (true);

create policy default_feed_users_staff_select on app.default_feed_users for select to staff_support using (true);

create policy hubs_staff_select on app.hubs for select to staff_moderator using (true);

create policy reports_staff_select on app.reports for select to staff_moderator using (true);

create policy evidence_staff_select on app.evidence for select to staff_moderator using (true);

create policy posts_staff_select on app.posts for select to staff_moderator
using (exists (select from app.reports as r where r.post_id = posts.id));

create policy articles_staff_select on app.articles for select to staff_moderator
using (exists (select from app.posts as p where p.article_id = articles.id));

create policy comments_staff_select on app.comments for select to staff_moderator
using (exists (select from app.reports as r where r.comment_id = comments.id));

create policy messages_staff_select on app.messages for select to staff_moderator
using (exists (select from app.reports as r where r.message_id = messages.id));

create policy decisions_staff_select on app.decisions for select to staff_moderator using (true);

create policy decision_subjects_staff_select on app.decision_subjects for select to staff_moderator using (true);

create policy appeals_staff_select on app.appeals for select to staff_moderator using (true);

create policy removed_contents_staff_select on app.removed_contents for select to staff_moderator using (true);

create policy blocked_terms_staff_select on staff.blocked_terms for select to staff_moderator using (true);

create policy dead_letters_staff_select on app.dead_letters for select to staff_admin using (true);

create policy notifications_staff_select on app.notifications for select to staff_admin
using (exists (select from app.dead_letters as d where d.notification_id = notifications.id));

create policy events_staff_select on app.events for select to staff_admin
using (exists (select from app.notifications as n where n.event_id = events.id));

create policy allowed_emails_staff_select on staff.allowed_emails for select to staff_admin using (true);

create policy logins_staff_select on staff.logins for select to staff_admin using (true);

create policy audit_log_staff_select on staff.audit_log for select to staff_admin using (true);

-- schemas/90_accounts/01_end.sql

-- Ends the caller's account. Sessions, device tokens, phone, contacts, name and handle are deleted at once,
-- posts are hidden at once, and the worker removes the rest.
--
-- Returns {}.
create function api.delete_account(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  perform app.require_level(1);
  perform app.end_user(app.user_id());
  return '{}'::jsonb;
end
$$;
comment on function api.delete_account is 'DELETE /users/me (docs/product.md I17-I19).';
grant execute on function api.delete_account to authenticated;

create function app.begin_account_deletion() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.merged_into_id is not null then
    perform app.move_belongings(new.user_id, new.merged_into_id);
  end if;
  perform app.erase_person(new.user_id);
  return new;
end
$$;
comment on function app.begin_account_deletion is
  'Trigger: moves or erases at once what must not wait for the worker (docs/product.md I16, I17).';

create trigger account_deletions_begin_before_insert before insert on app.account_deletions
for each row execute function app.begin_account_deletion();

-- Everything else waits for the worker (app.erase_belongings). A concurrent sign-in holds the row of the account until
-- its session is visible.
create function app.erase_person(p_user_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  perform from app.users where id = p_user_id for update;
  perform app.lock_kept_posts(p_user_id);
  perform app.erase_moderation(p_user_id);
  perform app.erase_preferences(p_user_id);
  perform app.erase_discussions(p_user_id);
  perform app.erase_feeds(p_user_id);
  perform app.erase_held_votes(p_user_id);
  perform app.erase_saved_posts(p_user_id);
  perform app.erase_hubs(p_user_id);
  perform app.erase_hub_profile(p_user_id);
  perform app.erase_uploads(p_user_id);
  perform app.erase_identity(p_user_id);
end
$$;
comment on function app.erase_person is
  'Ends an account and erases at once who it was and what is its own alone (docs/product.md I17).';

-- Posts and comments have transactions of their own, because each locks posts in the order of their ids. The rest of a
-- batch skips what others have locked. Inbox and media go last: what is erased before counts and uses them.
create function app.erase_belongings(p_user_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  if app.erase_posts(p_user_id) then
    return true;
  end if;
  if app.erase_comments(p_user_id) then
    return true;
  end if;
  perform app.erase_hub_photos(p_user_id);
  if true = any (array[
    app.erase_messages(p_user_id), app.erase_people(p_user_id), app.erase_notifications(p_user_id),
    app.erase_activity(p_user_id)
  ]) then
    return true;
  end if;
  if app.erase_inbox(p_user_id) then
    return true;
  end if;
  perform app.erase_media(p_user_id);
  return false;
end
$$;
comment on function app.erase_belongings is
  'Erases a batch of what an ended account left (docs/product.md I17-I19). Returns whether more may be left.';

-- No other worker gets it before app.backoff has passed.
create function app.claim_account_deletion() returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  v_user_id uuid;
begin
  -- An account that was merged into an ended account is deleted like it.
  update app.account_deletions as d
  set merged_into_id = null
  from app.users as u
  where u.id = d.merged_into_id and u.ended_at is not null;
  update app.account_deletions as d
  set due_at = app.now() + app.backoff(d.attempt_count),
    attempt_count = d.attempt_count + 1
  where d.user_id = (
    select due.user_id
    from app.account_deletions as due
    where due.due_at <= app.now()
    order by due.due_at
    limit 1
    for update skip locked
  )
  returning d.user_id into v_user_id;
  return v_user_id;
end
$$;
comment on function app.claim_account_deletion is
  'Claims a due account deletion for the worker and returns the user, null if none is due.';
grant execute on function app.claim_account_deletion to opine_worker;

-- The queue row stays until nothing is left, with one more run a minute after the account ended.
-- app.delete_objects makes it due once its stored objects are gone.
create function app.finish_account_deletion(p_user_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_deletion app.account_deletions;
  -- Longer than any request that began before the account ended and may still add data.
  v_settling interval := interval '1 minute';
  v_is_more boolean;
begin
  select * into v_deletion from app.account_deletions as d where d.user_id = p_user_id for update;
  if v_deletion.user_id is null then
    return;
  end if;
  v_is_more := app.leave_next_hub(p_user_id);
  if not v_is_more then
    if v_deletion.merged_into_id is not null then
      perform from app.users as u where u.id in (p_user_id, v_deletion.merged_into_id) order by u.id for update;
      perform app.move_belongings(p_user_id, v_deletion.merged_into_id);
    end if;
    perform app.erase_person(p_user_id);
    v_is_more := app.erase_belongings(p_user_id);
  end if;
  if v_is_more then
    update app.account_deletions set due_at = app.now(), attempt_count = 0 where user_id = p_user_id;
  elsif v_deletion.deleted_at + v_settling > app.now() then
    update app.account_deletions set due_at = deleted_at + v_settling, attempt_count = 0 where user_id = p_user_id;
  else
    -- No upload of this account can be completed any more.
    update app.stored_objects set expires_at = app.now()
    where owner_id = p_user_id and attempt_count = 0 and expires_at > app.now();
    delete from app.account_deletions as d
    where d.user_id = p_user_id and not exists (
      select from app.stored_objects as o
      -- Files of an open report outlive the account.
      where o.owner_id = d.user_id and not exists (select from app.evidence_assets as e where e.asset_id = o.id)
    );
  end if;
end
$$;
comment on function app.finish_account_deletion is
  'Removes one batch of the data of an ended account, or moves it after a merge.';
grant execute on function app.finish_account_deletion to opine_worker;

-- schemas/90_accounts/02_merge.sql

-- Rooms move what they hold, in the order of docs/decisions/006-merge.md, after the locks of all. The pools of votes do
-- not change. A second run moves what was added since the first.
create function app.move_belongings(p_from uuid, p_into uuid) returns void
language plpgsql set search_path = '' as $$
begin
  perform app.lock_relations(p_from);
  perform app.lock_posts_to_move(p_from, p_into);
  perform app.move_identity(p_from, p_into);
  perform app.move_feeds(p_from, p_into);
  perform app.move_media(p_from, p_into);
  perform app.move_people(p_from, p_into);
  perform app.move_posts(p_from, p_into);
  perform app.move_comments(p_from, p_into);
  perform app.move_moderation(p_from, p_into);
  perform app.move_votes(p_from, p_into);
  perform app.move_events(p_from, p_into);
  perform app.move_notifications(p_from, p_into);
end
$$;
comment on function app.move_belongings is
  'Moves the data of p_from to p_into (docs/product.md I16); p_into keeps its own value where both have one.';

-- schemas/90_accounts/03_export.sql

-- Exports all that is kept about the caller, by sections, newest first.
--
-- Args: none. Returns the sections, exportedAt, and incomplete: the names of the sections that exceed 8 MiB,
-- or the rest of 32 MiB.
create function api.export_own_data(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_room integer := 32 * 1024 * 1024;
  v_data jsonb;
  v_incomplete text[] := '{}'::text[];
  v_name text;
  v_function text;
  v_section record;
begin
  perform app.require_level(1);
  perform app.limit_exports();
  v_data := app.export_account();
  if v_data is null then
    -- The account has ended since.
    raise exception using errcode = 'PT401', message = 'UNAUTHORIZED';
  end if;
  -- Short sections come first, because a long one could leave them no room.
  for v_name, v_function in values
    ('sessions', 'sessions_json'),
    ('deviceTokens', 'export_device_tokens'),
    ('hubMemberships', 'export_memberships'),
    ('mutedHubs', 'export_muted_hubs'),
    ('joinRequests', 'export_join_requests'),
    ('receivedInvitations', 'export_invitations'),
    ('sentInvitations', 'export_sent_invitations'),
    ('reports', 'export_reports'),
    ('moderationDecisions', 'export_moderation_decisions'),
    ('blocks', 'export_blocks'),
    ('savedDiscussions', 'export_saved_discussions'),
    ('discussionReads', 'export_discussion_reads'),
    ('savedPosts', 'export_saved_posts'),
    ('feedShares', 'export_feed_shares'),
    ('hubPlacements', 'export_placements'),
    ('uploads', 'export_uploads'),
    ('contacts', 'export_contacts'),
    ('following', 'export_following'),
    ('votes', 'export_votes'),
    ('posts', 'export_posts'),
    ('reposts', 'export_reposts'),
    ('comments', 'export_comments'),
    ('messages', 'export_messages'),
    ('followers', 'export_followers'),
    ('notifications', 'export_notifications')
  loop
    v_section := app.export_section(v_function, least(v_room, 8 * 1024 * 1024));
    v_room := v_room - v_section.size;
    v_data := v_data || jsonb_build_object(v_name, v_section.items);
    if not v_section.is_whole then
      v_incomplete := v_incomplete || v_name;
    end if;
  end loop;
  return v_data || jsonb_build_object('exportedAt', app.iso(app.now()), 'incomplete', v_incomplete);
end
$$;
comment on function api.export_own_data is
  'GET /users/me/export (docs/product.md X1-X4, W26; docs/decisions/015-own-data.md).';
grant execute on function api.export_own_data to authenticated;

-- Returns the items, their size, and whether these are all.
create function app.export_section(
  p_function text, p_room integer, out items jsonb, out size integer, out is_whole boolean
)
returns record
language plpgsql stable set search_path = '' as $$
declare
  v_items jsonb[] := '{}'::jsonb[];
  v_item jsonb;
begin
  size := 0;
  is_whole := true;
  -- Each item is built when the loop fetches it, so items without room cost nothing. The limit in these
  -- functions exceeds what fits; with it Postgres sorts the rows before it builds the items.
  for v_item in execute format('select app.%I()', p_function) loop
    if size + octet_length(v_item::text) > p_room then
      is_whole := false;
      exit;
    end if;
    size := size + octet_length(v_item::text);
    v_items := array_append(v_items, v_item);
  end loop;
  items := to_jsonb(v_items);
end
$$;
comment on function app.export_section is 'Runs app.<p_function>() until its items fill p_room bytes.';
grant execute on function app.export_section to authenticated;

-- Errors: RATE_LIMITED beyond 3 a day, because each export reads all data of a user.
create function app.limit_exports() returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform app.require_rate_limit('exports', app.user_id()::text, 3, interval '1 day');
end
$$;
comment on function app.limit_exports is 'Counts an export of the caller''s.';
grant execute on function app.limit_exports to authenticated;

-- A section without data is null.
create function app.export_account() returns jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'account', jsonb_build_object(
      'id', u.id,
      'phoneNumber', u.phone,
      'phoneVerifiedAt', app.iso(u.phone_verified_at),
      'termsVersion', u.terms_version,
      'termsAcceptedAt', app.iso(u.terms_accepted_at),
      'mediaCompletedAt', app.iso(u.media_completed_at),
      'createdAt', app.iso(u.created_at),
      'isDefaultFeedUser', exists (select from app.default_feed_users as d where d.user_id = u.id)
    ),
    'onboarding', app.onboarding_status(),
    'notificationPreferences', (
      select app.preferences_json() from app.notification_preferences as p where p.user_id = u.id
    ),
    'profile', (
      select jsonb_build_object(
        'username', p.username,
        'fullName', p.full_name,
        'bio', p.bio,
        'profileAssetId', p.photo_asset_id,
        'profilePhotoUrl', app.photo_url(p.photo_asset_id),
        'createdAt', app.iso(p.created_at)
      )
      from app.profiles as p
      where p.user_id = u.id
    ),
    'hubProfile', (
      select jsonb_build_object(
        'displayName', h.display_name,
        'profileAssetId', h.photo_asset_id,
        'profilePhotoUrl', app.photo_url(h.photo_asset_id)
      )
      from app.hub_profiles as h
      where h.user_id = u.id
    ),
    'contactSnapshot', (
      select jsonb_build_object(
        'uploadId', s.upload_id,
        'permission', s.permission,
        'contactCount', s.contact_count,
        'createdAt', app.iso(s.created_at),
        'storedAt', app.iso(s.stored_at)
      )
      from app.contact_snapshots as s
      where s.user_id = u.id
    )
  )
  from app.users as u
  where u.id = app.user_id();
end;
comment on function app.export_account is
  'Returns the sections of the export about the caller as a person: account, onboarding, notificationPreferences, '
  'profile, hubProfile and contactSnapshot.';
grant execute on function app.export_account to authenticated;

-- schemas/90_accounts/04_closed_hubs.sql

-- No lock of the Hub: it comes after what is in it ("Lock order" in docs/architecture.md).
create function app.prune_closed_hubs() returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_hub_id uuid := (select h.id from app.hubs as h where h.closed_at is not null order by h.closed_at limit 1);
begin
  if not pg_try_advisory_xact_lock(hashtext('app.prune_closed_hubs')) then
    return;
  end if;
  perform case
    when app.close_hub_discussions(v_hub_id) then true
    when app.close_hub_placements(v_hub_id) then true
    when app.close_hub_activity(v_hub_id) then true
    when app.close_hub_notifications(v_hub_id) then true
    when app.close_hub_votes(v_hub_id) then true
    else app.delete_closed_hub(v_hub_id)
  end;
end
$$;
comment on function app.prune_closed_hubs is
  'Upkeep: removes one batch of the Hub that closed first, and the Hub when nothing of it is left (docs/product.md '
  'H29).';
grant execute on function app.prune_closed_hubs to opine_worker;

-- schemas/95_gateway/01_call.sql

create type gateway.violation as (schema_name text, table_name text, column_name text, constraint_name text);
comment on type gateway.violation is 'What a violated constraint is called.';

-- Runs api.<p_operation>(p_args) for one request, in one statement.
--
-- Args: p_mode (caller: as anon or authenticated, under their policies; reader: the same, and nothing is
-- written; service: as opine_service, which may run what only the service vouches for; staff: as the role of
-- the staff session); p_claims (verified claims of the caller, null for a guest; for staff tokenHash and
-- policy); p_treats_ended_session_as_guest (a dead session counts as a guest); p_photos_url (see
-- app.photo_url); p_request_id (shown in pg_stat_activity and the log of Postgres); p_key and p_fingerprint
-- (of an Idempotency-Key, else null); p_limits (see app.use_limit). Returns the data as JSON text, whether an
-- earlier request with the key has done the work (docs/product.md W16, W17), and the Hub that a reader
-- visited, for gateway.record_presence, else null. Errors: UNAUTHORIZED, FORBIDDEN, IDEMPOTENCY_KEY_CONFLICT,
-- those of the operation, and of app.replay_answer.
create function gateway.call(
  p_mode text, p_operation text, p_args jsonb, p_claims jsonb default null,
  p_treats_ended_session_as_guest boolean default false,
  p_photos_url text default null, p_request_id text default null, p_key text default null,
  p_fingerprint text default null,
  p_limits jsonb default null, out answer text, out is_replayed boolean, out visited_hub uuid
) returns record
language plpgsql set search_path = '' as $$
declare
  v_role text;
  v_first record;
begin
  is_replayed := false;
  perform
    -- Postgres warns about names longer than 63 bytes.
    set_config('application_name', left('opine-api ' || p_request_id, 63), true),
    set_config('opine.photos_url', p_photos_url, true),
    set_config('opine.limits', p_limits::text, true),
    set_config('opine.is_read', (p_mode = 'reader')::text, true);
  -- Statements, no expression: it would check the right to execute all three, and not every login has it.
  if p_mode = 'staff' then
    v_role := gateway.enter_as_staff(p_operation, p_claims);
  elsif p_mode in ('caller', 'reader', 'service') then
    v_role := gateway.set_caller(p_claims, p_treats_ended_session_as_guest, p_mode = 'reader');
  else
    raise exception 'gateway.call has no mode %.', p_mode;
  end if;
  if p_key is not null then
    if v_role = 'anon' then
      raise exception using errcode = 'PT401', message = 'UNAUTHORIZED';
    end if;
    v_first := gateway.claim_idempotency_key(p_claims, p_key, p_fingerprint);
    is_replayed := v_first.is_replayed;
  end if;
  if is_replayed then
    answer := gateway.replay(v_role, p_operation, p_args, v_first.created_ids, v_first.sealed_tokens);
  else
    answer := gateway.run_operation(
      case p_mode when 'service' then 'opine_service' else v_role end,
      p_operation,
      case p_mode when 'staff' then p_args || jsonb_build_object(
        'staffTokenHash', p_claims ->> 'tokenHash'
      ) else p_args end
    );
    if p_key is not null then
      perform set_config('role', 'none', true);
      perform gateway.remember(p_claims, p_key, answer::jsonb);
    end if;
  end if;
  visited_hub := nullif(current_setting('opine.visited_hub', true), '')::uuid;
end
$$;
comment on function gateway.call is 'Runs api.<p_operation>(p_args) for one request, in one statement.';
grant execute on function gateway.call to opine_gateway;

-- Casts a vote by api.cast_vote in a serializable transaction, commits, and answers from a second transaction.
--
-- A read of results in the first transaction would conflict with every concurrent writer. The procedure has no SET
-- clause, because one with it cannot commit. Args: as gateway.call. Returns the answer, and the last transaction that
-- wrote.
create procedure gateway.cast_vote(
  p_args jsonb, p_claims jsonb, p_request_id text, p_limits jsonb,
  inout answer text, inout transaction_id pg_catalog.xid8
)
language plpgsql as $$
declare
  v_result jsonb;
begin
  if pg_catalog.current_setting('transaction_isolation') <> 'serializable' then
    raise exception 'gateway.cast_vote needs a serializable transaction.';
  end if;
  v_result := gateway.write_vote(p_args, p_claims, p_request_id, p_limits);
  transaction_id := pg_catalog.pg_current_xact_id();
  commit;
  set transaction isolation level read committed;
  -- A committed write must not be retried, so its answer waits for locks until the statement times out.
  set local lock_timeout = 0;
  answer := gateway.answer_vote(p_args || v_result, p_claims, p_request_id);
  -- The answer may have counted the vote in more Hubs.
  transaction_id := coalesce(pg_catalog.pg_current_xact_id_if_assigned(), transaction_id);
end
$$;

comment on procedure gateway.cast_vote is 'Casts a vote and answers after its commit (docs/product.md V8).';

grant execute on procedure gateway.cast_vote to opine_serializable;

-- A vote changes nobody's level, so that is looked up once. api.cast_vote is a definer function.
create function gateway.write_vote(p_args jsonb, p_claims jsonb, p_request_id text, p_limits jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_result jsonb;
  v_violation gateway.violation;
begin
  perform
    set_config('application_name', left('opine-api ' || p_request_id, 63), true),
    set_config('opine.limits', p_limits::text, true);
  if gateway.set_caller(p_claims, false, true) = 'anon' then
    raise exception using errcode = 'PT401', message = 'UNAUTHORIZED';
  end if;
  begin
    v_result := api.cast_vote(p_args);
  exception when integrity_constraint_violation then
    get stacked diagnostics
      v_violation.schema_name = schema_name, v_violation.table_name = table_name,
      v_violation.column_name = column_name, v_violation.constraint_name = constraint_name;
    perform gateway.raise_violation(sqlstate, sqlerrm, v_violation);
  end;
  return v_result;
end
$$;
comment on function gateway.write_vote is 'Runs api.cast_vote for gateway.cast_vote, and returns what it returns.';
grant execute on function gateway.write_vote to opine_serializable;

-- A definer function: the transaction before has checked the session and the rights of the caller, and decided p_args,
-- so that a second check would only repeat it.
create function gateway.answer_vote(p_args jsonb, p_claims jsonb, p_request_id text) returns text
language plpgsql security definer set search_path = '' as $$
begin
  perform
    set_config('application_name', left('opine-api ' || p_request_id, 63), true),
    set_config('opine.user_id', p_claims ->> 'sub', true);
  return app.cast_vote_answer(p_args)::text;
end
$$;
comment on function gateway.answer_vote is 'Runs app.cast_vote_answer for gateway.cast_vote.';
grant execute on function gateway.answer_vote to opine_serializable;

-- Begins a read in its own statement: select api.<p_operation>(gateway.begin_read('<p_operation>', …)).
--
-- The rest of the statement runs as the caller, so the login itself may execute all of api. Args: as gateway.call.
-- Returns p_args. Errors: UNAUTHORIZED for a dead session; the caller's role may not execute the operation.
create function gateway.begin_read(
  p_operation text, p_args jsonb, p_claims jsonb, p_treats_ended_session_as_guest boolean, p_photos_url text,
  p_request_id text,
  p_limits jsonb
) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_role text;
begin
  perform
    -- Postgres warns about names longer than 63 bytes.
    set_config('application_name', left('opine-api ' || p_request_id, 63), true),
    set_config('opine.photos_url', p_photos_url, true),
    set_config('opine.limits', p_limits::text, true),
    set_config('opine.is_read', 'true', true);
  v_role := gateway.set_caller(p_claims, p_treats_ended_session_as_guest, true);
  if not has_function_privilege(v_role, format('api.%I(jsonb)', p_operation), 'execute') then
    raise insufficient_privilege using message = format('The role %s may not execute api.%s.', v_role, p_operation);
  end if;
  perform set_config('role', v_role, true);
  return p_args;
end
$$;
comment on function gateway.begin_read is
  'Sets the caller of a read for the rest of its statement, and returns its arguments.';
grant execute on function gateway.begin_read to opine_gateway;

-- Sets a caller for the rest of the transaction.
--
-- Args: as gateway.call; p_keeps_level (nothing in the transaction changes the level of the caller, so it is looked up
-- here, once). Returns their role: authenticated or anon. Errors: UNAUTHORIZED for a dead session.
create function gateway.set_caller(
  p_claims jsonb, p_treats_ended_session_as_guest boolean, p_keeps_level boolean default false
) returns text
language plpgsql set search_path = '' as $$
declare
  v_caller record;
begin
  if p_claims is not null then
    v_caller := gateway.find_caller(p_claims, p_keeps_level);
    if v_caller.user_id is not null then
      perform
        set_config('request.jwt.claims', p_claims::text, true),
        set_config('opine.user_id', v_caller.user_id::text, true),
        set_config('opine.level', v_caller.level::text, true);
      return 'authenticated';
    end if;
    if not p_treats_ended_session_as_guest then
      raise exception using errcode = 'PT401', message = 'UNAUTHORIZED';
    end if;
  end if;
  perform
    set_config('request.jwt.claims', '{"role":"anon"}', true),
    set_config('opine.user_id', '', true),
    set_config('opine.level', '0', true);
  return 'anon';
end
$$;
comment on function gateway.set_caller is 'Sets the caller of a request by verified claims, and returns their role.';
grant execute on function gateway.set_caller to opine_gateway, opine_serializable;

-- Args: as gateway.call. Returns the role of their session. Errors: UNAUTHORIZED without a live staff
-- session, FORBIDDEN if the role may not run the operation.
create function gateway.enter_as_staff(p_operation text, p_claims jsonb) returns text
language plpgsql set search_path = '' as $$
declare
  v_member record := gateway.staff_member(p_claims ->> 'tokenHash', p_claims -> 'policy');
begin
  if v_member.role is null then
    raise exception using errcode = 'PT401', message = 'UNAUTHORIZED';
  end if;
  perform set_config(
    'request.jwt.claims', jsonb_build_object('role', v_member.role, 'email', v_member.email)::text, true
  );
  if not has_function_privilege(v_member.role, format('api.%I(jsonb)', p_operation), 'execute') then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  return v_member.role;
end
$$;
comment on function gateway.enter_as_staff is 'Sets the claims of a member of staff.';
grant execute on function gateway.enter_as_staff to opine_gateway;

-- Returns its data as JSON text. Errors: those of the operation; a constraint violation without its detail.
create function gateway.run_operation(p_role text, p_operation text, p_args jsonb) returns text
language plpgsql set search_path = '' as $$
declare
  v_answer text;
  v_violation gateway.violation;
begin
  perform set_config('role', p_role, true);
  begin
    execute format('select api.%I($1)', p_operation) into v_answer using p_args;
  exception when integrity_constraint_violation then
    get stacked diagnostics
      v_violation.schema_name = schema_name, v_violation.table_name = table_name,
      v_violation.column_name = column_name, v_violation.constraint_name = constraint_name;
    perform set_config('role', 'none', true);
    perform gateway.raise_violation(sqlstate, sqlerrm, v_violation);
  end;
  return v_answer;
end
$$;
comment on function gateway.run_operation is 'Runs api.<p_operation>(p_args) as p_role, which the transaction keeps.';
grant execute on function gateway.run_operation to opine_gateway;

-- The detail of a violation quotes rows, and Postgres logs it unless the error is caught.
create function gateway.raise_violation(p_state text, p_message text, p_violation gateway.violation) returns void
language plpgsql immutable set search_path = '' as $$
begin
  raise exception using
    errcode = p_state, message = p_message, schema = p_violation.schema_name, table = p_violation.table_name,
    column = p_violation.column_name, constraint = p_violation.constraint_name;
end
$$;
comment on function gateway.raise_violation is 'Raises the violation of a constraint again, without its detail.';
grant execute on function gateway.raise_violation to opine_gateway, opine_serializable;

create function gateway.replay(
  p_role text, p_operation text, p_args jsonb, p_created_ids uuid[], p_sealed_tokens text[]
) returns text
language plpgsql set search_path = '' as $$
begin
  perform set_config('role', p_role, true);
  return app.replay_answer(p_operation, p_args, p_created_ids, p_sealed_tokens);
end
$$;
comment on function gateway.replay is 'Runs app.replay_answer as p_role, which the transaction keeps.';
grant execute on function gateway.replay to opine_gateway;

create function gateway.find_caller(
  p_claims jsonb, p_with_level boolean, out user_id uuid, out level integer
) returns record
language plpgsql stable security definer set search_path = '' as $$
begin
  if app.session_is_live(p_claims) then
    user_id := (p_claims ->> 'sub')::uuid;
    level := case when p_with_level then app.level_of(user_id) end;
  end if;
end
$$;
comment on function gateway.find_caller is
  'Looks up the user of a live session by verified claims, and their level if p_with_level; null for a dead session.';
grant execute on function gateway.find_caller to opine_gateway, opine_serializable;

-- Args: p_token_hash (SHA-256, hex), p_policy (see staff.role_of). Returns the e-mail and the Postgres role;
-- null if the session has ended or its owner left the allow-list.
create function gateway.staff_member(p_token_hash text, p_policy jsonb, out email text, out role text) returns record
language plpgsql stable security definer set search_path = '' as $$
begin
  select s.email, 'staff_' || staff.role_of(s.email, p_policy)
  into staff_member.email, staff_member.role
  from staff.sessions as s
  where s.token_hash = decode(p_token_hash, 'hex') and s.expires_at > app.now();
end
$$;
comment on function gateway.staff_member is 'Looks up a live staff session.';
grant execute on function gateway.staff_member to opine_gateway;

-- schemas/95_gateway/02_idempotency.sql

-- No column can hold contents: a replay reads anew what the ids name (app.replay_answer). An invite token is
-- shown once and stored nowhere else, so it stays here as the service sealed it.
create table gateway.idempotent_answers (
  user_id uuid not null references app.users (id) on delete cascade,
  key text not null,
  fingerprint text not null,
  created_ids uuid[] not null default '{}',
  sealed_tokens text[] not null default '{}',
  created_at timestamptz not null default app.now(),
  constraint idempotent_answers_pkey primary key (user_id, key),
  constraint idempotent_answers_key_is_short check (char_length(key) between 1 and 128)
);
comment on table gateway.idempotent_answers is
  'One row per Idempotency-Key of a user: what its request created, for 24 hours (docs/product.md W17, W18).';
comment on column gateway.idempotent_answers.fingerprint is 'SHA-256 of the operation and the arguments.';
comment on column gateway.idempotent_answers.created_ids is
  'The ids in the first answer of what the request created; null in it for an item that was not created.';
comment on column gateway.idempotent_answers.sealed_tokens is 'The invite tokens of the first answer, sealed.';
create index idempotent_answers_created_at_idx on gateway.idempotent_answers (created_at);
alter table gateway.idempotent_answers enable row level security;

-- Claims an Idempotency-Key of the caller, whose claims are set.
--
-- A request concurrent with the first one waits for its row. Args: p_claims; p_key; p_fingerprint (of the request).
-- Returns whether an earlier request used the key, and what that created. Errors: IDEMPOTENCY_KEY_CONFLICT (a key
-- of another request).
create function gateway.claim_idempotency_key(
  p_claims jsonb, p_key text, p_fingerprint text,
  out is_replayed boolean, out created_ids uuid[], out sealed_tokens text[]
) returns record
language plpgsql security definer set search_path = '' as $$
declare
  v_user_id uuid := (p_claims ->> 'sub')::uuid;
  v_first gateway.idempotent_answers;
begin
  insert into gateway.idempotent_answers as first (user_id, key, fingerprint)
  values (v_user_id, p_key, p_fingerprint)
  on conflict (user_id, key) do update
    set fingerprint = excluded.fingerprint, created_ids = default, sealed_tokens = default,
      created_at = excluded.created_at
    where first.created_at <= gateway.replay_horizon();
  is_replayed := not found;
  if is_replayed then
    select * into strict v_first
    from gateway.idempotent_answers as first
    where first.user_id = v_user_id and first.key = p_key;
    if v_first.fingerprint <> p_fingerprint then
      raise exception using errcode = 'PT409', message = 'IDEMPOTENCY_KEY_CONFLICT';
    end if;
    created_ids := v_first.created_ids;
    sealed_tokens := v_first.sealed_tokens;
  end if;
end
$$;
comment on function gateway.claim_idempotency_key is
  'Claims an Idempotency-Key for a request, or returns what its first request created (docs/product.md W17).';
grant execute on function gateway.claim_idempotency_key to opine_gateway;

create function gateway.replay_horizon() returns timestamptz
language plpgsql stable set search_path = '' as $$
begin
  return app.now() - interval '24 hours';
end
$$;
comment on function gateway.replay_horizon is
  'Returns the time at or before which a first answer is too old to be replayed (docs/product.md W17).';

-- Remembers what a first request (gateway.claim_idempotency_key) created. Args: p_claims; p_key; p_answer (of
-- the operation).
create function gateway.remember(p_claims jsonb, p_key text, p_answer jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
  update gateway.idempotent_answers
  set
    created_ids = gateway.texts_at(
      p_answer, '$.id', '$.uploadId', '$.assetId', '$.reportId', '$.hubId', '$.items[*].id',
      '$.hubs[*] ? (@.created == true).hubId'
    )::uuid[],
    sealed_tokens = gateway.texts_at(p_answer, '$.sealedToken', '$.items[*].sealedToken')
  where user_id = (p_claims ->> 'sub')::uuid and key = p_key;
end
$$;
comment on function gateway.remember is 'Stores the ids and sealed tokens of a first answer, and nothing else of it.';
grant execute on function gateway.remember to opine_gateway;

create function gateway.texts_at(p_json jsonb, variadic p_paths jsonpath[]) returns text[]
language plpgsql immutable set search_path = '' as $$
begin
  return array(
    select item.value #>> '{}'
    from unnest(p_paths) with ordinality as given (path, place)
    cross join lateral jsonb_path_query(p_json, given.path) with ordinality as item (value, place)
    order by given.place, item.place
  );
end
$$;
comment on function gateway.texts_at is 'Returns what stands in p_json at these paths, in their order, as texts.';

create function gateway.prune_idempotent_answers() returns void
language sql security definer set search_path = ''
begin atomic
  delete from gateway.idempotent_answers where created_at <= gateway.replay_horizon();
end;
comment on function gateway.prune_idempotent_answers is 'Upkeep: deletes answers that are too old to be replayed.';
grant execute on function gateway.prune_idempotent_answers to opine_worker;

create function gateway.delete_answers() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from gateway.idempotent_answers as a where a.user_id = new.id;
  return null;
end
$$;
comment on function gateway.delete_answers is
  'Trigger: deletes the recorded answers of an ended account, each time that app.erase_person runs.';

create trigger users_delete_answers_after_update after update of ended_at on app.users
for each row when (new.ended_at is not null)
execute function gateway.delete_answers();

-- schemas/95_gateway/03_service.sql

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

-- schemas/95_gateway/04_replicas.sql

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

-- Args: p_positions (ids of committed transactions on the primary). Returns those that later statements here
-- see.
create function gateway.applied(p_positions xid8[], p_timeout interval) returns setof xid8
language plpgsql set search_path = '' as $$
declare
  v_deadline timestamptz := clock_timestamp() + p_timeout;
begin
  loop
    return query
    select p.position
    from unnest(p_positions) as p (position)
    -- pg_xact_status knows no transaction that begins later, and has forgotten those of long ago.
    where case
      when p.position < pg_snapshot_xmax(pg_current_snapshot()) then pg_xact_status(p.position)
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
-- Args: p_positions (transactions of the caller that the answer must include); p_max_age (how far this server
-- may be behind the primary). Returns a null answer if the replica lacks one of them for 50 ms. Errors:
-- SERVICE_UNAVAILABLE if the server is too far behind, or no replica (any more); those of the operation.
create function gateway.call_replica(
  p_operation text, p_args jsonb, p_claims jsonb, p_positions xid8[], p_max_age interval, p_photos_url text,
  p_request_id text,
  out answer text, out visited_hub uuid
) returns record
language plpgsql set search_path = '' as $$
declare
  v_deadline timestamptz := clock_timestamp() + interval '50 milliseconds';
  v_position xid8;
begin
  if not pg_is_in_recovery() or gateway.is_behind(p_max_age) then
    raise exception using errcode = 'PT503', message = 'SERVICE_UNAVAILABLE';
  end if;
  foreach v_position in array p_positions loop
    if not exists (select from gateway.applied(array[v_position], v_deadline - clock_timestamp())) then
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

-- schemas/95_gateway/05_replays.sql

-- Answers a repeated request: reads anew what the first one created, as the caller may see it now.
--
-- The one list of how each operation that honours an Idempotency-Key is read. Args: p_args (of the request, which
-- equal those of the first but for new tokens); p_ids and p_tokens (of gateway.remember). Returns the data as JSON
-- text. Errors: the 404 of what the caller cannot see any more; UPLOAD_CONFLICT (an expired upload).
create function app.replay_answer(p_operation text, p_args jsonb, p_ids uuid[], p_tokens text[]) returns text
language plpgsql stable set search_path = '' as $$
declare
  v_id uuid := p_ids[1];
  v_user_id uuid := (p_args ->> 'userId')::uuid;
  v_post_id uuid := (p_args ->> 'postId')::uuid;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_answer jsonb;
begin
  -- Cards are json, which is not built again.
  if p_operation in ('create_post', 'create_repost') then
    return app.post_detail(v_id)::text;
  end if;
  case p_operation
    when 'follow_user' then
      v_answer := jsonb_build_object('following', app.viewer_relation(app.require_person(v_user_id)) -> 'follows');
    when 'block_user' then
      v_answer := jsonb_build_object('blocked', app.viewer_relation(app.require_person(v_user_id)) -> 'blocking');
    when 'presign_upload' then
      v_answer := app.open_upload_json(v_id);
    when 'complete_upload' then
      v_answer := app.found(app.completed_asset_json(v_id), 'ASSET_NOT_FOUND');
    when 'share_to_feed' then
      v_answer := app.found(app.feed_share_json(v_post_id), 'POST_NOT_FOUND');
    when 'share_to_hubs' then
      v_answer := app.hub_shares_json(
        (app.require_post(v_post_id)).id, app.ids_argument(p_args, 'hubIds', 1, 20), p_ids
      );
    when 'save_post' then
      v_answer := app.save_state(app.require_post(v_post_id));
    when 'create_comment' then
      v_answer := app.found(app.comment_json(v_id), 'COMMENT_NOT_FOUND');
    when 'report_user', 'report_post', 'report_comment', 'report_message', 'report_hub' then
      v_answer := app.found(app.own_report_json(v_id), 'REPORT_NOT_FOUND');
    when 'appeal_decision' then
      v_answer := app.found(app.decision_json(v_id), 'DECISION_NOT_FOUND');
    when 'create_hub' then
      v_answer := app.hub_json(v_id);
    when 'create_invitations' then
      v_answer := app.found(app.new_invitations_json(v_hub_id, p_ids, p_tokens), 'INVITATION_NOT_FOUND');
    when 'accept_invitation' then
      v_answer := app.acceptance_json(app.require_hub(v_id));
    when 'create_invite_link' then
      v_answer := app.found(app.new_invite_link_json(v_id, p_tokens[1]), 'INVITE_LINK_NOT_FOUND');
    when 'request_to_join' then
      v_answer := app.found(app.join_request_json(v_id), 'JOIN_REQUEST_NOT_FOUND');
    when 'approve_join_request' then
      v_answer := app.found(app.join_request_json(v_id), 'JOIN_REQUEST_NOT_FOUND') - 'hubId';
    when 'create_message' then
      v_answer := app.found(app.new_message_json(v_id), 'MESSAGE_NOT_FOUND');
    when 'save_discussion' then
      v_answer := app.found(app.discussion_save_state((p_args ->> 'discussionId')::uuid), 'DISCUSSION_NOT_FOUND');
  end case;
  return v_answer::text;
end
$$;
comment on function app.replay_answer is 'Reads anew what a repeated request created (docs/product.md W17, W18).';
grant execute on function app.replay_answer to authenticated;

-- schemas/99_platform/01_platform.sql

-- Run it again after a missing service has created its tables.
--
-- Errors: 55P03 if a table stays locked for three seconds.
create function app.create_platform_policies() returns void
language plpgsql set search_path = '' set lock_timeout = '3s' as $$
begin
  -- Restrictive, because another policy of the project could open these buckets. The service bypasses
  -- policies; clients use signed URLs.
  if to_regclass('storage.objects') is not null
  and not exists (
    select from pg_policy where polrelid = to_regclass('storage.objects') and polname = 'opine_buckets_are_closed'
  ) then
    create policy opine_buckets_are_closed on storage.objects as restrictive for all to anon, authenticated
    using (bucket_id not in ('uploads', 'photos', 'media'))
    with check (bucket_id not in ('uploads', 'photos', 'media'));
  end if;
  -- Lets a user join their private channel user:<id>, to which app.deliver_outbox sends. There is no insert
  -- policy: only the service sends.
  if to_regclass('realtime.messages') is not null
  and not exists (
    select from pg_policy
    where polrelid = to_regclass('realtime.messages') and polname = 'opine_users_receive_own_signals'
  ) then
    create policy opine_users_receive_own_signals on realtime.messages for select to authenticated
    using (extension = 'broadcast' and (select app.may_subscribe((select realtime.topic()))));
  end if;
end
$$;
comment on function app.create_platform_policies is
  'Creates our policies on tables of Supabase Storage and Realtime, if the tables exist and the policies do not.';

-- schemas/99_platform/02_privileges.sql

-- Postgres lets every role execute a new function. The grants stand beside each function.
revoke execute on all routines in schema app, api, gateway, staff from public;

-- A read names its operation in the login's own statement, in which gateway.begin_read sets the caller's role.
grant execute on all functions in schema api to opine_gateway;

-- schemas/99_platform/03_platform_policies.sql

-- Last in the migration: until it commits, each policy locks a table that other apps of the project use.
do $$
begin
  perform app.create_platform_policies();
end
$$;
