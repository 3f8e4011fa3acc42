create function app.own_profile()
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (
    select app.public_profile(u.id) || jsonb_build_object(
      'fullName', p.full_name,
      'phoneNumber', u.phone,
      'level', app.require_level(1),
      'createdAt', app.iso(u.created_at),
      'editable', jsonb_build_object(
        'fullName', p.full_name, 'username', p.username, 'bio', p.bio, 'profileAssetId', p.photo_asset_id
      )
    )
    from app.users as u
    left join app.profiles as p on p.user_id = u.id
    where u.id = (select app.user_id())
  );
end
$$;
comment on function app.own_profile() is 'The caller''s own profile (contract.md 6): the public one and what only its owner sees. Errors: UNAUTHORIZED if the account has ended, even after the operation began.';

revoke all on function app.own_profile() from public;
grant execute on function app.own_profile() to authenticated;
