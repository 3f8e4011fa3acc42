create function app.open_session(p_user_id uuid, p_refresh_token_hash bytea)
returns jsonb
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_session_id uuid;
begin
  insert into app.sessions (user_id) values (p_user_id) returning id into v_session_id;
  perform app.add_refresh_token(v_session_id, p_refresh_token_hash);
  return app.session_grant(v_session_id, p_user_id);
end
$$;
comment on function app.open_session(uuid, bytea) is 'Begins a session of a user with its first refresh token (by SHA-256); answers app.session_grant.';

revoke all on function app.open_session(uuid, bytea) from public;
