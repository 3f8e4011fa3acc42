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
    v_role := gateway.set_staff_caller(p_operation, p_claims);
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

-- Casts a vote by api.cast_vote in a serializable transaction, commits, and answers from a second
-- transaction.
--
-- A read of results in the first transaction would conflict with every concurrent writer. The procedure has
-- no SET clause, because one with it cannot commit. Args: as gateway.call. Returns the answer, and the last
-- transaction that wrote.
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

-- A definer function: the transaction before has checked the session and the rights of the caller, and
-- decided p_args, so that a second check would only repeat it.
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
-- The rest of the statement runs as the caller, so the login itself may execute all of api. Args: as
-- gateway.call. Returns p_args. Errors: UNAUTHORIZED for a dead session; the caller's role may not execute
-- the operation.
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
-- Args: as gateway.call; p_keeps_level (nothing in the transaction changes the level of the caller, so it is
-- looked up here, once). Returns their role: authenticated or anon. Errors: UNAUTHORIZED for a dead session.
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
create function gateway.set_staff_caller(p_operation text, p_claims jsonb) returns text
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
comment on function gateway.set_staff_caller is 'Sets the claims of a member of staff.';
grant execute on function gateway.set_staff_caller to opine_gateway;

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
  select
    caller.id,
    case when p_with_level then (select l.level from app.user_levels as l where l.user_id = caller.id) end
  into find_caller.user_id, find_caller.level
  from app.user_of_session(p_claims) as caller (id);
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
