-- Adds what the new version calls. What a statement in progress may still call goes two migrations later.
set local lock_timeout = '5s';
set local statement_timeout = '60s';

set local check_function_bodies = off;

alter function app.hide_join_request rename to hide_request_notifications;
alter function app.open_discussion rename to create_discussion;
alter function app.remove_activity_from_hubs rename to end_activity_in_hubs;
alter index app.feed_events_stream_idx rename to feed_events_source_idx;

drop function "app"."words_of"(text);

drop function "gateway"."applied"(xid8[], interval);

drop function "gateway"."call_replica"(text, jsonb, jsonb, xid8[], interval, text, text);

create type "app"."feed_cursor" as (
  "at" timestamp with time zone,
  "id" uuid,
  "began_at" timestamp with time zone,
  "seen" pg_snapshot,
  "part" text,
  "is_own" boolean,
  "list" text
);

create or replace function api.add_admin (
  jsonb
)
  returns jsonb
  language plpgsql
  set search_path to ''
  AS $function$
declare
  p_args alias for $1;
  v_role app.hub_role := coalesce(app.choice_argument(p_args, 'role', 'admin', 'manager'), 'admin')::app.hub_role;
begin
  perform app.require_level(4);
  perform app.require_arguments(p_args, 'userId');
  perform app.set_role((p_args ->> 'hubId')::uuid, (p_args ->> 'userId')::uuid, v_role);
  return jsonb_build_object('userId', (p_args ->> 'userId')::uuid, 'role', v_role);
end
$function$;

create or replace function api.cast_vote (
  jsonb
)
  returns jsonb
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_delay_from double precision := coalesce(p_args -> 'activityDelay' ->> 'from', '300')::double precision;
  v_delay_to double precision := coalesce(p_args -> 'activityDelay' ->> 'to', '1800')::double precision;
  v_minimum integer := coalesce(app.integer_argument(p_args, 'activityMinimum', 1, 1000000), 1);
  v_viewer_id uuid := app.user_id();
  v_level integer;
  v_position app.vote_position;
  v_post app.posts;
begin
  if v_hub_id is not null then
    perform app.require_scope(v_hub_id);
  end if;
  v_level := app.require_level(2);
  if current_setting('transaction_isolation') <> 'serializable' then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN',
      hint = 'A vote needs a serializable transaction. Vote by the REST API: POST /posts/{postId}/vote.';
  end if;
  perform app.require_arguments(p_args, 'position');
  perform app.items_argument(p_args, 'pendingVoteKeys', 0, 16);
  if not (v_delay_from between 0 and v_delay_to and v_delay_to <= 86400) then
    perform app.refuse_argument('{activityDelay}', 'out_of_range', 'Must go up, from 0 to 86400 at most.');
  end if;
  v_position := app.choice_argument(
    p_args, 'position', variadic enum_range(null::app.vote_position)::text[]
  )::app.vote_position;
  select * into v_post from app.seen_posts(v_viewer_id) as p where p.id = (p_args ->> 'postId')::uuid;
  v_post := app.with_slider(v_post);
  return jsonb_build_object(
    'hubId', app.displayed_hub(v_post, v_hub_id),
    'pendingHubIds', app.count_vote(
      v_post,
      v_position,
      make_interval(secs => v_delay_from + random() * (v_delay_to - v_delay_from)),
      v_level >= 4,
      p_args -> 'pendingVoteKeys' ->> 0,
      v_minimum > 1
    )
  );
end
$function$;

create or replace function api.close_hub (
  jsonb
)
  returns jsonb
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
begin
  perform app.lock_hub(v_hub_id);
  perform app.require_member(v_hub_id, 'admin');
  perform app.delete_memberships(
    v_hub_id, variadic array(select m.user_id from app.memberships as m where m.hub_id = v_hub_id)
  );
  return '{}'::jsonb;
end
$function$;

create or replace function api.create_invite_link (
  jsonb
)
  returns jsonb
  language plpgsql
  set search_path to ''
  AS $function$
declare
  p_args alias for $1;
  v_id uuid := app.insert_invite_link(
    (p_args ->> 'hubId')::uuid, decode(p_args ->> 'tokenHash', 'hex'),
    app.integer_argument(p_args, 'maxUses', 1, 1000),
    make_interval(days => coalesce(app.integer_argument(p_args, 'expiresInDays', 1, 30), 7))
  );
begin
  return app.new_invite_link_json(v_id, p_args ->> 'sealedToken');
end
$function$;

create or replace function api.create_message (
  jsonb
)
  returns jsonb
  language plpgsql
  set search_path to ''
  AS $function$
declare
  p_args alias for $1;
  v_discussion app.discussions := app.require_discussion(p_args);
  v_text text := app.text_argument(p_args, 'text');
  v_alt_text text := app.alt_text_argument(p_args);
  v_message_id uuid;
begin
  perform app.check_limit('comments');
  v_message_id := app.insert_message(
    v_discussion.id, (p_args ->> 'parentMessageId')::uuid, v_text, (p_args ->> 'assetId')::uuid, v_alt_text
  );
  perform app.use_limit('comments');
  -- A block may have hidden the discussion while the insert waited.
  return app.found(app.new_message_json(v_message_id), 'DISCUSSION_NOT_FOUND');
end
$function$;

create or replace function api.delete_message (
  jsonb
)
  returns jsonb
  language plpgsql
  set search_path to ''
  AS $function$
declare
  p_args alias for $1;
  v_message_id uuid := (p_args ->> 'messageId')::uuid;
  v_discussion app.discussions := app.require_discussion(p_args, p_despite_blocks => exists (
    select from app.messages as m where m.id = (p_args ->> 'messageId')::uuid and m.author_id = app.user_id()
  ));
begin
  perform app.delete_message_as_caller(v_discussion.id, v_message_id);
  return '{}'::jsonb;
end
$function$;

create or replace function api.exchange_id_token (
  jsonb
)
  returns jsonb
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  p_args alias for $1;
  v_anonymous record;
begin
  if p_args ->> 'phoneNumber' is not null then
    return app.grant_to_phone(p_args ->> 'phoneNumber', p_args);
  end if;
  v_anonymous := app.anonymous_user(decode(p_args ->> 'subjectHash', 'hex'));
  return app.insert_session(v_anonymous.user_id, p_args)
    || jsonb_build_object('isNewUser', v_anonymous.is_new, 'merged', false);
end
$function$;

create or replace function api.export_own_data (
  jsonb
)
  returns jsonb
  language plpgsql
  set search_path to ''
  AS $function$
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
$function$;

create or replace function api.follow_user (
  jsonb
)
  returns jsonb
  language plpgsql
  set search_path to ''
  AS $function$
declare
  p_args alias for $1;
  v_followee_id uuid := (p_args ->> 'userId')::uuid;
begin
  perform app.require_level(2);
  perform app.lock_pair(app.user_id(), v_followee_id);
  perform app.require_person(v_followee_id);
  perform app.insert_follow(v_followee_id);
  perform app.use_limit('follows');
  return '{"following": true}'::jsonb;
end
$function$;

create or replace function api.get_home_feed (
  jsonb
)
  returns json
  language plpgsql
  set search_path to ''
  AS $function$
declare
  p_args jsonb := app.require_live_session_if_any($1);
begin
  return app.feed('get_home_feed', p_args);
end
$function$;

create or replace function api.get_hub_feed (
  jsonb
)
  returns json
  language plpgsql
  set search_path to ''
  AS $function$
declare
  p_args alias for $1;
begin
  return app.feed('get_hub_feed', p_args);
end
$function$;

create or replace function api.get_profile_feed (
  jsonb
)
  returns json
  language plpgsql
  stable
  set search_path to ''
  AS $function$
declare
  p_args jsonb := app.require_live_session_if_any($1);
begin
  return app.profile_feed(app.require_person((p_args ->> 'userId')::uuid), p_args);
end
$function$;

create or replace function api.leave_hub (
  jsonb
)
  returns jsonb
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
begin
  perform app.lock_hub(v_hub_id);
  perform app.require_member(v_hub_id);
  perform app.require_replaceable(v_hub_id, app.user_id());
  perform app.delete_memberships(v_hub_id, app.user_id());
  return '{}'::jsonb;
end
$function$;

create or replace function api.list_frames (
  jsonb
)
  returns json
  language plpgsql
  stable
  set search_path to ''
  AS $function$
declare
  p_args jsonb := app.require_live_session_if_any($1);
  v_limit integer := app.page_size(p_args, 20, 50);
  v_list text := app.list_of(
    'list_frames', p_args, p_is_shared => p_args ->> 'hubId' is null
  );
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor', true);
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_seed app.posts;
  v_source_id uuid;
  v_page app.list_entry[];
begin
  perform app.require_scope(v_hub_id);
  v_seed := app.require_post((p_args ->> 'postId')::uuid);
  v_source_id := coalesce(v_seed.source_post_id, v_seed.id);
  v_page := array(
    select (frame.created_at, frame.id)::app.list_entry
    from (
      (
        select p.created_at, p.id
        from app.posts as p
        where p.id = v_source_id and (p.created_at, p.id) > (v_from.at, v_from.id)
      )
      union all
      (
        select p.created_at, p.id
        from app.posts as p
        where p.source_post_id = v_source_id and (p.created_at, p.id) > (v_from.at, v_from.id)
        order by p.created_at, p.id
        limit v_limit + 1
      )
    ) as frame
    order by frame.created_at, frame.id
    limit v_limit + 1
  );
  return json_object(
    'items': app.seen_cards(array(select entry.id from unnest(v_page[:v_limit]) as entry), v_hub_id),
    'nextCursor': app.next_cursor(v_list, v_page, v_limit)
  );
end
$function$;

create or replace function api.list_my_hubs (
  jsonb
)
  returns jsonb
  language plpgsql
  stable
  set search_path to ''
  AS $function$
declare
  p_args alias for $1;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_list text := app.list_of('list_my_hubs', p_args);
  -- The tier, and what follows within it.
  v_after jsonb := coalesce(
    app.open_cursor(v_list, p_args ->> 'cursor'), '[3, "infinity", "ffffffff-ffff-ffff-ffff-ffffffffffff"]'
  );
  -- Below level 4 only invitations are listed.
  v_lowest_tier integer := case when app.require_level(1) < 4 then 3 else 1 end;
begin
  return (
    with page as materialized (
      select e.*, row_number() over (order by e.tier desc, e.at desc, e.hub_id desc) as place
      from app.my_hub_entries as e
      where e.tier >= v_lowest_tier
        and (e.tier, e.at, e.hub_id) < ((v_after ->> 0)::integer, (v_after ->> 1)::timestamptz, (v_after ->> 2)::uuid)
      order by e.tier desc, e.at desc, e.hub_id desc
      limit v_limit + 1
    )
    select jsonb_build_object(
      'items', coalesce(
        jsonb_agg(app.hub_card(h, page.status) order by page.place) filter (where page.place <= v_limit), '[]'
      ),
      'nextCursor', (
        select app.seal_cursor(v_list, jsonb_build_array(last.tier, last.at, last.hub_id))
        from page as last
        where last.place = v_limit and exists (select from page as next where next.place > v_limit)
      )
    )
    from page
    join app.hubs as h on h.id = page.hub_id
  );
end
$function$;

create or replace function api.list_saved_posts (
  jsonb
)
  returns json
  language plpgsql
  stable
  set search_path to ''
  AS $function$
declare
  p_args alias for $1;
  v_limit integer := app.page_size(p_args, 20, 50);
  v_list text := app.list_of('list_saved_posts', p_args);
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor');
  v_page app.list_entry[];
begin
  perform app.require_level(2);
  v_page := array(
    select (s.saved_at, s.post_id)::app.list_entry
    from app.saved_posts as s
    join app.posts as p on p.id = s.post_id
    where s.user_id = app.user_id() and (s.saved_at, s.post_id) < (v_from.at, v_from.id)
    order by s.saved_at desc, s.post_id desc
    limit v_limit + 1
  );
  return json_object(
    'items': app.seen_cards(array(select entry.id from unnest(v_page[:v_limit]) as entry)),
    'nextCursor': app.next_cursor(v_list, v_page, v_limit)
  );
end
$function$;

create or replace function api.mark_discussion_read (
  jsonb
)
  returns jsonb
  language plpgsql
  set search_path to ''
  AS $function$
declare
  p_args alias for $1;
  v_discussion app.discussions := app.require_discussion(p_args);
begin
  perform app.lock_member(v_discussion.hub_id, p_hidden => 'DISCUSSION_NOT_FOUND');
  insert into app.discussion_reads as r (user_id, discussion_id, read_until)
  -- A message that is committed from now on is later than last_activity_at: see app.insert_message.
  values (app.user_id(), v_discussion.id, v_discussion.last_activity_at)
  on conflict (user_id, discussion_id) do update set read_until = greatest(r.read_until, excluded.read_until);
  return '{"unreadCount": 0}'::jsonb;
end
$function$;

create or replace function api.remove_admin (
  jsonb
)
  returns jsonb
  language plpgsql
  set search_path to ''
  AS $function$
declare
  p_args alias for $1;
begin
  perform app.set_role((p_args ->> 'hubId')::uuid, (p_args ->> 'userId')::uuid, 'member', 'MEMBER_NOT_FOUND');
  return jsonb_build_object('userId', (p_args ->> 'userId')::uuid, 'role', 'member');
end
$function$;

create or replace function api.remove_member (
  jsonb
)
  returns jsonb
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_user_id uuid := (p_args ->> 'userId')::uuid;
  v_removes_posts boolean := coalesce(app.argument(p_args, 'removePosts', 'boolean')::boolean, false);
begin
  perform app.lock_hub(v_hub_id);
  perform app.require_member(v_hub_id, 'admin', 'MEMBER_NOT_FOUND');
  if not exists (select from app.memberships as m where m.hub_id = v_hub_id and m.user_id = v_user_id) then
    raise exception using errcode = 'PT404', message = 'MEMBER_NOT_FOUND';
  end if;
  perform app.require_replaceable(v_hub_id, v_user_id);
  update app.memberships as m set removes_posts = true
  where v_removes_posts and m.hub_id = v_hub_id and m.user_id = v_user_id;
  perform app.delete_memberships(v_hub_id, v_user_id);
  if v_user_id <> app.user_id() then
    perform app.emit(
      'hub_member_removed', p_actor_id => app.user_id(), p_subject_id => v_user_id, p_hub_id => v_hub_id
    );
  end if;
  return '{}'::jsonb;
end
$function$;

create or replace function api.request_otp (
  jsonb
)
  returns jsonb
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
begin
  return app.put_code($1);
end
$function$;

create or replace function api.request_phone_change (
  jsonb
)
  returns jsonb
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  p_args alias for $1;
begin
  perform app.require_level(3);
  perform app.require_rate_limit(
    'phone changes', case when p_args ->> 'prefixHash' is not null then app.user_id()::text end, 5, interval '1 day'
  );
  return app.put_code(p_args);
end
$function$;

create or replace function api.request_to_join (
  jsonb
)
  returns jsonb
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  p_args alias for $1;
  v_token_hash bytea := decode(p_args ->> 'tokenHash', 'hex');
  v_hub_id uuid;
  v_request_id uuid;
begin
  perform app.require_level(4);
  v_hub_id := (app.link_of(v_token_hash)).hub_id;
  perform app.lock_hub(v_hub_id);
  perform app.require_no_member(v_hub_id);
  -- Check the link again: it may have been used up or revoked during the wait for the lock.
  v_request_id := app.insert_join_request(v_hub_id, 'invite_link', (app.link_of(v_token_hash)).id);
  perform app.use_limit('joinRequests');
  return app.join_request_json(v_request_id);
end
$function$;

create or replace function api.search_posts (
  jsonb
)
  returns json
  language plpgsql
  set search_path to ''
  AS $function$
declare
  p_args jsonb := app.require_live_session_if_any($1);
  v_limit integer := app.page_size(p_args, 20, 50);
  v_search record := app.search_query(app.text_argument(p_args, 'q', 1, 80));
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_list text := app.list_of(
    'search_posts', p_args, p_is_shared => p_args ->> 'hubId' is null
  );
  v_after app.search_hit := app.decode_hit(v_list, p_args ->> 'cursor');
  v_batch integer := v_limit + 1;
  -- The candidates that one search examines, to the end of a bucket.
  v_budget integer := 20000;
  v_found app.found_posts;
  v_hits app.search_hit[] := array[]::app.search_hit[];
begin
  perform app.require_arguments(p_args, 'q');
  perform app.require_scope(v_hub_id);
  perform app.use_limit('searches');
  v_found.reached := nullif(v_after.key, '')::bigint;
  loop
    v_found := app.find_posts(v_search.query, v_search.candidates, v_hub_id, v_found.reached, v_batch, v_budget);
    v_hits := v_hits || array(
      select (hit.tier, hit.key, hit.id)::app.search_hit
      from unnest(v_found.hits) with ordinality as hit (tier, key, id, place)
      join app.posts as p on p.id = hit.id
      order by hit.place
    );
    v_budget := v_budget - v_found.examined;
    exit when cardinality(v_hits) > v_limit or v_found.is_end or v_budget <= 0;
    -- The policy of posts has hidden some. Larger batches soon reach the end of what a blocked user has written.
    v_batch := 8 * v_batch;
  end loop;
  return json_object(
    'items': app.seen_cards(
      array(select hit.id from unnest(v_hits[:v_limit]) as hit), v_hub_id, p_shows_phone => false
    ),
    'nextCursor': case
      when cardinality(v_hits) > v_limit then app.encode_hit(v_list, v_hits, v_limit)
      when not v_found.is_end then app.seal_cursor(v_list, jsonb_build_array(1, v_found.reached, null))
    end
  );
end
$function$;

create or replace function api.share_to_hubs (
  jsonb
)
  returns jsonb
  language plpgsql
  set search_path to ''
  AS $function$
declare
  p_args alias for $1;
  v_hub_ids uuid[];
  v_post app.posts;
  v_placed_in uuid[];
  v_moved_count integer;
begin
  perform app.require_level(4);
  v_hub_ids := app.ids_argument(p_args, 'hubIds', 1, 20);
  v_post := app.require_post((p_args ->> 'postId')::uuid);
  if not app.is_shareable(v_post) then
    raise exception using errcode = 'PT409', message = 'POST_NOT_SHAREABLE';
  end if;
  v_placed_in := app.insert_placements(v_post.id, v_hub_ids, 'shared');
  update app.placements as p
  set last_shared_at = default
  where p.post_id = v_post.id and p.hub_id = any (v_hub_ids) and p.hub_id <> all (coalesce(v_placed_in, '{}'));
  get diagnostics v_moved_count = row_count;
  if v_post.slider_text is not null then
    perform app.promote_pending(
      v_post.id, array(select jsonb_array_elements_text(app.items_argument(p_args, 'pendingVoteKeys', 0, 16)))
    );
  end if;
  perform app.use_limit('shares', coalesce(cardinality(v_placed_in), 0) + v_moved_count);
  return app.hub_shares_json(v_post.id, v_hub_ids, v_placed_in);
end
$function$;

create or replace function api.start_anonymous_session (
  jsonb
)
  returns jsonb
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  p_args alias for $1;
  v_anonymous record := app.anonymous_user(decode(p_args ->> 'deviceHash', 'hex'));
begin
  if v_anonymous.is_new then
    perform app.require_rate_limit(
      'new devices', p_args ->> 'addressHash', (p_args ->> 'devicesPerAddress')::integer, interval '1 hour'
    );
  end if;
  return app.insert_session(v_anonymous.user_id, p_args);
end
$function$;

create or replace function api.update_hub (
  jsonb
)
  returns jsonb
  language plpgsql
  set search_path to ''
  AS $function$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
begin
  perform app.lock_member(v_hub_id, 'admin');
  perform app.require_any_argument(p_args, 'name', 'description', 'profileAssetId');
  update app.hubs as h
  set name = coalesce(app.name_argument(p_args, 'name'), h.name),
    description = case when p_args ? 'description' then coalesce(
      app.text_argument(p_args, 'description'), ''
    ) else h.description end
  where h.id = v_hub_id;
  if p_args ? 'profileAssetId' then
    perform app.set_hub_photo(v_hub_id, (p_args ->> 'profileAssetId')::uuid);
  end if;
  return app.hub_json(v_hub_id);
end
$function$;

create or replace function app.accept_invitation (
  p_id uuid
)
  returns uuid
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  v_invitation app.hub_invitations;
begin
  perform app.require_level(4);
  v_invitation := app.lock_own_invitation(p_id);
  perform app.require_no_member(v_invitation.hub_id);
  -- The inviter must still be an admin who can act.
  if v_invitation.makes_member and exists (
    select from app.acting_admins as a where a.hub_id = v_invitation.hub_id and a.user_id = v_invitation.inviter_id
  ) then
    perform app.become_member(v_invitation.hub_id, app.user_id());
  else
    perform app.insert_join_request(v_invitation.hub_id, 'member_invitation');
    update app.hub_invitations as i set state = 'accepted' where i.id = p_id;
  end if;
  return v_invitation.hub_id;
end
$function$;

create or replace function app.active_candidates (
  p_hub_id uuid,
  p_after app.feed_cursor,
  p_limit integer
)
  returns app.feed_candidate[]
  language plpgsql
  stable
  set search_path to ''
  set plan_cache_mode to 'force_generic_plan'
  AS $function$
declare
  v_since timestamptz := p_after.began_at - app.trending_period();
  v_changed uuid[];
  v_change_count bigint;
  v_looked app.feed_candidate[];
  v_lowest app.feed_candidate;
  v_found app.feed_candidate[];
  v_size integer;
begin
  foreach v_size in array array[100, 300] loop
    select coalesce(array_agg(distinct c.post_id), '{}'), count(*) into v_changed, v_change_count
    from (
      select c.post_id
      from app.score_changes as c
      where app.is_since(p_after, c.changed_by)
      order by c.changed_by
      limit 10 * v_size
    ) as c;
    continue when cardinality(v_changed) > v_size or v_change_count = 10 * v_size;
    v_looked := array(
      select (s.score, s.post_id, null, null)::app.feed_candidate
      from app.trending_scores as s
      where (s.score, s.post_id) < (p_after.at, p_after.id) and s.score > v_since
      order by s.score desc, s.post_id desc
      limit v_size
    );
    -- Posts below the last score read have no final rank yet: unread posts may come between them.
    v_lowest := case when cardinality(v_looked) = v_size then v_looked[v_size] end;
    v_found := app.ranked_candidates(
      app.posts_in_feed(p_hub_id, p_after, array(select looked.id from unnest(v_looked) as looked) || v_changed),
      p_after, v_lowest, p_limit
    );
    if cardinality(v_found) = p_limit or cardinality(v_looked) < v_size then
      return v_found;
    end if;
  end loop;
  return app.ranked_candidates(app.active_in_feed(p_hub_id, p_after), p_after, null, p_limit);
end
$function$;

create or replace function app.active_in_feed (
  p_hub_id uuid,
  p_after app.feed_cursor
)
  returns uuid[]
  language plpgsql
  stable
  set search_path to ''
  set plan_cache_mode to 'force_generic_plan'
  AS $function$
declare
  v_since timestamptz := p_after.began_at - app.trending_period();
  v_changed uuid[] := array(
    select distinct c.post_id from app.score_changes as c where app.is_since(p_after, c.changed_by)
  );
begin
  if p_hub_id is not null then
    return app.posts_in_feed(p_hub_id, p_after, v_changed || array(
      select placed.post_id
      from app.placements as placed
      join app.trending_scores as s on s.post_id = placed.post_id
      where placed.hub_id = p_hub_id and s.active_at > v_since and placed.post_id <> all (v_changed)
    ));
  elsif not p_after.is_own then
    return app.posts_in_feed(p_hub_id, p_after, v_changed) || array(
      select p.id
      from app.default_users_at(p_after) as author (id)
      join app.posts as p on p.author_id = author.id
      join app.trending_scores as s on s.post_id = p.id
      where p.is_public and s.active_at > v_since and p.id <> all (v_changed)
    );
  end if;
  return app.posts_in_feed(p_hub_id, p_after, v_changed) || array(
    select known.post_id
    from (
      select event.post_id
      from (select own.id from app.sources_at(p_after) as own (id) union select app.user_id()) as source (id)
      -- "offset 0" keeps the planner from reading all sources.
      cross join lateral (
        select e.post_id from app.events_at(p_after) as e where e.source_id = source.id offset 0
      ) as event
      union
      select own.post_id
      from app.own_shares_at(p_after) as own
      where own.hub_id in (select hub.id from app.sources_at(p_after, '{memberships}') as hub (id))
    ) as known
    join app.trending_scores as s on s.post_id = known.post_id
    where s.active_at > v_since and known.post_id <> all (v_changed)
  );
end
$function$;

create or replace function app.cards_of (
  p_posts app.posts[],
  p_post_ids uuid[],
  p_hub_id uuid,
  p_contexts text[],
  p_level integer,
  p_shows_phone boolean
)
  returns json[]
  language plpgsql
  stable
  set search_path to ''
  set plan_cache_mode to 'force_generic_plan'
  set enable_seqscan to 'off'
  AS $function$
declare
  v_user_id uuid := app.user_id();
  v_source_ids uuid[] := array(
    select distinct p.source_post_id from unnest(p_posts) as p where p.source_post_id is not null
  );
  v_sources app.posts[];
  -- The Hub that a card shows by itself (app.displayed_hub) is one of the caller with the post.
  v_counted_ids uuid[] := case when p_hub_id is not null then app.posts_in_my_hub(p_post_ids, p_hub_id) end;
begin
  if v_source_ids <> '{}' then
    v_sources := array(
      select p from unnest(v_source_ids) as source (id) join app.seen_posts(v_user_id) as p on p.id = source.id
    );
  end if;
  -- A key that stays without a value has the JSON null. Subqueries instead of joins: each join would pass all
  -- columns on.
  return array(
    select json_object(
      'id': p.id,
      'author': coalesce(
        (select app.user_lite(a) from app.profiles as a where a.user_id = p.author_id), app.user_lite(null)
      ),
      'createdAt': app.iso(p.created_at),
      'article': coalesce((select app.article_card(a) from app.articles as a where a.id = p.article_id), 'null'),
      'thoughtText': coalesce(to_json(p.thought_text), 'null'),
      'sliderText': coalesce(to_json(p.slider_text), 'null'),
      'slider': app.post_slider(p),
      'visibility': p.visibility,
      'hubs': (
        select coalesce(json_agg(json_object('id': h.id, 'name': h.name) order by t.placed_at, t.hub_id), '[]')
        from app.placements as t
        join app.my_hubs as mine on mine.hub_id = t.hub_id
        join app.hubs as h on h.id = t.hub_id and h.is_open
        where t.post_id = p.id
      ),
      'sourcePostId': coalesce(to_json(p.source_post_id), 'null'),
      'sourcePost': case when p.source_post_id is null then 'null'
        else app.source_card(p.source_post_id, v_sources) end,
      'isShareable': shareable.is_so,
      'commentCount': p.comment_count,
      'repostCount': p.repost_count,
      'viewerSaved': exists (select from app.saved_posts as s where s.post_id = p.id and s.user_id = v_user_id),
      'viewerVote': case when p.slider_text is null then 'null' else app.viewer_vote(receipt.voted_at) end,
      'voteScope': case when p.slider_text is null then 'null' else app.vote_scope(shown.hub_id) end,
      'voteSummary': case when p.slider_text is null then 'null' else app.vote_summary(votes) end,
      'voteDistribution': case when receipt.voted_at is not null then app.vote_distribution(votes) end,
      'authorPhoneNumber': case
        when p_shows_phone and not shareable.is_so then app.author_phone(p.id) ->> 'authorPhoneNumber'
      end,
      'feedContext': p_contexts[array_position(p_post_ids, p.id)],
      'permissions': case when p_level is not null then json_object(
        'canVote': p_level >= case when p.is_public then 2 else 4 end and p.slider_text is not null
          and receipt.voted_at is null
          and (p.is_public or app.earliest_hub(p.id) is not null),
        'canComment': p_level >= 2 and p.is_public,
        'canRepost': p_level >= case when p.is_public then 3 else 4 end and p.source_post_id is null
          and shareable.is_so,
        'canShareToFeed': p_level >= 2,
        'canShareToHubs': p_level >= 4 and shareable.is_so,
        'canDelete': coalesce(p.author_id = v_user_id, false)
      ) end
      absent on null returning json
    )
    from unnest(p_posts) as p
    cross join lateral (select app.is_shareable(p) as is_so offset 0) as shareable
    cross join lateral (
      select case when p.slider_text is not null then app.displayed_hub(p, p_hub_id) end as hub_id offset 0
    ) as shown
    left join app.vote_receipts as receipt on receipt.post_id = p.id and receipt.user_id = v_user_id
    left join lateral app.scope_totals(p.id, shown.hub_id) as votes
      on p.slider_text is not null and (v_counted_ids is null or p.id = any (v_counted_ids))
    order by array_position(p_post_ids, p.id)
  );
end
$function$;

create or replace function app.changed_since (
  p_after app.feed_cursor
)
  returns SETOF app.feed_changes
  language plpgsql
  stable
  set search_path to ''
  AS $function$
begin
  if p_after.at = 'infinity' then
    return;
  end if;
  return query
  select distinct on (c.kind, c.object_id) c.*
  from app.feed_changes as c
  where (c.subject_id = app.user_id() or c.subject_id is null) and c.kind <> 'feed_shares'
    and app.is_since(p_after, c.changed_by)
  order by c.kind, c.object_id, c.id;
end
$function$;

create or replace function app.close_hub_feed_events (
  p_hub_id uuid
)
  returns boolean
  language plpgsql
  set search_path to ''
  AS $function$
begin
  delete from app.feed_events as e
  where e.ctid in (
    select old.ctid
    from app.feed_events as old
    join app.posts as post on post.id = old.post_id
    where old.hub_id = p_hub_id
    limit 5000
    for key share of post skip locked
    for update of old skip locked
  );
  return found or exists (select from app.feed_events as e where e.hub_id = p_hub_id);
end
$function$;

create or replace function app.count_vote (
  p_post app.posts,
  p_position app.vote_position,
  p_delay interval,
  p_is_hub_ready boolean,
  p_key text,
  p_is_held boolean
)
  returns uuid[]
  language plpgsql
  set search_path to ''
  AS $function$
declare
  v_user_id uuid := app.user_id();
  v_my_hub_ids uuid[] := case when p_is_hub_ready then array(
    select m.hub_id from app.memberships as m where m.user_id = v_user_id
  ) else '{}' end;
  v_hub_ids uuid[] := '{}'::uuid[];
  v_other_hub_ids uuid[] := '{}'::uuid[];
begin
  if v_my_hub_ids <> '{}' then
    v_hub_ids := array(
      select p.hub_id from app.placements as p where p.post_id = p_post.id and p.hub_id = any(v_my_hub_ids)
    );
    v_other_hub_ids := array(select mine.id from unnest(v_my_hub_ids) as mine (id) where mine.id <> all (v_hub_ids));
  end if;
  if not p_post.is_public and v_hub_ids = '{}' then
    raise exception using errcode = 'PT403', message = 'VOTE_NOT_ALLOWED';
  end if;
  -- Waits for a merge, which locks the voter before it moves receipts.
  perform from app.users as u where u.id = v_user_id for key share;
  insert into app.vote_receipts (post_id, user_id, voted_at, hub_ids)
  values (p_post.id, v_user_id, date_trunc('minute', app.now()), v_hub_ids)
  on conflict (post_id, user_id) do nothing;
  if not found then
    raise exception using errcode = 'PT409', message = 'VOTE_ALREADY_CAST';
  end if;
  insert into app.fresh_votes (post_id, user_id, hub_count, activity_at, is_held)
  values (
    p_post.id, v_user_id, cardinality(v_my_hub_ids), case when p_post.is_public then app.now() + p_delay end, p_is_held
  );
  perform app.count_in_slots(
    p_post.id,
    case when not p_post.is_public then v_hub_ids else array_append(v_hub_ids, null) end,
    p_position
  );
  if not app.is_shareable(p_post) then
    v_other_hub_ids := '{}';
  elsif v_other_hub_ids <> '{}' then
    perform app.insert_ballot(p_post.id, p_position, v_other_hub_ids, p_key);
  end if;
  if p_delay = interval '0' and not p_is_held then
    perform app.record_activity('voted', v_user_id, p_post.id, app.now());
  end if;
  perform app.use_limit('votes');
  return v_other_hub_ids;
end
$function$;

create or replace function app.counted_at (
  p_after app.feed_cursor,
  p_occurred_at timestamp with time zone,
  p_begun_by xid8,
  p_ended_by xid8
)
  returns boolean
  language sql
  stable
RETURN
  ((p_occurred_at <= (p_after).began_at) AND ((p_begun_by is null) or ((p_after).at = 'infinity'::timestamp
  with time zone) or pg_visible_in_snapshot(p_begun_by, (p_after).seen)) AND
  ((p_ended_by is null) or (((p_after).at <> 'infinity'::timestamp
  with time zone) AND (not pg_visible_in_snapshot(p_ended_by, (p_after).seen)))));

create or replace function app.create_discussion()
  returns trigger
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
begin
  insert into app.discussions (hub_id, post_id) values (new.hub_id, new.post_id);
  return null;
end
$function$;

create or replace function app.decode_cursor (
  p_list text,
  p_cursor text,
  p_is_oldest_first boolean default false
)
  returns app.list_entry
  language plpgsql
  stable
  set search_path to ''
  AS $function$
declare
  v_after jsonb := app.open_cursor(p_list, p_cursor);
begin
  if v_after is not null then
    return (v_after ->> 0, v_after ->> 1)::app.list_entry;
  elsif p_is_oldest_first then
    return ('-infinity', '00000000-0000-0000-0000-000000000000')::app.list_entry;
  end if;
  return ('infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff')::app.list_entry;
end
$function$;

create or replace function app.decode_hit (
  p_list text,
  p_cursor text
)
  returns app.search_hit
  language plpgsql
  stable
  set search_path to ''
  AS $function$
declare
  v_after jsonb := app.open_cursor(p_list, p_cursor);
begin
  if v_after is null then
    return (1, '', '00000000-0000-0000-0000-000000000000')::app.search_hit;
  end if;
  return (v_after ->> 0, v_after ->> 1, v_after ->> 2)::app.search_hit;
end
$function$;

create or replace function app.default_entries (
  p_after app.feed_cursor,
  p_limit integer
)
  returns app.feed_entry[]
  language plpgsql
  stable
  set search_path to ''
  set plan_cache_mode to 'force_generic_plan'
  AS $function$
declare
  v_viewer_id uuid := app.user_id();
begin
  return array(
    select (newest.created_at, newest.id, 'published', newest.post)::app.feed_entry
    from app.default_users_at(p_after) as author (id)
    cross join lateral (
      select p.created_at, p.id, p as post
      from app.posts_at(p_after, v_viewer_id) as p
      where p.author_id = author.id and p.is_public
        and (p.created_at, p.id) < (p_after.at, p_after.id)
      order by p.created_at desc, p.id desc
      limit p_limit
    ) as newest
    order by newest.created_at desc, newest.id desc
    limit p_limit
  );
end
$function$;

create or replace function app.default_users_at (
  p_after app.feed_cursor
)
  returns SETOF uuid
  language sql
  stable
BEGIN ATOMIC
 select d.user_id
    from app.default_feed_users d
   where (not (d.user_id in ( select c.object_id
            from app.changed_since(default_users_at.p_after)
              c(id, kind, subject_id, object_id, former_at, changed_by, changed_at)
           where (c.kind = 'default_feed_users'::text))))
 UNION all
  select c.object_id
    from app.changed_since(default_users_at.p_after)
      c(id, kind, subject_id, object_id, former_at, changed_by, changed_at)
   where ((c.kind = 'default_feed_users'::text) AND (c.former_at is not null));
end;

create or replace function app.delete_comment (
  p_comment_id uuid
)
  returns boolean
  language plpgsql
  set search_path to ''
  AS $function$
declare
  v_comment app.comments;
begin
  -- Post before root: the lock on the post waits for concurrent replies, which then count.
  perform app.lock_actor(c.author_id) from app.comments as c where c.id = p_comment_id;
  perform from app.posts as p
  where p.id = (select c.post_id from app.comments as c where c.id = p_comment_id)
  for no key update;
  perform from app.comments as root
  where root.id = (select c.parent_id from app.comments as c where c.id = p_comment_id)
  for update;
  select * into v_comment from app.comments as c where c.id = p_comment_id and c.author_id is not null for update;
  if v_comment.id is null then
    return false;
  end if;
  if exists (select from app.comments as reply where reply.parent_id = v_comment.id) then
    update app.comments as c
    set author_id = null, body = null, asset_id = null, alt_text = null, is_hidden = false
    where c.id = v_comment.id;
  else
    delete from app.comments as c where c.id = v_comment.id;
    update app.comments as root
    set reply_count = root.reply_count - 1
    where root.id = v_comment.parent_id and not v_comment.is_hidden;
    delete from app.comments as root
    where root.id = v_comment.parent_id and root.author_id is null
      and not exists (select from app.comments as reply where reply.parent_id = root.id);
  end if;
  update app.posts as p
  set comment_count = p.comment_count - 1
  where p.id = v_comment.post_id and not v_comment.is_hidden;
  delete from app.events as e where e.comment_id = v_comment.id;
  perform app.end_activity(
    'commented', v_comment.author_id, v_comment.post_id,
    (
      select max(c.created_at)
      from app.comments as c
      where c.post_id = v_comment.post_id and c.author_id = v_comment.author_id
    )
  );
  perform app.count_comments(v_comment.author_id, v_comment.post_id);
  return true;
end
$function$;

create or replace function app.delete_memberships (
  p_hub_id uuid,
  VARIADIC p_user_ids uuid[]
)
  returns void
  language plpgsql
  set search_path to ''
  AS $function$
begin
  delete from app.memberships as m where m.hub_id = p_hub_id and m.user_id = any (p_user_ids);
  delete from app.invite_links as l where l.hub_id = p_hub_id and l.creator_id = any (p_user_ids);
  -- A former member must not return by an old invitation.
  update app.hub_invitations as i
  set state = 'expired'
  from app.users as u
  where u.id = any (p_user_ids) and i.hub_id = p_hub_id and i.phone = u.phone and i.state = 'pending';
  update app.hubs as h set closed_at = app.now(), custom_link = null where h.id = p_hub_id and h.member_count = 0;
end
$function$;

create or replace function app.delete_message (
  p_message_id uuid
)
  returns boolean
  language plpgsql
  set search_path to ''
  AS $function$
declare
  v_message app.messages;
begin
  perform app.lock_discussion_of(p_message_id);
  select * into v_message
  from app.messages as m
  where m.id = p_message_id and not m.is_deleted
  for update;
  if v_message.id is null then
    return false;
  end if;
  if v_message.reply_count > 0 then
    update app.messages as m
    set author_id = null, body = null, asset_id = null, alt_text = null
    where m.id = v_message.id;
  else
    delete from app.messages as m where m.id = v_message.id;
    update app.messages as root set reply_count = root.reply_count - 1 where root.id = v_message.parent_id;
    delete from app.messages as root
    where root.id = v_message.parent_id and root.reply_count = 0 and root.is_deleted;
  end if;
  update app.discussions as d set message_count = d.message_count - 1 where d.id = v_message.discussion_id;
  return true;
end
$function$;

create or replace function app.delete_message_as_caller (
  p_discussion_id uuid,
  p_message_id uuid
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  v_message app.messages;
  v_role app.hub_role;
begin
  perform app.lock_member(d.hub_id, p_hidden => 'DISCUSSION_NOT_FOUND')
  from app.discussions as d
  where d.id = p_discussion_id;
  -- After this lock a concurrent deletion is over.
  perform app.lock_discussion_of(p_message_id);
  select m.* into v_message
  from app.messages as m
  where m.id = p_message_id and m.discussion_id = p_discussion_id and not m.is_deleted;
  v_role := (select mine.role from app.my_hubs as mine where mine.hub_id = v_message.hub_id);
  if v_message.id is null or v_role is distinct from 'admin' and exists (
    select from app.suspensions as s where s.user_id = v_message.author_id
  ) then
    raise exception using errcode = 'PT404', message = 'MESSAGE_NOT_FOUND';
  end if;
  if v_message.author_id is distinct from app.user_id() and v_role is distinct from 'admin' then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  perform app.delete_message(p_message_id);
end
$function$;

create or replace function app.delete_placement (
  p_hub_id uuid,
  p_post_id uuid
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
begin
  perform app.lock_member(p_hub_id, 'admin', 'POST_NOT_FOUND');
  -- The locks of app.insert_placements: a share of the post comes before or after.
  perform pg_advisory_xact_lock(app.placements_key(p_post_id));
  perform from app.posts as p where p.id = p_post_id for no key update;
  if not exists (select from app.placements as p where p.post_id = p_post_id and p.hub_id = p_hub_id) then
    raise exception using errcode = 'PT404', message = 'POST_NOT_FOUND';
  end if;
  perform app.delete_placements(p_hub_id, array[p_post_id]);
end
$function$;

create or replace function app.deliver_outbox (
  p_after uuid,
  p_limit integer,
  p_room integer,
  OUT last uuid,
  OUT lease_id uuid,
  OUT messages json
)
  returns record
  language plpgsql
  security definer
  set search_path to ''
  set plan_cache_mode to 'force_generic_plan'
  set enable_seqscan to 'off'
  set enable_hashjoin to 'off'
  set enable_mergejoin to 'off'
  AS $function$
declare
  v_after uuid := coalesce(p_after, app.first_id_within(interval '2 seconds'));
  v_now timestamptz := app.now();
  v_rows app.outbox[] := array(
    select o
    from app.outbox as o
    where o.notification_id > v_after and o.due_at <= v_now
    order by o.notification_id
    limit p_limit
    for update skip locked
  );
  v_ids uuid[] := array(select o.notification_id from unnest(v_rows) as o);
  v_due app.due_notifications[] := array(
    select due from app.due_notifications as due where due.id = any (v_ids) order by due.id
  );
  v_queued_ids uuid[] := array(select o.notification_id from unnest(v_rows) as o where o.is_queued);
  v_failed_ids uuid[] := app.notify_streams(v_due);
  v_taken app.due_notifications[];
begin
  last := v_ids[p_limit];
  v_due := array(select due from unnest(v_due) as due where due.is_pushed and due.id <> all (v_queued_ids));
  v_taken := v_due[:p_room];
  perform app.queue_pushes(v_due[p_room + 1:], 0);
  if v_failed_ids <> '{}' then
    perform app.queue_pushes(array(select due from unnest(v_taken) as due where due.id = any (v_failed_ids)), 0);
    v_taken := array(select due from unnest(v_taken) as due where due.id <> all (v_failed_ids));
  end if;
  select * into lease_id, messages from app.lease_pushes(v_taken);
  -- Rows that were postponed above are due later and stay.
  delete from app.outbox as o where o.notification_id = any (v_ids) and o.due_at <= v_now;
end
$function$;

create or replace function app.encode_feed_cursor (
  p_after app.feed_cursor
)
  returns text
  language plpgsql
  stable
  set search_path to ''
  AS $function$
begin
  return app.seal_cursor(p_after.list, jsonb_build_array(
    p_after.at, p_after.id, p_after.began_at, p_after.seen::text, p_after.part, p_after.is_own
  ));
end
$function$;

create or replace function app.end_activity (
  p_kind app.feed_event_kind,
  p_actor_id uuid,
  p_post_id uuid,
  p_latest timestamp with time zone
)
  returns void
  language plpgsql
  set search_path to ''
  AS $function$
begin
  perform app.lock_actor(p_actor_id);
  update app.feed_events as e
  set ended_at = app.now(), ended_by = pg_current_xact_id()
  where e.post_id = p_post_id and e.actor_id = p_actor_id and e.kind = p_kind and e.ended_at is null
    and e.occurred_at is distinct from p_latest;
  if p_latest is not null then
    perform app.record_activity(p_kind, p_actor_id, p_post_id, p_latest);
  end if;
end
$function$;

create or replace function app.end_activity_in_hubs()
  returns trigger
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
begin
  perform app.update_actors(array(select former.user_id from former));
  -- Posts before what is about them: the deletion of a post takes several events of one person along, in any order.
  perform from app.posts as p
  where p.id in (
    select e.post_id from former as m join app.feed_events as e on e.hub_id = m.hub_id and e.actor_id = m.user_id
  )
  order by p.id
  for key share;
  update app.feed_events as e
  set ended_at = app.now(), ended_by = pg_current_xact_id()
  from former as m
  where e.hub_id = m.hub_id and e.actor_id = m.user_id and e.ended_at is null
    and not app.is_placement(e.kind);
  insert into app.feed_changes (kind, subject_id, object_id, former_at)
  select 'memberships', former.user_id, former.hub_id, former.joined_at from former;
  return null;
end
$function$;

create or replace function app.erase_belongings (
  p_user_id uuid
)
  returns boolean
  language plpgsql
  set search_path to ''
  AS $function$
begin
  if app.erase_posts(p_user_id) then
    return true;
  end if;
  if app.erase_comments(p_user_id) then
    return true;
  end if;
  perform app.erase_hub_photos(p_user_id);
  if true = any (array[
    app.erase_messages(p_user_id), app.erase_people(p_user_id), app.erase_notifications(p_user_id),
    app.erase_feed_events(p_user_id)
  ]) then
    return true;
  end if;
  if app.erase_inbox(p_user_id) then
    return true;
  end if;
  perform app.erase_media(p_user_id);
  return false;
end
$function$;

create or replace function app.erase_feed_events (
  p_user_id uuid
)
  returns boolean
  language plpgsql
  set search_path to ''
  AS $function$
begin
  delete from app.feed_shares
  where ctid in (
    select s.ctid
    from app.feed_shares as s
    join app.posts as p on p.id = s.post_id
    where s.user_id = p_user_id
    order by p.id
    limit 1000
    for no key update of p skip locked
    for update of s skip locked
  );
  update app.placements
  set placed_by = null
  where ctid in (
    select p.ctid from app.placements as p where p.placed_by = p_user_id limit 1000 for no key update skip locked
  );
  update app.feed_events
  set actor_id = null
  where ctid in (
    select e.ctid
    from app.feed_events as e
    where e.actor_id = p_user_id and e.kind = 'shared_to_hub'
    limit 1000
    for no key update skip locked
  );
  update app.feed_events
  set ended_at = app.now(), ended_by = pg_current_xact_id()
  where ctid in (
    select e.ctid
    from app.feed_events as e
    where e.actor_id = p_user_id and e.kind <> 'shared_to_hub' and e.ended_at is null
    limit 1000
    for no key update skip locked
  );
  return exists (select from app.feed_shares where user_id = p_user_id)
    or exists (select from app.placements where placed_by = p_user_id)
    or exists (
      select from app.feed_events where actor_id = p_user_id and (kind = 'shared_to_hub' or ended_at is null)
    );
end
$function$;

create or replace function app.events_at (
  p_after app.feed_cursor
)
  returns SETOF app.feed_events
  language sql
  stable
  AS $function$
  select e.*
  from app.recorded_events_at(p_after) as e
  where app.is_placement(e.kind) or e.actor_id not in (select hidden.id from app.hidden_at(p_after) as hidden (id));
$function$;

create or replace function app.expire_objects (
  p_user_id uuid
)
  returns void
  language sql
  set search_path to ''
BEGIN ATOMIC
 update app.stored_objects
  set expires_at = app.now()
   where
     ((stored_objects.owner_id = expire_objects.p_user_id) AND (stored_objects.attempt_count = 0) AND
     (stored_objects.expires_at > app.now()));
end;

create or replace function app.export_account()
  returns jsonb
  language sql
  stable
  set search_path to ''
BEGIN ATOMIC
 select
   jsonb_build_object('id', u.id, 'phoneNumber', u.phone, 'phoneVerifiedAt', app.iso(u.phone_verified_at),
   'termsVersion',
   u.terms_version,
   'termsAcceptedAt',
   app.iso(u.terms_accepted_at),
   'mediaCompletedAt', app.iso(u.media_completed_at), 'createdAt', app.iso(u.created_at))
  AS jsonb_build_object
    FROM app.users u
   WHERE (u.id = app.user_id());
END;

create or replace function app.export_contact_snapshot()
  returns jsonb
  language sql
  stable
  set search_path to ''
BEGIN ATOMIC
 select
   jsonb_build_object('uploadId', s.upload_id, 'permission', s.permission, 'contactCount', s.contact_count,
   'createdAt', app.iso(s.created_at), 'storedAt', app.iso(s.stored_at))
  AS jsonb_build_object
    FROM app.contact_snapshots s
   WHERE (s.user_id = app.user_id());
END;

create or replace function app.export_feed_shares()
  returns SETOF jsonb
  language sql
  stable
  set search_path to ''
BEGIN ATOMIC
 select jsonb_build_object('shareId', s.id, 'postId', s.post_id, 'sharedAt', app.iso(s.shared_at))
  AS jsonb_build_object
    FROM app.feed_shares s
   WHERE (s.user_id = app.user_id())
   ORDER BY s.shared_at DESC, s.post_id DESC
  LIMIT 100000;
END;

create or replace function app.export_hub_profile()
  returns jsonb
  language sql
  stable
  set search_path to ''
BEGIN ATOMIC
 select
   jsonb_build_object('displayName', h.display_name, 'profileAssetId', h.photo_asset_id, 'profilePhotoUrl',
   app.photo_url(h.photo_asset_id))
  AS jsonb_build_object
    FROM app.hub_profiles h
   WHERE (h.user_id = app.user_id());
END;

create or replace function app.export_person()
  returns jsonb
  language plpgsql
  stable
  set search_path to ''
  AS $function$
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
$function$;

create or replace function app.export_preferences()
  returns jsonb
  language sql
  stable
  set search_path to ''
BEGIN ATOMIC
 select app.preferences_json()
  AS preferences_json
    FROM app.notification_preferences p
   WHERE (p.user_id = app.user_id());
END;

create or replace function app.export_profile()
  returns jsonb
  language sql
  stable
  set search_path to ''
BEGIN ATOMIC
 select
   jsonb_build_object('username', p.username, 'fullName', p.full_name, 'bio', p.bio, 'profileAssetId',
   p.photo_asset_id, 'profilePhotoUrl', app.photo_url(p.photo_asset_id), 'createdAt', app.iso(p.created_at))
  AS jsonb_build_object
    FROM app.profiles p
   WHERE (p.user_id = app.user_id());
END;

create or replace function app.fan_out_milestones()
  returns boolean
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  v_reached app.milestones;
  v_last integer;
  v_event app.events;
begin
  perform pg_advisory_xact_lock(hashtext('app.fan_out_milestones'));
  select * into v_reached from app.milestones as m order by m.id limit 1;
  if not found then
    return false;
  end if;
  -- A removal deletes the events that it sees, so it waits for these.
  perform from app.posts as p where p.id = v_reached.post_id for share;
  -- The number of voters with a milestone grows with the total, so the range shrinks: about 2,000
  -- notifications per run.
  v_last := least(v_reached.last_total, v_reached.next_total + 1000000 / v_reached.last_total);
  for v_event in
    insert into app.events (type, subject_id, post_id, milestone_total, milestone_count)
    select 'post_vote_milestone', u.id, v_reached.post_id, due.total, due.count
    from (
      select p.author_id as user_id, reached.total, reached.total as count
      from app.posts as p
      cross join generate_series(v_reached.next_total, v_last) as reached (total)
      where p.id = v_reached.post_id and reached.total % app.author_milestone() = 0
      union all
      select r.user_id, reached.total, reached.total - r.baseline
      from generate_series(v_reached.next_total, v_last) as reached (total)
      join app.vote_receipts as r
        on r.post_id = v_reached.post_id
          and r.baseline % app.voter_milestone() = reached.total % app.voter_milestone()
          and r.baseline <= reached.total - app.voter_milestone()
    ) as due
    cross join lateral (
      select living.id from app.users as living where living.id = due.user_id and living.ended_at is null offset 0
    ) as u
    where exists (select from app.seen_posts(u.id) as seen where seen.id = v_reached.post_id)
    returning *
  loop
    perform app.notify(v_event, array[v_event.subject_id]);
  end loop;
  if v_last = v_reached.last_total then
    delete from app.milestones as m where m.id = v_reached.id;
  else
    update app.milestones as m set next_total = v_last + 1 where m.id = v_reached.id;
  end if;
  return true;
end
$function$;

create or replace function app.feed (
  p_name text,
  p_args jsonb
)
  returns json
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
begin
  if p_name = 'get_hub_feed' or p_args ->> 'hubId' is not null then
    perform app.require_member((p_args ->> 'hubId')::uuid);
  end if;
  return app.read_feed(p_name, p_args);
end
$function$;

create or replace function app.feed_page (
  p_entries app.feed_entry[],
  p_contexts text[],
  p_after app.feed_cursor,
  p_limit integer,
  p_hub_id uuid default null::uuid,
  p_shows_phone boolean default true
)
  returns json
  language plpgsql
  stable
  set search_path to ''
  AS $function$
declare
  v_page app.feed_entry[] := p_entries[:p_limit];
begin
  return json_object(
    'items': app.cards_of(
      array(select entry.post from unnest(v_page) as entry), array(select entry.id from unnest(v_page) as entry),
      p_hub_id, p_contexts, null, p_shows_phone
    ),
    'nextCursor': case when cardinality(p_entries) > p_limit then
      app.encode_feed_cursor((
        v_page[p_limit].at, v_page[p_limit].id, p_after.began_at, p_after.seen,
        case when p_after.part = 'active' and v_page[p_limit].kind is not null then 'quiet' else p_after.part end,
        p_after.is_own, p_after.list
      )::app.feed_cursor)
    end
  );
end
$function$;

create or replace function app.feed_share_json (
  p_post_id uuid
)
  returns jsonb
  language plpgsql
  stable
  set search_path to ''
  AS $function$
begin
  return (
    select jsonb_build_object('shareId', s.id, 'postId', s.post_id, 'sharedAt', app.iso(s.shared_at))
    from app.feed_shares as s
    where s.user_id = app.user_id() and s.post_id = p_post_id and app.sees_post(p_post_id)
  );
end
$function$;

create or replace function app.finish_account_deletion (
  p_user_id uuid
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  v_deletion app.account_deletions;
  -- Longer than any request that began before the account ended and may still add data.
  v_settling interval := interval '1 minute';
  v_is_more boolean;
begin
  select * into v_deletion from app.account_deletions as d where d.user_id = p_user_id for update;
  if v_deletion.user_id is null then
    return;
  end if;
  v_is_more := app.leave_next_hub(p_user_id);
  if not v_is_more then
    if v_deletion.merged_into_id is not null then
      perform from app.users as u where u.id in (p_user_id, v_deletion.merged_into_id) order by u.id for update;
      perform app.move_belongings(p_user_id, v_deletion.merged_into_id);
    end if;
    perform app.erase_person(p_user_id);
    v_is_more := app.erase_belongings(p_user_id);
  end if;
  if v_is_more then
    update app.account_deletions set due_at = app.now(), attempt_count = 0 where user_id = p_user_id;
  elsif v_deletion.deleted_at + v_settling > app.now() then
    update app.account_deletions set due_at = deleted_at + v_settling, attempt_count = 0 where user_id = p_user_id;
  else
    perform app.expire_objects(p_user_id);
    if not app.has_objects_besides_evidence(p_user_id) then
      delete from app.account_deletions where user_id = p_user_id;
    end if;
  end if;
end
$function$;

create or replace function app.finish_upload (
  p_args jsonb
)
  returns jsonb
  language plpgsql
  set search_path to ''
  AS $function$
declare
  v_content jsonb := nullif(p_args -> 'content', 'null');
  v_checksum bytea := decode(p_args ->> 'checksum', 'hex');
  v_upload app.uploads;
  v_reason text;
begin
  select * into v_upload
  from app.uploads as u
  where u.id = (p_args ->> 'uploadId')::uuid and u.owner_id = app.user_id()
  for update;
  v_reason := case
    when v_upload.id is null then 'unknown'
    when v_upload.asset_id is null and v_content is null and v_upload.expires_at <= app.now() then 'expired'
    when v_upload.purpose <> (p_args ->> 'purpose')::app.upload_purpose then 'purpose_mismatch'
    when v_upload.asset_id is null and v_content is null then 'expired'
    when v_upload.asset_id is null then v_content ->> 'refusal'
    when exists (
      select from app.assets as a where a.id = v_upload.asset_id and a.checksum <> v_checksum
    ) then 'checksum_mismatch'
  end;
  if v_reason is not null then
    raise exception using errcode = 'PT409', message = 'UPLOAD_CONFLICT', detail = jsonb_strip_nulls(jsonb_build_object(
      'reason', v_reason, 'cause', case v_reason when v_content ->> 'refusal' then v_content ->> 'cause' end
    ))::text;
  end if;
  if v_upload.asset_id is null then
    v_upload.asset_id := app.insert_asset(v_upload, v_checksum, v_content);
  elsif v_content is not null then
    -- A concurrent try has completed the upload.
    update app.stored_objects set expires_at = app.now() where id = (v_content ->> 'assetId')::uuid;
  end if;
  return app.completed_asset_json(v_upload.asset_id);
end
$function$;

create or replace function app.first_shown (
  p_events app.feed_candidate[],
  p_after app.feed_cursor
)
  returns app.feed_entry[]
  language plpgsql
  stable
  set search_path to ''
  set plan_cache_mode to 'force_generic_plan'
  AS $function$
declare
  v_viewer_id uuid := app.user_id();
  v_before uuid[] := '{}'::uuid[];
begin
  if p_after.at <> 'infinity' then
    v_before := app.home_posts(
      array(select distinct event.id from unnest(p_events) as event), p_after, p_after.at, p_after.id
    );
  end if;
  return array(
    select ((newest).at, (newest).id, (newest).kind, p)::app.feed_entry
    from (
      select distinct on (event.id) event
      from unnest(p_events) as event
      order by event.id, event.at desc
    ) as event_of_post (newest)
    join app.posts_at(p_after, v_viewer_id) as p on p.id = (newest).id
    where (newest).id <> all (v_before)
    order by (newest).at desc, (newest).id desc
  );
end
$function$;

create or replace function app.folded (
  p_text text
)
  returns text
  language plpgsql
  immutable
  set search_path to ''
  AS $function$
declare
  v_text text := p_text;
begin
  if octet_length(p_text) = char_length(p_text) then
    return lower(p_text collate pg_catalog.pg_c_utf8);
  end if;
  v_text := regexp_replace(
    v_text,
    '[\u00ad\u0600-\u0605\u061c\u0640\u06dd\u070f\u0890\u0891\u08e2\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f'
    '\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3'
    '\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+',
    '', 'g'
  );
  v_text := regexp_replace(
    v_text,
    '[\u00b2\u00b3\u00b9\u00bc-\u00be\u2070\u2074-\u2079\u2080-\u2089\u20a8\u2100\u2101\u2103-\u2106\u2109\u2116'
    '\u2120-\u2122\u213b\u2150-\u215f\u2189\u2460-\u24ea\u3192-\u319f\u3200-\u3247\u3250-\u33ff\ufdfc'
    '\U0001ccd6-\U0001ccef\U0001f100-\U0001f10a\U0001f110-\U0001f251]+',
    ' ', 'g'
  );
  v_text := regexp_replace(
    left(normalize(v_text, nfkd), 20000),
    '[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670'
    '\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed'
    '\u08d3-\u08e1\u08e3-\u08ff\u093c\u09bc\u0a3c\u0abc\u0b3c\u0cbc\u1ab0-\u1aff\u1dc0-\u1dff'
    '\u20d0-\u20ff\ufe20-\ufe2f]+',
    '', 'g'
  );
  v_text := lower(normalize(v_text, nfc) collate pg_catalog.pg_c_utf8);
  v_text := translate(v_text, '‘’ʼ՚׳łøđðħıŧςٱ', '''''''''''loddhitσا');
  return replace(replace(replace(replace(v_text, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
end
$function$;

create or replace function app.grant_to_phone (
  p_phone text,
  p_args jsonb
)
  returns jsonb
  language plpgsql
  set search_path to ''
  AS $function$
declare
  v_sign_in record := app.sign_in_with_phone(p_phone, app.user_id());
  v_grant jsonb := app.insert_session(v_sign_in.user_id, p_args);
begin
  update app.device_tokens
  set session_id = (v_grant ->> 'sessionId')::uuid
  where user_id = v_sign_in.user_id and session_id is null;
  return v_grant || jsonb_build_object('isNewUser', v_sign_in.is_new, 'merged', v_sign_in.is_merged);
end
$function$;

create or replace function app.has_objects_besides_evidence (
  p_user_id uuid
)
  returns boolean
  language sql
  stable
  set search_path to ''
BEGIN ATOMIC
 select (exists ( select
            from app.stored_objects o
           where ((o.owner_id = has_objects_besides_evidence.p_user_id) AND (not (exists ( select
                    from app.evidence_assets e
                   where (e.asset_id = o.id)))))))
  AS "exists";
END;

create or replace function app.has_other_activity (
  p_post_id uuid,
  p_after app.feed_cursor
)
  returns boolean
  language plpgsql
  stable
  set search_path to ''
  AS $function$
begin
  return exists (
    select
    from app.events_at(p_after) as e
    where e.post_id = p_post_id and e.kind <> 'shared_to_hub'
      and e.source_id in (select source.id from app.sources_at(p_after) as source (id))
  );
end
$function$;

create or replace function app.has_sources()
  returns boolean
  language plpgsql
  stable
  set search_path to ''
  AS $function$
begin
  if app.user_id() is null then
    return false;
  end if;
  -- A statement of its own: most callers have sources, and posts cost more to start than these.
  if exists (
    select
    from app.my_sources as s
    where not exists (select from app.users_hidden_from_all as h where h.user_id = s.source_id)
  ) then
    return true;
  end if;
  return exists (select from app.posts as p where p.author_id = app.user_id() and p.removed_at is null);
end
$function$;

create or replace function app.hidden_among (
  p_user_ids uuid[],
  p_after app.feed_cursor
)
  returns uuid[]
  language plpgsql
  stable
  set search_path to ''
  AS $function$
begin
  if p_after.at = 'infinity' then
    return array(
      select wanted.id from unnest(p_user_ids) as wanted (id)
      where exists (select from app.hidden_users as h where h.user_id = wanted.id)
    );
  end if;
  return array(select hidden.id from app.hidden_at(p_after) as hidden (id) where hidden.id = any (p_user_ids));
end
$function$;

create or replace function app.hidden_at (
  p_after app.feed_cursor
)
  returns SETOF uuid
  language plpgsql
  stable
  set search_path to ''
  AS $function$
begin
  if p_after.at = 'infinity' then
    return query select h.user_id from app.hidden_users as h;
    return;
  end if;
  return query
  select h.user_id
  from app.hidden_users as h
  where (h.reason, h.user_id) not in (select c.kind, c.object_id from app.changed_since(p_after) as c)
  union all
  select shown.id from app.unhidden_since(p_after) as shown (id);
end
$function$;

create or replace function app.hide_post (
  p_post_id uuid
)
  returns boolean
  language plpgsql
  set search_path to ''
  AS $function$
declare
  v_post app.posts;
begin
  perform app.lock_post_for_deletion(p_post_id);
  update app.posts as p
  set removed_at = app.now()
  where p.id = p_post_id and p.removed_at is null
  returning * into v_post;
  if v_post.id is null then
    return false;
  end if;
  delete from app.events as e where e.post_id = p_post_id;
  update app.posts as s set repost_count = s.repost_count - 1 where s.id = v_post.source_post_id;
  perform app.end_activity(
    'reposted', v_post.author_id, v_post.source_post_id, app.last_repost(v_post.author_id, v_post.source_post_id)
  ),
    app.count_trending('reposted', v_post.author_id, v_post.source_post_id)
  where v_post.source_post_id is not null;
  return true;
end
$function$;

create or replace function app.hide_request_notifications()
  returns trigger
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
begin
  update app.notifications as n
  set audience = 'nobody'
  from app.events as e
  where e.join_request_id = new.id and e.type = 'hub_join_request_created' and n.event_id = e.id;
  return null;
end
$function$;

create or replace function app.home_entries (
  p_after app.feed_cursor,
  p_limit integer
)
  returns app.feed_entry[]
  language plpgsql
  stable
  set search_path to ''
  AS $function$
declare
  v_cursor app.feed_cursor := p_after;
  v_size integer := 2 * p_limit;
  v_events app.feed_candidate[];
  v_counted app.feed_candidate[];
  v_known uuid[] := '{}'::uuid[];
  v_found app.feed_entry[] := '{}'::app.feed_entry[];
begin
  loop
    v_events := app.newest_events(v_cursor, v_size, v_known);
    v_counted := app.without_hidden(v_events, p_after);
    v_found := v_found || app.first_shown(v_counted, p_after);
    exit when cardinality(v_found) >= p_limit or cardinality(v_events) < v_size;
    v_known := v_known || array(select distinct event.id from unnest(v_counted) as event);
    v_cursor.at := v_events[v_size].at;
    v_cursor.id := v_events[v_size].id;
    v_size := least(2 * v_size, 2000);
  end loop;
  return v_found[:p_limit];
end
$function$;

create or replace function app.home_posts (
  p_post_ids uuid[],
  p_after app.feed_cursor,
  p_at timestamp with time zone,
  p_id uuid
)
  returns uuid[]
  language plpgsql
  stable
  set search_path to ''
  set plan_cache_mode to 'force_generic_plan'
  AS $function$
declare
  -- Two events cost about as much as a probe of one source, so posts with more events are probed by source.
  v_look bigint := greatest(200, 2 * (select count(*) from app.sources_at(p_after)));
  v_found uuid[];
  v_viral uuid[];
begin
  v_found := array(
    select distinct wanted.id
    from unnest(p_post_ids) as wanted (id)
    where exists (
      select
      from (
        select e.source_id
        from app.events_at(p_after) as e
        where e.post_id = wanted.id and (e.occurred_at, e.post_id) >= (p_at, p_id)
        order by e.occurred_at desc
        limit v_look
      ) as event
      -- As an expression, the subquery is a hashed subplan. The caller's own source has their posts.
      where (event.source_id in (
        select source.id from app.sources_at(p_after) as source (id) union all select app.user_id()
      )) is true
    )
  );
  v_viral := array(
    select distinct wanted.id
    from unnest(p_post_ids) as wanted (id)
    -- Counts all events, which an index alone answers. A post with too few that count is probed too, in vain.
    where wanted.id <> all (v_found) and v_look = (
      select count(*)
      from (
        select
        from app.feed_events as e
        where e.post_id = wanted.id and (e.occurred_at, e.post_id) >= (p_at, p_id)
        limit v_look
      ) as event
    )
  );
  if v_viral = '{}' then
    return v_found;
  end if;
  return v_found || array(
    select viral.id
    from unnest(v_viral) as viral (id)
    where exists (
      select
      from app.sources_at(p_after) as source (id)
      cross join lateral (
        (
          select
          from app.events_at(p_after) as e
          where e.post_id = viral.id and e.source_id = source.id and e.ended_at is null
            and (e.occurred_at, e.post_id) >= (p_at, p_id)
          limit 1
        )
        union all
        (
          select
          from app.events_at(p_after) as e
          where e.post_id = viral.id and e.source_id = source.id and e.ended_at is not null
            and (e.occurred_at, e.post_id) >= (p_at, p_id)
          limit 1
        )
      ) as event
    ) or exists (
      select
      from app.posts as own
      where own.id = viral.id and own.author_id = app.user_id() and own.is_public
        and (own.created_at, own.id) >= (p_at, p_id)
    )
  );
end
$function$;

create or replace function app.home_reasons (
  p_entries app.feed_entry[],
  p_after app.feed_cursor
)
  returns text[]
  language plpgsql
  stable
  set search_path to ''
  set plan_cache_mode to 'force_generic_plan'
  AS $function$
declare
  v_hub_ids uuid[] := array(select hub.id from app.sources_at(p_after, '{memberships}') as hub (id));
begin
  return array(
    -- "offset 0" keeps the planner from reading all follows and co-members of the caller for twenty authors.
    select case
      when p.author_id = (select app.user_id()) then 'own_post'
      when p.is_public and exists (
        select from app.sources_at(p_after, '{follows}') as followed (id) where followed.id = p.author_id offset 0
      ) then 'followed_author'
      when p.is_public and exists (
        select from app.memberships as theirs
        where theirs.user_id = p.author_id and theirs.hub_id = any (v_hub_ids)
        offset 0
      ) then 'hub_co_member_author'
      when exists (
        select from app.placements as target
        where target.post_id = p.id and target.kind = 'targeted' and target.hub_id = any (v_hub_ids)
        offset 0
      ) then 'joined_hub_post'
      when entry.kind <> 'shared_to_hub'
        -- A look at the events of a post may read thousands, and only a post in a Hub of the caller needs one.
        or not exists (
          select from app.placements as placed
          where placed.post_id = p.id and placed.hub_id = any (v_hub_ids)
          offset 0
        )
        or app.has_other_activity(p.id, p_after) then 'friend_interaction'
      else 'shared_to_hub'
    end
    from unnest(p_entries) with ordinality as entry (at, id, kind, post, place)
    cross join lateral (select (entry.post).*) as p
    order by entry.place
  );
end
$function$;

create or replace function app.hub_entries (
  p_hub_id uuid,
  p_after app.feed_cursor,
  p_limit integer
)
  returns app.feed_entry[]
  language plpgsql
  stable
  set search_path to ''
  set plan_cache_mode to 'force_generic_plan'
  AS $function$
declare
  v_viewer_id uuid := app.user_id();
  v_settled timestamptz := p_after.began_at - interval '1 minute';
begin
  return array(
    select (entry.at, entry.id, 'shared_to_hub', entry.post)::app.feed_entry
    from (
      (
        select placed.last_shared_at as at, placed.post_id as id, p as post
        from app.placements as placed
        join app.posts_at(p_after, v_viewer_id) as p on p.id = placed.post_id
        where placed.hub_id = p_hub_id and (placed.last_shared_at, placed.post_id) < (p_after.at, p_after.id)
          and placed.last_shared_at <= v_settled
        order by placed.last_shared_at desc, placed.post_id desc
        limit p_limit
      )
      union all
      select former.at, placed.post_id, p
      from app.placements as placed
      join app.posts_at(p_after, v_viewer_id) as p on p.id = placed.post_id
      cross join app.share_at_page_one(p_hub_id, placed.post_id, p_after) as former (at)
      where placed.hub_id = p_hub_id and placed.last_shared_at > v_settled
        and (former.at, placed.post_id) < (p_after.at, p_after.id)
    ) as entry
    order by entry.at desc, entry.id desc
    limit p_limit
  );
end
$function$;

create or replace function app.insert_asset (
  p_upload app.uploads,
  p_checksum bytea,
  p_content jsonb
)
  returns uuid
  language plpgsql
  set search_path to ''
  AS $function$
declare
  v_asset_id uuid := (p_content ->> 'assetId')::uuid;
begin
  update app.stored_objects set expires_at = null where id = v_asset_id and expires_at > app.now();
  -- The worker may have removed the object after an hour.
  if not found then
    raise exception using errcode = 'PT503', message = 'SERVICE_UNAVAILABLE';
  end if;
  insert into app.assets (
    id, owner_id, purpose, content_type, size_bytes, checksum, file_name, width, height, blurhash, has_thumbnail
  )
  values (
    v_asset_id, p_upload.owner_id, p_upload.purpose, p_upload.content_type, p_upload.size_bytes, p_checksum,
    p_upload.file_name,
    (p_content ->> 'width')::integer, (p_content ->> 'height')::integer, p_content ->> 'blurhash',
    coalesce((p_content ->> 'hasThumbnail')::boolean, false)
  );
  update app.uploads set asset_id = v_asset_id where id = p_upload.id;
  return v_asset_id;
end
$function$;

create or replace function app.insert_ballot (
  p_post_id uuid,
  p_position app.vote_position,
  p_hub_ids uuid[],
  p_key text
)
  returns void
  language plpgsql
  set search_path to ''
  AS $function$
declare
  -- Counts and padding keep the length from revealing the position and, up to about twenty, the number of Hubs.
  v_ballot text := jsonb_build_object('counts', app.one_vote(p_position), 'hubIds', p_hub_ids)::text;
begin
  insert into app.pending_ballots (post_id, cast_hour, key_id, sealed)
  values (
    p_post_id,
    date_trunc('hour', app.now(), 'UTC'),
    app.key_id(p_key),
    app.seal(rpad(v_ballot, 1024 * (char_length(v_ballot) / 1024 + 1)), p_key)
  );
end
$function$;

create or replace function app.insert_follow (
  p_followee_id uuid
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
begin
  if exists (select from app.blocked_users as b where b.user_id = p_followee_id) then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  insert into app.follows (follower_id, followee_id) values (app.user_id(), p_followee_id);
  perform app.emit('user_followed', p_actor_id => app.user_id(), p_subject_id => p_followee_id);
end
$function$;

create or replace function app.insert_invite_link (
  p_hub_id uuid,
  p_token_hash bytea,
  p_max_uses integer,
  p_expires_in interval
)
  returns uuid
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  v_id uuid;
begin
  perform app.lock_member(p_hub_id, 'manager');
  perform app.require_rate_limit('invite links', p_hub_id::text, 100, interval '1 day');
  insert into app.invite_links (hub_id, creator_id, token_hash, max_uses, expires_at)
  values (p_hub_id, app.user_id(), p_token_hash, p_max_uses, app.now() + p_expires_in)
  returning id into v_id;
  return v_id;
end
$function$;

create or replace function app.insert_join_request (
  p_hub_id uuid,
  p_source app.join_request_source,
  p_link_id uuid default null::uuid
)
  returns uuid
  language plpgsql
  set search_path to ''
  AS $function$
declare
  v_user_id uuid := app.user_id();
  v_is_repeat boolean := p_link_id is not null and exists (
    select
    from app.join_requests as r
    where r.hub_id = p_hub_id and r.user_id = v_user_id and r.state in ('rejected', 'withdrawn')
      and r.ended_at > app.now() - interval '7 days'
  );
  v_opens_at timestamptz := case when v_is_repeat then app.repeats_open_at(p_hub_id, v_user_id) end;
  v_id uuid;
begin
  insert into app.join_requests (hub_id, user_id, source, link_id, is_repeat)
  values (p_hub_id, v_user_id, p_source, p_link_id, v_is_repeat)
  returning id into v_id;
  -- After the insert, which refuses a caller whose request is open.
  perform app.refuse_until(v_opens_at);
  update app.invite_links as l set use_count = l.use_count + 1 where l.id = p_link_id;
  perform app.emit(
    'hub_join_request_created', p_actor_id => v_user_id, p_subject_id => v_user_id, p_hub_id => p_hub_id,
    p_join_request_id => v_id
  );
  return v_id;
end
$function$;

create or replace function app.insert_message (
  p_discussion_id uuid,
  p_parent_id uuid,
  p_body text,
  p_asset_id uuid,
  p_alt_text text
)
  returns uuid
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  v_hub_id uuid := (select d.hub_id from app.discussions as d where d.id = p_discussion_id);
  v_created_at timestamptz;
  v_root_id uuid;
  v_message_id uuid;
begin
  if v_hub_id is null then
    raise exception using errcode = 'PT404', message = 'DISCUSSION_NOT_FOUND';
  end if;
  perform app.lock_member(v_hub_id, p_hidden => 'DISCUSSION_NOT_FOUND');
  -- The discussion first: its lock orders messages, and replies and the deletion of their root. Each message
  -- is later than those committed before, although app.now() is the time at which its transaction began.
  update app.discussions as d
  set message_count = d.message_count + 1,
    last_activity_at = greatest(app.now(), d.last_activity_at + interval '1 microsecond')
  where d.id = p_discussion_id
  returning d.last_activity_at into v_created_at;
  if not found then
    raise exception using errcode = 'PT404', message = 'DISCUSSION_NOT_FOUND';
  end if;
  if p_parent_id is not null then
    select coalesce(m.parent_id, m.id) into v_root_id
    from app.messages as m
    where m.id = p_parent_id and m.discussion_id = p_discussion_id and not m.is_deleted
      and not exists (select from app.suspensions as s where s.user_id = m.author_id);
    if v_root_id is null then
      raise exception using errcode = 'PT404', message = 'MESSAGE_NOT_FOUND';
    end if;
  end if;
  if p_asset_id is not null then
    perform app.require_asset(p_asset_id, '{post_image}', '["assetId"]');
  end if;
  insert into app.messages (discussion_id, hub_id, author_id, parent_id, body, asset_id, alt_text, created_at)
  values (p_discussion_id, v_hub_id, app.user_id(), v_root_id, p_body, p_asset_id, p_alt_text, v_created_at)
  returning id into v_message_id;
  update app.messages as m set reply_count = m.reply_count + 1 where m.id = v_root_id;
  perform app.record_hub_activity(v_hub_id);
  return v_message_id;
end
$function$;

create or replace function app.insert_placements (
  p_post_id uuid,
  p_hub_ids uuid[],
  p_kind app.placement_kind
)
  returns uuid[]
  language plpgsql
  set search_path to ''
  AS $function$
declare
  v_placed_in uuid[];
begin
  perform app.lock_own_memberships(p_hub_ids);
  -- A vote that does not see these placements waits for this lock (app.count_in_new_hubs).
  perform pg_advisory_xact_lock(app.placements_key(p_post_id));
  with placed as (
    insert into app.placements (post_id, hub_id, kind, placed_by)
    select (app.require_post(p_post_id)).id, target.id, p_kind, app.user_id()
    from unnest(p_hub_ids) as target (id)
    order by target.id
    on conflict (post_id, hub_id) do nothing
    returning hub_id
  )
  select array_agg(placed.hub_id) into v_placed_in from placed;
  return v_placed_in;
end
$function$;

create or replace function app.insert_post (
  p_args jsonb,
  p_article jsonb,
  p_source_post_id uuid
)
  returns uuid
  language plpgsql
  set search_path to ''
  AS $function$
declare
  v_hub_ids uuid[] := app.ids_argument(p_args, 'hubIds', 0, 20);
  v_media jsonb := app.media_argument(p_article);
  v_url text := app.text_argument(p_article, 'url', p_max => 2000, p_within => 'article');
  v_title text := app.text_argument(p_article, 'title', p_within => 'article');
  v_body text := app.text_argument(p_article, 'text', p_within => 'article');
  v_thought_text text := app.text_argument(p_args, 'thoughtText');
  v_slider_text text := app.text_argument(p_args, 'sliderText');
  v_slider jsonb := app.argument(p_args, 'slider', 'object');
  v_left_label text := app.text_argument(v_slider, 'leftLabel', p_within => 'slider');
  v_right_label text := app.text_argument(v_slider, 'rightLabel', p_within => 'slider');
  v_article_id uuid;
  -- No "returning": the policy of posts looks the post up, and a statement does not see what it inserts.
  v_post_id uuid := app.uuid_v7();
begin
  if v_slider_text is null and v_slider is not null then
    perform app.refuse_argument('{slider}', 'missing_text', 'The slider needs a text.');
  elsif v_slider_text is not null and v_slider is null then
    v_left_label := 'Disagree';
    v_right_label := 'Agree';
  end if;
  perform app.check_limit('posts');
  if p_article is not null then
    insert into app.articles (author_id, url, title, body, media_count)
    values (app.user_id(), v_url, v_title, v_body, jsonb_array_length(v_media))
    returning id into v_article_id;
    perform app.attach_media(
      v_article_id, v_media, case when p_article ->> 'media' is null then 'assetIds' else 'media' end
    );
  end if;
  -- Memberships come before the author and the original: see "Lock order" in docs/architecture.md.
  perform app.lock_own_memberships(v_hub_ids);
  insert into app.posts (
    id, author_id, article_id, source_post_id, thought_text, slider_text, left_label, right_label, visibility
  )
  values (
    v_post_id, app.user_id(), v_article_id, p_source_post_id, v_thought_text, v_slider_text, v_left_label,
    v_right_label, (p_args ->> 'visibility')::app.post_visibility
  );
  perform app.insert_placements(v_post_id, v_hub_ids, 'targeted');
  perform app.use_limit('posts');
  return v_post_id;
end
$function$;

create or replace function app.insert_session (
  p_user_id uuid,
  p_args jsonb
)
  returns jsonb
  language plpgsql
  set search_path to ''
  AS $function$
declare
  v_session_id uuid;
begin
  insert into app.sessions (user_id, device_kind)
  values (p_user_id, p_args ->> 'deviceKind')
  returning id into v_session_id;
  perform app.add_refresh_token(v_session_id, decode(p_args ->> 'refreshTokenHash', 'hex'));
  return app.session_grant(v_session_id, p_user_id);
end
$function$;

create or replace function app.is_default_feed_user()
  returns boolean
  language sql
  stable
  set search_path to ''
BEGIN ATOMIC
 select (exists ( select
            from app.default_feed_users d
           where (d.user_id = app.user_id())))
  AS "exists";
END;

create or replace function app.is_home_post (
  p_post_id uuid,
  p_after app.feed_cursor
)
  returns boolean
  language plpgsql
  stable
  set search_path to ''
  AS $function$
begin
  return app.home_posts(array[p_post_id], p_after, '-infinity', '00000000-0000-0000-0000-000000000000') <> '{}';
end
$function$;

create or replace function app.is_in_hub_of (
  p_user_id uuid,
  p_post_id uuid
)
  returns boolean
  language plpgsql
  stable
  set search_path to ''
  AS $function$
begin
  return exists (
    select
    from app.placements as placed
    join app.memberships as m on m.hub_id = placed.hub_id and m.user_id = p_user_id
    where placed.post_id = p_post_id
  );
end
$function$;

create or replace function app.is_since (
  p_after app.feed_cursor,
  p_changed_by xid8
)
  returns boolean
  language sql
  stable
RETURN
  ((p_changed_by >= pg_snapshot_xmin((p_after).seen)) AND (not pg_visible_in_snapshot(p_changed_by,
  (p_after).seen)));

create or replace function app.leave_next_hub (
  p_user_id uuid
)
  returns boolean
  language plpgsql
  set search_path to ''
  AS $function$
declare
  v_hub_id uuid;
begin
  select m.hub_id into v_hub_id from app.memberships as m where m.user_id = p_user_id order by m.hub_id limit 1;
  if not found then
    return false;
  end if;
  perform app.lock_hub(v_hub_id);
  perform app.succeed_admin(v_hub_id, p_user_id);
  perform app.delete_memberships(v_hub_id, p_user_id);
  return true;
end
$function$;

create or replace function app.mentioned_users (
  p_event app.events,
  p_from uuid,
  p_limit integer
)
  returns SETOF uuid
  language plpgsql
  stable
  set search_path to ''
  AS $function$
declare
  v_post app.posts;
  v_usernames text[];
begin
  select * into v_post from app.posts as p where p.id = p_event.post_id;
  v_usernames := app.usernames_in(
    case
      when p_event.comment_id is null then v_post.thought_text
      else (select c.body from app.comments as c where c.id = p_event.comment_id)
    end
  );
  return query
  select mentioned.user_id
  from app.profiles as mentioned
  where mentioned.username = any (v_usernames) and mentioned.user_id >= p_from
    and exists (select from app.seen_posts(mentioned.user_id) as seen where seen.id = v_post.id)
    and not exists (
      select
      from app.events as e
      where e.post_id = v_post.id and e.comment_id is not distinct from p_event.comment_id
        and e.type <> 'user_mentioned'
        and app.notifies(e, mentioned.user_id)
    )
  order by mentioned.user_id
  limit p_limit;
end
$function$;

create or replace function app.newest_events (
  p_after app.feed_cursor,
  p_limit integer,
  p_except uuid[]
)
  returns app.feed_candidate[]
  language plpgsql
  stable
  set search_path to ''
  set plan_cache_mode to 'force_generic_plan'
  AS $function$
declare
  v_until timestamptz := least(p_after.at, p_after.began_at);
  v_hub_ids uuid[] := array(select hub.id from app.sources_at(p_after, '{memberships}') as hub (id));
  v_newest app.feed_candidate[];
begin
  v_newest := array(
    with sources as materialized (
      select followed.id from app.sources_at(p_after, '{follows}') as followed (id)
      union all
      select unnest(v_hub_ids)
    ),
    -- The newest N events lie in the N sources with the newest heads, so the others need no further read.
    heads as materialized (
      select source.id, head.occurred_at, head.post_id
      from sources as source
      cross join lateral (
        select e.occurred_at, e.post_id
        from app.recorded_events_at(p_after) as e
        where e.source_id = source.id
          and e.occurred_at <= v_until and (e.occurred_at < p_after.at or e.post_id < p_after.id)
          and (p_except = '{}' or e.post_id not in (select known.id from unnest(p_except) as known (id)))
        order by e.occurred_at desc, e.post_id desc
        limit 1
      ) as head
      order by head.occurred_at desc, head.post_id desc
      limit p_limit
    ),
    since as materialized (
      select case when count(*) < p_limit then '-infinity' else min(h.occurred_at) - interval '1 microsecond' end as at
      from heads as h
    )
    select (found.at, found.id, found.kind, found.actor_id)::app.feed_candidate
    from (
      select event.occurred_at, event.post_id, event.kind, event.actor_id
      from heads
      cross join since
      cross join lateral (
        select e.occurred_at, e.post_id, e.kind, e.actor_id
        from app.recorded_events_at(p_after) as e
        where e.source_id = heads.id
          and e.occurred_at <= v_until and (e.occurred_at < p_after.at or e.post_id < p_after.id)
          and e.occurred_at > since.at
          and (p_except = '{}' or e.post_id not in (select known.id from unnest(p_except) as known (id)))
        order by e.occurred_at desc, e.post_id desc
        limit p_limit
      ) as event
      union all
      (
        select p.created_at, p.id, 'published'::app.feed_event_kind, p.author_id
        from app.posts as p
        where p.author_id = (select app.user_id()) and p.is_public
          and (p.created_at, p.id) < (p_after.at, p_after.id)
          and (p_except = '{}' or p.id not in (select known.id from unnest(p_except) as known (id)))
        order by p.created_at desc, p.id desc
        limit p_limit
      )
    ) as found (at, id, kind, actor_id)
    order by found.at desc, found.id desc
    limit p_limit
  );
  if v_hub_ids = '{}' then
    return v_newest;
  end if;
  return array(
    select candidate
    from unnest(v_newest || app.newest_own_shares(p_after, p_limit, p_except, v_hub_ids)) as candidate
    order by candidate.at desc, candidate.id desc
    limit p_limit
  );
end
$function$;

create or replace function app.newest_own_shares (
  p_after app.feed_cursor,
  p_limit integer,
  p_except uuid[],
  p_hub_ids uuid[]
)
  returns app.feed_candidate[]
  language plpgsql
  stable
  set search_path to ''
  set plan_cache_mode to 'force_generic_plan'
  AS $function$
begin
  return array(
    select (own.occurred_at, own.post_id, own.kind, own.actor_id)::app.feed_candidate
    from app.own_shares_at(p_after) as own
    where own.hub_id = any (p_hub_ids)
      and (own.occurred_at, own.post_id) < (p_after.at, p_after.id)
      and own.post_id not in (select known.id from unnest(p_except) as known (id))
      and not exists (
        select
        from app.own_shares_at(p_after) as later
        where later.post_id = own.post_id and later.occurred_at > own.occurred_at
          and later.hub_id = any (p_hub_ids)
      )
      and not app.is_home_post(own.post_id, p_after)
    order by own.occurred_at desc, own.post_id desc
    limit p_limit
  );
end
$function$;

create or replace function app.open_cursor (
  p_list text,
  p_cursor text
)
  returns jsonb
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
declare
  v_key bytea := (select k.key from app.cursor_keys as k);
  v_base64 text := translate(p_cursor, '-_', '+/');
  v_sealed bytea;
  v_after bytea;
begin
  if coalesce(p_cursor, '') = '' then
    return null;
  elsif char_length(p_cursor) > 4000 then
    raise invalid_parameter_value;
  end if;
  v_sealed := decode(rpad(v_base64, (char_length(v_base64) + 3) / 4 * 4, '='), 'base64');
  v_after := extensions.decrypt_iv(substr(v_sealed, 17), sha256(v_key), substr(v_sealed, 1, 16), 'aes');
  if substr(v_sealed, 1, 16) <> substr(extensions.hmac(convert_to(p_list, 'UTF8') || v_after, v_key, 'sha256'), 1, 16)
    or app.base64url(v_sealed) <> p_cursor
  then
    raise invalid_parameter_value;
  end if;
  return convert_from(v_after, 'UTF8')::jsonb;
exception when data_exception or external_routine_invocation_exception then
  perform app.refuse_argument('{cursor}', 'invalid_cursor', 'Not a cursor of this list.');
end
$function$;

create or replace function app.open_feed_cursor (
  p_list text,
  p_cursor text,
  p_sort text default 'recent'::text,
  p_is_home boolean default false
)
  returns app.feed_cursor
  language plpgsql
  stable
  set search_path to ''
  AS $function$
declare
  v_after jsonb := app.open_cursor(p_list, p_cursor);
begin
  if v_after is null then
    return (
      'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff', app.now(), pg_current_snapshot(),
      case p_sort when 'trending' then 'active' else 'recent' end, p_is_home and app.has_sources(), p_list
    )::app.feed_cursor;
  end if;
  return (
    v_after ->> 0, v_after ->> 1, least((v_after ->> 2)::timestamptz, app.now()), v_after ->> 3, v_after ->> 4,
    v_after ->> 5, p_list
  )::app.feed_cursor;
end
$function$;

create or replace function app.own_shares_at (
  p_after app.feed_cursor
)
  returns SETOF app.feed_events
  language sql
  stable
  AS $function$
  select e.*
  from app.feed_events as e
  where e.actor_id = (select app.user_id()) and e.kind = 'shared_to_hub'
    and app.counted_at(p_after, e.occurred_at, e.begun_by, e.ended_by);
$function$;

create or replace function app.phrase_of (
  p_text text
)
  returns tsquery
  language plpgsql
  immutable
  set search_path to ''
  AS $function$
declare
  v_word record;
  v_place integer;
  v_phrase tsquery;
begin
  for v_word in
    select w.place, (
      '''' || w.word || ''''
      || coalesce(' | ' || (select string_agg('''' || part || '''', ' <0> ') from unnest(w.parts) as part), '')
    )::tsquery as query
    from app.words_of(p_text) as w
    where not w.is_part
    order by w.place
  loop
    v_phrase := case
      when v_phrase is null then v_word.query else tsquery_phrase(v_phrase, v_word.query, v_word.place - v_place)
    end;
    v_place := v_word.place;
  end loop;
  return v_phrase;
end
$function$;

create or replace function app.post_detail (
  p_post_id uuid,
  p_hub_id uuid default null::uuid
)
  returns json
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
begin
  return (app.cards_of(
    array[app.require_post(p_post_id)], array[p_post_id], p_hub_id, null, app.viewer_level(), true
  ))[1];
end
$function$;

create or replace function app.posts_at (
  p_after app.feed_cursor,
  p_viewer_id uuid
)
  returns SETOF app.posts
  language sql
  stable
  AS $function$
  select p.*
  from app.seen_posts(p_viewer_id) as p
  where p.author_id not in (select shown.id from app.unhidden_since(p_after) as shown (id));
$function$;

create or replace function app.posts_despite_blocks (
  p_viewer_id uuid
)
  returns SETOF app.posts
  language sql
  stable
  AS $function$
  select p.*
  from app.posts as p
  where p.removed_at is null
    and (
      p.author_id = p_viewer_id
      or (
        (
          p.is_public
          or exists (
            select
            from app.placements as t
            join app.memberships as m on m.hub_id = t.hub_id and m.user_id = p_viewer_id
            where t.post_id = p.id
          )
        )
        and not exists (select from app.users_hidden_from_all as h where h.user_id = p.author_id)
      )
    );
$function$;

create or replace function app.posts_in_feed (
  p_hub_id uuid,
  p_after app.feed_cursor,
  p_post_ids uuid[]
)
  returns uuid[]
  language plpgsql
  stable
  set search_path to ''
  set plan_cache_mode to 'force_generic_plan'
  AS $function$
begin
  if p_hub_id is not null then
    return array(
      select placed.post_id
      from app.placements as placed
      where placed.hub_id = p_hub_id and placed.post_id = any (p_post_ids)
        -- As in app.hub_entries.
        and (
          placed.last_shared_at <= p_after.began_at - interval '1 minute'
          or app.share_at_page_one(p_hub_id, placed.post_id, p_after) is not null
        )
    );
  elsif not p_after.is_own then
    return array(
      select p.id
      from app.posts as p
      where p.id = any (p_post_ids) and p.is_public
        and p.author_id in (select author.id from app.default_users_at(p_after) as author (id))
    );
  end if;
  return array(
    select unnest(app.home_posts(p_post_ids, p_after, '-infinity', '00000000-0000-0000-0000-000000000000'))
    union
    select own.post_id
    from app.own_shares_at(p_after) as own
    where own.post_id = any (p_post_ids)
      and own.hub_id in (select hub.id from app.sources_at(p_after, '{memberships}') as hub (id))
  );
end
$function$;

create or replace function app.profile_entries (
  p_user_id uuid,
  p_after app.feed_cursor,
  p_limit integer
)
  returns app.feed_entry[]
  language plpgsql
  stable
  set search_path to ''
  set plan_cache_mode to 'force_generic_plan'
  AS $function$
declare
  v_viewer_id uuid := app.user_id();
  v_changed app.feed_changes[] := array(select changed from app.shares_changed_since(p_user_id, p_after) as changed);
  v_changed_ids uuid[] := array(select changed.object_id from unnest(v_changed) as changed);
begin
  return array(
    select (entry.at, entry.id, entry.kind, entry.post)::app.feed_entry
    from (
      (
        select p.created_at as at, p.id, 'published' as kind, p as post
        from app.posts_at(p_after, v_viewer_id) as p
        where p.author_id = p_user_id and p.is_public
          and (p.created_at, p.id) < (p_after.at, p_after.id)
          and not exists (
            select
            from app.feed_shares as s
            where s.user_id = p_user_id and s.post_id = p.id and s.post_id <> all (v_changed_ids)
          )
          and not exists (
            select from unnest(v_changed) as former where former.object_id = p.id and former.former_at is not null
          )
        order by p.created_at desc, p.id desc
        limit p_limit
      )
      union all
      (
        select s.shared_at, s.post_id, 'shared_to_feed', p
        from app.feed_shares as s
        join app.posts_at(p_after, v_viewer_id) as p on p.id = s.post_id
        where s.user_id = p_user_id and (s.shared_at, s.post_id) < (p_after.at, p_after.id)
          and s.post_id <> all (v_changed_ids)
          and (p.is_public or app.is_in_hub_of(p_user_id, p.id))
        order by s.shared_at desc, s.post_id desc
        limit p_limit
      )
      union all
      select former.former_at, former.object_id, 'shared_to_feed', p
      from unnest(v_changed) as former
      join app.posts_at(p_after, v_viewer_id) as p on p.id = former.object_id
      where (former.former_at, former.object_id) < (p_after.at, p_after.id)
        and (p.is_public or app.is_in_hub_of(p_user_id, p.id))
    ) as entry
    order by entry.at desc, entry.id desc
    limit p_limit
  );
end
$function$;

create or replace function app.profile_feed (
  p_user_id uuid,
  p_args jsonb
)
  returns json
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
declare
  v_limit integer := app.page_size(p_args, 20, 50);
  v_cursor app.feed_cursor := app.open_feed_cursor(
    app.list_of('get_profile_feed', p_args, p_is_shared => true), p_args ->> 'cursor'
  );
begin
  return app.feed_page(
    app.profile_entries(p_user_id, v_cursor, v_limit + 1), null, v_cursor, v_limit, p_shows_phone => false
  );
end
$function$;

create or replace function app.prune_closed_hubs()
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  v_hub_id uuid := (select h.id from app.hubs as h where h.closed_at is not null order by h.closed_at limit 1);
begin
  if not pg_try_advisory_xact_lock(hashtext('app.prune_closed_hubs')) then
    return;
  end if;
  perform case
    when app.close_hub_discussions(v_hub_id) then true
    when app.close_hub_placements(v_hub_id) then true
    when app.close_hub_feed_events(v_hub_id) then true
    when app.close_hub_notifications(v_hub_id) then true
    when app.close_hub_votes(v_hub_id) then true
    else app.delete_closed_hub(v_hub_id)
  end;
end
$function$;

create or replace function app.public_profile (
  p_user_id uuid
)
  returns jsonb
  language plpgsql
  stable
  set search_path to ''
  set plan_cache_mode to 'force_generic_plan'
  AS $function$
begin
  return (
    select jsonb_build_object(
      'id', person.id,
      'name', p.full_name,
      'username', p.username,
      'bio', p.bio,
      'profilePhotoUrl', app.photo_url(p.photo_asset_id),
      'isAnonymous', p.user_id is null,
      'counts', jsonb_build_object(
        'followers', coalesce(c.follower_count, 0), 'following', coalesce(c.following_count, 0)
      ),
      'activity', jsonb_build_object(
        'posts', published.post_count,
        'reposts', published.repost_count,
        'comments', app.comment_count(person.id),
        'votes', app.vote_count(person.id)
      ),
      'adminHubs', app.admin_hubs(person.id),
      'viewer', app.viewer_relation(person.id)
    )
    from (values (p_user_id)) as person (id)
    left join app.profiles as p on p.user_id = person.id
    left join app.follow_counts as c on c.user_id = person.id
    cross join lateral app.seen_post_counts(person.id) as published
  );
end
$function$;

create or replace function app.put_code (
  p_args jsonb
)
  returns jsonb
  language plpgsql
  set search_path to ''
  AS $function$
declare
  v_policy record := app.otp_policy();
  v_now timestamptz := app.now();
  v_phone_hash bytea := decode(p_args ->> 'phoneHash', 'hex');
  v_codes_per_day integer := (p_args ->> 'codesPerDay')::integer;
  v_code app.otp_codes;
begin
  perform app.require_rate_limit(
    'code requests', p_args ->> 'addressHash', (p_args ->> 'requestsPerAddress')::integer, interval '1 hour'
  );
  if app.is_known_device(p_args) then
    perform app.require_rate_limit('codes of a device', p_args ->> 'deviceHash', v_codes_per_day, interval '1 day');
    v_codes_per_day := null;
    p_args := p_args || '{"codesPerDay": null, "prefixHash": null}';
  end if;
  perform app.require_rate_limit(
    'codes of a prefix', p_args ->> 'prefixHash', (p_args ->> 'codesPerPrefix')::integer, interval '1 hour'
  );
  insert into app.otp_codes (phone_hash, requested_at, expires_at)
  values (v_phone_hash, '-infinity', '-infinity')
  on conflict (phone_hash) do nothing;
  select * into strict v_code from app.otp_codes as c where c.phone_hash = v_phone_hash for update;

  if app.next_code_at(v_code, p_args) > v_now then
    raise exception using errcode = 'PT429', message = 'RATE_LIMITED',
      detail = app.retry_after(app.next_code_at(v_code, p_args))::text;
  end if;

  update app.otp_codes as c
  set code_hash = decode(p_args ->> 'codeHash', 'hex'),
    wrong_try_count = 0,
    requested_at = v_now,
    expires_at = v_now + v_policy.expires_after,
    sent_at = case
      when v_codes_per_day is null then v_code.sent_at
      else (v_now || v_code.sent_at)[1:v_codes_per_day]
    end,
    counts_in_prefix = p_args ->> 'prefixHash' is not null
  where c.phone_hash = v_phone_hash;

  return jsonb_build_object(
    'phoneNumber', p_args ->> 'phoneNumber',
    'resendAfterSeconds', extract(epoch from app.resend_after(p_args))::integer,
    'expiresAt', app.iso(v_now + v_policy.expires_after)
  );
end
$function$;

create or replace function app.ranked_candidates (
  p_post_ids uuid[],
  p_after app.feed_cursor,
  p_lowest app.feed_candidate,
  p_limit integer
)
  returns app.feed_candidate[]
  language plpgsql
  stable
  set search_path to ''
  set plan_cache_mode to 'force_generic_plan'
  AS $function$
begin
  return array(
    select (s.score, s.post_id, null, null)::app.feed_candidate
    from app.scores_at_page_one(p_post_ids, p_after) as s
    where (s.score, s.post_id) < (p_after.at, p_after.id)
      and (p_lowest.id is null or (s.score, s.post_id) >= (p_lowest.at, p_lowest.id))
    order by s.score desc, s.post_id desc
    limit p_limit
  );
end
$function$;

create or replace function app.read_feed (
  p_name text,
  p_args jsonb
)
  returns json
  language plpgsql
  stable
  set search_path to ''
  AS $function$
declare
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_sort text := coalesce(app.choice_argument(p_args, 'sort', 'recent', 'trending'), 'recent');
  v_limit integer := app.page_size(p_args, 20, 50);
  v_list text := app.list_of(p_name, p_args, '{"sort": "recent"}');
  v_cursor app.feed_cursor := app.open_feed_cursor(v_list, p_args ->> 'cursor', v_sort, v_hub_id is null);
  v_entries app.feed_entry[];
  v_contexts text[];
begin
  v_entries := case v_sort
    when 'trending' then app.trending_entries(v_hub_id, v_cursor, v_limit + 1)
    else app.recent_entries(v_hub_id, v_cursor, v_limit + 1)
  end;
  if v_cursor.is_own then
    v_contexts := app.home_reasons(v_entries[:v_limit], v_cursor);
  elsif v_hub_id is not null then
    v_contexts := app.hub_reasons(v_hub_id, v_entries[:v_limit]);
  else
    v_contexts := array_fill('default_feed_user'::text, array[v_limit]);
  end if;
  return app.feed_page(v_entries, v_contexts, v_cursor, v_limit, v_hub_id);
end
$function$;

create or replace function app.recent_entries (
  p_hub_id uuid,
  p_after app.feed_cursor,
  p_limit integer
)
  returns app.feed_entry[]
  language plpgsql
  stable
  set search_path to ''
  AS $function$
begin
  if p_hub_id is not null then
    return app.hub_entries(p_hub_id, p_after, p_limit);
  elsif p_after.is_own then
    return app.home_entries(p_after, p_limit);
  end if;
  return app.default_entries(p_after, p_limit);
end
$function$;

create or replace function app.record_post_deletions()
  returns trigger
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
begin
  -- Originals first: this update waits for concurrent reposts, and the next statement sees them.
  update app.posts as s
  set repost_count = s.repost_count - gone.count
  from (
    select f.source_post_id, count(*)
    from former as f
    where f.source_post_id is not null and f.removed_at is null
    group by f.source_post_id
  ) as gone
  where s.id = gone.source_post_id;
  perform
    app.end_activity(
      'reposted', gone.author_id, gone.source_post_id, app.last_repost(gone.author_id, gone.source_post_id)
    ),
    app.count_trending('reposted', gone.author_id, gone.source_post_id)
  from (select distinct f.author_id, f.source_post_id from former as f where f.source_post_id is not null) as gone;
  return null;
end
$function$;

create or replace function app.recorded_events_at (
  p_after app.feed_cursor
)
  returns SETOF app.feed_events
  language sql
  stable
  AS $function$
  select e.*
  from app.feed_events as e
  where app.counted_at(p_after, e.occurred_at, e.begun_by, e.ended_by)
    and (e.kind in ('published', 'targeted') or e.actor_id is distinct from (select app.user_id()));
$function$;

create or replace function app.require_post (
  p_post_id uuid
)
  returns app.posts
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
declare
  v_viewer_id uuid := app.user_id();
  v_post app.posts;
begin
  select * into v_post from app.seen_posts(v_viewer_id) as p where p.id = p_post_id;
  if v_post.id is null then
    raise exception using errcode = 'PT404', message = 'POST_NOT_FOUND';
  end if;
  return v_post;
end
$function$;

create or replace function app.require_reportable (
  p_kind app.target_kind,
  p_id uuid
)
  returns uuid
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
declare
  v_user_id uuid := app.user_id();
  v_owner_id uuid;
  v_is_seen boolean;
begin
  if p_kind = 'hub' then
    return app.require_hub(p_id);
  end if;
  select t.owner_id, t.is_seen into v_owner_id, v_is_seen
  from (
    select u.id as owner_id, exists (select from app.profiles as p where p.user_id = u.id) as is_seen
    from app.users as u
    where p_kind = 'user' and u.id = p_id
    union all
    -- What staff has removed is hidden from its author too.
    select p.author_id, exists (select from app.posts_despite_blocks(v_user_id) as seen where seen.id = p.id)
    from app.posts as p
    where p_kind = 'post' and p.id = p_id and p.removed_at is null
    union all
    select c.author_id, exists (select from app.posts_despite_blocks(v_user_id) as seen where seen.id = p.id)
    from app.comments as c
    join app.posts as p on p.id = c.post_id
    where p_kind = 'comment' and c.id = p_id and c.author_id is not null
    union all
    select m.author_id, m.hub_id in (select mine.hub_id from app.my_hubs as mine)
    from app.messages as m
    where p_kind = 'message' and m.id = p_id and not m.is_deleted
  ) as t
  where not exists (
    select
    from app.users_hidden_from_all as h
    where h.user_id = t.owner_id
      -- The messages of an ended account stay.
      and (p_kind <> 'message' or h.user_id in (select s.user_id from app.suspensions as s))
  );
  if v_owner_id = app.user_id() then
    perform app.refuse_argument(array[p_kind || 'Id'], 'own', 'Must not be your own.');
  end if;
  if not coalesce(v_is_seen, false) then
    raise exception using errcode = 'PT404', message = upper(p_kind::text) || '_NOT_FOUND';
  end if;
  return p_id;
end
$function$;

create or replace function app.scores_at_page_one (
  p_post_ids uuid[],
  p_after app.feed_cursor
)
  returns table (
    post_id uuid,
    score timestamp with time zone
  )
  language plpgsql
  stable
  set search_path to ''
  set plan_cache_mode to 'force_generic_plan'
  AS $function$
begin
  return query
  select wanted.id, case when former.is_former then former.score else s.score end
  from unnest(p_post_ids) as wanted (id)
  left join app.trending_scores as s on s.post_id = wanted.id
  left join lateral (
    select true as is_former, c.former_score as score, c.former_active_at as active_at
    from app.score_changes as c
    where c.post_id = wanted.id and app.is_since(p_after, c.changed_by)
    order by c.id
    limit 1
  ) as former on true
  where case when former.is_former then former.active_at else s.active_at end
    > p_after.began_at - app.trending_period();
end
$function$;

create or replace function app.seal_cursor (
  p_list text,
  p_place jsonb
)
  returns text
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
declare
  v_key bytea := (select k.key from app.cursor_keys as k);
  v_after bytea := convert_to(p_place::text, 'UTF8');
  v_iv bytea := substr(extensions.hmac(convert_to(p_list, 'UTF8') || v_after, v_key, 'sha256'), 1, 16);
begin
  return app.base64url(v_iv || extensions.encrypt_iv(v_after, sha256(v_key), v_iv, 'aes'));
end
$function$;

create or replace function app.seen_cards (
  p_post_ids uuid[],
  p_hub_id uuid default null::uuid,
  p_shows_phone boolean default true
)
  returns json[]
  language plpgsql
  stable
  security definer
  set search_path to ''
  set plan_cache_mode to 'force_generic_plan'
  AS $function$
declare
  v_user_id uuid := app.user_id();
begin
  return app.cards_of(
    array(select p from unnest(p_post_ids) as wanted (id) join app.seen_posts(v_user_id) as p on p.id = wanted.id),
    p_post_ids, p_hub_id, null, null, p_shows_phone
  );
end
$function$;

create or replace function app.seen_post_counts (
  p_author_id uuid,
  OUT post_count bigint,
  OUT repost_count bigint
)
  returns record
  language plpgsql
  stable
  security definer
  set search_path to ''
  set plan_cache_mode to 'force_generic_plan'
  AS $function$
declare
  v_viewer_id uuid := app.user_id();
begin
  select count(*) filter (where p.source_post_id is null), count(p.source_post_id)
  into seen_post_counts.post_count, seen_post_counts.repost_count
  from app.seen_posts(v_viewer_id) as p
  where p.author_id = p_author_id;
end
$function$;

create or replace function app.seen_posts (
  p_viewer_id uuid
)
  returns SETOF app.posts
  language sql
  stable
  AS $function$
  select p.*
  from app.posts_despite_blocks(p_viewer_id) as p
  where not exists (select from app.blocked_pairs as b where b.user_id = p_viewer_id and b.other_id = p.author_id);
$function$;

create or replace function app.sees_post (
  p_post_id uuid
)
  returns boolean
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
declare
  v_viewer_id uuid := app.user_id();
begin
  return exists (select from app.seen_posts(v_viewer_id) as p where p.id = p_post_id);
end
$function$;

create or replace function app.set_hub_photo (
  p_hub_id uuid,
  p_asset_id uuid
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
begin
  perform app.require_member(p_hub_id, 'admin');
  if p_asset_id is not distinct from (select h.photo_asset_id from app.hubs as h where h.id = p_hub_id) then
    return;
  end if;
  if p_asset_id is not null then
    perform app.require_asset(p_asset_id, '{hub_photo}', '["profileAssetId"]');
  end if;
  update app.hubs as h set photo_asset_id = p_asset_id where h.id = p_hub_id;
end
$function$;

create or replace function app.set_role (
  p_hub_id uuid,
  p_user_id uuid,
  p_role app.hub_role,
  p_hidden text default null::text
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  v_former app.hub_role;
begin
  perform app.lock_hub(p_hub_id);
  perform app.require_member(p_hub_id, 'admin', p_hidden);
  select m.role into v_former from app.memberships as m where m.hub_id = p_hub_id and m.user_id = p_user_id;
  if v_former is null then
    raise exception using errcode = 'PT404', message = 'MEMBER_NOT_FOUND';
  end if;
  if v_former = p_role then
    return;
  end if;
  if v_former = 'admin' then
    perform app.require_other_admin(p_hub_id, p_user_id);
  end if;
  perform app.change_role(p_hub_id, p_user_id, p_role, app.user_id());
  perform app.use_limit('roleChanges');
end
$function$;

create or replace function app.share_at_page_one (
  p_hub_id uuid,
  p_post_id uuid,
  p_after app.feed_cursor
)
  returns timestamp with time zone
  language plpgsql
  stable
  set search_path to ''
  set plan_cache_mode to 'force_generic_plan'
  AS $function$
begin
  return (
    select max(e.occurred_at)
    from app.feed_events as e
    where e.post_id = p_post_id and e.hub_id = p_hub_id and app.is_placement(e.kind)
      and app.counted_at(p_after, e.occurred_at, e.begun_by, e.ended_by)
  );
end
$function$;

create or replace function app.shares_changed_since (
  p_user_id uuid,
  p_after app.feed_cursor
)
  returns SETOF app.feed_changes
  language plpgsql
  stable
  set search_path to ''
  AS $function$
begin
  if p_after.at = 'infinity' then
    return;
  end if;
  return query
  select distinct on (c.object_id) c.*
  from app.feed_changes as c
  where c.subject_id = p_user_id and c.kind = 'feed_shares'
    and app.is_since(p_after, c.changed_by)
  order by c.object_id, c.id;
end
$function$;

create or replace function app.sources_at (
  p_after app.feed_cursor,
  p_kinds text[] default '{follows,memberships}'::text[]
)
  returns SETOF uuid
  language sql
  stable
BEGIN ATOMIC
 select s.source_id
    from app.my_sources s
   where ((s.kind = ANY (sources_at.p_kinds)) AND (not ((s.kind, s.source_id) in ( select c.kind,
             c.object_id
            from app.changed_since(sources_at.p_after)
              c(id, kind, subject_id, object_id, former_at, changed_by, changed_at)))))
 UNION all
  select c.object_id
    from app.changed_since(sources_at.p_after)
      c(id, kind, subject_id, object_id, former_at, changed_by, changed_at)
   where ((c.kind = ANY (sources_at.p_kinds)) AND (c.former_at is not null));
end;

create or replace function app.suspension_of (
  p_user_id uuid
)
  returns jsonb
  language plpgsql
  stable
  set search_path to ''
  AS $function$
begin
  return (
    select jsonb_strip_nulls(jsonb_build_object(
      'decisionId', d.id, 'statement', d.statement, 'userId', p_user_id,
      'appealState', (select a.state from app.appeals as a where a.decision_id = d.id)
    ))
    from app.suspensions as suspended
    join app.decision_subjects as s on s.user_id = suspended.user_id
    join app.decisions as d on d.id = s.decision_id
    where suspended.user_id = p_user_id and d.action = 'account_suspended' and d.reversed_at is null
    order by d.decided_at desc
    limit 1
  );
end
$function$;

create or replace function app.trending_entries (
  p_hub_id uuid,
  p_after app.feed_cursor,
  p_limit integer
)
  returns app.feed_entry[]
  language plpgsql
  stable
  set search_path to ''
  AS $function$
declare
  v_viewer_id uuid := app.user_id();
  v_cursor app.feed_cursor := p_after;
  v_size integer := p_limit;
  v_active app.feed_candidate[];
  v_batch app.feed_entry[];
  v_found app.feed_entry[] := '{}'::app.feed_entry[];
begin
  while v_cursor.part = 'active' and cardinality(v_found) < p_limit loop
    v_active := app.active_candidates(p_hub_id, v_cursor, p_limit);
    v_found := v_found || array(
      select (active.at, active.id, active.kind, p)::app.feed_entry
      from unnest(v_active) with ordinality as active (at, id, kind, actor_id, place)
      join app.posts_at(p_after, v_viewer_id) as p on p.id = active.id
      order by active.place
    );
    if cardinality(v_active) = p_limit then
      v_cursor.at := v_active[p_limit].at;
      v_cursor.id := v_active[p_limit].id;
    else
      v_cursor.part := 'quiet';
      v_cursor.at := v_cursor.began_at;
      v_cursor.id := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
    end if;
  end loop;
  while cardinality(v_found) < p_limit loop
    v_batch := app.recent_entries(p_hub_id, v_cursor, v_size);
    v_found := v_found || array(
      select (entry.at, entry.id, entry.kind, entry.post)::app.feed_entry
      from unnest(v_batch) with ordinality as entry (at, id, kind, post, place)
      where entry.id not in (
        select s.post_id
        from app.scores_at_page_one(array(select batch.id from unnest(v_batch) as batch), v_cursor) as s
      )
      order by entry.place
    );
    exit when cardinality(v_batch) < v_size;
    v_cursor.at := v_batch[v_size].at;
    v_cursor.id := v_batch[v_size].id;
    v_size := least(2 * v_size, 500);
  end loop;
  return v_found[:p_limit];
end
$function$;

create or replace function app.unhidden_since (
  p_after app.feed_cursor
)
  returns SETOF uuid
  language sql
  stable
BEGIN ATOMIC
 select c.object_id
    from app.changed_since(unhidden_since.p_after)
      c(id, kind, subject_id, object_id, former_at, changed_by, changed_at)
   where
     ((c.kind = ANY (ARRAY['blocks'::text, 'blockers'::text, 'suspensions'::text, 'account_deletions'::text]))
     AND (c.former_at is not null));
end;

create or replace function app.without_hidden (
  p_events app.feed_candidate[],
  p_after app.feed_cursor
)
  returns app.feed_candidate[]
  language plpgsql
  stable
  set search_path to ''
  AS $function$
declare
  v_actor_ids uuid[] := array(select distinct event.actor_id from unnest(p_events) as event);
  v_hidden_ids uuid[] := app.hidden_among(v_actor_ids, p_after);
begin
  if v_hidden_ids = '{}' then
    return p_events;
  end if;
  return array(
    select event from unnest(p_events) as event
    where app.is_placement(event.kind) or event.actor_id is null or event.actor_id <> all (v_hidden_ids)
  );
end
$function$;

create or replace function app.words_of (
  p_text text
)
  returns table (
    place integer,
    word text,
    is_part boolean,
    parts text[]
  )
  language plpgsql
  immutable
  set search_path to ''
  AS $function$
declare
  c_scripts constant text[] := app.spaceless_scripts();
  c_runs constant text := app.runs_of_scripts();
  c_japanese constant text := '([' || c_scripts[1] || ']+|[' || c_scripts[2] || ']+|[' || c_scripts[3] || ']+)';
  v_text text := app.spaced(p_text);
begin
  if v_text !~ (c_runs || '|ʼ') then
    -- Most texts: a few microseconds instead of thirty.
    return query
    select w.place::integer, left(w.word, 255), false, null::text[]
    from string_to_table(nullif(v_text, ''), ' ') with ordinality as w (word, place);
    return;
  end if;
  return query
  with pieces as materialized (
    select piece.text, piece.size, (1 + sum(piece.size) over (order by piece.number) - piece.size)::integer as place
    from (
      select p.text, p.number,
        case when octet_length(p.text) > char_length(p.text) and p.text ~ c_runs then char_length(p.text) else 1 end
          as size
      from string_to_table(v_text, ' ') with ordinality as p (text, number)
    ) as piece
  )
  -- No text has words of more than 255 letters, and Postgres no lexemes of more than 2,046 bytes.
  select
    p.place, left(replace(p.text, 'ʼ', ''), 255), false,
    case when p.text like '%ʼ%' then array(select left(part, 255) from string_to_table(p.text, 'ʼ') as part) end
  from pieces as p
  where p.size = 1
  union all
  select p.place, left(part.text, 255), true, null
  from pieces as p
  cross join string_to_table(p.text, 'ʼ') as part (text)
  where p.text like '%ʼ%' and part.text <> ''
  union all
  select p.place + pair.number::integer - 1, pair.first || pair.second, false, null
  from pieces as p
  cross join lateral (select string_to_array(p.text, null) as characters) as run
  cross join unnest(run.characters[:p.size - 1], run.characters[2:]) with ordinality as pair (first, second, number)
  where p.size > 1
  union all
  select p.place + part.start::integer, part.text, true, null
  from pieces as p
  cross join lateral (
    select found.parts[1] as text,
      sum(char_length(found.parts[1])) over (order by found.number) - char_length(found.parts[1]) as start
    from regexp_matches(p.text, c_japanese, 'g') with ordinality as found (parts, number)
  ) as part
  where p.size > 1 and char_length(part.text) = 1;
end
$function$;

create or replace function gateway.applied (
  p_transaction_ids xid8[],
  p_timeout interval
)
  returns SETOF xid8
  language plpgsql
  set search_path to ''
  AS $function$
declare
  v_deadline timestamptz := clock_timestamp() + p_timeout;
begin
  loop
    return query
    select t.id
    from unnest(p_transaction_ids) as t (id)
    -- pg_xact_status knows no transaction that begins later, and has forgotten those of long ago.
    where case
      when t.id < pg_snapshot_xmax(pg_current_snapshot()) then pg_xact_status(t.id)
        is distinct from 'in progress'
    end;
    exit when found or clock_timestamp() >= v_deadline;
    perform pg_sleep(0.002);
  end loop;
end
$function$;

create or replace function gateway.call (
  p_mode text,
  p_operation text,
  p_args jsonb,
  p_claims jsonb default null::jsonb,
  p_treats_ended_session_as_guest boolean default false,
  p_photos_url text default null::text,
  p_request_id text default null::text,
  p_key text default null::text,
  p_fingerprint text default null::text,
  p_limits jsonb default null::jsonb,
  OUT answer text,
  OUT is_replayed boolean,
  OUT visited_hub uuid
)
  returns record
  language plpgsql
  set search_path to ''
  AS $function$
declare
  v_role text;
  v_first record;
begin
  is_replayed := false;
  perform
    -- Postgres warns about names longer than 63 bytes.
    set_config('application_name', left('opine-api ' || p_request_id, 63), true),
    set_config('opine.photos_url', p_photos_url, true),
    set_config('opine.limits', p_limits::text, true),
    set_config('opine.is_read', (p_mode = 'reader')::text, true);
  -- Statements, no expression: it would check the right to execute all three, and not every login has it.
  if p_mode = 'staff' then
    v_role := gateway.set_staff_caller(p_operation, p_claims);
  elsif p_mode in ('caller', 'reader', 'service') then
    v_role := gateway.set_caller(p_claims, p_treats_ended_session_as_guest, p_mode = 'reader');
  else
    raise exception 'gateway.call has no mode %.', p_mode;
  end if;
  if p_key is not null then
    if v_role = 'anon' then
      raise exception using errcode = 'PT401', message = 'UNAUTHORIZED';
    end if;
    v_first := gateway.claim_idempotency_key(p_claims, p_key, p_fingerprint);
    is_replayed := v_first.is_replayed;
  end if;
  if is_replayed then
    answer := gateway.replay(v_role, p_operation, p_args, v_first.created_ids, v_first.sealed_tokens);
  else
    answer := gateway.run_operation(
      case p_mode when 'service' then 'opine_service' else v_role end,
      p_operation,
      case p_mode when 'staff' then p_args || jsonb_build_object(
        'staffTokenHash', p_claims ->> 'tokenHash'
      ) else p_args end
    );
    if p_key is not null then
      perform set_config('role', 'none', true);
      perform gateway.remember(p_claims, p_key, answer::jsonb);
    end if;
  end if;
  visited_hub := nullif(current_setting('opine.visited_hub', true), '')::uuid;
end
$function$;

create or replace function gateway.call_replica (
  p_operation text,
  p_args jsonb,
  p_claims jsonb,
  p_transaction_ids xid8[],
  p_max_age interval,
  p_photos_url text,
  p_request_id text,
  OUT answer text,
  OUT visited_hub uuid
)
  returns record
  language plpgsql
  set search_path to ''
  AS $function$
declare
  v_deadline timestamptz := clock_timestamp() + interval '50 milliseconds';
  v_transaction_id xid8;
begin
  if not pg_is_in_recovery() or gateway.is_behind(p_max_age) then
    raise exception using errcode = 'PT503', message = 'SERVICE_UNAVAILABLE';
  end if;
  foreach v_transaction_id in array p_transaction_ids loop
    if not exists (select from gateway.applied(array[v_transaction_id], v_deadline - clock_timestamp())) then
      return;
    end if;
  end loop;
  select c.answer, c.visited_hub into call_replica.answer, call_replica.visited_hub
  from gateway.call('reader', p_operation, p_args, p_claims, false, p_photos_url, p_request_id) as c;
end
$function$;

create or replace function gateway.set_staff_caller (
  p_operation text,
  p_claims jsonb
)
  returns text
  language plpgsql
  set search_path to ''
  AS $function$
declare
  v_member record := gateway.staff_member(p_claims ->> 'tokenHash', p_claims -> 'policy');
begin
  if v_member.role is null then
    raise exception using errcode = 'PT401', message = 'UNAUTHORIZED';
  end if;
  perform set_config(
    'request.jwt.claims', jsonb_build_object('role', v_member.role, 'email', v_member.email)::text, true
  );
  if not has_function_privilege(v_member.role, format('api.%I(jsonb)', p_operation), 'execute') then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  return v_member.role;
end
$function$;

create or replace function staff.hide_comment (
  p_decision_id uuid,
  p_comment_id uuid
)
  returns boolean
  language plpgsql
  set search_path to ''
  AS $function$
begin
  insert into app.removed_contents (
    decision_id, author_id, content_id, post_id, parent_id, body, asset_id, alt_text, created_at
  )
  select p_decision_id, c.author_id, c.id, c.post_id, c.parent_id, c.body, c.asset_id, c.alt_text, c.created_at
  from app.comments as c
  -- Without a decision there is no appeal that could bring it back.
  where c.id = p_comment_id and c.author_id is not null and p_decision_id is not null;
  return app.delete_comment(p_comment_id);
end
$function$;

create or replace function staff.hide_message (
  p_decision_id uuid,
  p_message_id uuid
)
  returns boolean
  language plpgsql
  set search_path to ''
  AS $function$
declare
  v_discussion_id uuid;
begin
  perform app.lock_discussion_of(p_message_id);
  insert into app.removed_contents (decision_id, author_id, content_id, body, asset_id, alt_text, created_at)
  select p_decision_id, m.author_id, m.id, m.body, m.asset_id, m.alt_text, m.created_at
  from app.messages as m
  -- Without a decision there is no appeal that could bring it back.
  where m.id = p_message_id and m.author_id is not null and p_decision_id is not null;
  update app.messages as m
  set author_id = null, body = null, asset_id = null, alt_text = null
  where m.id = p_message_id and not m.is_deleted
  returning m.discussion_id into v_discussion_id;
  update app.discussions as d set message_count = d.message_count - 1 where d.id = v_discussion_id;
  return v_discussion_id is not null;
end
$function$;

create or replace function staff.remove_content (
  p_report_id uuid,
  p_reason app.report_reason,
  p_statement text
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  v_report staff.reports := staff.lock_report(p_report_id);
  v_decision_id uuid;
  v_was_there boolean;
begin
  if v_report.target_kind not in ('post', 'comment', 'message') then
    raise exception using errcode = 'PT409', message = 'REPORT_NOT_OF_CONTENT';
  end if;
  perform staff.require_statement(p_reason, p_statement);
  if not v_report.is_author_gone then
    v_decision_id := app.decide(
      'content_removed', p_reason, p_statement, staff.actor(), v_report.target_kind, v_report.target_id,
      v_report.content,
      array[v_report.author_id]
    );
  end if;
  case v_report.target_kind
    when 'post' then v_was_there := app.hide_post(v_report.target_id);
    when 'comment' then v_was_there := staff.hide_comment(v_decision_id, v_report.target_id);
    else v_was_there := staff.hide_message(v_decision_id, v_report.target_id);
  end case;
  if not v_was_there then
    delete from app.decisions as d where d.id = v_decision_id;
    v_decision_id := null;
  end if;
  perform staff.record_decision(
    'remove_content', staff.target_of(v_report) || jsonb_build_object('wasThere', v_was_there),
    array[v_report.target_id], case when v_was_there then 'actioned'::app.report_state else 'dismissed' end,
    v_decision_id, p_reason, p_statement
  );
end
$function$;

create or replace function staff.why_visible (
  p_viewer_id uuid,
  p_post_id uuid
)
  returns table (
    rule text,
    holds boolean,
    detail text
  )
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  v_claims text := current_setting('request.jwt.claims', true);
  v_post app.posts;
  v_is_public boolean;
  v_is_own boolean;
  v_hubs text;
begin
  perform staff.audit(staff.actor(), 'why_visible', jsonb_build_object('viewerId', p_viewer_id, 'postId', p_post_id));
  perform set_config('request.jwt.claims', jsonb_build_object('sub', p_viewer_id)::text, true);
  select * into v_post from app.posts as p where p.id = p_post_id;
  v_is_own := coalesce(v_post.author_id = p_viewer_id, false);
  v_is_public := coalesce(v_post.is_public, false);
  v_hubs := (
    select string_agg(h.name, ', ' order by h.name)
    from app.placements as t
    join app.my_hubs as mine on mine.hub_id = t.hub_id
    join app.hubs as h on h.id = t.hub_id
    where t.post_id = p_post_id
  );
  return query
  values
    ('the post exists', v_post.id is not null, null),
    ('staff has not removed the post', v_post.removed_at is null, null),
    ('the viewer is the author', v_is_own, 'authors always see their own posts'),
    ('the post is public', v_is_public, v_post.visibility::text),
    ('the post is in a Hub of the viewer', v_hubs is not null, v_hubs),
    (
      'no block exists between author and viewer',
      not exists (
        select from app.blocked_users as b where b.user_id = v_post.author_id
      ), 'a block by either of them hides the post'
    ),
    (
      'the author''s account has not ended',
      not exists (select from app.account_deletions as d where d.user_id = v_post.author_id), null
    ),
    (
      'the author is not suspended', not exists (select from app.suspensions as s where s.user_id = v_post.author_id),
      null
    ),
    (
      'the viewer sees the post', exists (select from app.seen_posts(p_viewer_id) as seen where seen.id = p_post_id),
      'it is their own, or public or in a Hub of theirs and by no hidden user'
    );
  perform set_config('request.jwt.claims', coalesce(v_claims, ''), true);
end
$function$;

create or replace function app.export_notifications()
  returns SETOF jsonb
  language sql
  stable
  security definer
  set search_path to ''
BEGIN ATOMIC
 select
   jsonb_build_object('id', n.id, 'type', e.type, 'actorId', (e.actor).user_id, 'postId', e.post_id,
   'commentId',
   e.comment_id,
   'hubId',
   e.hub_id,
   'invitationId',
   e.invitation_id,
   'joinRequestId',
   e.join_request_id,
   'decisionId',
   e.decision_id,
   'milestoneTotal',
   e.milestone_total,
   'milestoneCount', e.milestone_count, 'createdAt', app.iso(n.created_at), 'readAt', app.iso(n.read_at))
  AS jsonb_build_object
    FROM (app.visible_notifications n
      JOIN app.event_details e ON ((e.id = n.event_id)))
   WHERE (n.recipient_id = app.user_id())
   ORDER BY n.created_at DESC, n.id DESC
  LIMIT 100000;
END;

create or replace function app.deliver_batch (
  p_due app.due_notifications[]
)
  returns void
  language plpgsql
  set search_path to ''
  AS $function$
declare
  v_signals bytea[] := array(select uuid_send(due.recipient_id) || uuid_send(due.id) from unnest(p_due) as due);
begin
  -- A project may run without Realtime, or Realtime may not have started yet.
  if to_regprocedure('realtime.send(jsonb,text,text,boolean)') is not null then
    perform app.deliver_to_realtime(p_due);
  end if;
  perform pg_notify('opine_signals', app.seal_signals(uuid_send(app.uuid_v7()) || (
    select string_agg(signal, '') from unnest(v_signals[first : first + 99]) as signal
  )))
  from generate_series(1, cardinality(v_signals), 100) as first;
end
$function$;

create or replace function app.deliver_to_realtime (
  p_due app.due_notifications[]
)
  returns void
  language plpgsql
  set search_path to ''
  AS $function$
begin
  -- What realtime.send does for one message, for all of them at once: a call for each took 2.5 times as long.
  insert into realtime.messages (topic, extension, payload, event, private)
  select 'user:' || due.recipient_id, 'broadcast', due.payload, 'notification', true from unnest(p_due) as due;
exception when others then
  -- Realtime creates the partition of a day when a client connects. Without it realtime.send warns instead of failing.
  perform realtime.send(due.payload, 'notification', 'user:' || due.recipient_id, true) from unnest(p_due) as due;
end
$function$;

create or replace function app.lease_pushes (
  p_due app.due_notifications[],
  OUT lease_id uuid,
  OUT messages json
)
  returns record
  language plpgsql
  set search_path to ''
  AS $function$
declare
  v_ids uuid[];
begin
  select array_agg(push.notification_id), coalesce(json_agg(push.message), '[]')
  into v_ids, messages
  from app.push_messages(p_due) as push;
  if v_ids is not null then
    insert into app.push_leases (notification_ids, lapses_at)
    values (v_ids, app.now() + app.push_lease())
    returning id into lease_id;
  end if;
end
$function$;

create or replace function app.notify_streams (
  p_due app.due_notifications[]
)
  returns uuid[]
  language plpgsql
  set search_path to ''
  AS $function$
declare
  v_one app.due_notifications;
  v_failed_ids uuid[] := '{}'::uuid[];
begin
  begin
    perform app.deliver_batch(p_due);
  exception when others then
    -- One by one, so that a failure delays no other notification.
    foreach v_one in array p_due loop
      begin
        perform app.deliver_batch(array[v_one]);
      exception when others then
        perform app.postpone_signal(v_one.id, sqlstate);
        v_failed_ids := v_failed_ids || v_one.id;
      end;
    end loop;
  end;
  return v_failed_ids;
end
$function$;

create or replace function app.push_messages (
  p_due app.due_notifications[]
)
  returns table (
    notification_id uuid,
    token_hash bytea,
    message app.push_message
  )
  language plpgsql
  stable
  set search_path to ''
  AS $function$
declare
  -- Counted for all recipients at once, and kept as an object, because the callers forbid hash joins.
  v_badges jsonb := (
    select jsonb_object_agg(s.user_id, s.unread_count)
    from app.inbox_states(array(
      select due.recipient_id
      from unnest(p_due) as due
      where exists (select from app.device_tokens as d where d.user_id = due.recipient_id)
      group by due.recipient_id
    )) as s
  );
begin
  return query
  select
    due.id, d.token_hash,
    (
      encode(d.token_hash, 'hex'), d.platform, encode(d.sealed_token, 'base64'), v_badges ->> due.recipient_id::text,
      due.payload
    )::app.push_message
  from unnest(p_due) as due
  join app.device_tokens as d on d.user_id = due.recipient_id;
end
$function$;

create or replace function app.queue_pushes (
  p_due app.due_notifications[],
  p_attempt_count integer
)
  returns void
  language plpgsql
  set search_path to ''
  AS $function$
declare
  v_now timestamptz := app.now();
begin
  insert into app.pushes (notification_id, token_hash, due_at, attempt_count)
  select due.id, d.token_hash, v_now, p_attempt_count
  from unnest(p_due) as due
  join app.device_tokens as d on d.user_id = due.recipient_id
  on conflict do nothing;
end
$function$;

comment on column "app"."feed_events"."hub_id" is 'The Hub whose source has the event; null in a person''s own source.';

comment on column "app"."fresh_votes"."hub_count" is 'The number of Hub sources (app.feed_events) to which the fold adds the vote.';

comment on column "app"."messages"."created_at" is 'Grows in the order of commits within a discussion, so no cursor or read mark passes a message that is committed later.';

comment on function "api"."get_hub_feed"(jsonb) is 'GET /hubs/{hubId}/feed (docs/product.md F11).';

comment on function "api"."get_onboarding_status"(jsonb) is 'GET /users/me/onboarding/status (docs/product.md O1, O2).';

comment on function "api"."get_profile_feed"(jsonb) is 'GET /users/{userId}/feed (docs/product.md F12, F13).';

comment on function "api"."list_saved_discussions"(jsonb) is 'GET /users/me/saved-discussions (docs/product.md D6).';

comment on function "api"."request_otp"(jsonb) is 'POST /auth/otp/request (docs/product.md I8, I9).';

comment on function "api"."sync_contacts"(jsonb) is 'PUT /users/me/onboarding/contacts (docs/product.md O5).';

comment on function "app"."active_candidates"(uuid, app.feed_cursor, integer) is 'Returns the first posts after p_after in a feed of the caller''s with activity in the seven days before page one, by their trending score as of page one.';

comment on function "app"."active_in_feed"(uuid, app.feed_cursor) is 'Returns the posts of a feed of the caller''s with activity since seven days before page one.';

comment on function "app"."add_activity_to_hubs"() is 'Trigger: copies the activity of new members into the sources of their Hubs, at its own time.';

comment on function "app"."begin_completion"(jsonb) is 'Returns what the service needs to check an open upload of the caller: the announced contentType and sizeBytes, and the bucket and assetId under which to store the checked file.';

comment on function "app"."cards_of"(app.posts[], uuid[], uuid, text[], integer, boolean) is
  'Builds the cards of posts, for app.seen_cards and pages of feeds.';

comment on function "app"."changed_since"(app.feed_cursor) is 'Returns what has changed for the caller''s feeds since page one, each thing once, as it was at page one.';

comment on function "app"."claim_expired_objects"(integer) is 'Claims expired objects for the worker, which removes them from storage and then calls app.delete_objects.';

comment on function "app"."close_hub_discussions"(uuid) is 'Deletes a batch of the messages of a closed Hub.';

comment on function "app"."close_hub_feed_events"(uuid) is 'Deletes a batch of the feed events of a closed Hub.';

comment on function "app"."close_hub_notifications"(uuid) is 'Deletes a batch of the notifications and events of a closed Hub.';

comment on function "app"."close_hub_placements"(uuid) is 'Deletes a batch of the placements in a closed Hub.';

comment on function "app"."close_hub_votes"(uuid) is 'Deletes a batch of the pending totals and pools of a closed Hub.';

comment on function "app"."count_trending_votes"(uuid, bigint) is 'Counts votes in the trending score of a post.';

comment on function "app"."counted_at"(app.feed_cursor, timestamp
  with time zone, xid8, xid8) is 'Returns whether an event with these times and transactions counted at page one.';

comment on function "app"."create_discussion"() is 'Trigger: a post that comes into a Hub has a discussion there (docs/product.md D1).';

comment on function "app"."default_entries"(app.feed_cursor, integer) is 'Returns the first public posts after p_after of the default feed users, for callers without sources of their own (docs/product.md F3).';

comment on function "app"."default_users_at"(app.feed_cursor) is 'Returns the default feed users of page one (docs/product.md F3).';

comment on function "app"."delete_closed_hub"(uuid) is 'Deletes a closed Hub of which nothing is left.';

comment on function "app"."delete_memberships"(uuid, uuid[]) is 'Deletes the memberships of users in a Hub, and the invite links that they made, a statement for all of them, and closes the Hub with the last one.';

comment on function "app"."delete_message"(uuid) is 'Deletes a message.';

comment on function "app"."delete_message_as_caller"(uuid, uuid) is 'Deletes a message for its author or an admin of the Hub (docs/product.md D8).';

comment on function "app"."deliver_batch"(app.due_notifications[]) is 'Publishes notifications to event streams and Realtime (docs/product.md N15).';

comment on function "app"."deliver_new_event"() is 'Trigger: notifies the recipients of an event.';

comment on function "app"."deliver_to_realtime"(app.due_notifications[]) is 'Broadcasts notifications on the private channels of their recipients.';

comment on function "app"."encode_feed_cursor"(app.feed_cursor) is 'Returns the text of a cursor of a feed.';

comment on function "app"."end_activity"(app.feed_event_kind, uuid, uuid, timestamp
  with time zone) is 'Marks the activity of a person on a post as lost after they deleted some of it.';

comment on function "app"."end_activity_in_hubs"() is 'Trigger: marks the activity of former members as lost in the sources of their Hubs.';

comment on function "app"."end_user"(uuid, uuid) is 'Ends an account (docs/product.md I16-I19).';

comment on function "app"."erase_belongings"(uuid) is 'Erases a batch of what an ended account left (docs/product.md I17-I19).';

comment on function "app"."erase_comments"(uuid) is 'Deletes a batch of the comments of an ended account.';

comment on function "app"."erase_feed_events"(uuid) is 'Erases a batch of the shares and feed events of an ended account.';

comment on function "app"."erase_held_votes"(uuid) is 'Deletes what feeds do not show yet of the votes of an ended account.';

comment on function "app"."erase_inbox"(uuid) is 'Deletes the counters of the inbox of an ended account.';

comment on function "app"."erase_messages"(uuid) is 'Takes author and picture off a batch of the messages of an ended account (docs/product.md I18).';

comment on function "app"."erase_notifications"(uuid) is 'Deletes a batch of the notifications to and about an ended account.';

comment on function "app"."erase_people"(uuid) is 'Deletes a batch of the follows and blocks of an ended account.';

comment on function "app"."erase_posts"(uuid) is 'Deletes a batch of the posts of an ended account.';

comment on function "app"."events_at"(app.feed_cursor) is 'Returns the events that counted in the caller''s home feed at page one.';

comment on function "app"."expire_objects"(uuid) is 'Makes the stored objects of an ended account due, none of whose uploads can be completed any more.';

comment on function "app"."export_account"() is 'Returns the section account of the export; null for an ended account.';

comment on function "app"."export_contact_snapshot"() is 'Returns the section contactSnapshot of the export.';

comment on function "app"."export_hub_profile"() is 'Returns the section hubProfile of the export.';

comment on function "app"."export_notifications"() is 'Returns the section notifications of the export: those that the caller may see at the moment.';

comment on function "app"."export_person"() is 'Returns the sections of the export about the caller as a person.';

comment on function "app"."export_preferences"() is 'Returns the section notificationPreferences of the export; null unless the caller has changed them.';

comment on function "app"."export_profile"() is 'Returns the section profile of the export.';

comment on function "app"."feed"(text, jsonb) is 'Returns a page of a feed of the caller''s.';

comment on function "app"."feed_page"(app.feed_entry[], text[], app.feed_cursor, integer, uuid, boolean) is
  'Builds a page of a feed (docs/product.md W5).';

comment on function "app"."first_shown"(app.feed_candidate[], app.feed_cursor) is 'Returns the posts of p_events that a page of the home feed shows after p_after, newest first.';

comment on function "app"."found"(jsonb, text) is 'Returns p_answer.';

comment on function "app"."has_objects_besides_evidence"(uuid) is 'Returns whether an ended account still has stored objects that are no evidence (docs/product.md I17, S25).';

comment on function "app"."has_other_activity"(uuid, app.feed_cursor) is 'Returns whether anything but a Hub share brought a post into the caller''s home feed.';

comment on function "app"."hidden_among"(uuid[], app.feed_cursor) is 'Returns those of some users who were hidden from the caller at page one.';

comment on function "app"."hidden_at"(app.feed_cursor) is 'Returns the users hidden from the caller at page one.';

comment on function "app"."hide_request_notifications"() is 'Trigger: hides the notifications of a withdrawn join request from everybody (docs/product.md H27).';

comment on function "app"."home_entries"(app.feed_cursor, integer) is 'Returns the first posts after p_after in the caller''s home feed, each at its newest event (docs/product.md F1).';

comment on function "app"."home_posts"(uuid[], app.feed_cursor, timestamp
  with time zone, uuid) is 'Returns the posts of p_post_ids that were in the caller''s home feed at page one, at p_at or later, for a reason other than their own Hub share.';

comment on function "app"."home_reasons"(app.feed_entry[], app.feed_cursor) is 'Returns the feedContext of each entry of the caller''s home feed: the first reason that applies (docs/product.md F10).';

comment on function "app"."hub_entries"(uuid, app.feed_cursor, integer) is 'Returns the first posts after p_after in a Hub of the caller''s, as at page one (docs/product.md F11).';

comment on function "app"."hub_json"(uuid) is 'Returns a Hub as the caller sees it (see app.hub_card).';

comment on function "app"."insert_asset"(app.uploads, bytea, jsonb) is 'Inserts the asset of an upload and returns its id, which is the key of the stored object.';

comment on function "app"."insert_ballot"(uuid, app.vote_position, uuid[], text) is 'Inserts a sealed vote for the pools of Hubs into which the post may be shared later: one row, however many Hubs.';

comment on function "app"."insert_follow"(uuid) is 'Inserts a follow of the caller and emits the event.';

comment on function "app"."insert_invite_link"(uuid, bytea, integer, interval) is 'Inserts an invite link of a Hub for one of its managers or admins, and returns its id.';

comment on function "app"."insert_join_request"(uuid, app.join_request_source, uuid) is
  'Inserts a join request of the caller (docs/product.md H10, H21, H30).';

comment on function "app"."insert_message"(uuid, uuid, text, uuid, text) is 'Inserts a message of the caller into a discussion of a Hub of theirs; a reply to a reply joins its thread.';

comment on function "app"."insert_placements"(uuid, uuid[], app.placement_kind) is 'Places a post that the caller may see in Hubs of theirs.';

comment on function "app"."insert_session"(uuid, jsonb) is 'Inserts a session of a user.';

comment on function "app"."is_default_feed_user"() is 'Returns whether the caller is a default feed user, for the export.';

comment on function "app"."is_e164"(text) is 'Returns whether this is a phone number in E.164 form; false for null.';

comment on function "app"."is_home_post"(uuid, app.feed_cursor) is 'Returns whether a post was in the caller''s home feed at page one for a reason other than their own Hub share.';

comment on function "app"."is_since"(app.feed_cursor, xid8) is 'Returns whether a transaction was not yet committed at page one.';

comment on function "app"."lease_pushes"(app.due_notifications[]) is 'Leases the pushes of published notifications to the calling worker (app.push_lease).';

comment on function "app"."lock_actor"(uuid) is 'Locks the user row of a person for share, against app.update_actors, in a transaction that records or deletes their activity: their joins and leaves come before or after it.';

comment on function "app"."lock_discussion_of"(uuid) is 'Locks the discussion of a message before a change of the message, as app.insert_message does: replies come before or after.';

comment on function "app"."lock_posts_to_move"(uuid, uuid) is 'Locks the posts that a merge changes, in the order of their ids.';

comment on function "app"."lock_relations"(uuid) is 'Locks the users whom a person follows or blocks, and those who follow or block the person, so that no account ends meanwhile.';

comment on function "app"."may_place"(uuid, app.placement_kind) is 'Returns whether the caller may place a post in a Hub.';

comment on function "app"."move_trending"(uuid, uuid, text) is 'Moves activity of a kind in trending scores to another person.';

comment on function "app"."newest_events"(app.feed_cursor, integer, uuid[]) is 'Returns the newest events after p_after that counted at page one, without the posts in p_except.';

comment on function "app"."newest_own_shares"(app.feed_cursor, integer, uuid[], uuid[]) is
  'Returns the newest shares of the caller into Hubs that alone bring their posts into the home feed.';

comment on function "app"."notify_streams"(app.due_notifications[]) is 'Publishes notifications of the outbox to the stream, and postpones those that fail.';

comment on function "app"."open_cursor"(text, text) is 'Returns what a cursor of a list holds (docs/product.md W6).';

comment on function "app"."open_feed_cursor"(text, text, text, boolean) is 'Returns where a page of a feed begins; VALIDATION_FAILED for a foreign cursor.';

comment on function "app"."open_upload_json"(uuid) is 'Returns an upload of the caller, for which the service signs the URL (docs/product.md M1).';

comment on function "app"."own_shares_at"(app.feed_cursor) is 'Returns the caller''s shares into Hubs of page one; these place a post only if nothing else does (docs/product.md F9).';

comment on function "app"."posts_at"(app.feed_cursor, uuid) is 'Returns the posts that the caller may see, without those of authors who were hidden from them at page one.';

comment on function "app"."posts_despite_blocks"(uuid) is 'Returns the posts that a person may see but for a block, as reports ask (docs/product.md S8).';

comment on function "app"."posts_in_feed"(uuid, app.feed_cursor, uuid[]) is 'Returns the posts of p_post_ids that were in a feed of the caller''s at page one.';

comment on function "app"."profile_entries"(uuid, app.feed_cursor, integer) is 'Returns the first posts after p_after in the feed of a profile, as at page one (docs/product.md F12, F13).';

comment on function "app"."profile_feed"(uuid, jsonb) is 'Returns a page of the feed of a profile.';

comment on function "app"."push_messages"(app.due_notifications[]) is 'Returns the push messages of notifications: one for each and each device of its recipient.';

comment on function "app"."put_code"(jsonb) is 'Stores a new one-time code for a phone (docs/product.md I8, I9, A4-A6).';

comment on function "app"."queue_pushes"(app.due_notifications[], integer) is 'Inserts a row into app.pushes for each device of the recipients, for app.claim_pushes.';

comment on function "app"."ranked_candidates"(uuid[], app.feed_cursor, app.feed_candidate, integer) is
  'Ranks posts by their trending score as of page one.';

comment on function "app"."read_feed"(text, jsonb) is 'Returns a page of a feed whose reader may read it.';

comment on function "app"."recent_entries"(uuid, app.feed_cursor, integer) is 'Returns the first posts after p_after in a feed of the caller''s, newest first.';

comment on function "app"."record_audience_change"() is 'Trigger: counts that a person or Hub was hidden or shown.';

comment on function "app"."recorded_events_at"(app.feed_cursor) is 'Returns the events that counted in the caller''s home feed at page one, those of hidden users too.';

comment on function "app"."repeats_open_at"(uuid, uuid) is 'Returns when a person may ask a Hub again; null for now.';

comment on function "app"."require_hub"(uuid) is 'Returns p_hub_id if the Hub is open.';

comment on function "app"."require_live_session_if_any"(jsonb) is 'Returns the arguments of an operation that guests may call too, after a check of the session.';

comment on function "app"."require_post"(uuid) is 'Returns a post that the caller may see.';

comment on function "app"."scope_totals"(uuid, uuid) is 'Returns the totals of a post, one row: in the scope of a Hub, or in the global one for null, folded or not.';

comment on function "app"."scores_at_page_one"(uuid[], app.feed_cursor) is 'Returns the trending scores that posts had at page one.';

comment on function "app"."seal_cursor"(text, jsonb) is 'Returns a cursor of a list of app.list_of (docs/product.md W6).';

comment on function "app"."seen_cards"(uuid[], uuid, boolean) is 'Returns cards of posts that the caller may see (docs/product.md PO15, PO17).';

comment on function "app"."seen_post_counts"(uuid) is 'Returns how many posts and reposts of a person the caller may see (docs/product.md P6).';

comment on function "app"."seen_posts"(uuid) is 'Returns the posts that a person may see (docs/product.md PO13, PO14).';

comment on function "app"."sees_post"(uuid) is 'Returns whether the caller may see a post (app.seen_posts).';

comment on function "app"."set_hub_photo"(uuid, uuid) is 'Sets or removes the photo of a Hub for one of its admins.';

comment on function "app"."set_role"(uuid, uuid, app.hub_role, text) is 'Sets the role of a member for an admin of the Hub.';

comment on function "app"."share_at_page_one"(uuid, uuid, app.feed_cursor) is 'Returns when a post had last been placed or shared in a Hub of the caller''s at page one; null if it was not there.';

comment on function "app"."shares_changed_since"(uuid, app.feed_cursor) is 'Returns the shares to a person''s feed that have changed since page one, each as it was at page one.';

comment on function "app"."sources_at"(app.feed_cursor, text[]) is 'Returns the sources that the caller''s home feed read at page one: followed people and Hubs.';

comment on function "app"."suspension_of"(uuid) is 'Returns the details of ACCOUNT_SUSPENDED: decisionId, statement, appealState after an appeal, and userId for the appeal token of the service; null if the account is not suspended, or without a decision.';

comment on function "app"."trending_entries"(uuid, app.feed_cursor, integer) is 'Returns the first posts after p_after in a trending feed of the caller''s, ranked as of page one (docs/product.md F14, F15): posts with activity in the seven days before, by trending score (their kind is null), then the others in the order of the recent feed.';

comment on function "app"."unhidden_since"(app.feed_cursor) is 'Returns the users hidden from the caller at page one for a reason that has ended since.';

comment on function "app"."update_actors"(uuid[]) is 'Locks the user rows of people who join or leave a Hub, against app.lock_actor: their activity and its deletion come before or after this transaction.';

comment on function "app"."user_id"() is 'Returns the caller''s id; null for a guest.';

comment on function "app"."with_live_session"(jsonb) is 'Returns p_args.';

comment on function "app"."with_slider"(app.posts) is 'Returns a post that the caller has found.';

comment on function "app"."without_hidden"(app.feed_candidate[], app.feed_cursor) is 'Returns those of some events that counted although their actors may be hidden.';

comment on function "app"."words_of"(text) is 'Returns the words of a text with their places (docs/product.md W29).';

comment on function "gateway"."applied"(xid8[], interval) is 'Waits, for p_timeout at most, until this server shows one of some transactions.';

comment on function "gateway"."call_replica"(text, jsonb, jsonb, xid8[], interval, text, text) is
  'Answers a read on a replica as gateway.call does (docs/decisions/018-replicas.md).';

comment on function "gateway"."set_staff_caller"(text, jsonb) is 'Sets the claims of a member of staff.';

comment on function "staff"."decide_appeal"(uuid, app.appeal_state, text) is 'Decides an open appeal (docs/product.md S21, S22).';

comment on function "staff"."hide_comment"(uuid, uuid) is 'Deletes a comment, and keeps its content for a reversal.';

comment on function "staff"."hide_message"(uuid, uuid) is 'Empties a message, which stays in its thread and no longer counts, and keeps its content for a reversal; that of an ended account is gone for good.';

comment on function "staff"."lift_hub_suspension"(uuid) is 'Ends the suspension of a Hub.';

comment on function "staff"."lift_suspension"(uuid) is 'Ends the suspension of an account.';

comment on function "staff"."requested_page"(text, jsonb) is 'Returns the list (app.list_of), the entry before a page of staff, and its size, oldest first.';

comment on function "staff"."restore_hub"(uuid, text) is 'Ends the suspension of a Hub (docs/product.md S15, S21).';

comment on function "staff"."restore_target"(app.decisions) is 'Undoes a decision.';

comment on function "staff"."restore_user"(uuid, text) is 'Ends the suspension of an account (docs/product.md S11, S21).';

comment on function "staff"."why_visible"(uuid, uuid) is 'Returns each rule of who sees a post, whether it holds for a viewer (null for a guest) and a post, and the result (docs/product.md S17).';

comment on schema "api" is 'One function per operation: api.<operation_id>(p_args jsonb) returns jsonb.';

comment on schema "app" is 'Tables and rules.';

comment on schema "staff" is 'Data and functions of staff, who is staff, and the audit log.';

comment on table "app"."default_feed_users" is 'One row per user whose public posts fill the home feed of callers without sources of their own (docs/product.md F3).';

comment on table "app"."discussion_reads" is 'One row per person and discussion that they marked as read: their read mark (docs/product.md D10).';

comment on table "app"."evidence" is 'One row per report: what was reported, as it was then, for staff alone (docs/product.md S25).';

comment on table "app"."feed_changes" is 'One row per change of the last day in what decides about feeds, as it was before: sources of readers, hidden users, default feed users and shares to feeds.';

comment on table "app"."hub_presence" is 'Number of members of a Hub last seen in each slot of five minutes (seen_in is its start).';

comment on table "app"."saved_posts" is 'One row per person and saved post.';

comment on table "app"."score_changes" is 'One row per change of a trending score in the last day, with the values before it (null before the first).';

comment on type "app"."feed_candidate" is 'The id of a post where it stands in a feed, with the kind, time and actor of its event.';

comment on type "app"."feed_cursor" is 'A cursor of a feed: the last post shown (at, id), the time of page one (began_at), the transactions committed at page one (seen), the part of the feed (recent; active or quiet of a trending feed), whether the home feed had sources of the caller''s (is_own), and the list of its cursors (app.list_of).';

comment on type "app"."join_request_state" is 'The state of a join request (docs/product.md H22).';

comment on type "app"."placement_kind" is 'How a post came into a Hub.';

comment on type "app"."search_hit" is 'A search result: its tier (the lowest is the best match) and its order within the tier (key, then id).';

comment on type "staff"."role" is 'Roles of staff.';

comment on view "app"."acting_admins" is 'Admins of Hubs who can act.';

comment on view "app"."due_notifications" is 'The notifications to deliver at the moment, by stream or push: visible, unread, and not silenced by a later mute of their Hub (docs/product.md N13).';

comment on view "app"."my_hub_entries" is 'One row per Hub that the caller is a member of (tier 1), requests to join (tier 2) or is invited to (tier 3), by the first that applies.';

comment on view "app"."my_sources" is 'One row per source of app.feed_events that the caller reads now: each followed person and each Hub of theirs, and the table that says so (kind).';

comment on view "app"."notifications_with_visibility" is 'All notifications, and whether each is withheld from its recipient (docs/product.md N9, N10).';

comment on view "app"."visible_notifications" is 'The notifications that their recipients may see at the moment (docs/product.md N10).';

comment on view "app"."withheld_notifications" is 'Unread notifications that are withheld (app.notifications_with_visibility), found without reading the others.';

revoke all on function "app"."active_candidates"(uuid, app.feed_cursor, integer) from public;

grant execute on function "app"."active_candidates"(uuid, app.feed_cursor, integer) to "postgres";

revoke all on function "app"."active_in_feed"(uuid, app.feed_cursor) from public;

grant execute on function "app"."active_in_feed"(uuid, app.feed_cursor) to "postgres";

revoke all on function "app"."cards_of"(app.posts[], uuid[], uuid, text[], integer, boolean) from public;

grant execute on function "app"."cards_of"(app.posts[], uuid[], uuid, text[], integer, boolean) to "postgres";

revoke all on function "app"."changed_since"(app.feed_cursor) from public;

grant execute on function "app"."changed_since"(app.feed_cursor) to "postgres";

revoke all on function "app"."close_hub_feed_events"(uuid) from public;

grant execute on function "app"."close_hub_feed_events"(uuid) to "postgres";

revoke all on function "app"."counted_at"(app.feed_cursor, timestamp with time zone, xid8, xid8) from public;

grant execute
  on function "app"."counted_at"(app.feed_cursor, timestamp with time zone, xid8, xid8)
  to "postgres";

revoke all on function "app"."create_discussion"() from public;

grant execute on function "app"."create_discussion"() to "postgres";

revoke all on function "app"."default_entries"(app.feed_cursor, integer) from public;

grant execute on function "app"."default_entries"(app.feed_cursor, integer) to "postgres";

revoke all on function "app"."default_users_at"(app.feed_cursor) from public;

grant execute on function "app"."default_users_at"(app.feed_cursor) to "postgres";

revoke all on function "app"."delete_memberships"(uuid, uuid[]) from public;

grant execute on function "app"."delete_memberships"(uuid, uuid[]) to "postgres";

revoke all on function "app"."delete_message"(uuid) from public;

grant execute on function "app"."delete_message"(uuid) to "postgres";

revoke all on function "app"."delete_message_as_caller"(uuid, uuid) from public;

grant execute on function "app"."delete_message_as_caller"(uuid, uuid) to "authenticated", "postgres";

revoke all on function "app"."deliver_batch"(app.due_notifications[]) from public;

grant execute on function "app"."deliver_batch"(app.due_notifications[]) to "postgres";

revoke all on function "app"."deliver_to_realtime"(app.due_notifications[]) from public;

grant execute on function "app"."deliver_to_realtime"(app.due_notifications[]) to "postgres";

revoke all on function "app"."encode_feed_cursor"(app.feed_cursor) from public;

grant execute on function "app"."encode_feed_cursor"(app.feed_cursor) to "postgres";

revoke all
  on function "app"."end_activity"(app.feed_event_kind, uuid, uuid, timestamp with time zone)
  from public;

grant execute
  on function "app"."end_activity"(app.feed_event_kind, uuid, uuid, timestamp with time zone)
  to "postgres";

revoke all on function "app"."end_activity_in_hubs"() from public;

grant execute on function "app"."end_activity_in_hubs"() to "postgres";

revoke all on function "app"."erase_feed_events"(uuid) from public;

grant execute on function "app"."erase_feed_events"(uuid) to "postgres";

revoke all on function "app"."events_at"(app.feed_cursor) from public;

grant execute on function "app"."events_at"(app.feed_cursor) to "postgres";

revoke all on function "app"."expire_objects"(uuid) from public;

grant execute on function "app"."expire_objects"(uuid) to "postgres";

revoke all on function "app"."export_contact_snapshot"() from public;

grant execute on function "app"."export_contact_snapshot"() to "authenticated", "postgres";

revoke all on function "app"."export_hub_profile"() from public;

grant execute on function "app"."export_hub_profile"() to "authenticated", "postgres";

revoke all on function "app"."export_notifications"() from public;

grant execute on function "app"."export_notifications"() to "authenticated", "postgres";

revoke all on function "app"."export_person"() from public;

grant execute on function "app"."export_person"() to "authenticated", "postgres";

revoke all on function "app"."export_preferences"() from public;

grant execute on function "app"."export_preferences"() to "authenticated", "postgres";

revoke all on function "app"."export_profile"() from public;

grant execute on function "app"."export_profile"() to "authenticated", "postgres";

revoke all
  on function "app"."feed_page"(app.feed_entry[], text[], app.feed_cursor, integer, uuid, boolean)
  from public;

grant execute
  on function "app"."feed_page"(app.feed_entry[], text[], app.feed_cursor, integer, uuid, boolean)
  to "postgres";

revoke all on function "app"."first_shown"(app.feed_candidate[], app.feed_cursor) from public;

grant execute on function "app"."first_shown"(app.feed_candidate[], app.feed_cursor) to "postgres";

revoke all on function "app"."has_objects_besides_evidence"(uuid) from public;

grant execute on function "app"."has_objects_besides_evidence"(uuid) to "postgres";

revoke all on function "app"."has_other_activity"(uuid, app.feed_cursor) from public;

grant execute on function "app"."has_other_activity"(uuid, app.feed_cursor) to "postgres";

revoke all on function "app"."hidden_among"(uuid[], app.feed_cursor) from public;

grant execute on function "app"."hidden_among"(uuid[], app.feed_cursor) to "postgres";

revoke all on function "app"."hidden_at"(app.feed_cursor) from public;

grant execute on function "app"."hidden_at"(app.feed_cursor) to "postgres";

revoke all on function "app"."hide_request_notifications"() from public;

grant execute on function "app"."hide_request_notifications"() to "postgres";

revoke all on function "app"."home_entries"(app.feed_cursor, integer) from public;

grant execute on function "app"."home_entries"(app.feed_cursor, integer) to "postgres";

revoke all on function "app"."home_posts"(uuid[], app.feed_cursor, timestamp with time zone, uuid) from public;

grant execute
  on function "app"."home_posts"(uuid[], app.feed_cursor, timestamp with time zone, uuid)
  to "postgres";

revoke all on function "app"."home_reasons"(app.feed_entry[], app.feed_cursor) from public;

grant execute on function "app"."home_reasons"(app.feed_entry[], app.feed_cursor) to "postgres";

revoke all on function "app"."hub_entries"(uuid, app.feed_cursor, integer) from public;

grant execute on function "app"."hub_entries"(uuid, app.feed_cursor, integer) to "postgres";

revoke all on function "app"."insert_asset"(app.uploads, bytea, jsonb) from public;

grant execute on function "app"."insert_asset"(app.uploads, bytea, jsonb) to "postgres";

revoke all on function "app"."insert_ballot"(uuid, app.vote_position, uuid[], text) from public;

grant execute on function "app"."insert_ballot"(uuid, app.vote_position, uuid[], text) to "postgres";

revoke all on function "app"."insert_follow"(uuid) from public;

grant execute on function "app"."insert_follow"(uuid) to "authenticated", "postgres";

revoke all on function "app"."insert_invite_link"(uuid, bytea, integer, interval) from public;

grant execute
  on function "app"."insert_invite_link"(uuid, bytea, integer, interval)
  to "authenticated", "postgres";

revoke all on function "app"."insert_join_request"(uuid, app.join_request_source, uuid) from public;

grant execute on function "app"."insert_join_request"(uuid, app.join_request_source, uuid) to "postgres";

revoke all on function "app"."insert_message"(uuid, uuid, text, uuid, text) from public;

grant execute on function "app"."insert_message"(uuid, uuid, text, uuid, text) to "authenticated", "postgres";

revoke all on function "app"."insert_placements"(uuid, uuid[], app.placement_kind) from public;

grant execute
  on function "app"."insert_placements"(uuid, uuid[], app.placement_kind)
  to "authenticated", "postgres";

revoke all on function "app"."insert_session"(uuid, jsonb) from public;

grant execute on function "app"."insert_session"(uuid, jsonb) to "postgres";

revoke all on function "app"."is_default_feed_user"() from public;

grant execute on function "app"."is_default_feed_user"() to "authenticated", "postgres";

revoke all on function "app"."is_home_post"(uuid, app.feed_cursor) from public;

grant execute on function "app"."is_home_post"(uuid, app.feed_cursor) to "postgres";

revoke all on function "app"."is_since"(app.feed_cursor, xid8) from public;

grant execute on function "app"."is_since"(app.feed_cursor, xid8) to "postgres";

revoke all on function "app"."lease_pushes"(app.due_notifications[]) from public;

grant execute on function "app"."lease_pushes"(app.due_notifications[]) to "postgres";

revoke all on function "app"."newest_events"(app.feed_cursor, integer, uuid[]) from public;

grant execute on function "app"."newest_events"(app.feed_cursor, integer, uuid[]) to "postgres";

revoke all on function "app"."newest_own_shares"(app.feed_cursor, integer, uuid[], uuid[]) from public;

grant execute on function "app"."newest_own_shares"(app.feed_cursor, integer, uuid[], uuid[]) to "postgres";

revoke all on function "app"."notify_streams"(app.due_notifications[]) from public;

grant execute on function "app"."notify_streams"(app.due_notifications[]) to "postgres";

revoke all on function "app"."open_feed_cursor"(text, text, text, boolean) from public;

grant execute on function "app"."open_feed_cursor"(text, text, text, boolean) to "postgres";

revoke all on function "app"."own_shares_at"(app.feed_cursor) from public;

grant execute on function "app"."own_shares_at"(app.feed_cursor) to "postgres";

revoke all on function "app"."posts_at"(app.feed_cursor, uuid) from public;

grant execute on function "app"."posts_at"(app.feed_cursor, uuid) to "postgres";

revoke all on function "app"."posts_despite_blocks"(uuid) from public;

grant execute on function "app"."posts_despite_blocks"(uuid) to "postgres";

revoke all on function "app"."posts_in_feed"(uuid, app.feed_cursor, uuid[]) from public;

grant execute on function "app"."posts_in_feed"(uuid, app.feed_cursor, uuid[]) to "postgres";

revoke all on function "app"."profile_entries"(uuid, app.feed_cursor, integer) from public;

grant execute on function "app"."profile_entries"(uuid, app.feed_cursor, integer) to "postgres";

revoke all on function "app"."profile_feed"(uuid, jsonb) from public;

grant execute on function "app"."profile_feed"(uuid, jsonb) to "anon", "authenticated", "postgres";

revoke all on function "app"."push_messages"(app.due_notifications[]) from public;

grant execute on function "app"."push_messages"(app.due_notifications[]) to "postgres";

revoke all on function "app"."put_code"(jsonb) from public;

grant execute on function "app"."put_code"(jsonb) to "postgres";

revoke all on function "app"."queue_pushes"(app.due_notifications[], integer) from public;

grant execute on function "app"."queue_pushes"(app.due_notifications[], integer) to "postgres";

revoke all
  on function "app"."ranked_candidates"(uuid[], app.feed_cursor, app.feed_candidate, integer)
  from public;

grant execute
  on function "app"."ranked_candidates"(uuid[], app.feed_cursor, app.feed_candidate, integer)
  to "postgres";

revoke all on function "app"."read_feed"(text, jsonb) from public;

grant execute on function "app"."read_feed"(text, jsonb) to "postgres";

revoke all on function "app"."recent_entries"(uuid, app.feed_cursor, integer) from public;

grant execute on function "app"."recent_entries"(uuid, app.feed_cursor, integer) to "postgres";

revoke all on function "app"."recorded_events_at"(app.feed_cursor) from public;

grant execute on function "app"."recorded_events_at"(app.feed_cursor) to "postgres";

revoke all on function "app"."scores_at_page_one"(uuid[], app.feed_cursor) from public;

grant execute on function "app"."scores_at_page_one"(uuid[], app.feed_cursor) to "postgres";

revoke all on function "app"."seen_cards"(uuid[], uuid, boolean) from public;

grant execute on function "app"."seen_cards"(uuid[], uuid, boolean) to "anon", "authenticated", "postgres";

revoke all on function "app"."seen_post_counts"(uuid) from public;

grant execute on function "app"."seen_post_counts"(uuid) to "anon", "authenticated", "postgres";

revoke all on function "app"."seen_posts"(uuid) from public;

grant execute on function "app"."seen_posts"(uuid) to "postgres";

revoke all on function "app"."sees_post"(uuid) from public;

grant execute on function "app"."sees_post"(uuid) to "anon", "authenticated", "postgres";

revoke all on function "app"."set_hub_photo"(uuid, uuid) from public;

grant execute on function "app"."set_hub_photo"(uuid, uuid) to "authenticated", "postgres";

revoke all on function "app"."set_role"(uuid, uuid, app.hub_role, text) from public;

grant execute on function "app"."set_role"(uuid, uuid, app.hub_role, text) to "authenticated", "postgres";

revoke all on function "app"."share_at_page_one"(uuid, uuid, app.feed_cursor) from public;

grant execute on function "app"."share_at_page_one"(uuid, uuid, app.feed_cursor) to "postgres";

revoke all on function "app"."shares_changed_since"(uuid, app.feed_cursor) from public;

grant execute on function "app"."shares_changed_since"(uuid, app.feed_cursor) to "postgres";

revoke all on function "app"."sources_at"(app.feed_cursor, text[]) from public;

grant execute on function "app"."sources_at"(app.feed_cursor, text[]) to "postgres";

revoke all on function "app"."trending_entries"(uuid, app.feed_cursor, integer) from public;

grant execute on function "app"."trending_entries"(uuid, app.feed_cursor, integer) to "postgres";

revoke all on function "app"."unhidden_since"(app.feed_cursor) from public;

grant execute on function "app"."unhidden_since"(app.feed_cursor) to "postgres";

revoke all on function "app"."without_hidden"(app.feed_candidate[], app.feed_cursor) from public;

grant execute on function "app"."without_hidden"(app.feed_candidate[], app.feed_cursor) to "postgres";

revoke all on function "app"."words_of"(text) from public;

grant execute on function "app"."words_of"(text) to "anon", "authenticated", "postgres";

revoke all on function "gateway"."applied"(xid8[], interval) from public;

grant execute on function "gateway"."applied"(xid8[], interval) to "opine_gateway", "postgres";

revoke all on function "gateway"."call_replica"(text, jsonb, jsonb, xid8[], interval, text, text) from public;

grant execute
  on function "gateway"."call_replica"(text, jsonb, jsonb, xid8[], interval, text, text)
  to "opine_gateway", "postgres";

revoke all on function "gateway"."set_staff_caller"(text, jsonb) from public;

grant execute on function "gateway"."set_staff_caller"(text, jsonb) to "opine_gateway", "postgres";

revoke all on function "staff"."hide_comment"(uuid, uuid) from public;

grant execute on function "staff"."hide_comment"(uuid, uuid) to "postgres";

revoke all on function "staff"."hide_message"(uuid, uuid) from public;

grant execute on function "staff"."hide_message"(uuid, uuid) to "postgres";

revoke all ("id") on table "app"."posts" from "authenticated";

grant insert ("id") on table "app"."posts" to "authenticated";

grant usage on type "app"."feed_cursor" to "postgres";

create or replace view app.notifications_with_visibility as
select
  n.*,
  n.is_comment_hidden
  or exists (
    select
    from app.blocked_pairs as b
    where b.user_id = n.recipient_id and b.other_id in (n.actor_id, n.author_id, n.thread_author_id)
  )
  or n.audience in ('post_viewer', 'target_member') and not exists (
    select
    from app.events as e
    cross join lateral app.seen_posts(n.recipient_id) as seen
    where e.id = n.event_id and seen.id = e.post_id
  ) as is_withheld
from app.notifications as n;
