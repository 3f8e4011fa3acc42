create function api.save_profile_basics(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_user_id uuid := app.user_id();
  v_status jsonb;
begin
  perform app.require_level(1);
  if p_args -> 'termsAccepted' is distinct from 'true' then
    perform app.refuse_argument('{termsAccepted}', 'required', 'The terms must be accepted.');
  end if;
  if app.text_argument(p_args, 'termsVersion') <> p_args ->> 'currentTermsVersion' then
    perform app.refuse_argument(
      '{termsVersion}', 'not_current', format('The terms are at version %s.', p_args ->> 'currentTermsVersion')
    );
  end if;
  insert into app.profiles as p (user_id, username, full_name)
  values (v_user_id, app.text_argument(p_args, 'username'), app.name_argument(p_args, 'fullName'))
  on conflict (user_id) do update set username = excluded.username, full_name = excluded.full_name;
  update app.users as u
  set terms_version = coalesce(p_args ->> 'currentTermsVersion', p_args ->> 'termsVersion'), terms_accepted_at = app.now()
  where u.id = v_user_id;
  v_status := app.onboarding_status();
  return jsonb_build_object('nextStep', v_status -> 'nextStep', 'status', v_status);
end
$$;
comment on function api.save_profile_basics(jsonb) is 'PUT /users/me/onboarding/profile-basics (spec.md B). Takes fullName, username, termsAccepted, termsVersion (the one that the caller read) and, from the service, currentTermsVersion; answers nextStep and status. Raises UNAUTHORIZED, VALIDATION_FAILED without consent to the terms or with consent to another version of them, and HANDLE_TAKEN by profiles_username_key.';

revoke all on function api.save_profile_basics(jsonb) from public;
grant execute on function api.save_profile_basics(jsonb) to authenticated;
