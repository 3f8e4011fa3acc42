create function api.start_anonymous_session(jsonb)
returns jsonb
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_anonymous record := app.anonymous_user(decode(p_args ->> 'deviceHash', 'hex'));
begin
  if v_anonymous.is_new then
    perform app.require_meter(
      'new devices', p_args ->> 'addressHash', (p_args ->> 'devicesPerAddress')::integer, interval '1 hour'
    );
  end if;
  return app.open_session(v_anonymous.user_id, p_args);
end
$$;
comment on function api.start_anonymous_session(jsonb) is 'POST /auth/anonymous/session (spec.md A). Takes deviceHash (keyed, hex), addressHash (null where addresses do not count), devicesPerAddress (new ones an hour), refreshTokenHash and deviceKind; answers app.session_grant for the install''s user, a new one where there is none. Raises RATE_LIMITED, ACCOUNT_SUSPENDED.';

revoke all on function api.start_anonymous_session(jsonb) from public;
grant execute on function api.start_anonymous_session(jsonb) to opine_service;
