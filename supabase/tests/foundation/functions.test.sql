begin;
select plan(16);

-- Which roles may execute each function, and whether it runs as its owner (definer) or as its caller (invoker).
-- A definer function writes across users, or reads what no policy shows: its review says why.
-- A function that is not listed runs as its caller and is executable by no role. An overload is listed twice.
-- docs/product.md S4, S16
create temporary table expected as
select function, g.roles, g.security
from (values
  ('none', 'definer', $$
    app.add_activity_to_hubs app.begin_account_deletion app.call_function app.close_evidence app.count_follows
    app.count_members app.create_discussion app.delete_former_asset app.delete_former_assets
    app.delete_former_invitations app.delete_invitation_notifications app.delete_member_placements
    app.end_activity_in_hubs app.hide_discussions app.hide_notifications app.hide_request_notifications
    app.keep_evidence app.keep_evidence_asset app.keep_former_event app.lock_post app.name_members
    app.on_blocks_change app.on_placements_share_again app.queue_promotion app.record_audience_change
    app.record_comment app.record_feed_changes app.record_feed_share app.record_feed_share_deletion
    app.record_follow_changes app.record_inbox_changes app.record_inboxes_of_placements app.record_member_inboxes
    app.record_notifications app.record_placements app.record_post_deletions app.record_post_words
    app.record_publications app.refuse_suspended app.rename_member app.show_thread gateway.delete_answers
    staff.report_blocked_terms
  $$),
  ('anon', 'invoker', 'api.get_login_config app.otp_policy'),
  ('anon, authenticated', 'definer', $$
    app.admin_hubs app.author_phone app.comment_count app.feed app.find_people app.find_posts app.has_several_targets
    app.hidden_comment_roots app.invitation_of app.link_of app.look_up_viewer_level app.open_cursor app.own_membership
    app.pool_totals app.seen_cards app.post_detail app.profile_feed app.require_post app.seen_post_counts
    app.sees_post app.sees_thread app.use_limit app.viewer_follows app.vote_count
  $$),
  ('anon, authenticated', 'invoker', $$
    api.get_download_urls api.get_home_feed api.get_hub_votes api.get_invitation api.get_invite_link api.get_post
    api.get_profile api.get_profile_by_username api.get_profile_feed api.get_vote_distribution api.get_vote_summary
    api.list_comments api.list_frames api.search_posts api.search_users app.argument app.choice_argument
    app.comments_json app.decode_cursor app.decode_hit app.displayed_hub app.earliest_hub app.encode_hit app.folded
    app.handle_key app.has_checked_session app.has_too_many_marks app.has_visible_character app.hub_preview
    app.hub_preview_json app.ids_argument app.in_any_order app.integer_argument app.is_shareable app.items_argument
    app.last_word app.letters_in_ascii app.list_of app.marks app.next_cursor app.now app.page_size app.photo_url
    app.phrase_of app.picture_json app.public_profile app.refuse_argument app.require_arguments
    app.require_commentable app.require_level app.require_live_session_if_any app.require_member
    app.require_membership app.require_person app.require_scope app.require_slider app.runs_of_scripts app.search_key
    app.search_query app.spaced app.spaceless_scripts app.state_of app.text_argument app.total_of app.trigram_key
    app.user_id app.user_lite app.uuid_v7 app.viewer_level app.viewer_relation app.viewer_status app.vote_distribution
    app.vote_scope app.vote_summary app.voter_milestone app.with_live_session app.with_slider app.word_vector
    app.words_of
  $$),
  ('anon, authenticated, staff_support, staff_moderator, staff_admin', 'invoker', 'app.iso'),
  ('anon, authenticated, staff_moderator, staff_admin', 'invoker', 'app.bucket_of app.encode_cursor'),
  ('anon, authenticated, staff_moderator, staff_admin', 'definer', 'app.seal_cursor'),
  ('authenticated', 'definer', $$
    api.close_hub api.decline_invitation api.delete_account api.leave_hub api.log_out api.register_device_token
    api.remove_member api.request_to_join api.withdraw_join_request app.accept_invitation app.active_users
    app.check_limit app.decide_join_request app.delete_comment_as_caller app.delete_message_as_caller
    app.delete_placement app.discussed_posts app.discussion_despite_blocks app.export_messages
    app.export_moderation_decisions app.export_notifications app.export_placements app.export_sent_invitations
    app.find_hubs app.hidden_message_roots app.hub_people app.inbox_entries app.inbox_items app.insert_follow
    app.insert_hub app.insert_invite_link app.insert_message app.is_gone app.is_handle_taken app.is_post_across_block
    app.join_requests_json app.limit_exports app.limit_handle_checks app.limit_uploads app.lock_member
    app.lock_own_memberships app.lock_pair app.lock_pair_of app.lock_post_for_deletion app.mark_read
    app.may_join_thread app.my_inbox_state app.owns_asset app.promote_pending app.put_block app.put_invitation
    app.record_presence app.require_notification app.require_reportable app.session_is_live app.set_hub_photo
    app.set_role app.was_public
  $$),
  ('authenticated', 'invoker', $$
    api.accept_invitation api.add_admin api.appeal_decision api.approve_join_request api.block_user
    api.change_hub_link api.check_handle api.complete_media api.create_comment api.create_hub api.create_invitations
    api.create_invite_link api.create_message api.create_post api.create_repost api.delete_comment api.delete_message
    api.delete_post api.end_session api.export_own_data api.follow_user api.get_download_url api.get_hub
    api.get_hub_feed api.get_hub_profile api.get_hub_settings api.get_my_vote api.get_notification_preferences
    api.get_onboarding_status api.get_own_profile api.get_share_link api.list_admins api.list_blocks
    api.list_discussions api.list_followers api.list_following api.list_invitations api.list_invite_links
    api.list_join_requests api.list_members api.list_messages api.list_moderation_decisions api.list_my_hubs
    api.list_notifications api.list_own_reports api.list_saved_discussions api.list_saved_posts api.list_sessions
    api.mark_discussion_read api.mark_notifications_read api.presign_upload api.reject_join_request api.remove_admin
    api.remove_device_token api.remove_hub_post api.report_comment api.report_hub api.report_message api.report_post
    api.report_user api.revoke_invite_link api.save_discussion api.save_post api.save_profile_basics api.search_hubs
    api.share_to_feed api.share_to_hubs api.store_contacts api.stream_notifications api.sync_contacts api.unblock_user
    api.unfollow_user api.unsave_discussion api.unsave_post api.update_follow api.update_hub api.update_hub_profile
    api.update_hub_settings api.update_notification_preferences api.update_own_profile app.acceptance_json
    app.alt_text_argument app.appeal_period app.are_e164 app.asset_media app.attach_media app.comment_json
    app.completed_asset_json app.contact_snapshot_json app.count_unusable_phones app.decision_json app.delete_post
    app.discussion_author app.discussion_save_state app.discussions_json app.end_of_prefix app.export_account
    app.export_blocks app.export_comments app.export_contact_snapshot app.export_contacts app.export_device_tokens
    app.export_discussion_reads app.export_feed_shares app.export_followers app.export_following
    app.export_hub_profile app.export_invitations app.export_join_requests app.export_memberships
    app.export_muted_hubs app.export_person app.export_posts app.export_preferences app.export_profile
    app.export_reports app.export_reposts app.export_saved_discussions app.export_saved_posts app.export_section
    app.export_uploads app.export_votes app.feed_share_json app.find_members app.found app.handle_refusal
    app.handle_skeleton app.handles_like app.hub_card app.hub_json app.hub_member app.hub_profile app.hub_shares_json
    app.insert_placements app.insert_post app.invitations_json app.invite_links_json app.is_default_feed_user
    app.is_e164 app.is_handle app.is_ip_address app.is_placement app.is_plain_name app.is_presence_due
    app.is_repostable app.is_reserved_handle app.is_web_url app.join_request_json app.link_lifetime app.may_place
    app.may_repost app.may_subscribe app.media_argument app.members_json app.members_page app.message_json
    app.messages_json app.name_argument app.name_matches app.new_invitations_json app.new_invite_link_json
    app.new_message_json app.onboarding_status app.open_upload_json app.optional_types app.own_profile
    app.own_report_json app.people_json app.people_page app.photo_or app.placements_key app.post_slider
    app.preferences_json app.put_report app.refuse_non_member app.replay_answer app.require_any_argument
    app.require_appealable app.require_asset app.require_comment app.require_destination app.require_discussion
    app.require_hub app.require_live_session app.save_state app.saved_discussion app.session_id app.sessions_json
    app.switches_argument app.time_argument app.time_zone_named app.usable_phones app.with_quiet_hours
  $$),
  ('authenticated, staff_moderator, staff_admin', 'invoker', 'app.kind_of'),
  ('opine_gateway', 'definer', $$
    gateway.claim_idempotency_key gateway.live_sessions gateway.open_signals gateway.record_presence gateway.remember
    gateway.signal_key gateway.staff_member gateway.staleness
  $$),
  ('opine_gateway', 'invoker', $$
    gateway.applied gateway.begin_read gateway.call gateway.call_replica gateway.is_behind gateway.is_ready
    gateway.replay gateway.run_operation gateway.set_staff_caller
  $$),
  ('opine_gateway, opine_serializable', 'definer', 'gateway.find_caller'),
  ('opine_gateway, opine_serializable', 'invoker', 'gateway.set_caller gateway.raise_violation'),
  ('opine_serializable', 'invoker', 'gateway.cast_vote gateway.write_vote'),
  ('opine_serializable', 'definer', 'gateway.answer_vote'),
  ('authenticated, opine_serializable', 'definer', 'api.cast_vote'),
  ('opine_service', 'definer', $$
    api.appeal_suspension api.complete_upload api.exchange_id_token api.refresh_session api.request_otp
    api.request_phone_change api.start_anonymous_session api.start_staff_session api.verify_otp
    api.verify_phone_change
  $$),
  (
    'opine_staff, staff_support, staff_moderator, staff_admin', 'definer', 'api.end_staff_session api.get_staff_session'
  ),
  ('opine_worker', 'definer', $$
    app.backlog app.claim_account_deletion app.claim_expired_objects app.claim_pushes app.dead_upload_keys
    app.delete_objects app.deliver_outbox app.fan_out app.fan_out_milestones app.finish_account_deletion
    app.fold_ballots app.fold_inbox_counts app.fold_pools app.fold_presence app.fold_receipts app.prune_closed_hubs
    app.prune_device_tokens app.prune_evidence app.prune_feeds app.prune_hubs app.prune_identity
    app.prune_notifications app.prune_pending_totals app.prune_rate_limits app.prune_removed_contents
    app.prune_sign_in_places app.prune_uploads app.release_votes app.settle_published app.settle_pushes app.start_task
    app.waiting_tasks gateway.prune_idempotent_answers gateway.record_heartbeat staff.prune_sessions
  $$),
  ('staff_admin', 'definer', $$
    staff.add_default_feed_user staff.admit staff.dismiss staff.remove_default_feed_user staff.requeue_dead_letter
  $$),
  (
    'staff_admin', 'invoker',
    'api.add_default_feed_user api.admit_staff api.dismiss_staff api.list_audit_log api.list_dead_letters '
    'api.list_staff api.remove_default_feed_user api.requeue_dead_letter'
  ),
  ('staff_moderator, staff_admin', 'definer', $$
    staff.add_blocked_term staff.claim_report staff.claimed_by staff.decide_appeal staff.dismiss_report staff.link_end
    staff.reason_argument staff.release_report staff.remove_blocked_term staff.remove_content staff.reported_assets
    staff.requested_page staff.require_account staff.restore_hub staff.restore_user staff.suspend_hub
    staff.suspend_user staff.why_visible
  $$),
  ('staff_moderator, staff_admin', 'invoker', $$
    api.add_blocked_term api.claim_report api.decide_appeal api.dismiss_report api.get_account_history
    api.list_appeals api.list_blocked_terms api.list_closed_reports api.list_reports api.release_report
    api.remove_blocked_term api.remove_content api.restore_hub api.restore_user api.suspend_hub api.suspend_user
    api.view_reported_media api.why_visible staff.id_before staff.report_json
  $$),
  ('staff_support, staff_moderator, staff_admin', 'definer', $$
    staff.actor staff.find_accounts staff.health staff.numbers staff.phone_hint staff.unmask_phone
  $$),
  ('staff_support, staff_moderator, staff_admin', 'invoker', $$
    api.find_accounts api.get_staff_health api.get_staff_numbers api.list_default_feed_users api.unmask_phone
  $$)
) as g (roles, security, functions)
cross join regexp_split_to_table(trim(g.functions, E' \n'), '\s+') as function;

create temporary table actual as
select
  format('%s.%s', f.schema, p.proname) as function,
  coalesce(string_agg(r.name, ', ' order by r.place), 'none') as roles,
  case when f.is_definer then 'definer' else 'invoker' end as security
from tests.our_functions as f
join pg_proc as p on p.oid = f.oid
left join unnest(array[
  'anon', 'authenticated', 'opine_service', 'opine_staff', 'staff_support', 'staff_moderator', 'staff_admin',
  'opine_gateway',
  'opine_serializable', 'opine_worker'
]) with ordinality as r (name, place) on has_function_privilege(r.name, f.oid, 'execute')
  -- It may execute all of api, for gateway.begin_read.
  and not (r.name = 'opine_gateway' and f.schema = 'api')
group by p.oid, f.schema, f.is_definer;

select bag_eq(
  $$ select function, roles from actual where roles <> 'none' $$,
  $$ select function, roles from expected where roles <> 'none' $$,
  'exactly the listed roles may execute each function'
);
select is_empty(
  $$
    select f.oid
    from tests.our_functions as f
    where f.schema = 'api' and not has_function_privilege('opine_gateway', f.oid, 'execute')
  $$,
  'opine_gateway may execute each function of api, whose rights gateway.begin_read checks'
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
    where has_function_privilege('service_role', oid, 'execute')
      or has_function_privilege('authenticator', oid, 'execute')
  $$,
  'the platform''s secret key and the Data API''s login execute no function of ours'
);

-- A definer function would answer for rows that its caller has made up.
select is_empty(
  $$
    select f.signature
    from tests.our_functions as f
    join pg_proc as p on p.oid = f.oid
    where f.is_definer
      and exists (
        select
        from unnest(p.proargtypes) as argument (type)
        join pg_type as t on t.oid = argument.type
        left join pg_type as item on item.oid = t.typelem
        left join pg_attribute as part on part.attrelid in (t.typrelid, item.typrelid) and part.attnum > 0
        join pg_class as c on c.reltype in (t.oid, item.oid, part.atttypid) and c.relkind in ('r', 'p', 'v')
      )
      and exists (
        select from unnest(array['anon', 'authenticated']) as client
        where has_function_privilege(client, f.oid, 'execute')
      )
  $$,
  'no definer function that clients may execute takes a row of a table'
);

-- No function searches a path. A procedure with a SET clause cannot commit, and gateway.cast_vote does. The
-- planner inlines no function with one: the names in an SQL-standard body are resolved when it is created.
-- Six inlined functions return rows of a table, so their bodies are parsed anew; they name every object in
-- full.
select bag_eq(
  $$
    select f.signature
    from tests.our_functions as f
    join pg_proc as p on p.oid = f.oid
    where p.prosqlbody is null and (f.settings is null or not f.settings @> array['search_path=""'])
  $$,
  array[
    'app.events_at(app.feed_cursor)', 'app.own_shares_at(app.feed_cursor)', 'app.posts_at(app.feed_cursor,uuid)',
    'app.posts_despite_blocks(uuid)', 'app.recorded_events_at(app.feed_cursor)', 'app.seen_posts(uuid)',
    'gateway.cast_vote(jsonb,jsonb,text,jsonb,text,xid8)'
  ],
  'every function has an empty search_path or resolved names, but the procedure that commits and six inlined ones'
);

-- A body that is parsed when the function is created has the columns of that time, and fails once the table has more.
select is_empty(
  $$
    select p.oid::regprocedure
    from tests.our_functions as f
    join pg_proc as p on p.oid = f.oid
    join pg_class as c on c.reltype = p.prorettype and c.relkind in ('r', 'p')
    where p.prosqlbody is not null
  $$,
  'no function that returns rows of a table has a body that was parsed when it was created'
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
where n.nspname = any (tests.our_schemas()) and p.provolatile = 'i' and p.prokind = 'f';

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
    where definition ~* 'timestamptz|timestamp with time zone|extract|[^'']::interval|list_entry|feed_cursor'
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
      and (
        pg_get_function_arguments(p.oid) <> 'jsonb' or p.prorettype not in ('jsonb'::regtype, 'json'::regtype)
        or p.proretset
      )
  $$,
  'every operation takes one unnamed jsonb and returns JSON'
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
select cmp_ok(
  (select count(*) from operations), '>', 60::bigint, 'the check of ended sessions covers the members'' operations'
);

select * from finish();
rollback;
