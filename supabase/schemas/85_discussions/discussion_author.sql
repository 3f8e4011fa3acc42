create function app.discussion_author(p_hub_id uuid, p_user_id uuid)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_person app.hub_person := (select person from app.hub_people(p_hub_id, array[p_user_id]) as person);
begin
  return jsonb_build_object(
    'userId', coalesce(v_person.user_id::text, ''),
    'displayName', coalesce(v_person.display_name, ''),
    'profilePhotoUrl', app.photo_url(v_person.photo_asset_id),
    'phoneNumber', v_person.phone_number,
    'publicUsername', case when not v_person.is_member then v_person.username end,
    'isAnonymous', v_person.user_id is null,
    'isFormerMember', not coalesce(v_person.is_member, false)
  );
end
$$;
comment on function app.discussion_author(uuid, uuid) is 'HubDiscussionAuthor (spec.md "User and profile") of a Hub of the caller''s: an active member with their phone, a former one with their username, an ended account with neither.';

revoke all on function app.discussion_author(uuid, uuid) from public;
grant execute on function app.discussion_author(uuid, uuid) to authenticated;
