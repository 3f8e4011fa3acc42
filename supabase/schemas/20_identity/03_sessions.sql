-- Args: p_args (refreshTokenHash as hex of SHA-256, deviceKind). Returns app.session_grant. Errors:
-- ACCOUNT_SUSPENDED (app.refuse_suspended).
create function app.insert_session(p_user_id uuid, p_args jsonb) returns jsonb
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
comment on function app.insert_session is 'Inserts a session of a user.';

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
