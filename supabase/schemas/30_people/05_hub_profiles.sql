-- Errors: VALIDATION_FAILED for an asset that is no profile photo of the caller.
create function app.photo_or(p_present uuid, p_args jsonb) returns uuid
language plpgsql set search_path = '' as $$
declare
  v_asset_id uuid := (p_args ->> 'profileAssetId')::uuid;
begin
  if not p_args ? 'profileAssetId' then
    return p_present;
  end if;
  if v_asset_id is not null then
    perform app.require_asset(v_asset_id, array['profile_photo']::app.upload_purpose[], '["profileAssetId"]');
  end if;
  return v_asset_id;
end
$$;
comment on function app.photo_or is
  'Returns the photo that profileAssetId chooses: null for null, p_present if the argument is missing.';
grant execute on function app.photo_or to authenticated;

-- Reads the caller's private Hub profile.
--
-- Returns the private Hub profile.
create function api.get_hub_profile(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  perform app.require_level(4);
  return app.hub_profile();
end
$$;
comment on function api.get_hub_profile is 'GET /users/me/hub-profile (docs/product.md P12).';
grant execute on function api.get_hub_profile to authenticated;

-- Its name is the public one until the owner sets another.
create function app.hub_profile() returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object(
      'displayName', coalesce(h.display_name, p.full_name),
      'profilePhotoUrl', app.photo_url(h.photo_asset_id),
      'phoneNumber', u.phone,
      'profileAssetId', h.photo_asset_id
    )
    from app.users as u
    join app.profiles as p on p.user_id = u.id
    left join app.hub_profiles as h on h.user_id = u.id
    where u.id = (select app.user_id())
  );
end
$$;
comment on function app.hub_profile is 'Returns the caller''s private Hub profile (docs/product.md P12).';
grant execute on function app.hub_profile to authenticated;

-- Changes the caller's private Hub profile; the public profile stays as it is.
--
-- Args: displayName, profileAssetId or both; null removes the photo. Returns the private Hub profile.
create function api.update_hub_profile(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
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
comment on function api.update_hub_profile is 'PATCH /users/me/hub-profile (docs/product.md P12).';
grant execute on function api.update_hub_profile to authenticated;
