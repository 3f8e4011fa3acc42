create function app.hub_member(p_member app.hub_person)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return jsonb_build_object(
    'userId', p_member.user_id,
    'displayName', p_member.display_name,
    'profilePhotoUrl', app.photo_url(p_member.photo_asset_id),
    'username', p_member.username,
    'phoneNumber', p_member.phone_number,
    'role', p_member.role,
    'joinedAt', app.iso(p_member.joined_at)
  );
end
$$;
comment on function app.hub_member(app.hub_person) is 'A member in the lists of a Hub (contract.md 8).';

revoke all on function app.hub_member(app.hub_person) from public;
grant execute on function app.hub_member(app.hub_person) to authenticated;
