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
-- person: it acts as they do. A login of somebody else stays theirs until they are dismissed. Errors:
-- FORBIDDEN for an admin who would be none any more, REASON_MISSING.
create function staff.admit(p_email text, p_role staff.role, p_reason text, p_login text default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_email text := lower(btrim(p_email));
begin
  if p_role <> 'admin' then
    perform staff.refuse_oneself(v_email);
  end if;
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

create function staff.refuse_oneself(p_email text) returns void
language plpgsql stable set search_path = '' as $$
begin
  if p_email = staff.actor() then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
end
$$;
comment on function staff.refuse_oneself is
  'Raises FORBIDDEN for the e-mail of the caller: nobody ends their own rights by mistake (docs/product.md S16).';

-- An e-mail of the configuration may sign in again.
--
-- Errors: FORBIDDEN for oneself, USER_NOT_FOUND (neither on the list nor with a session), REASON_MISSING.
create function staff.dismiss(p_email text, p_reason text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_email text := lower(btrim(p_email));
  v_was_listed boolean;
begin
  perform staff.refuse_oneself(v_email);
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
