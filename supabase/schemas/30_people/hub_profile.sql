create function app.hub_profile()
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
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
comment on function app.hub_profile() is 'The caller''s private Hub identity (contract.md 6); its name is the public one until they choose another.';

revoke all on function app.hub_profile() from public;
grant execute on function app.hub_profile() to authenticated;
