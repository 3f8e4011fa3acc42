create function app.discussion_author(p_person app.hub_person)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return jsonb_build_object(
    'userId', coalesce(p_person.user_id::text, ''),
    'displayName', coalesce(p_person.display_name, ''),
    'profilePhotoUrl', app.photo_url(p_person.photo_asset_id),
    'phoneNumber', p_person.phone_number,
    'publicUsername', case when p_person.role is null then p_person.username end,
    'isAnonymous', p_person.user_id is null,
    'isFormerMember', p_person.role is null
  );
end
$$;
comment on function app.discussion_author(app.hub_person) is 'HubDiscussionAuthor (spec.md "User and profile"): an active member with their phone, a former one with their username, nobody, as of an ended account, with neither.';

revoke all on function app.discussion_author(app.hub_person) from public;
grant execute on function app.discussion_author(app.hub_person) to authenticated;
