create function api.get_onboarding_status(jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  perform app.require_level(1);
  return app.onboarding_status();
end
$$;
comment on function api.get_onboarding_status(jsonb) is 'GET /users/me/onboarding/status (spec.md B). Takes nothing; answers an OnboardingStatus. Raises UNAUTHORIZED.';

revoke all on function api.get_onboarding_status(jsonb) from public;
grant execute on function api.get_onboarding_status(jsonb) to authenticated;
