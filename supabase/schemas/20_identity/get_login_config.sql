create function api.get_login_config(jsonb)
returns jsonb
language sql
stable
security invoker
set search_path = ''
begin atomic
  select $1 || jsonb_build_object(
    'otp', jsonb_build_object(
      'length', o.code_length,
      'resendAfterSeconds', extract(epoch from o.resend_after)::integer,
      'expiresInSeconds', extract(epoch from o.expires_after)::integer
    )
  )
  from app.otp_policy() as o;
end;
comment on function api.get_login_config(jsonb) is 'GET /auth/login-config (spec.md A). Takes appLogoUrl, methods and legal, which the service''s configuration knows; adds the settings of one-time codes.';

revoke all on function api.get_login_config(jsonb) from public;
grant execute on function api.get_login_config(jsonb) to anon;
