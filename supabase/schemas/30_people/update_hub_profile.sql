create function api.update_hub_profile(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(4);
  perform app.require_any_argument(p_args, 'displayName', 'profileAssetId');
  insert into app.hub_profiles as h (user_id, display_name, photo_asset_id)
  values (app.user_id(), app.name_argument(p_args, 'displayName'), app.photo_or(null, p_args))
  on conflict (user_id) do update
    set display_name = coalesce(excluded.display_name, h.display_name),
      photo_asset_id = case when p_args ? 'profileAssetId' then excluded.photo_asset_id else h.photo_asset_id end;
  return app.hub_profile();
end
$$;
comment on function api.update_hub_profile(jsonb) is 'PATCH /users/me/hub-profile (spec.md D). Takes displayName, profileAssetId or both; null removes the photo. Answers the private Hub identity; the public profile stays as it is. Raises UNAUTHORIZED, FORBIDDEN below level 4, VALIDATION_FAILED for an asset that is no profile photo of the caller''s.';

revoke all on function api.update_hub_profile(jsonb) from public;
grant execute on function api.update_hub_profile(jsonb) to authenticated;
