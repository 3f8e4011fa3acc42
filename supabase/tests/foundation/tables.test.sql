begin;
select plan(15);

-- What each role may do to each table. Row-level security narrows it further (docs/product.md S4, S6).
select bag_eq(
  $$
    select
      substring(granted from '^\w+ ([^(]+)'), regexp_replace(granted, '^(\w+) [^(]+', '\1'),
      string_agg(r.name, ', ' order by r.place)
    from unnest(array[
      'anon', 'authenticated', 'opine_service', 'opine_staff', 'staff_support', 'staff_moderator', 'staff_admin',
      'opine_gateway', 'opine_serializable', 'opine_worker', 'service_role'
    ]) with ordinality as r (name, place)
    cross join lateral tests.table_privileges_of(r.name) as granted
    group by granted
  $$,
  $$
    values
      ('app.account_deletions', 'select(user_id, deleted_at)', 'anon, authenticated'),
      ('app.appeals', 'select', 'staff_moderator'),
      ('app.appeals', 'select(decision_id, user_id, text, created_at, state, decided_at)', 'authenticated'),
      ('app.appeals', 'insert(decision_id, user_id, text)', 'authenticated'),
      ('app.article_assets', 'select', 'anon, authenticated'),
      ('app.article_assets', 'insert(article_id, place, asset_id, alt_text)', 'authenticated'),
      ('app.articles', 'select', 'anon, authenticated'),
      ('app.articles', 'select(id, url, title, body)', 'staff_moderator'),
      ('app.articles', 'insert(author_id, url, title, body, media_count)', 'authenticated'),
      ('app.articles', 'delete', 'authenticated'),
      ('app.assets', 'select', 'anon, authenticated'),
      ('app.authored_posts', 'select', 'authenticated'),
      ('app.blocked_users', 'select', 'anon, authenticated'),
      ('app.blockers', 'select', 'anon, authenticated'),
      ('app.blocks', 'select', 'anon, authenticated'),
      ('app.blocks', 'delete', 'authenticated'),
      ('app.comments', 'select', 'anon, authenticated'),
      ('app.comments', 'select(id, author_id)', 'staff_moderator'),
      ('app.comments', 'insert(post_id, author_id, parent_id, reply_to_id, body, asset_id, alt_text)', 'authenticated'),
      ('app.contact_snapshots', 'select', 'authenticated'),
      ('app.contact_snapshots', 'insert(user_id, permission, contact_count)', 'authenticated'),
      ('app.contact_snapshots', 'update(stored_at)', 'authenticated'),
      ('app.contacts', 'select', 'authenticated'),
      ('app.contacts', 'insert(user_id, place, name, phone_numbers, thumbnail)', 'authenticated'),
      ('app.dead_letters', 'select(id, notification_id, is_of_stream, attempt_count, failure, died_at)', 'staff_admin'),
      ('app.decision_subjects', 'select', 'authenticated, staff_moderator'),
      ('app.decisions', 'select', 'staff_moderator'),
      (
        'app.decisions', 'select(id, action, reason, statement, target_kind, target_id, excerpt, decided_at)',
        'authenticated'
      ),
      ('app.default_feed_users', 'select', 'anon, authenticated, staff_support'),
      ('app.device_tokens', 'select(token_hash, user_id, session_id, platform, refreshed_at)', 'authenticated'),
      ('app.device_tokens', 'delete', 'authenticated'),
      ('app.discussion_reads', 'select', 'authenticated'),
      ('app.discussion_reads', 'insert(user_id, discussion_id, read_until)', 'authenticated'),
      ('app.discussion_reads', 'update(read_until)', 'authenticated'),
      ('app.discussions', 'select', 'anon, authenticated'),
      ('app.events', 'select(id, type)', 'staff_admin'),
      ('app.evidence', 'select', 'staff_moderator'),
      ('app.feed_shares', 'select', 'authenticated'),
      ('app.feed_shares', 'insert(user_id, post_id)', 'authenticated'),
      ('app.feed_shares', 'update(id)', 'authenticated'),
      ('app.follow_counts', 'select', 'anon, authenticated'),
      ('app.follow_sides', 'select', 'authenticated'),
      ('app.follows', 'select', 'authenticated'),
      ('app.follows', 'update(is_muted)', 'authenticated'),
      ('app.follows', 'delete', 'authenticated'),
      ('app.fresh_votes', 'maintain', 'opine_worker'),
      ('app.hidden_users', 'select', 'anon, authenticated'),
      ('app.hub_invitations', 'select(id, hub_id, inviter_id, phone, state, created_at, expires_at)', 'authenticated'),
      ('app.hub_mutes', 'select', 'authenticated'),
      ('app.hub_mutes', 'insert(hub_id, user_id)', 'authenticated'),
      ('app.hub_mutes', 'delete', 'authenticated'),
      ('app.hub_profiles', 'select', 'authenticated'),
      ('app.hub_profiles', 'insert(user_id, display_name, photo_asset_id)', 'authenticated'),
      ('app.hub_profiles', 'update(display_name, photo_asset_id)', 'authenticated'),
      ('app.hubs', 'select', 'anon, authenticated'),
      ('app.hubs', 'select(id, name, description, member_count, closed_at, suspended_at)', 'staff_moderator'),
      ('app.hubs', 'update(name, description, custom_link)', 'authenticated'),
      ('app.invite_links', 'select(id, hub_id, max_uses, use_count, created_at, expires_at)', 'authenticated'),
      ('app.invite_links', 'delete', 'authenticated'),
      ('app.join_requests', 'select', 'authenticated'),
      ('app.member_names', 'select', 'authenticated'),
      ('app.memberships', 'select', 'authenticated'),
      ('app.messages', 'select', 'anon, authenticated'),
      ('app.messages', 'select(id, author_id, is_deleted)', 'staff_moderator'),
      ('app.my_hub_entries', 'select', 'authenticated'),
      ('app.my_hubs', 'select', 'authenticated'),
      ('app.my_invitations', 'select', 'authenticated'),
      ('app.my_sources', 'select', 'authenticated'),
      ('app.onboarding_steps', 'select', 'authenticated'),
      ('app.notifications', 'select(id, event_id, recipient_id)', 'staff_admin'),
      ('app.pending_ballots', 'maintain', 'opine_worker'),
      ('app.pending_totals', 'maintain', 'opine_worker'),
      ('app.placements', 'select(post_id, hub_id, kind, placed_at, last_shared_at)', 'anon, authenticated'),
      ('app.placements', 'insert(post_id, hub_id, kind, placed_by)', 'authenticated'),
      ('app.placements', 'update(last_shared_at)', 'authenticated'),
      ('app.notification_preferences', 'select', 'authenticated'),
      ('app.notification_preferences', 'insert(user_id)', 'authenticated'),
      ('app.notification_preferences', 'update(silent_types, quiet_from, quiet_to, time_zone)', 'authenticated'),
      ('app.posts', 'select', 'anon, authenticated'),
      ('app.posts', 'select(id, author_id, article_id, thought_text, slider_text, removed_at)', 'staff_moderator'),
      (
        'app.posts',
        'insert(id, author_id, article_id, source_post_id, thought_text, slider_text, left_label, right_label, '
        'visibility)',
        'authenticated'
      ),
      ('app.posts', 'delete', 'authenticated'),
      ('app.profiles', 'select', 'anon, authenticated'),
      ('app.profiles', 'select(user_id, username, full_name, bio, created_at)', 'staff_support'),
      ('app.profiles', 'insert(user_id, username, full_name, bio)', 'authenticated'),
      ('app.profiles', 'update(username, full_name, bio, photo_asset_id)', 'authenticated'),
      ('app.promotions', 'maintain', 'opine_worker'),
      ('app.rate_limits', 'maintain', 'opine_worker'),
      ('app.removed_contents', 'select(decision_id, body, alt_text)', 'staff_moderator'),
      ('app.reports', 'select', 'authenticated, staff_moderator'),
      (
        'app.reports', 'insert(reporter_id, user_id, post_id, hub_id, comment_id, message_id, reason, details)',
        'authenticated'
      ),
      ('app.saved_discussions', 'select', 'authenticated'),
      ('app.saved_discussions', 'insert(user_id, discussion_id)', 'authenticated'),
      ('app.saved_discussions', 'delete', 'authenticated'),
      ('app.saved_posts', 'select', 'anon, authenticated'),
      ('app.saved_posts', 'insert(user_id, post_id)', 'authenticated'),
      ('app.saved_posts', 'delete', 'authenticated'),
      ('app.sessions', 'select', 'authenticated'),
      ('app.sessions', 'delete', 'authenticated'),
      ('app.suspensions', 'select', 'anon, authenticated, staff_support'),
      ('app.uploads', 'select', 'authenticated'),
      ('app.uploads', 'insert(owner_id, purpose, content_type, size_bytes, file_name)', 'authenticated'),
      ('app.user_levels', 'select', 'authenticated'),
      ('app.users', 'select(id, created_at, ended_at)', 'staff_support'),
      (
        'app.users',
        'select(id, phone, phone_verified_at, terms_version, terms_accepted_at, media_completed_at, '
        'contacts_synced_at, created_at, ended_at)',
        'authenticated'
      ),
      (
        'app.users', 'update(terms_version, terms_accepted_at, media_completed_at, contacts_synced_at)', 'authenticated'
      ),
      ('app.users_hidden_from_all', 'select', 'anon, authenticated'),
      ('app.vote_pools', 'maintain', 'opine_worker'),
      ('app.vote_receipts', 'select(post_id, user_id, voted_at)', 'anon, authenticated'),
      ('app.vote_receipts', 'maintain', 'opine_worker'),
      ('app.vote_slots', 'maintain', 'opine_worker'),
      ('app.vote_slots_even', 'maintain', 'opine_worker'),
      ('app.vote_slots_odd', 'maintain', 'opine_worker'),
      ('staff.accounts', 'select', 'staff_support'),
      ('staff.allowed_emails', 'select', 'staff_admin'),
      ('staff.appeals', 'select', 'staff_moderator'),
      ('staff.audit_log', 'select', 'staff_admin'),
      ('staff.blocked_terms', 'select', 'staff_moderator'),
      ('staff.dead_letters', 'select', 'staff_admin'),
      ('staff.decisions', 'select', 'staff_moderator'),
      ('staff.default_feed_users', 'select', 'staff_support'),
      ('staff.logins', 'select', 'staff_admin'),
      ('staff.report_queue', 'select', 'staff_moderator'),
      ('staff.reports', 'select', 'staff_moderator')
  $$,
  'exactly the listed roles have each privilege on each table'
);

-- Which rows refer to which, and what a delete does. A foreign key of several columns joins their names by +.
select bag_eq(
  $$
    select
      format('%s(%s)', t.name, string_agg(a.attname, '+' order by k.place)),
      case f.confdeltype when 'c' then 'cascade' when 'r' then 'restrict' when 'n' then 'set null' end,
      other.name
    from pg_constraint as f
    join tests.our_tables as t on t.oid = f.conrelid
    join tests.our_tables as other on other.oid = f.confrelid
    cross join lateral unnest(f.conkey) with ordinality as k (attnum, place)
    join pg_attribute as a on a.attrelid = f.conrelid and a.attnum = k.attnum
    where f.contype = 'f'
    group by f.oid, t.name, f.confdeltype, other.name
  $$,
  $$
    select k, delete_rule, other
    from (values
      ('cascade', 'app.articles', 'app.article_assets(article_id) app.posts(article_id+author_id)'),
      ('cascade', 'app.assets', 'app.evidence_assets(asset_id) app.uploads(asset_id)'),
      ('cascade', 'app.comments', 'app.comments(parent_id+post_id) app.events(comment_id)'),
      ('cascade', 'app.contact_snapshots', 'app.contacts(user_id)'),
      ('cascade', 'app.decisions', '
        app.appeals(decision_id) app.decision_subjects(decision_id) app.events(decision_id)
        app.removed_contents(decision_id)
      '),
      (
        'cascade', 'app.discussions',
        'app.discussion_reads(discussion_id) app.messages(discussion_id+hub_id) app.saved_discussions(discussion_id)'
      ),
      ('cascade', 'app.events', 'app.fan_outs(event_id) app.notifications(event_id)'),
      ('cascade', 'app.hub_invitations', 'app.events(invitation_id)'),
      ('cascade', 'app.hubs', '
        app.events(hub_id) app.feed_events(hub_id) app.hub_invitations(hub_id) app.hub_mutes(hub_id)
        app.hub_presence(hub_id) app.invite_links(hub_id) app.join_requests(hub_id) app.memberships(hub_id)
        app.pending_totals(hub_id) app.placements(hub_id) app.suspended_memberships(hub_id) app.vote_pools(hub_id)
      '),
      ('cascade', 'app.join_requests', 'app.events(join_request_id)'),
      ('cascade', 'app.memberships', 'app.member_names(hub_id+user_id)'),
      ('cascade', 'app.messages', 'app.messages(parent_id+discussion_id)'),
      ('cascade', 'app.notifications', 'app.dead_letters(notification_id)'),
      ('cascade', 'app.placements', 'app.discussions(post_id+hub_id)'),
      ('cascade', 'app.posts', '
        app.comments(post_id) app.events(post_id) app.feed_events(post_id) app.feed_shares(post_id)
        app.milestones(post_id) app.held_votes(post_id) app.pending_totals(post_id) app.placements(post_id)
        app.post_words(post_id) app.promotions(post_id) app.removed_contents(post_id) app.saved_posts(post_id)
        app.score_changes(post_id) app.trending_activities(post_id) app.trending_scores(post_id)
        app.vote_pools(post_id) app.vote_receipts(post_id)
      '),
      ('cascade', 'app.evidence', 'app.evidence_assets(report_id)'),
      ('cascade', 'app.reports', 'app.evidence(report_id)'),
      ('cascade', 'staff.allowed_emails', 'staff.logins(email)'),
      ('cascade', 'app.sessions', 'app.device_tokens(session_id) app.refresh_tokens(session_id)'),
      ('cascade', 'app.users', '
        app.account_deletions(user_id) app.articles(author_id) app.assets(owner_id) app.blocks(blocked_id)
        app.blocks(blocker_id) app.comments(author_id) app.contact_snapshots(user_id) app.decision_subjects(user_id)
        app.default_feed_users(user_id) app.device_tokens(user_id) app.discussion_reads(user_id) app.events(actor_id)
        app.events(subject_id) app.feed_events(actor_id) app.feed_shares(user_id) app.follow_counts(user_id)
        app.follows(followee_id) app.follows(follower_id) app.hub_invitations(inviter_id) app.hub_mutes(user_id)
        app.held_votes(user_id) app.hub_profiles(user_id) app.invite_links(creator_id) app.join_requests(user_id)
        app.memberships(user_id) app.notification_preferences(user_id) app.posts(author_id) app.profiles(user_id)
        app.removed_contents(author_id) app.reports(user_id)
        app.saved_discussions(user_id) app.saved_posts(user_id)
        app.sessions(user_id) app.sign_in_places(user_id) app.suspended_memberships(user_id) app.suspensions(user_id)
        app.trending_activities(actor_id) app.uploads(owner_id) app.vote_receipts(user_id)
        gateway.idempotent_answers(user_id)
      '),
      ('restrict', 'app.assets', '
        app.article_assets(asset_id) app.comments(asset_id) app.hub_profiles(photo_asset_id) app.hubs(photo_asset_id)
        app.messages(asset_id) app.profiles(photo_asset_id) app.removed_contents(asset_id)
      '),
      ('restrict', 'app.stored_objects', 'app.assets(id)'),
      ('restrict', 'app.users', 'app.stored_objects(owner_id)'),
      ('set null', 'app.comments', 'app.comments(reply_to_id+post_id)'),
      ('set null', 'app.users', '
        app.account_deletions(merged_into_id) app.appeals(user_id) app.evidence(author_id) app.messages(author_id)
        app.placements(placed_by) app.reports(reporter_id)
      ')
    ) as keys (delete_rule, other, columns)
    cross join regexp_split_to_table(btrim(keys.columns, E' \n'), '\s+') as k
  $$,
  'exactly the listed foreign keys exist, each with its delete rule'
);
select is_empty(
  $$
    select conname from pg_constraint
    where contype = 'f' and connamespace::regnamespace::text = any (tests.our_schemas()) and confdeltype = 'a'
  $$,
  'every foreign key names its on delete'
);
-- An index that omits nulls serves as well: nulls refer to nothing.
select is_empty(
  $$
    select c.conname
    from pg_constraint as c
    where c.contype = 'f' and c.connamespace::regnamespace::text = any (tests.our_schemas())
      and not exists (
        select from pg_index as i
        join pg_attribute as a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
        where i.indrelid = c.conrelid
          and coalesce(pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', a.attname), true)
          and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey
      )
  $$,
  'every foreign key has an index that begins with its columns'
);

select is_empty(
  $$ select name from tests.our_tables where kind in ('m', 'f') $$,
  'no materialized view or foreign table exists, as no policy holds for them'
);
select is_empty(
  $$ select name from tests.our_tables where kind <> 'v' and not has_row_security $$,
  'every table has row-level security'
);
select is_empty(
  $$ select name from tests.our_tables where obj_description(oid, 'pg_class') is null $$,
  'every table and view has a comment'
);
select is_empty(
  $$
    select conname from pg_constraint
    where connamespace::regnamespace::text = any (tests.our_schemas()) and contype = 'c' and conname ~ '_check\d*$'
  $$,
  'every check constraint has a name that says its rule'
);

-- A view of its owner reads past the policies. Definer functions share these; the review of a new one says why.
create temporary table views_of_the_owner as
select t.name
from tests.our_tables as t
join pg_class as c on c.oid = t.name::regclass
where t.kind = 'v' and not coalesce('security_invoker=true' = any (c.reloptions), false);
select bag_eq(
  'select name from views_of_the_owner',
  array[
    'app.blocked_pairs', 'app.blocked_users', 'app.blockers', 'app.due_notifications', 'app.event_details',
    'app.event_mutes',
    'app.inbox_audiences', 'app.notifications_with_visibility', 'app.my_hubs', 'app.my_sources',
    'app.visible_notifications',
    'app.withheld_notifications'
  ],
  'exactly the listed views read with their owner''s rights'
);
select is_empty(
  $$
    select name, tests.permitted_roles('select from ' || name)
    from views_of_the_owner
    where name not in ('app.blocked_users', 'app.blockers', 'app.my_hubs', 'app.my_sources')
  $$,
  'no role may read a view with its owner''s rights, except the views of what is the caller''s own'
);
select is_empty(
  $$
    select v.name
    from views_of_the_owner as v
    join pg_class as c on c.oid = v.name::regclass
    where exists (select tests.permitted_roles('select from ' || v.name))
      and not 'security_barrier=true' = any (c.reloptions)
  $$,
  'a view with its owner''s rights that a role may read is a security barrier'
);

-- Votes are secret: no table holds a position next to a person or a moment (docs/product.md V2, V16).
select is_empty(
  $$
    select a.attrelid::regclass, a.attname
    from pg_attribute as a
    join pg_type as t on t.oid = a.atttypid
    where 'app.vote_position'::regtype in (t.oid, t.typelem, t.typbasetype)
  $$,
  'no column holds a vote position, also in an array or domain'
);
create temporary table votes as
select c.oid, c.relname::text as name
from pg_class as c
where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p', 'v')
  and c.relname ~ 'vote|ballot|pending|promotion|pool|milestone';
select set_eq(
  $$
    select name from votes join pg_attribute on attrelid = oid where attname ~ 'user|voter|actor|subject|author|person'
  $$,
  array['vote_receipts', 'fresh_votes', 'held_votes'],
  'of the tables about votes, only receipts, fresh and held votes name a person'
);
select is_empty(
  $$
    select name, attname
    from votes
    join pg_attribute on attrelid = oid
    where name in ('vote_receipts', 'fresh_votes', 'held_votes') and attnum > 0
      and attname <> all (array[
        'post_id', 'user_id', 'voted_at', 'hub_ids', 'baseline', 'cast_at', 'hub_count', 'activity_at', 'is_held',
        'due_at',
        'released_at'
      ])
  $$,
  'receipts, fresh and held votes have no column that could tell a position'
);
select is_empty(
  $$
    select name, attname
    from votes
    join pg_attribute on attrelid = oid
    where attnum > 0 and atttypid in ('timestamptz'::regtype, 'timestamp'::regtype, 'time'::regtype, 'date'::regtype)
      and (name, attname) not in (
        ('vote_receipts', 'voted_at'), ('fresh_votes', 'cast_at'), ('fresh_votes', 'activity_at'),
        ('held_votes', 'due_at'),
        ('held_votes', 'released_at'), ('pending_ballots', 'cast_hour'), ('pending_totals', 'cast_hour'),
        ('vote_hours', 'cast_hour')
      )
  $$,
  'tables that count votes hold no time, or only the hour'
);

select * from finish();
rollback;
