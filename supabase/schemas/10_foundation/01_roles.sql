-- A project may grant other roles default privileges on everything its owner creates, which would include
-- votes.
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
