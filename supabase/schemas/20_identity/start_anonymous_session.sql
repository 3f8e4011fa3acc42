create function api.start_anonymous_session(p_args jsonb)
returns jsonb
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  return app.open_session((app.anonymous_user(decode(p_args ->> 'deviceHash', 'hex'))).user_id, p_args);
end
$$;
comment on function api.start_anonymous_session(jsonb) is 'POST /auth/anonymous/session (spec.md A). Takes deviceHash (keyed, hex), refreshTokenHash and deviceKind; answers app.session_grant for the install''s user, a new one where there is none.';

revoke all on function api.start_anonymous_session(jsonb) from public;
grant execute on function api.start_anonymous_session(jsonb) to opine_identity;
