create function api.export_own_data(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
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
  v_data := app.own_account();
  -- What is short comes first, so that what is long leaves room for it.
  for v_name, v_function in values
    ('sessions', 'own_sessions'),
    ('deviceTokens', 'own_device_tokens'),
    ('hubMemberships', 'own_memberships'),
    ('mutedHubs', 'own_muted_hubs'),
    ('joinRequests', 'own_join_requests'),
    ('receivedInvitations', 'own_invitations'),
    ('sentInvitations', 'own_sent_invitations'),
    ('reports', 'own_reports'),
    ('blocks', 'own_blocks'),
    ('savedDiscussions', 'own_saved_discussions'),
    ('savedPosts', 'own_saved_posts'),
    ('feedShares', 'own_feed_shares'),
    ('hubPlacements', 'own_placements'),
    ('uploads', 'own_uploads'),
    ('contacts', 'own_contacts'),
    ('following', 'own_following'),
    ('votes', 'own_votes'),
    ('posts', 'own_posts'),
    ('reposts', 'own_reposts'),
    ('comments', 'own_comments'),
    ('messages', 'own_messages'),
    ('followers', 'own_followers'),
    ('notifications', 'own_notifications')
  loop
    v_section := app.own_section(v_function, least(v_room, 8 * 1024 * 1024));
    v_room := v_room - v_section.size;
    v_data := v_data || jsonb_build_object(v_name, v_section.items);
    if not v_section.is_whole then
      v_incomplete := v_incomplete || v_name;
    end if;
  end loop;
  return v_data || jsonb_build_object('exportedAt', app.iso(app.now()), 'incomplete', v_incomplete);
end
$$;
comment on function api.export_own_data(jsonb) is 'GET /users/me/export (docs/decisions/015-own-data.md). Takes nothing; answers what is kept about the caller, by sections, the newest first; incomplete names those of which there is more than 8 MiB, or than is left of 32. Raises UNAUTHORIZED, RATE_LIMITED.';

revoke all on function api.export_own_data(jsonb) from public;
grant execute on function api.export_own_data(jsonb) to authenticated;
