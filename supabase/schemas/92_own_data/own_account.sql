create function app.own_account()
returns jsonb
language sql
stable
security invoker
set search_path = ''
begin atomic
  select jsonb_build_object(
    'account', jsonb_build_object(
      'id', u.id,
      'phoneNumber', u.phone,
      'phoneVerifiedAt', app.iso(u.phone_verified_at),
      'termsVersion', u.terms_version,
      'termsAcceptedAt', app.iso(u.terms_accepted_at),
      'mediaCompletedAt', app.iso(u.media_completed_at),
      'createdAt', app.iso(u.created_at),
      'isDefaultFeedUser', exists (select from app.default_feed_users as d where d.user_id = u.id)
    ),
    'onboarding', app.onboarding_status(),
    'profile', (
      select jsonb_build_object(
        'username', p.username,
        'fullName', p.full_name,
        'bio', p.bio,
        'profileAssetId', p.photo_asset_id,
        'profilePhotoUrl', app.photo_url(p.photo_asset_id),
        'createdAt', app.iso(p.created_at)
      )
      from app.profiles as p
      where p.user_id = u.id
    ),
    'hubProfile', (
      select jsonb_build_object(
        'displayName', h.display_name,
        'profileAssetId', h.photo_asset_id,
        'profilePhotoUrl', app.photo_url(h.photo_asset_id)
      )
      from app.hub_profiles as h
      where h.user_id = u.id
    ),
    'contactSnapshot', (
      select jsonb_build_object(
        'uploadId', s.upload_id,
        'permission', s.permission,
        'contactCount', s.contact_count,
        'createdAt', app.iso(s.created_at),
        'storedAt', app.iso(s.stored_at)
      )
      from app.contact_snapshots as s
      where s.user_id = u.id
    )
  )
  from app.users as u
  where u.id = app.user_id();
end;
comment on function app.own_account() is 'Of the export: who the caller is, to others and in Hubs, and how far they have come. Null where something is not there.';

revoke all on function app.own_account() from public;
grant execute on function app.own_account() to authenticated;
