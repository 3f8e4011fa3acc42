create function app.found_person(p_profile app.profiles)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_person jsonb := jsonb_build_object(
    'id', p_profile.user_id,
    'name', p_profile.full_name,
    'username', p_profile.username,
    'profilePhotoUrl', app.photo_url(p_profile.photo_asset_id),
    'bio', p_profile.bio
  );
begin
  if app.user_id() is not null then
    v_person := v_person || jsonb_build_object('viewerFollows', app.viewer_follows(p_profile.user_id));
  end if;
  return v_person;
end
$$;
comment on function app.found_person(app.profiles) is 'A person in the results of a search (spec.md "User and profile").';

revoke all on function app.found_person(app.profiles) from public;
grant execute on function app.found_person(app.profiles) to anon, authenticated;
