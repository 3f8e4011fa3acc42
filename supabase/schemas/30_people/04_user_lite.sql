-- The service sets the URL of its storage for each request; callers of the Data API get the path alone.
create function app.photo_url(p_asset_id uuid) returns text language sql stable
return coalesce(
  nullif(current_setting('opine.photos_url', true), ''), '/storage/v1/object/public/photos/'
) || p_asset_id;
comment on function app.photo_url is 'Returns the public URL of a photo; null for null.';
grant execute on function app.photo_url to anon, authenticated;

-- A null row, as for an ended account, gives empty strings.
create function app.user_lite(p_profile app.profiles) returns jsonb
language sql stable
return jsonb_build_object(
  'id', coalesce(p_profile.user_id::text, ''),
  'username', coalesce(p_profile.username, ''),
  'name', coalesce(p_profile.full_name, ''),
  'profilePhotoUrl', app.photo_url(p_profile.photo_asset_id),
  'isAnonymous', p_profile.user_id is null
);
comment on function app.user_lite is 'Returns a UserLite (docs/product.md P5), a person on a card or in a list.';
grant execute on function app.user_lite to anon, authenticated;
