begin;
select plan(21);
savepoint empty;

-- tables: are read with the callers rights
select is_empty(
  $$ select name from tests.our_tables where kind in ('m', 'f') $$,
  'nothing but tables and views: no policy holds for anything else'
);
create temporary table views_of_the_owner as
select t.name
from tests.our_tables as t
join pg_class as c on c.oid = t.name::regclass
where t.kind = 'v' and not coalesce('security_invoker=true' = any (c.reloptions), false);
-- What functions that run as their owner share. Whoever adds one says why in its review.
select bag_eq(
  'select name from views_of_the_owner',
  array[
    'app.due_notifications', 'app.event_details', 'app.inbox_scopes', 'app.judged_notifications', 'app.visible_notifications',
    'app.withheld_notifications'
  ],
  'these views, and no others, read past the policies, as their owner'
);
select is_empty(
  $$ select name, tests.who_may('select from ' || name) from views_of_the_owner $$, 'and no role reads them'
);

rollback to empty;

-- tables: have comments
select is_empty(
  $$ select name from tests.our_tables where obj_description(oid, 'pg_class') is null $$,
  'every table says what it holds'
);

rollback to empty;

-- tables: have row level security
select is_empty(
  $$ select name from tests.our_tables where kind <> 'v' and not has_policies $$,
  'every table has row-level security'
);

rollback to empty;

-- tables: hold no position
select is_empty(
  $$
    select a.attrelid::regclass, a.attname
    from pg_attribute as a
    join pg_type as t on t.oid = a.atttypid
    where 'app.vote_position'::regtype in (t.oid, t.typelem, t.typbasetype)
  $$,
  'no column of any table or row type is a position, an array of positions or a domain over them'
);
create temporary table votes as
select c.oid, c.relname::text as name
from pg_class as c
where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p', 'v') and c.relname ~ 'vote|ballot|pending|promotion|pool|milestone';
select set_eq(
  $$ select name from votes join pg_attribute on attrelid = oid where attname ~ 'user|voter|actor|subject|author|person' $$,
  array['vote_receipts', 'fresh_votes'],
  'of the tables of votes, the receipts, and what the fold is to do with them, alone know a person'
);
select is_empty(
  $$
    select name, attname
    from votes
    join pg_attribute on attrelid = oid
    where name in ('vote_receipts', 'fresh_votes') and attnum > 0
      and attname <> all (array['post_id', 'user_id', 'voted_at', 'hub_ids', 'baseline', 'cast_at', 'hub_count'])
  $$,
  'and nothing that could say what somebody voted'
);
select is_empty(
  $$
    select name, attname
    from votes
    join pg_attribute on attrelid = oid
    where attnum > 0 and atttypid in ('timestamptz'::regtype, 'timestamp'::regtype, 'time'::regtype, 'date'::regtype)
      and (name, attname) not in (('vote_receipts', 'voted_at'), ('fresh_votes', 'cast_at'), ('pending_ballots', 'cast_hour'), ('pending_totals', 'cast_hour'))
  $$,
  'what counts has no time, or that of an hour'
);

rollback to empty;

-- tables: index their foreign keys
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
  'every foreign key has an index that begins with its columns, of all rows or of all that refer to something'
);

rollback to empty;

-- tables: name their checks
select is_empty(
  $$
    select conname from pg_constraint
    where connamespace::regnamespace::text = any (tests.our_schemas()) and contype = 'c' and conname ~ '_check\d*$'
  $$,
  'every check has a name that says its rule'
);

rollback to empty;

-- tables: privileges of guests
select bag_eq(
  $$ select tests.table_privileges_of('anon') $$,
  array[
    'select app.article_assets',
    'select app.articles',
    'select app.assets',
    'select app.blockers',
    'select app.blocked_pairs',
    'select app.blocked_users',
    'select app.blocks',
    'select app.clock',
    'select app.comments',
    'select app.default_feed_users',
    'select app.account_deletions(user_id, departed_at)',
    'select app.feed_shares',
    'select app.follow_counts',
    'select app.hidden_users',
    'select app.hubs',
    'select app.messages',
    'select app.placements(post_id, hub_id, kind, placed_at, last_shared_at)',
    'select app.posts',
    'select app.profiles',
    'select app.saved_posts',
    'select app.suspensions',
    'select app.users_hidden_from_all',
    'select app.vote_receipts(post_id, user_id, voted_at)'
  ],
  'guests read these tables, under their policies, and write none'
);

rollback to empty;

-- tables: privileges of members
select bag_eq(
  $$ select tests.table_privileges_of('authenticated') $$,
  array[
    'select app.article_assets',
    'select app.articles',
    'select app.assets',
    'select app.blockers',
    'select app.blocked_pairs',
    'select app.blocked_users',
    'select app.blocks',
    'select app.clock',
    'select app.comments',
    'select app.contact_snapshots',
    'select app.contacts',
    'select app.default_feed_users',
    'select app.account_deletions(user_id, departed_at)',
    'select app.device_tokens(token_hash, user_id, session_id, platform, refreshed_at)',
    'select app.discussions',
    'select app.feed_shares',
    'select app.follow_counts',
    'select app.follow_sides',
    'select app.follows',
    'select app.hub_invitations(id, hub_id, inviter_id, phone, state, created_at, expires_at)',
    'select app.hub_profiles',
    'select app.hidden_users',
    'select app.hubs',
    'select app.invite_links(id, hub_id, max_uses, use_count, created_at, expires_at)',
    'select app.join_requests',
    'select app.member_names',
    'select app.memberships',
    'select app.messages',
    'select app.my_hub_entries',
    'select app.my_hubs',
    'select app.my_invitations',
    'select app.my_sources',
    'select app.authored_posts',
    'select app.placements(post_id, hub_id, kind, placed_at, last_shared_at)',
    'select app.posts',
    'select app.profiles',
    'select app.reports',
    'select app.saved_discussions',
    'select app.saved_posts',
    'select app.sessions',
    'select app.suspensions',
    'select app.uploads',
    'select app.user_levels',
    'select app.users(id, phone, phone_verified_at, terms_version, terms_accepted_at, media_completed_at, contacts_synced_at, created_at, ended_at)',
    'select app.users_hidden_from_all',
    'select app.vote_receipts(post_id, user_id, voted_at)',
    'insert app.article_assets(article_id, place, asset_id)',
    'insert app.articles(author_id, url, title, body, media_count)',
    'insert app.comments(post_id, author_id, parent_id, body, asset_id)',
    'insert app.contact_snapshots(user_id, permission, contact_count)',
    'insert app.contacts(user_id, place, name, phone_numbers, thumbnail)',
    'insert app.feed_shares(user_id, post_id)',
    'insert app.hub_profiles(user_id, display_name, photo_asset_id)',
    'insert app.placements(post_id, hub_id, kind, placed_by)',
    'insert app.posts(author_id, article_id, source_post_id, thought_text, slider_text, left_label, right_label, visibility, is_shareable)',
    'insert app.profiles(user_id, username, full_name, bio)',
    'insert app.reports(reporter_id, user_id, post_id, hub_id, comment_id, message_id, reason, details)',
    'insert app.saved_discussions(user_id, discussion_id)',
    'insert app.saved_posts(user_id, post_id)',
    'insert app.uploads(owner_id, purpose, content_type, size_bytes, file_name)',
    'update app.contact_snapshots(stored_at)',
    'update app.feed_shares(id)',
    'update app.follows(is_muted)',
    'update app.hub_profiles(display_name, photo_asset_id)',
    'update app.hubs(name, description, custom_link)',
    'update app.placements(last_shared_at)',
    'update app.profiles(username, full_name, bio, photo_asset_id)',
    'update app.users(terms_version, terms_accepted_at, media_completed_at, contacts_synced_at)',
    'delete app.articles',
    'delete app.blocks',
    'delete app.device_tokens',
    'delete app.follows',
    'delete app.hub_mutes',
    'insert app.hub_mutes(hub_id, user_id)',
    'select app.hub_mutes',
    'delete app.invite_links',
    'delete app.posts',
    'delete app.saved_discussions',
    'delete app.saved_posts',
    'delete app.sessions'
  ],
  'signed-in people read and write these, under their policies'
);

rollback to empty;

-- tables: privileges of others
select is_empty($$ select tests.table_privileges_of('opine_gateway') $$, 'the gateway''s login reads no table');
select is_empty($$ select tests.table_privileges_of('opine_serializable') $$, 'nor does the serializable one');
select bag_eq(
  $$ select tests.table_privileges_of('opine_worker') $$,
  array[
    'maintain app.fresh_votes',
    'maintain app.pending_ballots',
    'maintain app.pending_totals',
    'maintain app.promotions',
    'maintain app.vote_pools',
    'maintain app.vote_receipts',
    'maintain app.vote_slots',
    'maintain app.vote_slots_even',
    'maintain app.vote_slots_odd'
  ],
  'nor does the worker''s, which vacuums what votes write'
);
select is_empty($$ select tests.table_privileges_of('opine_service') $$, 'nor does the role that exchanges proofs');
select is_empty($$ select tests.table_privileges_of('opine_staff') $$, 'nor does a member of staff');
select is_empty($$ select tests.table_privileges_of('service_role') $$, 'nor does the holder of the platform''s secret key');

rollback to empty;

-- tables: refer to each other
select bag_eq(
  'select tests.references()',
  array[
    'app.article_assets(article_id) goes with app.articles',
    'app.article_assets(asset_id) keeps app.assets',
    'app.articles(author_id) goes with app.users',
    'app.assets(id) keeps app.stored_objects',
    'app.assets(owner_id) goes with app.users',
    'app.blocks(blocked_id) goes with app.users',
    'app.blocks(blocker_id) goes with app.users',
    'app.comments(asset_id) keeps app.assets',
    'app.comments(author_id) goes with app.users',
    'app.comments(parent_id, post_id) goes with app.comments',
    'app.comments(post_id) goes with app.posts',
    'app.contact_snapshots(user_id) goes with app.users',
    'app.contacts(user_id) goes with app.contact_snapshots',
    'app.dead_letters(notification_id) goes with app.notifications',
    'app.default_feed_users(user_id) goes with app.users',
    'app.account_deletions(merged_into_id) forgets app.users',
    'app.account_deletions(user_id) goes with app.users',
    'app.device_tokens(session_id) goes with app.sessions',
    'app.device_tokens(user_id) goes with app.users',
    'app.discussions(post_id, hub_id) goes with app.placements',
    'app.events(actor_id) goes with app.users',
    'app.events(comment_id) goes with app.comments',
    'app.events(hub_id) goes with app.hubs',
    'app.events(invitation_id) goes with app.hub_invitations',
    'app.events(join_request_id) goes with app.join_requests',
    'app.events(post_id) goes with app.posts',
    'app.events(subject_id) goes with app.users',
    'app.fan_outs(event_id) goes with app.events',
    'app.feed_events(actor_id) goes with app.users',
    'app.feed_events(hub_id) goes with app.hubs',
    'app.feed_events(post_id) goes with app.posts',
    'app.feed_shares(post_id) goes with app.posts',
    'app.feed_shares(user_id) goes with app.users',
    'app.follow_counts(user_id) goes with app.users',
    'app.follows(followee_id) goes with app.users',
    'app.follows(follower_id) goes with app.users',
    'app.former_sources(user_id) goes with app.users',
    'app.hub_invitations(hub_id) goes with app.hubs',
    'app.hub_invitations(inviter_id) goes with app.users',
    'app.hub_mutes(hub_id) goes with app.hubs',
    'app.hub_mutes(user_id) goes with app.users',
    'app.hub_presence(hub_id) goes with app.hubs',
    'app.hub_profiles(photo_asset_id) keeps app.assets',
    'app.hub_profiles(user_id) goes with app.users',
    'app.hubs(photo_asset_id) keeps app.assets',
    'app.invite_links(hub_id) goes with app.hubs',
    'app.join_requests(hub_id) goes with app.hubs',
    'app.join_requests(user_id) goes with app.users',
    'app.member_names(hub_id, user_id) goes with app.memberships',
    'app.memberships(hub_id) goes with app.hubs',
    'app.memberships(user_id) goes with app.users',
    'app.messages(asset_id) keeps app.assets',
    'app.messages(author_id) forgets app.users',
    'app.messages(discussion_id, hub_id) goes with app.discussions',
    'app.messages(parent_id, discussion_id) goes with app.messages',
    'app.milestones(post_id) goes with app.posts',
    'app.notifications(event_id) goes with app.events',
    'app.pending_totals(hub_id) goes with app.hubs',
    'app.pending_totals(post_id) goes with app.posts',
    'app.placements(hub_id) goes with app.hubs',
    'app.placements(placed_by) forgets app.users',
    'app.placements(post_id) goes with app.posts',
    'app.posts(article_id, author_id) goes with app.articles',
    'app.posts(author_id) goes with app.users',
    'app.profiles(photo_asset_id) keeps app.assets',
    'app.profiles(user_id) goes with app.users',
    'app.promotions(post_id) goes with app.posts',
    'app.refresh_tokens(session_id) goes with app.sessions',
    'app.reports(hub_id) goes with app.hubs',
    'app.reports(reporter_id) forgets app.users',
    'app.reports(user_id) goes with app.users',
    'app.saved_discussions(discussion_id) goes with app.discussions',
    'app.saved_discussions(user_id) goes with app.users',
    'app.saved_posts(post_id) goes with app.posts',
    'app.saved_posts(user_id) goes with app.users',
    'app.sessions(user_id) goes with app.users',
    'app.stored_objects(owner_id) keeps app.users',
    'app.suspended_memberships(hub_id) goes with app.hubs',
    'app.suspended_memberships(user_id) goes with app.users',
    'app.suspensions(user_id) goes with app.users',
    'app.uploads(asset_id) goes with app.assets',
    'app.uploads(owner_id) goes with app.users',
    'app.vote_pools(hub_id) goes with app.hubs',
    'app.vote_pools(post_id) goes with app.posts',
    'app.vote_receipts(post_id) goes with app.posts',
    'app.vote_receipts(user_id) goes with app.users',
    'app.score_changes(post_id) goes with app.posts',
    'app.trending_scores(post_id) goes with app.posts',
    'gateway.idempotent_answers(user_id) goes with app.users'
  ],
  'rows refer to rows that are there'
);

rollback to empty;

-- tables: say what a delete does
select is_empty(
  $$
    select conname from pg_constraint
    where contype = 'f' and connamespace::regnamespace::text = any (tests.our_schemas()) and confdeltype = 'a'
  $$,
  'every foreign key names its on delete'
);

select * from finish();
rollback;
