create function api.update_own_profile(jsonb)
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
  perform app.require_any_argument(p_args, 'fullName', 'username', 'bio', 'profileAssetId');
  update app.profiles as p
  set full_name = coalesce(app.name_argument(p_args, 'fullName'), p.full_name),
    username = coalesce(app.text_argument(p_args, 'username'), p.username),
    bio = case when p_args ? 'bio' then nullif(app.text_argument(p_args, 'bio'), '') else p.bio end,
    photo_asset_id = app.photo_or(p.photo_asset_id, p_args)
  where p.user_id = app.user_id();
  return app.own_profile();
end
$$;
comment on function api.update_own_profile(jsonb) is 'PATCH /users/me/profile (spec.md D). Takes any of fullName, username, bio, profileAssetId; null clears the bio and removes the photo. Answers the own profile. A photo that nothing else shows goes with the commit. Raises UNAUTHORIZED, FORBIDDEN below level 2, HANDLE_TAKEN, and VALIDATION_FAILED for a reserved username or an asset that is no profile photo of the caller''s.';

revoke all on function api.update_own_profile(jsonb) from public;
grant execute on function api.update_own_profile(jsonb) to authenticated;
