create function app.open_session(p_user_id uuid, p_args jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_session_id uuid;
begin
  insert into app.sessions (user_id, device_kind)
  values (p_user_id, p_args ->> 'deviceKind')
  returning id into v_session_id;
  -- Asked behind the session, which waits for whoever suspends its user at the same time.
  if exists (select from app.suspensions as s where s.user_id = p_user_id) then
    raise exception using errcode = 'PT403', message = 'ACCOUNT_SUSPENDED';
  end if;
  perform app.add_refresh_token(v_session_id, decode(p_args ->> 'refreshTokenHash', 'hex'));
  return app.session_grant(v_session_id, p_user_id);
end
$$;
comment on function app.open_session(uuid, jsonb) is 'Begins a session of a user. Takes of a sign-in''s arguments refreshTokenHash (SHA-256, hex) and deviceKind; answers app.session_grant. Raises ACCOUNT_SUSPENDED.';

revoke all on function app.open_session(uuid, jsonb) from public;
