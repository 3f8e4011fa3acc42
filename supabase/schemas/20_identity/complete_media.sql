create function api.complete_media(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_status jsonb;
begin
  perform app.require_level(2);
  if p_args ->> 'profileAssetId' is not null then
    update app.profiles as p
    set photo_asset_id = app.photo_or(p.photo_asset_id, p_args)
    where p.user_id = app.user_id();
  end if;
  update app.users as u
  set media_completed_at = coalesce(u.media_completed_at, app.now())
  where u.id = app.user_id();
  v_status := app.onboarding_status();
  return jsonb_build_object('nextStep', v_status -> 'nextStep', 'status', v_status, 'profile', app.own_profile());
end
$$;
comment on function api.complete_media(jsonb) is 'PUT /users/me/onboarding/media (spec.md B). Takes profileAssetId, a photo for the profile, or null; answers nextStep, status and the own profile. Raises UNAUTHORIZED, FORBIDDEN below level 2, VALIDATION_FAILED for an asset that is no profile photo of the caller''s.';

revoke all on function api.complete_media(jsonb) from public;
grant execute on function api.complete_media(jsonb) to authenticated;
