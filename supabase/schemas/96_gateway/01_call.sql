create function gateway.enter(p_claims jsonb, p_falls_back boolean, p_request_id text default null)
returns text
language plpgsql
set search_path = ''
as $$
declare
  v_claims jsonb := p_claims;
begin
  perform gateway.show_request(p_request_id);
  if v_claims is not null and not gateway.session_is_live(v_claims) then
    if not p_falls_back then
      raise exception using errcode = 'PT401', message = 'UNAUTHORIZED';
    end if;
    v_claims := null;
  end if;
  perform
    set_config('request.jwt.claims', coalesce(v_claims, '{"role":"anon"}')::text, true),
    set_config('opine.live_session', v_claims ->> 'session_id', true);
  return case when v_claims is null then 'anon' else 'authenticated' end;
end
$$;
comment on function gateway.enter is 'Sets the caller''s claims for the rest of the transaction. Args: p_claims, verified, null for a guest; p_falls_back, whether a dead session counts as a guest; p_request_id, see gateway.show_request. Returns the role to run the operation as: authenticated or anon. Errors: UNAUTHORIZED for a dead session.';
grant execute on function gateway.enter to opine_gateway, opine_serializable;

create function gateway.show_request(p_request_id text)
returns void
language plpgsql
set search_path = ''
as $$
begin
  -- Postgres would say of a longer one that it cuts it.
  perform set_config('application_name', left('opine-api ' || p_request_id, 63), true);
end
$$;
comment on function gateway.show_request is 'Names the request in pg_stat_activity and in the log of Postgres (%a) for the rest of the transaction; without a name it is that of the connection.';
grant execute on function gateway.show_request to opine_gateway, opine_serializable;

create function gateway.session_is_live(p_claims jsonb)
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return app.session_is_live(p_claims);
end
$$;
comment on function gateway.session_is_live is 'app.session_is_live for the login roles, which reach nothing in app.';
grant execute on function gateway.session_is_live to opine_gateway, opine_serializable;

create function gateway.run_operation(p_role text, p_operation text, p_args jsonb)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  v_answer jsonb;
  v_schema text;
  v_table text;
  v_column text;
  v_constraint text;
begin
  perform set_config('role', p_role, true);
  begin
    execute format('select api.%I($1)', p_operation) into v_answer using p_args;
  exception when integrity_constraint_violation then
    -- The detail quotes a key or a whole row, and Postgres logs it. An error that is caught is not logged.
    get stacked diagnostics
      v_schema = schema_name, v_table = table_name, v_column = column_name, v_constraint = constraint_name;
    raise exception using
      errcode = sqlstate, message = sqlerrm,
      schema = v_schema, table = v_table, column = v_column, constraint = v_constraint;
  end;
  return v_answer;
end
$$;
comment on function gateway.run_operation is 'Runs an operation; the transaction stays in p_role. Args: p_role, the role to run as; p_operation, the name of a function in schema api; p_args, its argument. Returns the operation''s data. Errors: those of the operation; a constraint violation without its detail, which quotes rows.';
grant execute on function gateway.run_operation to opine_gateway, opine_serializable;

create function gateway.invoke(
  p_operation text, p_claims jsonb, p_args jsonb, p_falls_back boolean default false, p_photos_url text default null,
  p_request_id text default null
)
returns text
language plpgsql
set search_path = ''
as $$
begin
  perform set_config('opine.photos_url', p_photos_url, true);
  return gateway.run_operation(gateway.enter(p_claims, p_falls_back, p_request_id), p_operation, p_args)::text;
end
$$;
comment on function gateway.invoke is 'One request: api.<p_operation>(p_args) as the caller of p_claims (see gateway.enter), with photos at p_photos_url (see app.photo_url). Answers its data as JSON text. Raises what the operation raises.';
grant execute on function gateway.invoke to opine_gateway, opine_serializable;

create function gateway.invoke_as_service(
  p_operation text, p_claims jsonb, p_args jsonb, p_falls_back boolean default false, p_request_id text default null
)
returns text
language plpgsql
set search_path = ''
as $$
begin
  perform gateway.enter(p_claims, p_falls_back, p_request_id);
  return gateway.run_operation('opine_service', p_operation, p_args)::text;
end
$$;
comment on function gateway.invoke_as_service is 'One request whose arguments the service vouches for: api.<p_operation>(p_args) as opine_service, the only role that may run it, with the claims of the caller (see gateway.enter). Raises what the operation raises.';
grant execute on function gateway.invoke_as_service to opine_gateway;

create function gateway.invoke_as_guest(
  p_operation text, p_args jsonb, p_photos_url text, p_most_stale interval, p_request_id text default null
)
returns text
language plpgsql
set search_path = ''
as $$
begin
  if gateway.staleness() > p_most_stale then
    raise exception using errcode = 'PT503', message = 'SERVICE_UNAVAILABLE';
  end if;
  return gateway.invoke(p_operation, null, p_args, p_photos_url => p_photos_url, p_request_id => p_request_id);
end
$$;
comment on function gateway.invoke_as_guest is 'One request as a replica serves it: gateway.invoke for a guest, who has no rights that could have ended meanwhile. Raises SERVICE_UNAVAILABLE where gateway.staleness is more than p_most_stale, and what the operation raises.';
grant execute on function gateway.invoke_as_guest to opine_gateway;

create function gateway.invoke_as_staff(
  p_operation text, p_token_hash text, p_policy jsonb, p_args jsonb, p_request_id text default null
)
returns text
language plpgsql
set search_path = ''
as $$
declare
  v_member record := gateway.staff_member(p_token_hash, p_policy);
begin
  perform gateway.show_request(p_request_id);
  if v_member.role is null then
    raise exception using errcode = 'PT401', message = 'UNAUTHORIZED';
  end if;
  perform set_config('request.jwt.claims', jsonb_build_object('role', v_member.role, 'email', v_member.email)::text, true);
  -- The login itself looks up no names in schema api.
  perform set_config('role', v_member.role, true);
  if not has_function_privilege(format('api.%I(jsonb)', p_operation), 'execute') then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  perform set_config('role', 'none', true);
  return gateway.run_operation(v_member.role, p_operation, p_args || jsonb_build_object('staffTokenHash', p_token_hash))::text;
end
$$;
comment on function gateway.invoke_as_staff is 'One request of staff: api.<p_operation>(p_args and staffTokenHash) as the caller''s role of staff, with the e-mail in the claims. Raises UNAUTHORIZED without a live staff session, FORBIDDEN where the role may not, and what the operation raises.';
grant execute on function gateway.invoke_as_staff to opine_gateway;

create function gateway.staff_member(p_token_hash text, p_policy jsonb, out email text, out role text)
returns record
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  select s.email, 'staff_' || staff.role_of(s.email, p_policy)
  into staff_member.email, staff_member.role
  from staff.sessions as s
  where s.token_hash = decode(p_token_hash, 'hex') and s.expires_at > app.now();
end
$$;
comment on function gateway.staff_member is 'Whose staff session has this token (SHA-256, hex), and as which role of Postgres they act (staff.role_of by p_policy): null where it has ended, or its owner is off the allow-list.';
grant execute on function gateway.staff_member to opine_gateway;

create procedure gateway.invoke_then_read(p_operation text, p_claims jsonb, p_args jsonb, inout answer text, p_request_id text default null)
language plpgsql
as $$
declare
  v_result jsonb;
begin
  if pg_catalog.current_setting('transaction_isolation') <> 'serializable' then
    raise exception 'gateway.invoke_then_read needs a serializable transaction.';
  end if;
  v_result := gateway.invoke(p_operation, p_claims, p_args, p_request_id => p_request_id)::pg_catalog.jsonb;
  commit;
  set transaction isolation level read committed;
  -- What is committed cannot be tried again, so it waits for locks as long as the statement may run.
  set local lock_timeout = 0;
  answer := gateway.invoke(p_operation || '_answer', p_claims, p_args || v_result, p_request_id => p_request_id);
end
$$;
comment on procedure gateway.invoke_then_read is 'One request that writes under SERIALIZABLE and answers from a second transaction: api.<p_operation>, commit, then api.<p_operation>_answer with the arguments and the result of the first. In the first transaction that read would conflict with every concurrent writer. It has no SET clause, because a procedure with one cannot commit.';
grant execute on procedure gateway.invoke_then_read to opine_serializable;
