begin;
select plan(45);
savepoint empty;

-- functions: are immutable only by what they call
-- By their names, each of which stands for a function all of whose versions are less than immutable.
create temporary table immutables as
select p.oid, p.oid::regprocedure::text as signature, pg_get_functiondef(p.oid) as definition
from pg_proc as p
join pg_namespace as n on n.oid = p.pronamespace
where n.nspname in ('app', 'api', 'staff', 'gateway') and p.provolatile = 'i';

select is_empty(
  $$
    select i.signature, called.name
    from immutables as i
    cross join lateral regexp_matches(i.definition, '([a-z_]+)\s*\(', 'g') as match (names)
    join (
      select p.proname::text as name from pg_proc as p
      join pg_namespace as n on n.oid = p.pronamespace
      where n.nspname in ('pg_catalog', 'app', 'staff', 'gateway')
      group by p.proname
      having bool_and(p.provolatile <> 'i')
    ) as called on called.name = match.names[1]
  $$,
  'no immutable function calls one that is stable or volatile'
);
-- A time zone and the way to write a time are settings; date_bin by an origin reads neither.
select set_eq(
  $$ select signature from immutables where definition ~* 'timestamptz|timestamp with time zone|extract|[^'']::interval|list_entry|feed_position' $$,
  array['app.presence_slot(timestamp with time zone)', 'app.rate_limit_cost(integer,interval)'],
  'no immutable function reads or writes times but those that need no setting'
);
select isnt_empty('select from immutables', 'there are such');

rollback to empty;

-- functions: are not for everybody
select is_empty(
  $$
    select f.signature
    from tests.our_functions as f
    join pg_proc as p on p.oid = f.oid
    where p.proacl is null or exists (select from aclexplode(p.proacl) as acl where acl.grantee = 0)
  $$,
  'no function is executable by PUBLIC'
);

rollback to empty;

-- functions: are not for the platform
select is_empty(
  $$
    select signature from tests.our_functions
    where has_function_privilege('service_role', oid, 'execute') or has_function_privilege('authenticator', oid, 'execute')
  $$,
  'the platform''s secret key and the Data API''s login execute nothing of ours'
);

rollback to empty;

-- functions: for guests
select bag_eq(
  $$ select tests.executable_by('anon', 'api') $$,
  array[
    'api.get_home_feed(jsonb)',
    'api.get_hub_votes(jsonb)',
    'api.get_invitation(jsonb)',
    'api.get_invite_link(jsonb)',
    'api.get_login_config(jsonb)',
    'api.get_post(jsonb)',
    'api.get_profile(jsonb)',
    'api.get_profile_by_username(jsonb)',
    'api.get_profile_feed(jsonb)',
    'api.get_vote_distribution(jsonb)',
    'api.get_vote_summary(jsonb)',
    'api.list_comments(jsonb)',
    'api.list_frames(jsonb)',
    'api.search_users(jsonb)'
  ],
  'operations that a guest may run'
);
select is_empty($$ select tests.executable_by('anon', 'gateway') $$, 'a guest does not reach the gateway');
select is_empty($$ select tests.executable_by('anon', 'staff') $$, 'nor what is for staff');

rollback to empty;

-- functions: for members
select bag_eq(
  $$ select tests.executable_by('authenticated', 'api') $$,
  array[
    'api.accept_invitation(jsonb)',
    'api.add_admin(jsonb)',
    'api.approve_join_request(jsonb)',
    'api.block_user(jsonb)',
    'api.cast_vote(jsonb)',
    'api.cast_vote_answer(jsonb)',
    'api.change_hub_link(jsonb)',
    'api.check_handle(jsonb)',
    'api.complete_media(jsonb)',
    'api.create_comment(jsonb)',
    'api.create_hub(jsonb)',
    'api.create_invitations(jsonb)',
    'api.create_invite_link(jsonb)',
    'api.create_message(jsonb)',
    'api.create_post(jsonb)',
    'api.create_repost(jsonb)',
    'api.decline_invitation(jsonb)',
    'api.delete_account(jsonb)',
    'api.delete_comment(jsonb)',
    'api.delete_post(jsonb)',
    'api.end_session(jsonb)',
    'api.export_own_data(jsonb)',
    'api.follow_user(jsonb)',
    'api.get_download_url(jsonb)',
    'api.get_home_feed(jsonb)',
    'api.get_hub(jsonb)',
    'api.get_hub_feed(jsonb)',
    'api.get_hub_profile(jsonb)',
    'api.get_hub_settings(jsonb)',
    'api.get_hub_votes(jsonb)',
    'api.get_invitation(jsonb)',
    'api.get_invite_link(jsonb)',
    'api.get_my_vote(jsonb)',
    'api.get_onboarding_status(jsonb)',
    'api.get_own_profile(jsonb)',
    'api.get_post(jsonb)',
    'api.get_profile(jsonb)',
    'api.get_profile_by_username(jsonb)',
    'api.get_profile_feed(jsonb)',
    'api.get_share_link(jsonb)',
    'api.get_vote_distribution(jsonb)',
    'api.get_vote_summary(jsonb)',
    'api.leave_hub(jsonb)',
    'api.list_admins(jsonb)',
    'api.list_blocks(jsonb)',
    'api.list_comments(jsonb)',
    'api.list_discussions(jsonb)',
    'api.list_followers(jsonb)',
    'api.list_following(jsonb)',
    'api.list_frames(jsonb)',
    'api.list_invitations(jsonb)',
    'api.list_invite_links(jsonb)',
    'api.list_join_requests(jsonb)',
    'api.list_members(jsonb)',
    'api.list_messages(jsonb)',
    'api.list_my_hubs(jsonb)',
    'api.list_notifications(jsonb)',
    'api.list_saved_discussions(jsonb)',
    'api.list_saved_posts(jsonb)',
    'api.list_sessions(jsonb)',
    'api.log_out(jsonb)',
    'api.mark_notifications_read(jsonb)',
    'api.presign_upload(jsonb)',
    'api.register_device_token(jsonb)',
    'api.reject_join_request(jsonb)',
    'api.remove_admin(jsonb)',
    'api.remove_device_token(jsonb)',
    'api.remove_member(jsonb)',
    'api.report_comment(jsonb)',
    'api.report_hub(jsonb)',
    'api.report_message(jsonb)',
    'api.report_post(jsonb)',
    'api.report_user(jsonb)',
    'api.request_to_join(jsonb)',
    'api.revoke_invite_link(jsonb)',
    'api.save_discussion(jsonb)',
    'api.save_post(jsonb)',
    'api.save_profile_basics(jsonb)',
    'api.search_hubs(jsonb)',
    'api.search_users(jsonb)',
    'api.share_to_feed(jsonb)',
    'api.share_to_hubs(jsonb)',
    'api.store_contacts(jsonb)',
    'api.stream_notifications(jsonb)',
    'api.sync_contacts(jsonb)',
    'api.unblock_user(jsonb)',
    'api.unfollow_user(jsonb)',
    'api.unsave_discussion(jsonb)',
    'api.unsave_post(jsonb)',
    'api.update_follow(jsonb)',
    'api.update_hub(jsonb)',
    'api.update_hub_profile(jsonb)',
    'api.update_hub_settings(jsonb)',
    'api.update_own_profile(jsonb)'
  ],
  'operations that a signed-in person may run'
);
select is_empty($$ select tests.executable_by('authenticated', 'gateway') $$, 'a signed-in person does not reach the gateway');
select is_empty($$ select tests.executable_by('authenticated', 'staff') $$, 'nor what is for staff');

rollback to empty;

-- functions: for members inside operations
-- Operations run as their caller, and so do the rules they call. Schema app is not exposed to clients.
select bag_eq(
  $$ select tests.executable_by('authenticated', 'app') $$,
  array[
    'app.accept_invitation(uuid)',
    'app.has_other_activity(uuid)',
    'app.active_entries(uuid,boolean,app.feed_position,integer)',
    'app.active_users(uuid)',
    'app.admin_hubs(uuid)',
    'app.admit(jsonb)',
    'app.are_e164(text[])',
    'app.argument(jsonb,text,text,text)',
    'app.article_media(uuid)',
    'app.asset_media(app.assets)',
    'app.attach_media(uuid,uuid[])',
    'app.author_phone(uuid)',
    'app.bucket_of(app.upload_purpose)',
    'app.card_vote(boolean,timestamp with time zone,uuid,app.position_counts)',
    'app.choice_argument(jsonb,text,text[])',
    'app.comment_count(uuid)',
    'app.count_in_new_hubs(uuid,uuid[],text[])',
    'app.count_vote(uuid,app.vote_position,interval,boolean,text)',
    'app.decide_join_request(uuid,uuid,app.join_request_state)',
    'app.decline_invitation(uuid)',
    'app.decode_cursor(text)',
    'app.decode_hit(text)',
    'app.decode_feed_cursor(text,text,text)',
    'app.default_entries(app.feed_position,integer)',
    'app.discussed_posts(uuid[])',
    'app.discussion_author(app.hub_person)',
    'app.discussion_json(app.discussions,app.discussed_post,jsonb)',
    'app.displayed_hub(app.posts,uuid)',
    'app.encode_cursor(timestamp with time zone,uuid)',
    'app.encode_hit(app.search_hit)',
    'app.encode_feed_cursor(app.feed_position)',
    'app.end_of_prefix(text)',
    'app.end_own_account()',
    'app.erase_post(uuid)',
    'app.feed(jsonb)',
    'app.feed_page(app.feed_entry[],text[],app.feed_position,integer,uuid)',
    'app.find_hubs(text,app.search_hit,integer)',
    'app.find_people(text,app.search_hit,integer)',
    'app.first_entry(text)',
    'app.first_shown(app.feed_entry[],app.feed_position)',
    'app.folded(text)',
    'app.insert_hub(text,text,text,uuid)',
    'app.found_person(app.profiles)',
    'app.handle_refusal(text)',
    'app.handles_like(text)',
    'app.has_sources()',
    'app.has_visible_character(text)',
    'app.hidden_comment_roots(uuid,timestamp with time zone,timestamp with time zone)',
    'app.hidden_message_roots(uuid,timestamp with time zone,timestamp with time zone)',
    'app.lock_member(uuid,app.hub_role,text)',
    'app.lock_memberships(uuid)',
    'app.home_entries(app.feed_position,integer)',
    'app.home_reasons(app.feed_entry[])',
    'app.hub_card(app.hubs,app.membership_status)',
    'app.hub_entries(uuid,app.feed_position,integer)',
    'app.hub_member(app.hub_person)',
    'app.hub_people(uuid,uuid[])',
    'app.hub_preview(app.hubs,app.membership_status)',
    'app.hub_profile()',
    'app.hub_reasons(uuid,app.feed_entry[])',
    'app.hub_json(uuid)',
    'app.hub_preview_json(uuid)',
    'app.ids_argument(jsonb,text,integer,integer,text)',
    'app.inbox_entries(boolean,app.list_entry,integer)',
    'app.inbox_items(app.list_entry[])',
    'app.integer_argument(jsonb,text,integer,integer)',
    'app.invitation_of(bytea)',
    'app.is_called(app.profiles,text)',
    'app.is_handle(text)',
    'app.is_handle_taken(text)',
    'app.is_plain_name(text)',
    'app.is_reserved_handle(text)',
    'app.iso(timestamp with time zone)',
    'app.items_argument(jsonb,text,integer,integer,text)',
    'app.keep_device_token(bytea,app.device_platform,bytea)',
    'app.last_word(text)',
    'app.leave_hub(uuid)',
    'app.level_of(uuid)',
    'app.limit_exports()',
    'app.limit_handle_checks()',
    'app.limit_uploads()',
    'app.link_of(bytea)',
    'app.comments_json(app.comments[])',
    'app.discussions_json(uuid,app.list_entry[])',
    'app.invitations_json(uuid,app.list_entry[])',
    'app.join_requests_json(app.list_entry[])',
    'app.invite_links_json(app.list_entry[])',
    'app.members_json(uuid,uuid[])',
    'app.messages_json(uuid,app.messages[])',
    'app.people_json(app.list_entry[])',
    'app.posts_json(uuid[],text[],uuid)',
    'app.lock_own_memberships(uuid[])',
    'app.lock_pair(uuid,uuid)',
    'app.lock_post_for_deletion(uuid)',
    'app.log_out(bytea,uuid,boolean,bytea)',
    'app.mark_read(uuid)',
    'app.may_subscribe(text)',
    'app.may_place(uuid,app.placement_kind)',
    'app.may_repost(uuid)',
    'app.members_called(jsonb)',
    'app.members_page(jsonb,app.hub_role)',
    'app.message_json(app.messages,jsonb)',
    'app.my_hub_ids()',
    'app.my_inbox_state()',
    'app.name_argument(jsonb,text)',
    'app.newest_events(app.feed_position,integer,uuid[])',
    'app.next_cursor(app.list_entry[],integer)',
    'app.record_presence(uuid)',
    'app.now()',
    'app.onboarding_status()',
    'app.otp_policy()',
    'app.export_account()',
    'app.export_blocks()',
    'app.export_comments()',
    'app.export_contacts()',
    'app.export_device_tokens()',
    'app.export_feed_shares()',
    'app.export_followers()',
    'app.export_following()',
    'app.export_invitations()',
    'app.export_join_requests()',
    'app.export_memberships()',
    'app.export_messages()',
    'app.export_muted_hubs()',
    'app.export_notifications()',
    'app.export_placements()',
    'app.export_posts()',
    'app.own_profile()',
    'app.export_reports()',
    'app.export_reposts()',
    'app.export_saved_discussions()',
    'app.export_saved_posts()',
    'app.export_section(text,integer)',
    'app.export_sent_invitations()',
    'app.sessions_json()',
    'app.export_uploads()',
    'app.export_votes()',
    'app.owns_asset(uuid)',
    'app.page_size(jsonb,integer,integer)',
    'app.people_page(jsonb,text)',
    'app.photo_or(uuid,jsonb)',
    'app.photo_url(uuid)',
    'app.place_post(uuid,uuid[],app.placement_kind)',
    'app.placements_key(uuid)',
    'app.pool_totals(uuid,uuid)',
    'app.post_cards(uuid[],uuid)',
    'app.post_detail(uuid,uuid)',
    'app.post_slider(app.posts)',
    'app.profile_entries(uuid,app.feed_position,integer)',
    'app.promote_pending(uuid,text[])',
    'app.public_profile(uuid)',
    'app.publish(jsonb,uuid,uuid)',
    'app.put_block(uuid)',
    'app.put_follow(uuid)',
    'app.put_hub_photo(uuid,uuid)',
    'app.put_invitation(uuid,text,bytea)',
    'app.put_invite_link(uuid,bytea,integer,interval)',
    'app.put_message(uuid,uuid,text,uuid)',
    'app.put_report(jsonb,uuid,uuid,uuid,uuid,uuid)',
    'app.put_role(uuid,uuid,app.hub_role,text)',
    'app.refuse_argument(text[],text,text)',
    'app.refuse_cursor()',
    'app.refuse_non_member(uuid,text)',
    'app.remove_comment(uuid)',
    'app.remove_member(uuid,uuid)',
    'app.request_to_join(bytea)',
    'app.recent_entries(uuid,boolean,app.feed_position,integer)',
    'app.require_any_argument(jsonb,text[])',
    'app.require_arguments(jsonb,text[])',
    'app.require_asset(uuid,app.upload_purpose[],jsonb)',
    'app.require_comment(uuid)',
    'app.require_commentable(uuid)',
    'app.require_destination(jsonb)',
    'app.require_discussion(jsonb)',
    'app.require_hub(uuid)',
    'app.require_level(integer)',
    'app.require_live_session()',
    'app.require_member(uuid,app.hub_role,text)',
    'app.require_message(uuid)',
    'app.require_notification(uuid)',
    'app.require_person(uuid)',
    'app.require_post(uuid)',
    'app.require_scope(uuid)',
    'app.require_slider(uuid)',
    'app.saved_discussion(app.discussions)',
    'app.scores_then(uuid[],app.feed_position)',
    'app.search_key(text)',
    'app.sees_thread(uuid)',
    'app.session_id()',
    'app.session_is_live(jsonb)',
    'app.shared_then(uuid,uuid,app.feed_position)',
    'app.shown_before(uuid[],app.feed_position)',
    'app.source_card(app.posts,jsonb)',
    'app.viewer_status(uuid)',
    'app.state_of(app.invitation_state,timestamp with time zone)',
    'app.text_argument(jsonb,text,integer,integer,text)',
    'app.total_of(app.position_counts)',
    'app.trending_entries(uuid,boolean,app.feed_position,integer)',
    'app.user_id()',
    'app.user_lite(app.profiles)',
    'app.uuid_v7()',
    'app.viewer_follows(uuid)',
    'app.viewer_relation(uuid)',
    'app.vote_count(uuid)',
    'app.vote_distribution(app.position_counts)',
    'app.vote_scope(uuid)',
    'app.vote_summary(app.position_counts)'
  ],
  'rules that a signed-in person''s operations call'
);
select set_eq(
  $$
    select tests.executable_by('authenticated', 'app')
    except
    select tests.executable_by('anon', 'app')
  $$,
  array[
    'app.accept_invitation(uuid)',
    'app.has_other_activity(uuid)',
    'app.active_users(uuid)',
    'app.are_e164(text[])',
    'app.attach_media(uuid,uuid[])',
    'app.bucket_of(app.upload_purpose)',
    'app.count_in_new_hubs(uuid,uuid[],text[])',
    'app.count_vote(uuid,app.vote_position,interval,boolean,text)',
    'app.decide_join_request(uuid,uuid,app.join_request_state)',
    'app.decline_invitation(uuid)',
    'app.discussed_posts(uuid[])',
    'app.discussion_author(app.hub_person)',
    'app.discussion_json(app.discussions,app.discussed_post,jsonb)',
    'app.end_of_prefix(text)',
    'app.end_own_account()',
    'app.erase_post(uuid)',
    'app.find_hubs(text,app.search_hit,integer)',
    'app.first_shown(app.feed_entry[],app.feed_position)',
    'app.insert_hub(text,text,text,uuid)',
    'app.handle_refusal(text)',
    'app.handles_like(text)',
    'app.hidden_message_roots(uuid,timestamp with time zone,timestamp with time zone)',
    'app.lock_member(uuid,app.hub_role,text)',
    'app.lock_memberships(uuid)',
    'app.home_entries(app.feed_position,integer)',
    'app.home_reasons(app.feed_entry[])',
    'app.hub_card(app.hubs,app.membership_status)',
    'app.hub_entries(uuid,app.feed_position,integer)',
    'app.hub_member(app.hub_person)',
    'app.hub_people(uuid,uuid[])',
    'app.hub_profile()',
    'app.hub_reasons(uuid,app.feed_entry[])',
    'app.hub_json(uuid)',
    'app.inbox_entries(boolean,app.list_entry,integer)',
    'app.inbox_items(app.list_entry[])',
    'app.is_called(app.profiles,text)',
    'app.is_handle(text)',
    'app.is_handle_taken(text)',
    'app.is_plain_name(text)',
    'app.is_reserved_handle(text)',
    'app.keep_device_token(bytea,app.device_platform,bytea)',
    'app.leave_hub(uuid)',
    'app.limit_exports()',
    'app.limit_handle_checks()',
    'app.limit_uploads()',
    'app.discussions_json(uuid,app.list_entry[])',
    'app.invitations_json(uuid,app.list_entry[])',
    'app.join_requests_json(app.list_entry[])',
    'app.invite_links_json(app.list_entry[])',
    'app.members_json(uuid,uuid[])',
    'app.messages_json(uuid,app.messages[])',
    'app.people_json(app.list_entry[])',
    'app.lock_own_memberships(uuid[])',
    'app.lock_pair(uuid,uuid)',
    'app.lock_post_for_deletion(uuid)',
    'app.log_out(bytea,uuid,boolean,bytea)',
    'app.mark_read(uuid)',
    'app.may_subscribe(text)',
    'app.may_place(uuid,app.placement_kind)',
    'app.members_called(jsonb)',
    'app.members_page(jsonb,app.hub_role)',
    'app.message_json(app.messages,jsonb)',
    'app.my_hub_ids()',
    'app.my_inbox_state()',
    'app.name_argument(jsonb,text)',
    'app.newest_events(app.feed_position,integer,uuid[])',
    'app.record_presence(uuid)',
    'app.onboarding_status()',
    'app.export_account()',
    'app.export_blocks()',
    'app.export_comments()',
    'app.export_contacts()',
    'app.export_device_tokens()',
    'app.export_feed_shares()',
    'app.export_followers()',
    'app.export_following()',
    'app.export_invitations()',
    'app.export_join_requests()',
    'app.export_memberships()',
    'app.export_messages()',
    'app.export_muted_hubs()',
    'app.export_notifications()',
    'app.export_placements()',
    'app.export_posts()',
    'app.own_profile()',
    'app.export_reports()',
    'app.export_reposts()',
    'app.export_saved_discussions()',
    'app.export_saved_posts()',
    'app.export_section(text,integer)',
    'app.export_sent_invitations()',
    'app.sessions_json()',
    'app.export_uploads()',
    'app.export_votes()',
    'app.owns_asset(uuid)',
    'app.people_page(jsonb,text)',
    'app.photo_or(uuid,jsonb)',
    'app.place_post(uuid,uuid[],app.placement_kind)',
    'app.placements_key(uuid)',
    'app.promote_pending(uuid,text[])',
    'app.publish(jsonb,uuid,uuid)',
    'app.put_block(uuid)',
    'app.put_follow(uuid)',
    'app.put_hub_photo(uuid,uuid)',
    'app.put_invitation(uuid,text,bytea)',
    'app.put_invite_link(uuid,bytea,integer,interval)',
    'app.put_message(uuid,uuid,text,uuid)',
    'app.put_report(jsonb,uuid,uuid,uuid,uuid,uuid)',
    'app.put_role(uuid,uuid,app.hub_role,text)',
    'app.refuse_non_member(uuid,text)',
    'app.remove_comment(uuid)',
    'app.remove_member(uuid,uuid)',
    'app.request_to_join(bytea)',
    'app.require_any_argument(jsonb,text[])',
    'app.require_asset(uuid,app.upload_purpose[],jsonb)',
    'app.require_comment(uuid)',
    'app.require_destination(jsonb)',
    'app.require_discussion(jsonb)',
    'app.require_hub(uuid)',
    'app.require_level(integer)',
    'app.require_live_session()',
    'app.require_member(uuid,app.hub_role,text)',
    'app.require_message(uuid)',
    'app.require_notification(uuid)',
    'app.saved_discussion(app.discussions)',
    'app.session_id()',
    'app.session_is_live(jsonb)',
    'app.shared_then(uuid,uuid,app.feed_position)',
    'app.shown_before(uuid[],app.feed_position)',
    'app.viewer_follows(uuid)'
  ],
  'a guest''s operations call all but these of them'
);

rollback to empty;

-- functions: for proofs
select bag_eq(
  $$ select tests.executable_by('opine_service', 'api') $$,
  array[
    'api.complete_upload(jsonb)',
    'api.exchange_id_token(jsonb)',
    'api.refresh_session(jsonb)',
    'api.request_otp(jsonb)',
    'api.start_anonymous_session(jsonb)',
    'api.start_staff_session(jsonb)',
    'api.verify_otp(jsonb)'
  ],
  'operations whose arguments the service vouches for: proofs, and what lies in storage'
);
select is_empty($$ select tests.executable_by('opine_service', 'app') $$, 'they need nothing of schema app');
select is_empty($$ select tests.executable_by('opine_service', 'gateway') $$, 'and nothing of the gateway');
select is_empty($$ select tests.executable_by('opine_service', 'staff') $$, 'nor of what is for staff');

rollback to empty;

-- functions: for staff
select bag_eq(
  $$ select tests.executable_by('opine_staff', 'api') $$,
  array['api.end_staff_session(jsonb)', 'api.get_staff_session(jsonb)'],
  'operations that any member of staff may run'
);
select is_empty($$ select tests.executable_by('opine_staff', 'app') $$, 'they need nothing of schema app');
select is_empty($$ select tests.executable_by('opine_staff', 'staff') $$, 'nothing of schema staff, where no operation is');
select is_empty($$ select tests.executable_by('opine_staff', 'gateway') $$, 'and nothing of the gateway');
select bag_eq(
  $$ select tests.executable_by('staff_support', 'api') except select tests.executable_by('opine_staff', 'api') $$,
  array['api.find_accounts(jsonb)', 'api.get_staff_health(jsonb)', 'api.unmask_phone(jsonb)'],
  'those of support'
);
select bag_eq(
  $$ select tests.executable_by('staff_moderator', 'api') except select tests.executable_by('staff_support', 'api') $$,
  array[
    'api.list_reports(jsonb)', 'api.claim_report(jsonb)', 'api.release_report(jsonb)', 'api.dismiss_report(jsonb)', 'api.remove_content(jsonb)',
    'api.suspend_user(jsonb)', 'api.restore_user(jsonb)', 'api.suspend_hub(jsonb)', 'api.restore_hub(jsonb)',
    'api.why_visible(jsonb)'
  ],
  'those of moderators beside them'
);
select bag_eq(
  $$ select tests.executable_by('staff_admin', 'api') except select tests.executable_by('staff_moderator', 'api') $$,
  array['api.list_dead_letters(jsonb)', 'api.requeue_dead_letter(jsonb)'],
  'and those of admins beside those'
);
select bag_eq(
  $$ select tests.executable_by('staff_admin', 'app') $$,
  array['app.encode_cursor(timestamptz,uuid)'::regprocedure::text, 'app.iso(timestamptz)'::regprocedure::text],
  'of schema app they need how answers write times and cursors'
);
select is_empty($$ select tests.executable_by('staff_admin', 'gateway') $$, 'and nothing of the gateway');

rollback to empty;

-- functions: for the gateway
select bag_eq(
  $$ select tests.executable_by('opine_gateway', 'gateway') $$,
  array[
    'gateway.enter(jsonb,boolean,text)',
    'gateway.invoke(text,jsonb,jsonb,boolean,text,text)',
    'gateway.invoke_as_guest(text,jsonb,text,interval,text)',
    'gateway.invoke_as_service(text,jsonb,jsonb,boolean,text)',
    'gateway.invoke_as_staff(text,text,jsonb,jsonb,text)',
    'gateway.invoke_once(text,jsonb,jsonb,text,text,boolean,text,text)',
    'gateway.is_ready()',
    'gateway.live_sessions(uuid[])',
    'gateway.open_signals(uuid[],uuid[])',
    'gateway.recall(jsonb,text,text)',
    'gateway.remember(jsonb,text,jsonb)',
    'gateway.run_operation(text,text,jsonb)',
    'gateway.session_is_live(jsonb)',
    'gateway.show_request(text)',
    'gateway.staff_member(text,jsonb)',
    'gateway.staleness()'
  ],
  'what the login for requests may execute'
);
select is_empty($$ select tests.executable_by('opine_gateway', 'api') $$, 'it runs no operation as itself');
select is_empty($$ select tests.executable_by('opine_gateway', 'app') $$, 'and no rule');
select is_empty($$ select tests.executable_by('opine_gateway', 'staff') $$, 'nor one about staff');

rollback to empty;

-- functions: for the serializable gateway
select bag_eq(
  $$ select tests.executable_by('opine_serializable', 'gateway') $$,
  array[
    'gateway.enter(jsonb,boolean,text)',
    'gateway.invoke(text,jsonb,jsonb,boolean,text,text)',
    'gateway.invoke_then_read(text,jsonb,jsonb,text,text)',
    'gateway.is_ready()',
    'gateway.run_operation(text,text,jsonb)',
    'gateway.session_is_live(jsonb)',
    'gateway.show_request(text)'
  ],
  'what the login for serializable requests may execute'
);
select is_empty($$ select tests.executable_by('opine_serializable', 'api') $$, 'it runs no operation as itself');
select is_empty($$ select tests.executable_by('opine_serializable', 'app') $$, 'and no rule');
select is_empty($$ select tests.executable_by('opine_serializable', 'staff') $$, 'nor one about staff');

rollback to empty;

-- functions: for the worker
select bag_eq(
  $$ select tests.executable_by('opine_worker', 'app') $$,
  array[
    'app.backlog()',
    'app.claim_account_deletion()',
    'app.claim_expired_objects(integer)',
    'app.claim_pushes(integer)',
    'app.dead_upload_keys(text[])',
    'app.fan_out()',
    'app.fan_out_milestones()',
    'app.finish_account_deletion(uuid)',
    'app.fold_ballots(text[])',
    'app.fold_inbox_counts()',
    'app.fold_pools(smallint)',
    'app.fold_presence()',
    'app.fold_receipts()',
    'app.forget_objects(uuid[])',
    'app.prune_device_tokens()',
    'app.prune_feeds()',
    'app.prune_hubs()',
    'app.prune_identity()',
    'app.prune_pending_totals()',
    'app.prune_rate_limits()',
    'app.prune_uploads()',
    'app.publish_signals(uuid,integer,integer)',
    'app.remove_closed_hubs()',
    'app.settle_published(jsonb)',
    'app.settle_pushes(jsonb)',
    'app.start_task(text,interval)'
  ],
  'the worker''s tasks'
);
select bag_eq(
  $$ select tests.executable_by('opine_worker', 'gateway') $$,
  array['gateway.record_heartbeat()', 'gateway.prune_idempotent_answers()'],
  'and the gateway''s upkeep'
);
select bag_eq(
  $$ select tests.executable_by('opine_worker', 'staff') $$, array['staff.prune_sessions()'], 'and that of staff sessions'
);
select is_empty($$ select tests.executable_by('opine_worker', 'api') $$, 'it runs no operation');

rollback to empty;

-- functions: have comments
select is_empty(
  $$ select signature from tests.our_functions where obj_description(oid, 'pg_proc') is null $$,
  'every function says what it does'
);

rollback to empty;

-- functions: need a live session
-- The gateway looks the session up before an operation runs. The Data API does not.
select tests.person('maya', 4);
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
create temporary table operations as
select operation from tests.executable_by('authenticated', 'api') as operation;
grant select on operations to public;

set local role authenticated;
select is_empty(
  $$
    select operation
    from operations
    where tests.error_of(format('select %s', replace(operation, '(jsonb)', '(''{}'')'))) ->> 'code' is distinct from 'UNAUTHORIZED'
  $$,
  'no operation runs for a session that has ended'
);
select cmp_ok((select count(*) from operations), '>', 60::bigint, 'the operations of members are among those tried');

rollback to empty;

-- functions: of api take and answer json
select is_empty(
  $$
    select f.signature
    from tests.our_functions as f
    join pg_proc as p on p.oid = f.oid
    where f.schema = 'api'
      and (pg_get_function_arguments(p.oid) <> 'jsonb' or p.prorettype <> 'jsonb'::regtype or p.proretset)
  $$,
  'an operation takes one unnamed jsonb, as the Data API passes a body, and returns jsonb'
);

rollback to empty;

-- functions: search no path
-- A procedure with a SET clause cannot commit, and this one does.
select set_eq(
  $$ select signature from tests.our_functions where settings is null or not settings @> array['search_path=""'] $$,
  array['gateway.invoke_then_read(text,jsonb,jsonb,text,text)'],
  'every function has an empty search_path but the procedure that commits'
);
select is_empty(
  $$ select signature from tests.our_functions where is_definer and (settings is null or not settings @> array['search_path=""']) $$,
  'no function that runs as its owner searches a path'
);

rollback to empty;

-- functions: security definers are listed
-- Each of these writes across users, or reads what no policy may show. Whoever adds one says why in its review.
select bag_eq(
  $$ select signature from tests.our_functions where is_definer $$,
  array[
    'api.complete_upload(jsonb)',
    'api.end_staff_session(jsonb)',
    'api.exchange_id_token(jsonb)',
    'api.get_staff_session(jsonb)',
    'api.refresh_session(jsonb)',
    'api.request_otp(jsonb)',
    'api.start_anonymous_session(jsonb)',
    'api.start_staff_session(jsonb)',
    'api.verify_otp(jsonb)',
    'app.accept_invitation(uuid)',
    'app.has_other_activity(uuid)',
    'app.active_entries(uuid,boolean,app.feed_position,integer)',
    'app.active_users(uuid)',
    'app.admin_hubs(uuid)',
    'app.author_phone(uuid)',
    'app.backlog()',
    'app.add_activity_to_hubs()',
    'app.call_function(text)',
    'app.claim_account_deletion()',
    'app.claim_expired_objects(integer)',
    'app.claim_pushes(integer)',
    'app.comment_count(uuid)',
    'app.count_follows()',
    'app.count_in_new_hubs(uuid,uuid[],text[])',
    'app.count_members()',
    'app.count_vote(uuid,app.vote_position,interval,boolean,text)',
    'app.dead_upload_keys(text[])',
    'app.decode_hit(text)',
    'app.decide_join_request(uuid,uuid,app.join_request_state)',
    'app.decline_invitation(uuid)',
    'app.discussed_posts(uuid[])',
    'app.encode_hit(app.search_hit)',
    'app.end_own_account()',
    'app.fan_out()',
    'app.fan_out_milestones()',
    'app.find_hubs(text,app.search_hit,integer)',
    'app.find_people(text,app.search_hit,integer)',
    'app.finish_account_deletion(uuid)',
    'app.fold_ballots(text[])',
    'app.fold_inbox_counts()',
    'app.fold_pools(smallint)',
    'app.fold_presence()',
    'app.fold_receipts()',
    'app.forget_objects(uuid[])',
    'app.insert_hub(text,text,text,uuid)',
    'app.hidden_comment_roots(uuid,timestamp with time zone,timestamp with time zone)',
    'app.hidden_message_roots(uuid,timestamp with time zone,timestamp with time zone)',
    'app.lock_member(uuid,app.hub_role,text)',
    'app.lock_memberships(uuid)',
    'app.lock_post()',
    'app.hub_people(uuid,uuid[])',
    'app.inbox_entries(boolean,app.list_entry,integer)',
    'app.inbox_items(app.list_entry[])',
    'app.invitation_of(bytea)',
    'app.is_handle_taken(text)',
    'app.keep_device_token(bytea,app.device_platform,bytea)',
    'app.keep_former_event()',
    'app.leave_hub(uuid)',
    'app.limit_exports()',
    'app.limit_handle_checks()',
    'app.limit_uploads()',
    'app.link_of(bytea)',
    'app.join_requests_json(app.list_entry[])',
    'app.lock_pair(uuid,uuid)',
    'app.lock_post_for_deletion(uuid)',
    'app.log_out(bytea,uuid,boolean,bytea)',
    'app.mark_read(uuid)',
    'app.my_hub_ids()',
    'app.my_inbox_state()',
    'app.name_members()',
    'app.newest_events(app.feed_position,integer,uuid[])',
    'app.record_comment()',
    'app.record_feed_share()',
    'app.keep_former_sources()',
    'app.record_inbox_changes()',
    'app.record_notifications()',
    'app.record_placements()',
    'app.record_publications()',
    'app.record_presence(uuid)',
    'app.record_withdrawals()',
    'app.on_placements_share_again()',
    'app.export_feed_shares()',
    'app.export_messages()',
    'app.export_notifications()',
    'app.export_placements()',
    'app.export_sent_invitations()',
    'app.owns_asset(uuid)',
    'app.pool_totals(uuid,uuid)',
    'app.promote_pending(uuid,text[])',
    'app.prune_device_tokens()',
    'app.prune_feeds()',
    'app.prune_hubs()',
    'app.prune_identity()',
    'app.prune_pending_totals()',
    'app.prune_rate_limits()',
    'app.prune_uploads()',
    'app.publish_signals(uuid,integer,integer)',
    'app.put_block(uuid)',
    'app.put_follow(uuid)',
    'app.put_hub_photo(uuid,uuid)',
    'app.put_invitation(uuid,text,bytea)',
    'app.put_invite_link(uuid,bytea,integer,interval)',
    'app.put_message(uuid,uuid,text,uuid)',
    'app.put_role(uuid,uuid,app.hub_role,text)',
    'app.release_asset()',
    'app.release_assets()',
    'app.remove_closed_hubs()',
    'app.remove_comment(uuid)',
    'app.remove_member(uuid,uuid)',
    'app.rename_member()',
    'app.request_to_join(bytea)',
    'app.require_notification(uuid)',
    'app.sees_thread(uuid)',
    'app.session_is_live(jsonb)',
    'app.settle_published(jsonb)',
    'app.settle_pushes(jsonb)',
    'app.scores_then(uuid[],app.feed_position)',
    'app.shared_then(uuid,uuid,app.feed_position)',
    'app.shown_before(uuid[],app.feed_position)',
    'app.start_task(text,interval)',
    'app.vote_count(uuid)',
    'app.remove_activity_from_hubs()',
    'gateway.record_heartbeat()',
    'gateway.live_sessions(uuid[])',
    'gateway.open_signals(uuid[],uuid[])',
    'gateway.prune_idempotent_answers()',
    'gateway.recall(jsonb,text,text)',
    'gateway.remember(jsonb,text,jsonb)',
    'gateway.session_is_live(jsonb)',
    'gateway.staff_member(text,jsonb)',
    'gateway.staleness()',
    'staff.add_default_feed_user(text,text)',
    'staff.admit(text,staff.role,text)',
    'staff.claim_report(uuid)',
    'staff.claimed_by(uuid)',
    'staff.dismiss(text,text)',
    'staff.dismiss_report(uuid,text)',
    'staff.find_accounts(text)',
    'staff.health()',
    'staff.requested_page(jsonb)',
    'staff.phone_hint(uuid)',
    'staff.prune_sessions()',
    'staff.release_report(uuid)',
    'staff.remove_content(uuid,text)',
    'staff.remove_default_feed_user(text,text)',
    'staff.requeue_dead_letter(uuid)',
    'staff.restore_hub(uuid,text)',
    'staff.restore_user(uuid,text)',
    'staff.suspend_hub(uuid,text)',
    'staff.suspend_user(uuid,text)',
    'staff.unmask_phone(uuid,text)',
    'staff.why_visible(uuid,uuid)'
  ],
  'these functions, and no others, run as their owner'
);

select * from finish();
rollback;
