create function api.get_staff_session(jsonb)
returns jsonb
language sql
stable
security definer
set search_path = ''
begin atomic
  select jsonb_build_object(
    'email', s.email,
    'expiresAt', app.iso(s.expires_at),
    'role', substr(nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role', length('staff_') + 1)
  )
  from staff.sessions as s
  where s.token_hash = decode($1 ->> 'staffTokenHash', 'hex');
end;
comment on function api.get_staff_session(jsonb) is 'GET /admin/auth/session. Takes staffTokenHash, of the session that the gateway has found live; answers its email, expiresAt and role, as the claims have it. Raises UNAUTHORIZED in the gateway.';

revoke all on function api.get_staff_session(jsonb) from public;
grant execute on function api.get_staff_session(jsonb) to opine_staff;
