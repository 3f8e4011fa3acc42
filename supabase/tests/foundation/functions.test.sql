begin;
select plan(13);

-- Which roles may execute each function, and whether it runs as its owner (definer) or as its caller (invoker).
-- A definer function writes across users, or reads what no policy shows: its review says why.
-- A function that is not listed runs as its caller and is executable by no role.
create temporary table expected (function, roles, security) as
values
  ('api.accept_invitation(jsonb)', 'authenticated', 'invoker'),
  ('api.add_admin(jsonb)', 'authenticated', 'invoker'),
  ('api.approve_join_request(jsonb)', 'authenticated', 'invoker'),
  ('api.block_user(jsonb)', 'authenticated', 'invoker'),
  ('api.cast_vote(jsonb)', 'authenticated', 'invoker'),
  ('api.cast_vote_answer(jsonb)', 'authenticated', 'invoker'),
  ('api.change_hub_link(jsonb)', 'authenticated', 'invoker'),
  ('api.check_handle(jsonb)', 'authenticated', 'invoker'),
  ('api.claim_report(jsonb)', 'staff_moderator, staff_admin', 'invoker'),
  ('api.complete_media(jsonb)', 'authenticated', 'invoker'),
  ('api.complete_upload(jsonb)', 'opine_service', 'definer'),
  ('api.create_comment(jsonb)', 'authenticated', 'invoker'),
  ('api.create_hub(jsonb)', 'authenticated', 'invoker'),
  ('api.create_invitations(jsonb)', 'authenticated', 'invoker'),
  ('api.create_invite_link(jsonb)', 'authenticated', 'invoker'),
  ('api.create_message(jsonb)', 'authenticated', 'invoker'),
  ('api.create_post(jsonb)', 'authenticated', 'invoker'),
  ('api.create_repost(jsonb)', 'authenticated', 'invoker'),
  ('api.decline_invitation(jsonb)', 'authenticated', 'definer'),
  ('api.delete_account(jsonb)', 'authenticated', 'definer'),
  ('api.delete_comment(jsonb)', 'authenticated', 'invoker'),
  ('api.delete_post(jsonb)', 'authenticated', 'invoker'),
  ('api.dismiss_report(jsonb)', 'staff_moderator, staff_admin', 'invoker'),
  ('api.end_session(jsonb)', 'authenticated', 'invoker'),
  ('api.end_staff_session(jsonb)', 'opine_staff, staff_support, staff_moderator, staff_admin', 'definer'),
  ('api.exchange_id_token(jsonb)', 'opine_service', 'definer'),
  ('api.export_own_data(jsonb)', 'authenticated', 'invoker'),
  ('api.find_accounts(jsonb)', 'staff_support, staff_moderator, staff_admin', 'invoker'),
  ('api.follow_user(jsonb)', 'authenticated', 'invoker'),
  ('api.get_download_url(jsonb)', 'authenticated', 'invoker'),
  ('api.get_home_feed(jsonb)', 'anon, authenticated', 'invoker'),
  ('api.get_hub(jsonb)', 'authenticated', 'invoker'),
  ('api.get_hub_feed(jsonb)', 'authenticated', 'invoker'),
  ('api.get_hub_profile(jsonb)', 'authenticated', 'invoker'),
  ('api.get_hub_settings(jsonb)', 'authenticated', 'invoker'),
  ('api.get_hub_votes(jsonb)', 'anon, authenticated', 'invoker'),
  ('api.get_invitation(jsonb)', 'anon, authenticated', 'invoker'),
  ('api.get_invite_link(jsonb)', 'anon, authenticated', 'invoker'),
  ('api.get_login_config(jsonb)', 'anon', 'invoker'),
  ('api.get_my_vote(jsonb)', 'authenticated', 'invoker'),
  ('api.get_onboarding_status(jsonb)', 'authenticated', 'invoker'),
  ('api.get_own_profile(jsonb)', 'authenticated', 'invoker'),
  ('api.get_post(jsonb)', 'anon, authenticated', 'invoker'),
  ('api.get_profile(jsonb)', 'anon, authenticated', 'invoker'),
  ('api.get_profile_by_username(jsonb)', 'anon, authenticated', 'invoker'),
  ('api.get_profile_feed(jsonb)', 'anon, authenticated', 'invoker'),
  ('api.get_share_link(jsonb)', 'authenticated', 'invoker'),
  ('api.get_staff_health(jsonb)', 'staff_support, staff_moderator, staff_admin', 'invoker'),
  ('api.get_staff_session(jsonb)', 'opine_staff, staff_support, staff_moderator, staff_admin', 'definer'),
  ('api.get_vote_distribution(jsonb)', 'anon, authenticated', 'invoker'),
  ('api.get_vote_summary(jsonb)', 'anon, authenticated', 'invoker'),
  ('api.leave_hub(jsonb)', 'authenticated', 'definer'),
  ('api.list_admins(jsonb)', 'authenticated', 'invoker'),
  ('api.list_blocks(jsonb)', 'authenticated', 'invoker'),
  ('api.list_comments(jsonb)', 'anon, authenticated', 'invoker'),
  ('api.list_dead_letters(jsonb)', 'staff_admin', 'invoker'),
  ('api.list_discussions(jsonb)', 'authenticated', 'invoker'),
  ('api.list_followers(jsonb)', 'authenticated', 'invoker'),
  ('api.list_following(jsonb)', 'authenticated', 'invoker'),
  ('api.list_frames(jsonb)', 'anon, authenticated', 'invoker'),
  ('api.list_invitations(jsonb)', 'authenticated', 'invoker'),
  ('api.list_invite_links(jsonb)', 'authenticated', 'invoker'),
  ('api.list_join_requests(jsonb)', 'authenticated', 'invoker'),
  ('api.list_members(jsonb)', 'authenticated', 'invoker'),
  ('api.list_messages(jsonb)', 'authenticated', 'invoker'),
  ('api.list_my_hubs(jsonb)', 'authenticated', 'invoker'),
  ('api.list_notifications(jsonb)', 'authenticated', 'invoker'),
  ('api.list_reports(jsonb)', 'staff_moderator, staff_admin', 'invoker'),
  ('api.list_saved_discussions(jsonb)', 'authenticated', 'invoker'),
  ('api.list_saved_posts(jsonb)', 'authenticated', 'invoker'),
  ('api.list_sessions(jsonb)', 'authenticated', 'invoker'),
  ('api.log_out(jsonb)', 'authenticated', 'definer'),
  ('api.mark_notifications_read(jsonb)', 'authenticated', 'invoker'),
  ('api.presign_upload(jsonb)', 'authenticated', 'invoker'),
  ('api.refresh_session(jsonb)', 'opine_service', 'definer'),
  ('api.register_device_token(jsonb)', 'authenticated', 'definer'),
  ('api.reject_join_request(jsonb)', 'authenticated', 'invoker'),
  ('api.release_report(jsonb)', 'staff_moderator, staff_admin', 'invoker'),
  ('api.remove_admin(jsonb)', 'authenticated', 'invoker'),
  ('api.remove_content(jsonb)', 'staff_moderator, staff_admin', 'invoker'),
  ('api.remove_device_token(jsonb)', 'authenticated', 'invoker'),
  ('api.remove_member(jsonb)', 'authenticated', 'definer'),
  ('api.report_comment(jsonb)', 'authenticated', 'invoker'),
  ('api.report_hub(jsonb)', 'authenticated', 'invoker'),
  ('api.report_message(jsonb)', 'authenticated', 'invoker'),
  ('api.report_post(jsonb)', 'authenticated', 'invoker'),
  ('api.report_user(jsonb)', 'authenticated', 'invoker'),
  ('api.request_otp(jsonb)', 'opine_service', 'definer'),
  ('api.request_to_join(jsonb)', 'authenticated', 'definer'),
  ('api.requeue_dead_letter(jsonb)', 'staff_admin', 'invoker'),
  ('api.restore_hub(jsonb)', 'staff_moderator, staff_admin', 'invoker'),
  ('api.restore_user(jsonb)', 'staff_moderator, staff_admin', 'invoker'),
  ('api.revoke_invite_link(jsonb)', 'authenticated', 'invoker'),
  ('api.save_discussion(jsonb)', 'authenticated', 'invoker'),
  ('api.save_post(jsonb)', 'authenticated', 'invoker'),
  ('api.save_profile_basics(jsonb)', 'authenticated', 'invoker'),
  ('api.search_hubs(jsonb)', 'authenticated', 'invoker'),
  ('api.search_users(jsonb)', 'anon, authenticated', 'invoker'),
  ('api.share_to_feed(jsonb)', 'authenticated', 'invoker'),
  ('api.share_to_hubs(jsonb)', 'authenticated', 'invoker'),
  ('api.start_anonymous_session(jsonb)', 'opine_service', 'definer'),
  ('api.start_staff_session(jsonb)', 'opine_service', 'definer'),
  ('api.store_contacts(jsonb)', 'authenticated', 'invoker'),
  ('api.stream_notifications(jsonb)', 'authenticated', 'invoker'),
  ('api.suspend_hub(jsonb)', 'staff_moderator, staff_admin', 'invoker'),
  ('api.suspend_user(jsonb)', 'staff_moderator, staff_admin', 'invoker'),
  ('api.sync_contacts(jsonb)', 'authenticated', 'invoker'),
  ('api.unblock_user(jsonb)', 'authenticated', 'invoker'),
  ('api.unfollow_user(jsonb)', 'authenticated', 'invoker'),
  ('api.unmask_phone(jsonb)', 'staff_support, staff_moderator, staff_admin', 'invoker'),
  ('api.unsave_discussion(jsonb)', 'authenticated', 'invoker'),
  ('api.unsave_post(jsonb)', 'authenticated', 'invoker'),
  ('api.update_follow(jsonb)', 'authenticated', 'invoker'),
  ('api.update_hub(jsonb)', 'authenticated', 'invoker'),
  ('api.update_hub_profile(jsonb)', 'authenticated', 'invoker'),
  ('api.update_hub_settings(jsonb)', 'authenticated', 'invoker'),
  ('api.update_own_profile(jsonb)', 'authenticated', 'invoker'),
  ('api.verify_otp(jsonb)', 'opine_service', 'definer'),
  ('api.why_visible(jsonb)', 'staff_moderator, staff_admin', 'invoker'),
  ('app.accept_invitation(uuid)', 'authenticated', 'definer'),
  ('app.active_entries(uuid,boolean,app.feed_position,integer)', 'anon, authenticated', 'definer'),
  ('app.active_users(uuid)', 'authenticated', 'definer'),
  ('app.add_activity_to_hubs()', 'none', 'definer'),
  ('app.admin_hubs(uuid)', 'anon, authenticated', 'definer'),
  ('app.admit(jsonb)', 'anon, authenticated', 'invoker'),
  ('app.are_e164(text[])', 'authenticated', 'invoker'),
  ('app.argument(jsonb,text,text,text)', 'anon, authenticated', 'invoker'),
  ('app.article_media(uuid)', 'anon, authenticated', 'invoker'),
  ('app.asset_media(app.assets)', 'anon, authenticated', 'invoker'),
  ('app.attach_media(uuid,uuid[])', 'authenticated', 'invoker'),
  ('app.author_phone(uuid)', 'anon, authenticated', 'definer'),
  ('app.backlog()', 'opine_worker', 'definer'),
  ('app.bucket_of(app.upload_purpose)', 'authenticated', 'invoker'),
  ('app.call_function(text)', 'none', 'definer'),
  ('app.card_vote(boolean,timestamp with time zone,uuid,app.position_counts)', 'anon, authenticated', 'invoker'),
  ('app.choice_argument(jsonb,text,text[])', 'anon, authenticated', 'invoker'),
  ('app.claim_account_deletion()', 'opine_worker', 'definer'),
  ('app.claim_expired_objects(integer)', 'opine_worker', 'definer'),
  ('app.claim_pushes(integer)', 'opine_worker', 'definer'),
  ('app.comment_count(uuid)', 'anon, authenticated', 'definer'),
  ('app.comments_json(app.comments[])', 'anon, authenticated', 'invoker'),
  ('app.count_follows()', 'none', 'definer'),
  ('app.count_in_new_hubs(uuid,uuid[],text[])', 'authenticated', 'definer'),
  ('app.count_members()', 'none', 'definer'),
  ('app.count_vote(app.posts,app.vote_position,interval,boolean,text)', 'authenticated', 'definer'),
  ('app.dead_upload_keys(text[])', 'opine_worker', 'definer'),
  ('app.decide_join_request(uuid,uuid,app.join_request_state)', 'authenticated', 'definer'),
  ('app.decode_cursor(text)', 'anon, authenticated', 'invoker'),
  ('app.decode_feed_cursor(text,text,text)', 'anon, authenticated', 'invoker'),
  ('app.decode_hit(text)', 'anon, authenticated', 'definer'),
  ('app.default_entries(app.feed_position,integer)', 'anon, authenticated', 'invoker'),
  ('app.discussed_posts(uuid[])', 'authenticated', 'definer'),
  ('app.discussion_author(app.hub_person)', 'authenticated', 'invoker'),
  ('app.discussion_json(app.discussions,app.discussed_post,jsonb)', 'authenticated', 'invoker'),
  ('app.discussions_json(uuid,app.list_entry[])', 'authenticated', 'invoker'),
  ('app.displayed_hub(app.posts,uuid)', 'anon, authenticated', 'invoker'),
  ('app.encode_cursor(timestamp with time zone,uuid)', 'anon, authenticated, staff_support, staff_moderator, staff_admin', 'invoker'),
  ('app.encode_feed_cursor(app.feed_position)', 'anon, authenticated', 'invoker'),
  ('app.encode_hit(app.search_hit)', 'anon, authenticated', 'definer'),
  ('app.end_of_prefix(text)', 'authenticated', 'invoker'),
  ('app.erase_post(uuid)', 'authenticated', 'invoker'),
  ('app.export_account()', 'authenticated', 'invoker'),
  ('app.export_blocks()', 'authenticated', 'invoker'),
  ('app.export_comments()', 'authenticated', 'invoker'),
  ('app.export_contacts()', 'authenticated', 'invoker'),
  ('app.export_device_tokens()', 'authenticated', 'invoker'),
  ('app.export_feed_shares()', 'authenticated', 'definer'),
  ('app.export_followers()', 'authenticated', 'invoker'),
  ('app.export_following()', 'authenticated', 'invoker'),
  ('app.export_invitations()', 'authenticated', 'invoker'),
  ('app.export_join_requests()', 'authenticated', 'invoker'),
  ('app.export_memberships()', 'authenticated', 'invoker'),
  ('app.export_messages()', 'authenticated', 'definer'),
  ('app.export_muted_hubs()', 'authenticated', 'invoker'),
  ('app.export_notifications()', 'authenticated', 'definer'),
  ('app.export_placements()', 'authenticated', 'definer'),
  ('app.export_posts()', 'authenticated', 'invoker'),
  ('app.export_reports()', 'authenticated', 'invoker'),
  ('app.export_reposts()', 'authenticated', 'invoker'),
  ('app.export_saved_discussions()', 'authenticated', 'invoker'),
  ('app.export_saved_posts()', 'authenticated', 'invoker'),
  ('app.export_section(text,integer)', 'authenticated', 'invoker'),
  ('app.export_sent_invitations()', 'authenticated', 'definer'),
  ('app.export_uploads()', 'authenticated', 'invoker'),
  ('app.export_votes()', 'authenticated', 'invoker'),
  ('app.fan_out()', 'opine_worker', 'definer'),
  ('app.fan_out_milestones()', 'opine_worker', 'definer'),
  ('app.feed(jsonb)', 'anon, authenticated', 'invoker'),
  ('app.feed_page(app.feed_entry[],text[],app.feed_position,integer,uuid)', 'anon, authenticated', 'invoker'),
  ('app.find_hubs(text,app.search_hit,integer)', 'authenticated', 'definer'),
  ('app.find_people(text,app.search_hit,integer)', 'anon, authenticated', 'definer'),
  ('app.finish_account_deletion(uuid)', 'opine_worker', 'definer'),
  ('app.first_entry(text)', 'anon, authenticated', 'invoker'),
  ('app.first_shown(app.feed_entry[],app.feed_position)', 'authenticated', 'invoker'),
  ('app.fold_ballots(text[])', 'opine_worker', 'definer'),
  ('app.fold_inbox_counts()', 'opine_worker', 'definer'),
  ('app.fold_pools(smallint)', 'opine_worker', 'definer'),
  ('app.fold_presence()', 'opine_worker', 'definer'),
  ('app.fold_receipts()', 'opine_worker', 'definer'),
  ('app.folded(text)', 'anon, authenticated', 'invoker'),
  ('app.forget_objects(uuid[])', 'opine_worker', 'definer'),
  ('app.search_result_json(app.profiles)', 'anon, authenticated', 'invoker'),
  ('app.handle_refusal(text)', 'authenticated', 'invoker'),
  ('app.handles_like(text)', 'authenticated', 'invoker'),
  ('app.has_other_activity(uuid)', 'authenticated', 'definer'),
  ('app.has_sources()', 'anon, authenticated', 'invoker'),
  ('app.has_visible_character(text)', 'anon, authenticated', 'invoker'),
  ('app.hidden_comment_roots(uuid,timestamp with time zone,timestamp with time zone)', 'anon, authenticated', 'definer'),
  ('app.hidden_message_roots(uuid,timestamp with time zone,timestamp with time zone)', 'authenticated', 'definer'),
  ('app.home_entries(app.feed_position,integer)', 'authenticated', 'invoker'),
  ('app.home_reasons(app.feed_entry[])', 'authenticated', 'invoker'),
  ('app.hub_card(app.hubs,app.membership_status)', 'authenticated', 'invoker'),
  ('app.hub_entries(uuid,app.feed_position,integer)', 'authenticated', 'invoker'),
  ('app.hub_json(uuid)', 'authenticated', 'invoker'),
  ('app.hub_member(app.hub_person)', 'authenticated', 'invoker'),
  ('app.hub_people(uuid,uuid[])', 'authenticated', 'definer'),
  ('app.hub_preview(app.hubs,app.membership_status)', 'anon, authenticated', 'invoker'),
  ('app.hub_preview_json(uuid)', 'anon, authenticated', 'invoker'),
  ('app.hub_profile()', 'authenticated', 'invoker'),
  ('app.hub_reasons(uuid,app.feed_entry[])', 'authenticated', 'invoker'),
  ('app.ids_argument(jsonb,text,integer,integer,text)', 'anon, authenticated', 'invoker'),
  ('app.inbox_entries(boolean,app.list_entry,integer)', 'authenticated', 'definer'),
  ('app.inbox_items(app.list_entry[])', 'authenticated', 'definer'),
  ('app.insert_hub(text,text,text,uuid)', 'authenticated', 'definer'),
  ('app.integer_argument(jsonb,text,integer,integer)', 'anon, authenticated', 'invoker'),
  ('app.invitation_of(bytea)', 'anon, authenticated', 'definer'),
  ('app.invitations_json(uuid,app.list_entry[])', 'authenticated', 'invoker'),
  ('app.invite_links_json(app.list_entry[])', 'authenticated', 'invoker'),
  ('app.name_matches(app.profiles,text)', 'authenticated', 'invoker'),
  ('app.is_handle(text)', 'authenticated', 'invoker'),
  ('app.is_handle_taken(text)', 'authenticated', 'definer'),
  ('app.is_plain_name(text)', 'authenticated', 'invoker'),
  ('app.is_reserved_handle(text)', 'authenticated', 'invoker'),
  ('app.iso(timestamp with time zone)', 'anon, authenticated, staff_support, staff_moderator, staff_admin', 'invoker'),
  ('app.items_argument(jsonb,text,integer,integer,text)', 'anon, authenticated', 'invoker'),
  ('app.join_requests_json(app.list_entry[])', 'authenticated', 'definer'),
  ('app.keep_former_event()', 'none', 'definer'),
  ('app.keep_former_sources()', 'none', 'definer'),
  ('app.last_word(text)', 'anon, authenticated', 'invoker'),
  ('app.level_of(uuid)', 'anon, authenticated', 'invoker'),
  ('app.limit_exports()', 'authenticated', 'definer'),
  ('app.limit_handle_checks()', 'authenticated', 'definer'),
  ('app.limit_uploads()', 'authenticated', 'definer'),
  ('app.link_of(bytea)', 'anon, authenticated', 'definer'),
  ('app.lock_member(uuid,app.hub_role,text)', 'authenticated', 'definer'),
  ('app.lock_memberships(uuid)', 'authenticated', 'definer'),
  ('app.lock_own_memberships(uuid[])', 'authenticated', 'invoker'),
  ('app.lock_pair(uuid,uuid)', 'authenticated', 'definer'),
  ('app.lock_post()', 'none', 'definer'),
  ('app.lock_post_for_deletion(uuid)', 'authenticated', 'definer'),
  ('app.mark_read(uuid)', 'authenticated', 'definer'),
  ('app.may_place(uuid,app.placement_kind)', 'authenticated', 'invoker'),
  ('app.may_repost(uuid)', 'anon, authenticated', 'invoker'),
  ('app.may_subscribe(text)', 'authenticated', 'invoker'),
  ('app.find_members(jsonb)', 'authenticated', 'invoker'),
  ('app.members_json(uuid,uuid[])', 'authenticated', 'invoker'),
  ('app.members_page(jsonb,app.hub_role)', 'authenticated', 'invoker'),
  ('app.message_json(app.messages,jsonb)', 'authenticated', 'invoker'),
  ('app.messages_json(uuid,app.messages[])', 'authenticated', 'invoker'),
  ('app.my_hub_ids()', 'authenticated', 'definer'),
  ('app.my_inbox_state()', 'authenticated', 'definer'),
  ('app.name_argument(jsonb,text)', 'authenticated', 'invoker'),
  ('app.name_members()', 'none', 'definer'),
  ('app.newest_events(app.feed_position,integer,uuid[])', 'authenticated', 'definer'),
  ('app.next_cursor(app.list_entry[],integer)', 'anon, authenticated', 'invoker'),
  ('app.now()', 'anon, authenticated', 'invoker'),
  ('app.on_placements_share_again()', 'none', 'definer'),
  ('app.onboarding_status()', 'authenticated', 'invoker'),
  ('app.otp_policy()', 'anon, authenticated', 'invoker'),
  ('app.own_profile()', 'authenticated', 'invoker'),
  ('app.owns_asset(uuid)', 'authenticated', 'definer'),
  ('app.page_size(jsonb,integer,integer)', 'anon, authenticated', 'invoker'),
  ('app.people_json(app.list_entry[])', 'authenticated', 'invoker'),
  ('app.people_page(jsonb,text)', 'authenticated', 'invoker'),
  ('app.photo_or(uuid,jsonb)', 'authenticated', 'invoker'),
  ('app.photo_url(uuid)', 'anon, authenticated', 'invoker'),
  ('app.place_post(uuid,uuid[],app.placement_kind)', 'authenticated', 'invoker'),
  ('app.placements_key(uuid)', 'authenticated', 'invoker'),
  ('app.pool_totals(uuid,uuid)', 'anon, authenticated', 'definer'),
  ('app.post_cards(uuid[],uuid)', 'anon, authenticated', 'invoker'),
  ('app.post_detail(uuid,uuid)', 'anon, authenticated', 'invoker'),
  ('app.post_slider(app.posts)', 'anon, authenticated', 'invoker'),
  ('app.posts_json(uuid[],text[],uuid)', 'anon, authenticated', 'invoker'),
  ('app.profile_entries(uuid,app.feed_position,integer)', 'anon, authenticated', 'invoker'),
  ('app.promote_pending(uuid,text[])', 'authenticated', 'definer'),
  ('app.prune_device_tokens()', 'opine_worker', 'definer'),
  ('app.prune_feeds()', 'opine_worker', 'definer'),
  ('app.prune_hubs()', 'opine_worker', 'definer'),
  ('app.prune_identity()', 'opine_worker', 'definer'),
  ('app.prune_pending_totals()', 'opine_worker', 'definer'),
  ('app.prune_rate_limits()', 'opine_worker', 'definer'),
  ('app.prune_uploads()', 'opine_worker', 'definer'),
  ('app.public_profile(uuid)', 'anon, authenticated', 'invoker'),
  ('app.publish(jsonb,uuid,uuid)', 'authenticated', 'invoker'),
  ('app.publish_signals(uuid,integer,integer)', 'opine_worker', 'definer'),
  ('app.put_block(uuid)', 'authenticated', 'definer'),
  ('app.put_follow(uuid)', 'authenticated', 'definer'),
  ('app.put_hub_photo(uuid,uuid)', 'authenticated', 'definer'),
  ('app.put_invitation(uuid,text,bytea)', 'authenticated', 'definer'),
  ('app.put_invite_link(uuid,bytea,integer,interval)', 'authenticated', 'definer'),
  ('app.put_message(uuid,uuid,text,uuid)', 'authenticated', 'definer'),
  ('app.put_report(jsonb,uuid,uuid,uuid,uuid,uuid)', 'authenticated', 'invoker'),
  ('app.put_role(uuid,uuid,app.hub_role,text)', 'authenticated', 'definer'),
  ('app.recent_entries(uuid,boolean,app.feed_position,integer)', 'anon, authenticated', 'invoker'),
  ('app.record_comment()', 'none', 'definer'),
  ('app.record_feed_share()', 'none', 'definer'),
  ('app.record_inbox_changes()', 'none', 'definer'),
  ('app.record_notifications()', 'none', 'definer'),
  ('app.record_placements()', 'none', 'definer'),
  ('app.record_presence(uuid)', 'authenticated', 'definer'),
  ('app.record_publications()', 'none', 'definer'),
  ('app.record_withdrawals()', 'none', 'definer'),
  ('app.refuse_argument(text[],text,text)', 'anon, authenticated', 'invoker'),
  ('app.refuse_cursor()', 'anon, authenticated', 'invoker'),
  ('app.refuse_non_member(uuid,text)', 'authenticated', 'invoker'),
  ('app.release_asset()', 'none', 'definer'),
  ('app.release_assets()', 'none', 'definer'),
  ('app.remove_activity_from_hubs()', 'none', 'definer'),
  ('app.remove_closed_hubs()', 'opine_worker', 'definer'),
  ('app.remove_comment(uuid)', 'authenticated', 'definer'),
  ('app.rename_member()', 'none', 'definer'),
  ('app.require_any_argument(jsonb,text[])', 'authenticated', 'invoker'),
  ('app.require_arguments(jsonb,text[])', 'anon, authenticated', 'invoker'),
  ('app.require_asset(uuid,app.upload_purpose[],jsonb)', 'authenticated', 'invoker'),
  ('app.require_comment(uuid)', 'authenticated', 'invoker'),
  ('app.require_commentable(uuid)', 'anon, authenticated', 'invoker'),
  ('app.require_destination(jsonb)', 'authenticated', 'invoker'),
  ('app.require_discussion(jsonb)', 'authenticated', 'invoker'),
  ('app.require_hub(uuid)', 'authenticated', 'invoker'),
  ('app.require_level(integer)', 'authenticated', 'invoker'),
  ('app.require_live_session()', 'authenticated', 'invoker'),
  ('app.require_member(uuid,app.hub_role,text)', 'authenticated', 'invoker'),
  ('app.require_message(uuid)', 'authenticated', 'invoker'),
  ('app.require_notification(uuid)', 'authenticated', 'definer'),
  ('app.require_person(uuid)', 'anon, authenticated', 'invoker'),
  ('app.require_post(uuid)', 'anon, authenticated', 'invoker'),
  ('app.require_scope(uuid)', 'anon, authenticated', 'invoker'),
  ('app.require_slider(uuid)', 'anon, authenticated', 'invoker'),
  ('app.saved_discussion(app.discussions)', 'authenticated', 'invoker'),
  ('app.scores_at_page_one(uuid[],app.feed_position)', 'anon, authenticated', 'definer'),
  ('app.search_key(text)', 'anon, authenticated', 'invoker'),
  ('app.sees_thread(uuid)', 'anon, authenticated', 'definer'),
  ('app.session_id()', 'authenticated', 'invoker'),
  ('app.session_is_live(jsonb)', 'authenticated', 'definer'),
  ('app.sessions_json()', 'authenticated', 'invoker'),
  ('app.settle_published(jsonb)', 'opine_worker', 'definer'),
  ('app.settle_pushes(jsonb)', 'opine_worker', 'definer'),
  ('app.share_at_page_one(uuid,uuid,app.feed_position)', 'authenticated', 'definer'),
  ('app.shown_before(uuid[],app.feed_position)', 'authenticated', 'definer'),
  ('app.source_card(app.posts,jsonb)', 'anon, authenticated', 'invoker'),
  ('app.start_task(text,interval)', 'opine_worker', 'definer'),
  ('app.state_of(app.invitation_state,timestamp with time zone)', 'anon, authenticated', 'invoker'),
  ('app.text_argument(jsonb,text,integer,integer,text)', 'anon, authenticated', 'invoker'),
  ('app.total_of(app.position_counts)', 'anon, authenticated', 'invoker'),
  ('app.trending_entries(uuid,boolean,app.feed_position,integer)', 'anon, authenticated', 'invoker'),
  ('app.user_id()', 'anon, authenticated', 'invoker'),
  ('app.user_lite(app.profiles)', 'anon, authenticated', 'invoker'),
  ('app.uuid_v7()', 'anon, authenticated', 'invoker'),
  ('app.viewer_follows(uuid)', 'authenticated', 'invoker'),
  ('app.viewer_relation(uuid)', 'anon, authenticated', 'invoker'),
  ('app.viewer_status(uuid)', 'anon, authenticated', 'invoker'),
  ('app.vote_count(uuid)', 'anon, authenticated', 'definer'),
  ('app.vote_distribution(app.position_counts)', 'anon, authenticated', 'invoker'),
  ('app.vote_scope(uuid)', 'anon, authenticated', 'invoker'),
  ('app.vote_summary(app.position_counts)', 'anon, authenticated', 'invoker'),
  ('gateway.call(text,text,jsonb,jsonb,boolean,text,text,text,text)', 'opine_gateway, opine_serializable', 'invoker'),
  ('gateway.call_serializable(text,jsonb,jsonb,text,text)', 'opine_serializable', 'invoker'),
  ('gateway.enter(jsonb,boolean)', 'opine_gateway, opine_serializable', 'invoker'),
  ('gateway.enter_as_guest()', 'opine_gateway', 'invoker'),
  ('gateway.enter_as_staff(text,jsonb)', 'opine_gateway', 'invoker'),
  ('gateway.is_ready()', 'opine_gateway, opine_serializable', 'invoker'),
  ('gateway.live_sessions(uuid[])', 'opine_gateway', 'definer'),
  ('gateway.open_signals(uuid[],uuid[])', 'opine_gateway', 'definer'),
  ('gateway.prune_idempotent_answers()', 'opine_worker', 'definer'),
  ('gateway.recall(jsonb,text,text)', 'opine_gateway', 'definer'),
  ('gateway.record_heartbeat()', 'opine_worker', 'definer'),
  ('gateway.remember(jsonb,text,jsonb)', 'opine_gateway', 'definer'),
  ('gateway.run_operation(text,text,jsonb)', 'opine_gateway, opine_serializable', 'invoker'),
  ('gateway.session_is_live(jsonb)', 'opine_gateway, opine_serializable', 'definer'),
  ('gateway.staff_member(text,jsonb)', 'opine_gateway', 'definer'),
  ('gateway.staleness()', 'opine_gateway', 'definer'),
  ('staff.actor()', 'staff_support, staff_moderator, staff_admin', 'invoker'),
  ('staff.add_default_feed_user(text,text)', 'staff_admin', 'definer'),
  ('staff.admit(text,staff.role,text)', 'staff_admin', 'definer'),
  ('staff.claim_report(uuid)', 'staff_moderator, staff_admin', 'definer'),
  ('staff.claimed_by(uuid)', 'staff_moderator, staff_admin', 'definer'),
  ('staff.dismiss(text,text)', 'staff_admin', 'definer'),
  ('staff.dismiss_report(uuid,text)', 'staff_moderator, staff_admin', 'definer'),
  ('staff.find_accounts(text)', 'staff_support, staff_moderator, staff_admin', 'definer'),
  ('staff.health()', 'staff_support, staff_moderator, staff_admin', 'definer'),
  ('staff.phone_hint(uuid)', 'staff_support, staff_moderator, staff_admin', 'definer'),
  ('staff.prune_sessions()', 'opine_worker', 'definer'),
  ('staff.release_report(uuid)', 'staff_moderator, staff_admin', 'definer'),
  ('staff.remove_content(uuid,text)', 'staff_moderator, staff_admin', 'definer'),
  ('staff.remove_default_feed_user(text,text)', 'staff_admin', 'definer'),
  ('staff.requested_page(jsonb)', 'staff_moderator, staff_admin', 'definer'),
  ('staff.requeue_dead_letter(uuid)', 'staff_admin', 'definer'),
  ('staff.restore_hub(uuid,text)', 'staff_moderator, staff_admin', 'definer'),
  ('staff.restore_user(uuid,text)', 'staff_moderator, staff_admin', 'definer'),
  ('staff.suspend_hub(uuid,text)', 'staff_moderator, staff_admin', 'definer'),
  ('staff.suspend_user(uuid,text)', 'staff_moderator, staff_admin', 'definer'),
  ('staff.unmask_phone(uuid,text)', 'staff_support, staff_moderator, staff_admin', 'definer'),
  ('staff.why_visible(uuid,uuid)', 'staff_moderator, staff_admin', 'definer');

create temporary table actual as
select
  f.signature as function, coalesce(string_agg(r.name, ', ' order by r.place), 'none') as roles,
  case when f.is_definer then 'definer' else 'invoker' end as security
from tests.our_functions as f
left join unnest(array[
  'anon', 'authenticated', 'opine_service', 'opine_staff', 'staff_support', 'staff_moderator', 'staff_admin', 'opine_gateway',
  'opine_serializable', 'opine_worker'
]) with ordinality as r (name, place) on has_function_privilege(r.name, f.oid, 'execute')
group by f.signature, f.is_definer;

select bag_eq(
  $$ select function, roles from actual where roles <> 'none' $$,
  $$ select function, roles from expected where roles <> 'none' $$,
  'exactly the listed roles may execute each function'
);
select bag_eq(
  $$ select function from actual where security = 'definer' $$,
  $$ select function from expected where security = 'definer' $$,
  'exactly the functions listed as definer run as their owner'
);
select is_empty(
  $$
    select f.signature
    from tests.our_functions as f
    join pg_proc as p on p.oid = f.oid
    where p.proacl is null or exists (select from aclexplode(p.proacl) as acl where acl.grantee = 0)
  $$,
  'no function is executable by PUBLIC'
);
select is_empty(
  $$
    select signature from tests.our_functions
    where has_function_privilege('service_role', oid, 'execute') or has_function_privilege('authenticator', oid, 'execute')
  $$,
  'the platform''s secret key and the Data API''s login execute no function of ours'
);

-- No function searches a path.
-- A procedure with a SET clause cannot commit, and gateway.call_serializable does.
select set_eq(
  $$ select signature from tests.our_functions where settings is null or not settings @> array['search_path=""'] $$,
  array['gateway.call_serializable(text,jsonb,jsonb,text,text)'],
  'every function has an empty search_path but the procedure that commits'
);
select is_empty(
  $$
    select signature from tests.our_functions
    where is_definer and (settings is null or not settings @> array['search_path=""'])
  $$,
  'every definer function has an empty search_path'
);

-- An immutable function calls immutable functions alone.
create temporary table immutables as
select p.oid, p.oid::regprocedure::text as signature, pg_get_functiondef(p.oid) as definition
from pg_proc as p
join pg_namespace as n on n.oid = p.pronamespace
where n.nspname = any (tests.our_schemas()) and p.provolatile = 'i';

-- Calls are found by name. A name counts as stable or volatile if all of its overloads are.
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
  'no immutable function calls a stable or volatile one'
);
-- Time zone and date style are settings. These two read neither: date_bin has an origin, and an interval has no zone.
select set_eq(
  $$
    select signature from immutables
    where definition ~* 'timestamptz|timestamp with time zone|extract|[^'']::interval|list_entry|feed_position'
  $$,
  array['app.presence_slot(timestamp with time zone)', 'app.rate_limit_cost(integer,interval)'],
  'no other immutable function reads or writes times'
);
select isnt_empty('select from immutables', 'the checks of immutable functions find some');

select is_empty(
  $$ select signature from tests.our_functions where obj_description(oid, 'pg_proc') is null $$,
  'every function has a comment'
);
-- The Data API passes a body to a function with a single unnamed jsonb argument.
select is_empty(
  $$
    select f.signature
    from tests.our_functions as f
    join pg_proc as p on p.oid = f.oid
    where f.schema = 'api'
      and (pg_get_function_arguments(p.oid) <> 'jsonb' or p.prorettype <> 'jsonb'::regtype or p.proretset)
  $$,
  'every operation takes one unnamed jsonb and returns jsonb'
);

-- Every operation checks the session itself: the gateway looks it up before, but the Data API does not.
select tests.person('maya', 4);
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
create temporary table operations as
select operation from tests.functions_executable_by('authenticated', 'api') as operation;
grant select on operations to public;

set local role authenticated;
select is_empty(
  $$
    select operation
    from operations
    where tests.error_of(format('select %s', replace(operation, '(jsonb)', '(''{}'')'))) ->> 'code'
      is distinct from 'UNAUTHORIZED'
  $$,
  'no operation runs for a session that has ended'
);
select cmp_ok((select count(*) from operations), '>', 60::bigint, 'the check of ended sessions covers the members'' operations');

select * from finish();
rollback;
