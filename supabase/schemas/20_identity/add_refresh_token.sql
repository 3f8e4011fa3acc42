create function app.add_refresh_token(p_session_id uuid, p_token_hash bytea)
returns void
language sql
volatile
security invoker
set search_path = ''
begin atomic
  insert into app.refresh_tokens (token_hash, session_id, expires_at)
  values (p_token_hash, p_session_id, app.now() + interval '60 days');
end;
comment on function app.add_refresh_token(uuid, bytea) is 'Gives a session its next refresh token, by SHA-256, for 60 days (contract.md 3).';

revoke all on function app.add_refresh_token(uuid, bytea) from public;
