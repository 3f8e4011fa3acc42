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
  v_data := app.export_person();
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

-- A section without data is null. Errors: UNAUTHORIZED if the account has ended since.
create function app.export_person() returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return jsonb_build_object(
    'onboarding', app.onboarding_status(),
    'account', app.export_account() || jsonb_build_object('isDefaultFeedUser', app.is_default_feed_user()),
    'notificationPreferences', app.export_preferences(),
    'profile', app.export_profile(),
    'hubProfile', app.export_hub_profile(),
    'contactSnapshot', app.export_contact_snapshot()
  );
end
$$;
comment on function app.export_person is 'Returns the sections of the export about the caller as a person.';
grant execute on function app.export_person to authenticated;

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
