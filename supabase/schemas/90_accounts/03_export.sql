-- Exports all that is kept about the caller, by sections, newest first.
--
-- Args: none. Returns the sections, exportedAt, and incomplete: the names of the sections that exceed 8 MiB,
-- or the rest of 32 MiB.
create function api.export_own_data(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_room integer := 32 * 1024 * 1024;
  v_data jsonb;
  v_incomplete text[] := '{}'::text[];
  v_name text;
  v_function text;
  v_section record;
begin
  perform app.require_level(1);
  perform app.limit_exports();
  v_data := app.export_account();
  if v_data is null then
    -- The account has ended since.
    raise exception using errcode = 'PT401', message = 'UNAUTHORIZED';
  end if;
  -- Short sections come first, because a long one could leave them no room.
  for v_name, v_function in values
    ('sessions', 'sessions_json'),
    ('deviceTokens', 'export_device_tokens'),
    ('hubMemberships', 'export_memberships'),
    ('mutedHubs', 'export_muted_hubs'),
    ('joinRequests', 'export_join_requests'),
    ('receivedInvitations', 'export_invitations'),
    ('sentInvitations', 'export_sent_invitations'),
    ('reports', 'export_reports'),
    ('moderationDecisions', 'export_moderation_decisions'),
    ('blocks', 'export_blocks'),
    ('savedDiscussions', 'export_saved_discussions'),
    ('discussionReads', 'export_discussion_reads'),
    ('savedPosts', 'export_saved_posts'),
    ('feedShares', 'export_feed_shares'),
    ('hubPlacements', 'export_placements'),
    ('uploads', 'export_uploads'),
    ('contacts', 'export_contacts'),
    ('following', 'export_following'),
    ('votes', 'export_votes'),
    ('posts', 'export_posts'),
    ('reposts', 'export_reposts'),
    ('comments', 'export_comments'),
    ('messages', 'export_messages'),
    ('followers', 'export_followers'),
    ('notifications', 'export_notifications')
  loop
    v_section := app.export_section(v_function, least(v_room, 8 * 1024 * 1024));
    v_room := v_room - v_section.size;
    v_data := v_data || jsonb_build_object(v_name, v_section.items);
    if not v_section.is_whole then
      v_incomplete := v_incomplete || v_name;
    end if;
  end loop;
  return v_data || jsonb_build_object('exportedAt', app.iso(app.now()), 'incomplete', v_incomplete);
end
$$;
comment on function api.export_own_data is
  'GET /users/me/export (docs/product.md X1-X4, W26; docs/decisions/015-own-data.md).';
grant execute on function api.export_own_data to authenticated;

-- Returns the items, their size, and whether these are all.
create function app.export_section(
  p_function text, p_room integer, out items jsonb, out size integer, out is_whole boolean
)
returns record
language plpgsql stable set search_path = '' as $$
declare
  v_items jsonb[] := '{}'::jsonb[];
  v_item jsonb;
begin
  size := 0;
  is_whole := true;
  -- Each item is built when the loop fetches it, so items without room cost nothing. The limit in these
  -- functions exceeds what fits; with it Postgres sorts the rows before it builds the items.
  for v_item in execute format('select app.%I()', p_function) loop
    if size + octet_length(v_item::text) > p_room then
      is_whole := false;
      exit;
    end if;
    size := size + octet_length(v_item::text);
    v_items := array_append(v_items, v_item);
  end loop;
  items := to_jsonb(v_items);
end
$$;
comment on function app.export_section is 'Runs app.<p_function>() until its items fill p_room bytes.';
grant execute on function app.export_section to authenticated;

-- Errors: RATE_LIMITED beyond 3 a day, because each export reads all data of a user.
create function app.limit_exports() returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform app.require_rate_limit('exports', app.user_id()::text, 3, interval '1 day');
end
$$;
comment on function app.limit_exports is 'Counts an export of the caller''s.';
grant execute on function app.limit_exports to authenticated;

-- A section without data is null.
create function app.export_account() returns jsonb
language sql stable set search_path = ''
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
    'notificationPreferences', (
      select app.preferences_json() from app.notification_preferences as p where p.user_id = u.id
    ),
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
comment on function app.export_account is
  'Returns the sections of the export about the caller as a person: account, onboarding, notificationPreferences, '
  'profile, hubProfile and contactSnapshot.';
grant execute on function app.export_account to authenticated;
