create function api.register_device_token(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(2);
  perform app.require_arguments(p_args, 'tokenHash', 'platform', 'sealedToken');
  perform app.keep_device_token(
    decode(p_args ->> 'tokenHash', 'hex'),
    app.choice_argument(p_args, 'platform', variadic enum_range(null::app.device_platform)::text[])::app.device_platform,
    decode(p_args ->> 'sealedToken', 'base64')
  );
  return '{"registered": true}'::jsonb;
end
$$;
comment on function api.register_device_token(jsonb) is 'POST /notifications/device-tokens (spec.md H). Takes tokenHash (SHA-256, hex), sealedToken (base64) and platform; answers registered. Idempotent. Raises UNAUTHORIZED, FORBIDDEN below level 2.';

revoke all on function api.register_device_token(jsonb) from public;
grant execute on function api.register_device_token(jsonb) to authenticated;
