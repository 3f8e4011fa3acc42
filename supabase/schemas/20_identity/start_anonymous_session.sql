create function api.start_anonymous_session(p_args jsonb)
returns jsonb
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_user_id uuid;
begin
  insert into app.users as u (device_hash) values (decode(p_args ->> 'deviceHash', 'hex'))
  on conflict (device_hash) do update set device_hash = excluded.device_hash
  returning u.id into v_user_id;
  return app.open_session(v_user_id, decode(p_args ->> 'refreshTokenHash', 'hex'));
end
$$;
comment on function api.start_anonymous_session(jsonb) is 'POST /auth/anonymous/session (spec.md A). Takes deviceHash (keyed, hex) and refreshTokenHash; answers app.session_grant for the install''s user, a new one where there is none. Two first launches at once meet on the unique hash and get one user.';

revoke all on function api.start_anonymous_session(jsonb) from public;
grant execute on function api.start_anonymous_session(jsonb) to opine_identity;
