create function api.log_out(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(1);
  perform app.require_arguments(p_args, 'logoutFromAllDevices');
  if not app.log_out(
    decode(p_args ->> 'refreshTokenHash', 'hex'),
    app.session_id(),
    app.argument(p_args, 'logoutFromAllDevices', 'boolean')::boolean,
    decode(p_args ->> 'deviceTokenHash', 'hex')
  ) then
    raise exception using errcode = 'PT401', message = 'UNAUTHORIZED';
  end if;
  return '{}'::jsonb;
end
$$;
comment on function api.log_out(jsonb) is 'POST /auth/logout (spec.md A). Takes refreshTokenHash, logoutFromAllDevices and deviceTokenHash (of a device token to remove, or null); answers {}. Raises UNAUTHORIZED where the refresh token is not the caller''s.';

revoke all on function api.log_out(jsonb) from public;
grant execute on function api.log_out(jsonb) to authenticated;
