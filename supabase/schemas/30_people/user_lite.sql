create function app.user_lite(p_profile app.profiles)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return jsonb_build_object(
    'id', coalesce(p_profile.user_id::text, ''),
    'username', coalesce(p_profile.username, ''),
    'name', coalesce(p_profile.full_name, ''),
    'profilePhotoUrl', app.photo_url(p_profile.photo_asset_id),
    'isAnonymous', p_profile.user_id is null
  );
end
$$;
comment on function app.user_lite(app.profiles) is 'UserLite (contract.md 6): a person on a card or in a list. A null row, as of an ended account, gives empty strings.';

revoke all on function app.user_lite(app.profiles) from public;
grant execute on function app.user_lite(app.profiles) to anon, authenticated;
