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
comment on function api.export_own_data is 'GET /users/me/export (docs/product.md X1-X4, W26; docs/decisions/015-own-data.md). Exports all that is kept about the caller, by sections, newest first. Args: none. Returns the sections, exportedAt, and incomplete: the names of the sections that exceed 8 MiB, or the rest of 32 MiB. Errors: UNAUTHORIZED, RATE_LIMITED (more than 3 a day).';
grant execute on function api.export_own_data to authenticated;

create function app.export_section(p_function text, p_room integer, out items jsonb, out size integer, out is_whole boolean)
returns record
language plpgsql stable set search_path = '' as $$
declare
  v_items jsonb[] := '{}'::jsonb[];
  v_item jsonb;
begin
  size := 0;
  is_whole := true;
  -- Each item is built when the loop fetches it, so items without room cost nothing. The limit in these functions exceeds
  -- what fits; with it Postgres sorts the rows before it builds the items.
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
comment on function app.export_section is 'Runs app.<p_function>() until its items fill p_room bytes. Returns the items, their size, and whether these are all.';
grant execute on function app.export_section to authenticated;

create function app.limit_exports() returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform app.require_rate_limit('exports', app.user_id()::text, 3, interval '1 day');
end
$$;
comment on function app.limit_exports is 'Counts an export of the caller''s. Errors: RATE_LIMITED beyond 3 a day, because each export reads all data of a user.';
grant execute on function app.limit_exports to authenticated;

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
    'notificationPreferences', (select app.preferences_json() from app.notification_preferences as p where p.user_id = u.id),
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
comment on function app.export_account is 'Returns the sections of the export about the caller as a person: account, onboarding, notificationPreferences, profile, hubProfile and contactSnapshot. A section without data is null.';
grant execute on function app.export_account to authenticated;

create function app.export_blocks() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('userId', b.blocked_id, 'blockedAt', app.iso(b.created_at))
  from app.blocks as b
  where b.blocker_id = app.user_id()
    and not exists (select from app.users_hidden_from_all as h where h.user_id = b.blocked_id)
  order by b.created_at desc, b.blocked_id desc
  limit 100000;
end;
comment on function app.export_blocks is 'Returns the section blocks of the export: users that the caller blocks, without those hidden from everybody. It never shows who blocks the caller.';
grant execute on function app.export_blocks to authenticated;

create function app.export_comments() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'id', c.id, 'postId', c.post_id, 'parentCommentId', c.parent_id, 'text', c.body, 'assetId', c.asset_id, 'altText', c.alt_text,
    'createdAt', app.iso(c.created_at)
  )
  from app.comments as c
  where c.author_id = app.user_id()
  order by c.created_at desc, c.id desc
  limit 100000;
end;
comment on function app.export_comments is 'Returns the section comments of the export.';
grant execute on function app.export_comments to authenticated;

create function app.export_contacts() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('name', c.name, 'phoneNumbers', to_jsonb(c.phone_numbers), 'hasThumbnail', c.thumbnail is not null)
  from app.contacts as c
  where c.user_id = app.user_id()
  order by c.place
  limit 100000;
end;
comment on function app.export_contacts is 'Returns the section contacts of the export: the contacts that the caller uploaded, in their order.';
grant execute on function app.export_contacts to authenticated;

create function app.export_device_tokens() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('sessionId', t.session_id, 'platform', t.platform, 'refreshedAt', app.iso(t.refreshed_at))
  from app.device_tokens as t
  where t.user_id = app.user_id()
  order by t.refreshed_at desc
  limit 100000;
end;
comment on function app.export_device_tokens is 'Returns the section deviceTokens of the export: the devices with push messages, without the tokens.';
grant execute on function app.export_device_tokens to authenticated;

create function app.export_discussion_reads() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('discussionId', r.discussion_id, 'readUntil', app.iso(r.read_until))
  from app.discussion_reads as r
  where r.user_id = app.user_id()
  order by r.read_until desc, r.discussion_id desc
  limit 100000;
end;
comment on function app.export_discussion_reads is 'Returns the section discussionReads of the export.';
grant execute on function app.export_discussion_reads to authenticated;

create function app.export_feed_shares() returns setof jsonb
language sql stable security definer set search_path = ''
begin atomic
  select jsonb_build_object('shareId', s.id, 'postId', s.post_id, 'sharedAt', app.iso(s.shared_at))
  from app.feed_shares as s
  where s.user_id = app.user_id()
  order by s.shared_at desc, s.post_id desc
  limit 100000;
end;
comment on function app.export_feed_shares is 'Returns the section feedShares of the export. A definer function, because it includes posts that are hidden from the caller now, and no policy shows these.';
grant execute on function app.export_feed_shares to authenticated;

create function app.export_followers() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('userId', f.follower_id, 'followedAt', app.iso(f.created_at))
  from app.follows as f
  where f.followee_id = app.user_id()
    and not exists (select from app.users_hidden_from_all as h where h.user_id = f.follower_id)
  order by f.created_at desc, f.follower_id desc
  limit 100000;
end;
comment on function app.export_followers is 'Returns the section followers of the export, without users hidden from everybody.';
grant execute on function app.export_followers to authenticated;

create function app.export_following() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('userId', f.followee_id, 'publicPostsMuted', f.is_muted, 'followedAt', app.iso(f.created_at))
  from app.follows as f
  where f.follower_id = app.user_id()
    and not exists (select from app.users_hidden_from_all as h where h.user_id = f.followee_id)
  order by f.created_at desc, f.followee_id desc
  limit 100000;
end;
comment on function app.export_following is 'Returns the section following of the export, without users hidden from everybody.';
grant execute on function app.export_following to authenticated;

create function app.export_invitations() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'id', i.invitation_id, 'hubId', i.hub_id, 'state', i.state, 'createdAt', app.iso(i.invited_at)
  )
  from app.my_invitations as i
  order by i.invited_at desc, i.invitation_id desc
  limit 100000;
end;
comment on function app.export_invitations is 'Returns the section receivedInvitations of the export: invitations of the caller''s phone, as their list of Hubs shows them.';
grant execute on function app.export_invitations to authenticated;

create function app.export_join_requests() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'id', j.id, 'hubId', j.hub_id, 'source', j.source, 'state', j.state, 'createdAt', app.iso(j.created_at)
  )
  from app.join_requests as j
  where j.user_id = app.user_id()
  order by j.created_at desc, j.id desc
  limit 100000;
end;
comment on function app.export_join_requests is 'Returns the section joinRequests of the export.';
grant execute on function app.export_join_requests to authenticated;

create function app.export_memberships() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'hubId', m.hub_id, 'hubName', h.name, 'role', m.role,
    'contentMuted', exists (select from app.hub_mutes as mute where mute.hub_id = m.hub_id and mute.user_id = m.user_id),
    'joinedAt', app.iso(m.joined_at), 'lastSeenAt', app.iso(m.seen_at)
  )
  from app.memberships as m
  join app.hubs as h on h.id = m.hub_id
  where m.user_id = app.user_id()
  order by m.joined_at desc, m.hub_id desc
  limit 100000;
end;
comment on function app.export_memberships is 'Returns the section hubMemberships of the export: the Hubs of the caller and their role in each.';
grant execute on function app.export_memberships to authenticated;

create function app.export_messages() returns setof jsonb
language sql stable security definer set search_path = ''
begin atomic
  select jsonb_build_object(
    'id', m.id, 'hubId', m.hub_id, 'text', m.body, 'assetId', m.asset_id, 'altText', m.alt_text, 'createdAt', app.iso(m.created_at)
  )
  from app.messages as m
  where m.author_id = app.user_id()
  order by m.created_at desc, m.id desc
  limit 100000;
end;
comment on function app.export_messages is 'Returns the section messages of the export. A definer function, because it includes Hubs that the caller left, and no policy shows these. It holds the caller''s own words only: neither the discussion nor the person addressed.';
grant execute on function app.export_messages to authenticated;

create function app.export_muted_hubs() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('hubId', m.hub_id)
  from app.hub_mutes as m
  where m.user_id = app.user_id()
  order by m.hub_id desc
  limit 100000;
end;
comment on function app.export_muted_hubs is 'Returns the section mutedHubs of the export, with Hubs that the caller left.';
grant execute on function app.export_muted_hubs to authenticated;

create function app.export_moderation_decisions() returns setof jsonb
language sql stable security definer set search_path = ''
begin atomic
  select app.decision_json(d.id) || jsonb_build_object(
    'reversedAt', app.iso(d.reversed_at), 'appealStatement', a.statement, 'removedText', k.body, 'removedAssetId', k.asset_id
  )
  from app.decisions as d
  join app.decision_subjects as s on s.decision_id = d.id
  left join app.appeals as a on a.decision_id = d.id
  left join app.removed_contents as k on k.decision_id = d.id
  where s.user_id = app.user_id()
  order by d.decided_at desc, d.id desc
  limit 100000;
end;
comment on function app.export_moderation_decisions is 'Returns the section moderationDecisions of the export: each decision with the answer to the appeal, and with what was removed and is kept. A definer function, because no policy shows these two.';
grant execute on function app.export_moderation_decisions to authenticated;

create function app.export_notifications() returns setof jsonb
language sql stable security definer set search_path = ''
begin atomic
  select jsonb_build_object(
    'id', n.id, 'type', e.type, 'actorId', (e.actor).user_id, 'postId', e.post_id, 'commentId', e.comment_id, 'hubId', e.hub_id,
    'invitationId', e.invitation_id, 'joinRequestId', e.join_request_id, 'decisionId', e.decision_id, 'milestoneTotal', e.milestone_total,
    'milestoneCount', e.milestone_count, 'createdAt', app.iso(n.created_at), 'readAt', app.iso(n.read_at)
  )
  from app.visible_notifications as n
  join app.event_details as e on e.id = n.event_id
  where n.recipient_id = app.user_id()
  order by n.created_at desc, n.id desc
  limit 100000;
end;
comment on function app.export_notifications is 'Returns the section notifications of the export: those that the caller may see at the moment. Withheld ones would reveal who blocks the caller.';
grant execute on function app.export_notifications to authenticated;

create function app.export_placements() returns setof jsonb
language sql stable security definer set search_path = ''
begin atomic
  select jsonb_build_object('postId', p.post_id, 'hubId', p.hub_id, 'kind', p.kind, 'placedAt', app.iso(p.placed_at))
  from app.placements as p
  where p.placed_by = app.user_id()
  order by p.placed_at desc, p.post_id desc, p.hub_id desc
  limit 100000;
end;
comment on function app.export_placements is 'Returns the section hubPlacements of the export: what the caller published in or shared into Hubs, with Hubs that they left. A definer function, because no policy shows who placed a post.';
grant execute on function app.export_placements to authenticated;

create view app.authored_posts with (security_invoker = true) as
select
  p.id,
  p.source_post_id is not null as is_repost,
  p.created_at,
  jsonb_build_object(
    'id', p.id,
    'sourcePostId', p.source_post_id,
    'article', case when a.id is not null then jsonb_build_object(
      'url', a.url,
      'title', a.title,
      'text', a.body,
      'assetIds', case
        when a.media_count > 0 then array(select m.asset_id from app.article_assets as m where m.article_id = a.id order by m.place)
        else '{}'
      end,
      'altTexts', case
        when a.media_count > 0 then array(select m.alt_text from app.article_assets as m where m.article_id = a.id order by m.place)
        else '{}'
      end
    ) end,
    'thoughtText', p.thought_text,
    'sliderText', p.slider_text,
    'slider', app.post_slider(p),
    'visibility', p.visibility,
    'createdAt', app.iso(p.created_at)
  ) as item
from app.posts as p
left join app.articles as a on a.id = p.article_id and a.author_id = p.author_id
where p.author_id = (select app.user_id());
comment on view app.authored_posts is 'The caller''s posts for the export, without the originals of reposts. One statement builds all items: a statement per post, under the policies of posts and articles, costs thirty times as much.';
grant select on app.authored_posts to authenticated;

create function app.export_posts() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select f.item
  from app.authored_posts as f
  where not f.is_repost
  order by f.created_at desc, f.id desc
  limit 100000;
end;
comment on function app.export_posts is 'Returns the section posts of the export.';
grant execute on function app.export_posts to authenticated;

create function app.export_reports() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'reportId', r.id, 'userId', case when not exists (select from app.users_hidden_from_all as h where h.user_id = r.user_id) then r.user_id end, 'postId', r.post_id, 'hubId', r.hub_id, 'commentId', r.comment_id,
    'messageId', r.message_id, 'reason', r.reason, 'details', r.details, 'state', r.state, 'createdAt', app.iso(r.created_at)
  )
  from app.reports as r
  where r.reporter_id = app.user_id()
  order by r.created_at desc, r.id desc
  limit 100000;
end;
comment on function app.export_reports is 'Returns the section reports of the export: what the caller reported, without ids of users hidden from everybody. It never shows who reported the caller.';
grant execute on function app.export_reports to authenticated;

create function app.export_reposts() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select f.item
  from app.authored_posts as f
  where f.is_repost
  order by f.created_at desc, f.id desc
  limit 100000;
end;
comment on function app.export_reposts is 'Returns the section reposts of the export, without their originals.';
grant execute on function app.export_reposts to authenticated;

create function app.export_saved_discussions() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('discussionId', s.discussion_id, 'savedAt', app.iso(s.saved_at))
  from app.saved_discussions as s
  where s.user_id = app.user_id()
  order by s.saved_at desc, s.discussion_id desc
  limit 100000;
end;
comment on function app.export_saved_discussions is 'Returns the section savedDiscussions of the export.';
grant execute on function app.export_saved_discussions to authenticated;

create function app.export_saved_posts() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('postId', s.post_id, 'savedAt', app.iso(s.saved_at))
  from app.saved_posts as s
  where s.user_id = app.user_id()
  order by s.saved_at desc, s.post_id desc
  limit 100000;
end;
comment on function app.export_saved_posts is 'Returns the section savedPosts of the export.';
grant execute on function app.export_saved_posts to authenticated;

create function app.export_sent_invitations() returns setof jsonb
language sql stable security definer set search_path = ''
begin atomic
  select jsonb_build_object(
    'id', i.id, 'hubId', i.hub_id, 'phoneNumber', i.phone, 'state', app.state_of(i.state, i.expires_at),
    'createdAt', app.iso(i.created_at), 'expiresAt', app.iso(i.expires_at)
  )
  from app.hub_invitations as i
  where i.inviter_id = app.user_id()
  order by i.created_at desc, i.id desc
  limit 100000;
end;
comment on function app.export_sent_invitations is 'Returns the section sentInvitations of the export. A definer function, because it includes Hubs that the caller left, and no policy shows these.';
grant execute on function app.export_sent_invitations to authenticated;

create function app.export_uploads() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'uploadId', u.id, 'assetId', u.asset_id, 'purpose', u.purpose, 'contentType', u.content_type, 'sizeBytes', u.size_bytes,
    'fileName', u.file_name, 'checksum', encode(a.checksum, 'hex'), 'width', a.width, 'height', a.height,
    'createdAt', app.iso(u.created_at)
  )
  from app.uploads as u
  left join app.assets as a on a.id = u.asset_id and a.owner_id = u.owner_id
  where u.owner_id = app.user_id()
  order by u.created_at desc, u.id desc
  limit 100000;
end;
comment on function app.export_uploads is 'Returns the section uploads of the export, without the files: the caller downloads each completed one by its assetId.';
grant execute on function app.export_uploads to authenticated;

create function app.export_votes() returns setof jsonb
language plpgsql stable set search_path = '' as $$
begin
  return query
  select jsonb_build_object('postId', r.post_id, 'votedAt', app.iso(r.voted_at))
  from app.vote_receipts as r
  where r.user_id = app.user_id()
  -- Sort by exported values only: the physical position of a row must not leak.
  order by r.voted_at desc, r.post_id desc
  limit 100000;
end
$$;
comment on function app.export_votes is 'Returns the section votes of the export: posts that the caller voted on, to the minute. Positions are not stored.';
grant execute on function app.export_votes to authenticated;
