begin;
select plan(157);
savepoint empty;

-- delete_account ends the account of the caller at once and leaves the rest to the worker.
-- docs/product.md I17
select tests.person(name, 4), tests.session(name) from unnest(array['maya', 'jonas']) as name;
select tests.post('trams', 'maya');
select tests.stored_object('photo', 'maya');
select tests.authenticate_as('maya');
select is(api.delete_account('{}'), '{}', 'account deletion answers an empty object');
select throws_ok(
  $$ select api.delete_account('{}') $$, 'PT401', 'UNAUTHORIZED', 'a deleted account cannot call account deletion again'
);
reset role;
select set_eq(
  $$
    select
      u.id, u.phone, u.ended_at, (select s.id from app.sessions as s where s.user_id = u.id) as session_id,
      (select p.username::text from app.profiles as p where p.user_id = u.id) as username,
      app.session_is_live(tests.claims(name))
    from unnest(array['maya', 'jonas']) as name
    join app.users as u on u.id = tests.id(name)
  $$,
  $$
    values
      (tests.id('maya'), null, app.now(), null, null, false),
      (tests.id('jonas'), tests.phone_of('jonas'), null, tests.id('session of jonas'), 'jonas', true)
  $$,
  'account deletion clears phone, sessions and profile of the caller alone'
);
select results_eq(
  'select token_hash from app.refresh_tokens', array[tests.hash('token of jonas')],
  'account deletion removes the refresh tokens of the caller alone'
);
select results_eq(
  'select user_id, merged_into_id, deleted_at, due_at, attempt_count from app.account_deletions',
  $$ values (tests.id('maya'), null::uuid, app.now(), app.now(), 0) $$,
  'account deletion queues the account for the worker'
);
select results_eq(
  'select id from app.posts union all select id from app.stored_objects', tests.ids('trams', 'photo'),
  'account deletion leaves posts and stored objects to the worker'
);
select ok(
  (app.sign_in_with_phone(tests.phone_of('maya'), null)).is_new, 'the phone of a deleted account signs in as a new user'
);

rollback to empty;

-- end_user keeps the time of the first account deletion.
select tests.person('maya', 3);
select app.end_user(tests.id('maya'));
update app.account_deletions set attempt_count = 3;
select app.set_clock_offset('1 hour');
select app.end_user(tests.id('maya'));
select is(ended_at, now(), 'ending an account again keeps its first time') from app.users;
select results_eq(
  'select deleted_at, attempt_count from app.account_deletions', 'values (now(), 3)',
  'ending an account again leaves its account deletion unchanged'
);

rollback to empty;

-- erase_person removes what identifies a user, and nothing of others (docs/product.md I17, I18).
select tests.person('lena', 1);
select tests.post('trams', 'lena');
select tests.hub('elm', 'lena');
select tests.person(name, 4), tests.session(name), tests.device_token(name, name), tests.contact_upload(name),
  tests.open_upload('next of ' || name, name), tests.asset('photo of ' || name, name, 'profile_photo')
from unnest(array['maya', 'jonas']) as name;
insert into app.device_tokens (token_hash, user_id, platform, sealed_token)
values (tests.hash('of a merge'), tests.id('maya'), 'ios', tests.sealed_token('of a merge'));
update app.users set terms_version = '1', terms_accepted_at = app.now();
update app.profiles set photo_asset_id = tests.id('photo of ' || username);
insert into app.contacts (user_id, place, name, phone_numbers)
select s.user_id, 1, 'Ann', array['+12025550101'] from app.contact_snapshots as s;
insert into app.default_feed_users (user_id) select p.user_id from app.profiles as p;
insert into app.hub_mutes (hub_id, user_id) select tests.id('elm'), p.user_id from app.profiles as p;
insert into app.suspended_memberships (hub_id, user_id, role, joined_at)
select tests.id('elm'), p.user_id, 'member', app.now() from app.profiles as p;
insert into app.hub_profiles (user_id, display_name) select p.user_id, p.full_name from app.profiles as p;
insert into app.saved_posts (user_id, post_id) select p.user_id, tests.id('trams') from app.profiles as p;
delete from app.feed_changes;
insert into app.feed_changes (kind, subject_id, object_id) select 'follows', p.user_id, tests.id('lena')
from app.profiles as p;
insert into app.reports (reporter_id, post_id, reason) select p.user_id, tests.id('trams'), 'spam'
from app.profiles as p;
insert into app.decisions (id, action, reason, statement, target_kind, target_id, decided_by)
select tests.id(name), 'content_removed', 'spam', 'It sells pills.', 'comment', tests.id('a comment'), 'nina'
from unnest(array['about maya', 'about both']) as name;
insert into app.decision_subjects (decision_id, user_id)
values
  (tests.id('about maya'), tests.id('maya')), (tests.id('about both'), tests.id('maya')),
  (tests.id('about both'), tests.id('jonas'));
create temporary table decided as
values (tests.id('about maya'), tests.id('maya')), (tests.id('about both'), tests.id('jonas'));
insert into app.decisions (id, action, reason, statement, target_kind, target_id, decided_by)
values (tests.id('about three'), 'hub_suspended', 'spam', 'It sells pills.', 'hub', tests.id('elm'), 'nina');
insert into app.decision_subjects (decision_id, user_id)
select tests.id('about three'), p.user_id from app.profiles as p;
insert into app.appeals (decision_id, user_id, text)
values (tests.id('about three'), tests.id('maya'), 'It sells none.');
insert into app.appeals (decision_id, user_id, text) select d.column1, d.column2, 'It does not.' from decided as d;
insert into app.removed_contents (decision_id, author_id, content_id, post_id, body, created_at)
select d.column1, d.column2, tests.id('a comment'), tests.id('trams'), 'Pills!', app.now() from decided as d;
insert into gateway.idempotent_answers (user_id, key, fingerprint)
select p.user_id, 'key', 'f' from app.profiles as p;
select app.consume_rate_limit('handle checks', p.user_id::text, 60, interval '1 minute') from app.profiles as p;
select app.remember_places(
  p.user_id, jsonb_build_object(
    'phoneHash', encode(tests.hash(p.username), 'hex'), 'deviceHash', encode(tests.hash('phone'), 'hex')
  )
)
from app.profiles as p;
select app.erase_person(tests.id('maya'));

-- An id says as much as created_at: it begins with its time.
select set_eq(
  $$ select jsonb_object_keys(jsonb_strip_nulls(to_jsonb(u))) from app.users as u where u.id = tests.id('maya') $$,
  array['id', 'created_at', 'ended_at'],
  'erasing a user leaves the id and times of the account'
);
select is(ended_at, null, 'erasing a user leaves other accounts') from app.users where id = tests.id('jonas');
select results_eq(
  format('select %I::text from %s', owner, name), array[tests.id('jonas')::text],
  format('erasing a user removes their rows of %s alone', name)
)
from (
  values
    ('app.profiles', 'user_id'), ('app.sessions', 'user_id'), ('app.device_tokens', 'user_id'),
    ('app.contact_snapshots', 'user_id'), ('app.contacts', 'user_id'), ('app.default_feed_users', 'user_id'),
    ('app.rate_limits', 'subject'), ('gateway.idempotent_answers', 'user_id'), ('app.hub_profiles', 'user_id'),
    ('app.uploads', 'owner_id'), ('app.assets', 'owner_id'), ('app.saved_posts', 'user_id'),
    ('app.hub_mutes', 'user_id'), ('app.suspended_memberships', 'user_id'), ('app.sign_in_places', 'user_id'),
    ('app.removed_contents', 'author_id')
) as erased (name, owner);
select is(count(*)::integer, 1, 'erasing a user removes their refresh tokens alone') from app.refresh_tokens;
select set_eq(
  'select subject_id from app.feed_changes where subject_id is not null', tests.ids('jonas'),
  'erasing a user removes the changes in their feeds alone'
);
select set_eq(
  'select reporter_id, reason::text from app.reports', $$ values (null::uuid, 'spam'), (tests.id('jonas'), 'spam') $$,
  'erasing a user keeps their reports without the reporter'
);
select bag_eq(
  'select decision_id, user_id from app.decision_subjects',
  $$ values (tests.id('about both'), tests.id('jonas')), (tests.id('about three'), tests.id('jonas')) $$,
  'erasing a user removes the decisions that concern nobody else'
);
select bag_eq(
  'select decision_id, user_id, text from app.appeals',
  $$
    values
      (tests.id('about both'), tests.id('jonas'), 'It does not.'), (tests.id('about three'), null, 'It sells none.')
  $$,
  'erasing a user keeps their appeal against a decision that concerns others too'
);
-- A table that is missing here needs a decision: who empties it, and a test of that.
select is_empty(
  $$
    select c.conrelid::regclass from pg_constraint as c
    where c.confrelid = 'app.users'::regclass
      and c.conrelid::regclass::text <> all (array[
        'app.appeals', 'app.articles', 'app.assets', 'app.blocks', 'app.comments', 'app.contact_snapshots',
        'app.decision_subjects',
        'app.default_feed_users', 'app.account_deletions', 'app.device_tokens', 'app.events', 'app.evidence',
        'app.feed_events', 'app.feed_shares', 'app.follow_counts',
        'app.follows', 'app.held_votes', 'app.hub_invitations', 'app.hub_mutes', 'app.hub_profiles', 'app.invite_links',
        'app.join_requests', 'app.notification_preferences',
        'app.memberships', 'app.messages', 'app.notifications', 'app.placements', 'app.posts', 'app.profiles',
        'app.removed_contents',
        'app.reports', 'app.discussion_reads', 'app.saved_discussions', 'app.saved_posts', 'app.sessions',
        'app.sign_in_places', 'app.stored_objects', 'app.suspended_memberships',
        'app.suspensions', 'app.trending_activities', 'app.uploads', 'app.vote_receipts', 'gateway.idempotent_answers'
      ])
  $$,
  'erase_person or finish_account_deletion empties every table that references users'
);

rollback to empty;

-- erase_person removes the user's phone from the contacts of others (docs/product.md I18).
select tests.person('maya', 3);
select tests.person('lena', 2);
select tests.person('jonas', 4);
select tests.contact_upload('jonas');
insert into app.contacts (user_id, place, name, phone_numbers)
values
  (tests.id('jonas'), 1, 'Maya', array['+12025550101', tests.phone_of('maya')]),
  (tests.id('jonas'), 2, 'Ann', array['+12025550102']),
  (tests.id('jonas'), 3, 'Nobody', '{}');
select app.erase_person(tests.id(name)) from unnest(array['lena', 'maya']) as name;
select results_eq(
  'select name from app.contacts order by place', array['Ann', 'Nobody'],
  'erasing a user removes contacts of others with their phone, and none if they have no phone'
);

rollback to empty;

-- erase_person removes what Hubs know of the user, except open invitations to their phone.
-- docs/product.md I17, I18
select tests.elm();
select tests.hub('ash', 'lena');
select tests.discussion('trams', 'jonas', 'elm');
insert into app.hub_profiles (user_id, display_name) values (tests.id('jonas'), 'Jon'), (tests.id('maya'), 'May');
insert into app.saved_discussions (user_id, discussion_id)
values (tests.id('jonas'), tests.id('trams in elm')), (tests.id('maya'), tests.id('trams in elm'));
insert into app.discussion_reads (user_id, discussion_id, read_until)
select s.user_id, s.discussion_id, app.now() from app.saved_discussions as s;
select tests.invitation('by him', 'elm', 'jonas', 'one');
select tests.invite_link('his link', 'elm', p_creator => 'jonas'),
  tests.invite_link('her link', 'elm', p_creator => 'maya');
select tests.invitation('by her', 'elm', 'maya', 'one');
select tests.invitation('open', 'ash', 'lena', 'jonas');
select tests.invitation(state::text, 'ash', 'lena', 'jonas', state)
from unnest(array['accepted', 'declined', 'expired']::app.invitation_state[]) as state;
select tests.invitation('accepted by her', 'ash', 'lena', 'maya', 'accepted');
select tests.join_request('his', 'ash', 'jonas');
select tests.join_request('hers', 'ash', 'maya');
select app.erase_person(tests.id('jonas'));

select set_eq(
  $$
    select 'hub profile', user_id from app.hub_profiles union all select 'save', user_id from app.saved_discussions
    union all select 'read', user_id from app.discussion_reads
    union all select 'invitation', id from app.hub_invitations union all select 'request', id from app.join_requests
    union all select 'link', id from app.invite_links
  $$,
  $$
    values
      ('hub profile', tests.id('maya')), ('save', tests.id('maya')), ('read', tests.id('maya')),
      ('request', tests.id('hers')),
      ('invitation', tests.id('by her')), ('invitation', tests.id('open')), ('invitation', tests.id('accepted by her')),
      ('link', tests.id('her link'))
  $$,
  'erasing a user removes their Hub profile, saves, read positions, requests, links, invitations and the closed '
  'invitations of their phone'
);

rollback to empty;

-- erase_person removes profile photos at once and open uploads with them.
select tests.person('maya', 4);
select tests.person('jonas', 4);
select tests.asset(name, 'maya', 'profile_photo') from unnest(array['face', 'hub face', 'loose']) as name;
select tests.asset('his', 'jonas', 'profile_photo');
update app.profiles set photo_asset_id = tests.id(case username when 'maya' then 'face' else 'his' end);
insert into app.hub_profiles (user_id, photo_asset_id)
values (tests.id('maya'), tests.id('hub face')), (tests.id('jonas'), tests.id('his'));
select tests.open_upload('open', 'maya');
select tests.open_upload('done', 'maya');
update app.uploads set asset_id = tests.id('loose') where id = tests.id('done');
select app.erase_person(tests.id('maya'));
select set_eq(
  $$
    select 'expired', tests.expired_objects() union all select 'asset', id from app.assets
    union all select 'upload', id from app.uploads
  $$,
  $$
    values
      ('expired', tests.id('face')), ('expired', tests.id('hub face')), ('asset', tests.id('loose')),
      ('asset', tests.id('his')),
      ('upload', tests.id('done'))
  $$,
  'erasing a user removes the photos of both profiles and open uploads, and leaves unused assets to the worker'
);

rollback to empty;

-- claim_account_deletion takes the longest due account deletion that nobody has claimed.
select tests.person(name, 3), app.end_user(tests.id(name)) from unnest(array['ann', 'ben', 'cleo']) as name;
update app.account_deletions set due_at = app.now() - interval '1 hour' where user_id = tests.id('ben');
update app.account_deletions set due_at = app.now() + interval '1 microsecond' where user_id = tests.id('cleo');
select is(
  array(select app.claim_account_deletion() from generate_series(1, 3)), tests.ids('ben', 'ann') || null::uuid,
  'a worker claims the account deletion that is due for longest, skips claimed ones, and none before it is due'
);

rollback to empty;

-- claim_account_deletion leases an account deletion for about a minute.
select tests.person('maya', 3);
select app.end_user(tests.id('maya'));
select app.claim_account_deletion();
select ok(
  due_at - app.now() between interval '45 seconds' and interval '75 seconds',
  'a claimed account deletion is leased for about a minute'
)
from app.account_deletions;
select app.set_clock_offset(due_at - now() - interval '1 microsecond') from app.account_deletions;
select is(app.claim_account_deletion(), null, 'a worker cannot claim an account deletion during its lease');
select app.set_clock_offset(due_at - now()) from app.account_deletions;
select is(
  app.claim_account_deletion(), tests.id('maya'), 'a worker claims an account deletion whose lease has expired'
);
select is(attempt_count, 2, 'each claim counts as an attempt of the account deletion') from app.account_deletions;

rollback to empty;

-- finish_account_deletion spares accounts that have not ended.
select tests.person(name, 3) from unnest(array['maya', 'jonas']) as name;
select tests.post('trams', 'maya');
select tests.asset('photo', 'maya');
select tests.open_upload('next', 'maya');
select tests.follow('maya', 'jonas');
select tests.block('jonas', 'maya');
select app.finish_account_deletion(tests.id('maya'));
select results_eq(
  $$
    select
      (select count(*) from app.users where ended_at is null), (select count(*) from app.posts),
      (select count(*) from app.follows),
      (select count(*) from app.blocks), (select count(*) from app.uploads),
      (select count(*) from app.stored_objects where expires_at is null)
  $$,
  'values (2::bigint, 1::bigint, 1::bigint, 1::bigint, 1::bigint, 1::bigint)',
  'finishing an account deletion removes nothing of a live account'
);

rollback to empty;

-- finish_account_deletion finishes one account deletion at a time.
select tests.person(name, 3) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.post('trams', 'jonas');
select app.end_user(tests.id(name)) from unnest(array['maya', 'jonas', 'lena']) as name;
select app.set_clock_offset('1 minute');
select app.finish_account_deletion(tests.id('maya'));
select set_eq(
  $$
    select d.user_id, d.due_at, exists (select from app.posts as p where p.author_id = d.user_id)
    from app.account_deletions as d
  $$,
  $$ values (tests.id('jonas'), now(), true), (tests.id('lena'), now(), false) $$,
  'finishing an account deletion leaves the others due, with their posts'
);

rollback to empty;

-- finish_account_deletion looks once more after a minute, for what requests under way have added.
select tests.person('maya', 3);
select app.end_user(tests.id('maya'));
select app.claim_account_deletion();
select app.finish_account_deletion(tests.id('maya'));
select results_eq(
  'select due_at, attempt_count from app.account_deletions', $$ values (now() + interval '1 minute', 0) $$,
  'an account deletion is due again a minute after the account has ended'
);

-- What a request that began before the account ended may write.
select tests.session('maya');
insert into app.profiles (user_id, username, full_name) values (tests.id('maya'), 'maya', 'Maya');
select tests.post('late', 'maya');
select app.set_clock_offset('59.999999 seconds');
select app.finish_account_deletion(tests.id('maya'));
select is_empty(
  'select from app.sessions union all select from app.profiles union all select from app.posts',
  'an account deletion removes rows that late requests have added'
);
select isnt_empty('select from app.account_deletions', 'an account deletion stays queued for a minute');
select app.set_clock_offset('1 minute');
select app.finish_account_deletion(tests.id('maya'));
select results_eq(
  $$ select id, ended_at, (select count(*) from app.account_deletions) from app.users $$,
  $$ values (tests.id('maya'), now(), 0::bigint) $$,
  'an account deletion is finished after a minute and keeps the ended account as a tombstone'
);

rollback to empty;

-- finish_account_deletion moves late rows of a merged account to the target of the merge.
select tests.person('maya', 3);
select tests.person('lena', 2);
select app.end_user(tests.id('lena'), tests.id('maya'));
-- What a request that began before the merge may write.
select tests.slider('late', 'lena');
select tests.stored_object('photo', 'lena');
select tests.session('lena');
select app.claim_account_deletion();
select app.finish_account_deletion(tests.id('lena'));
select results_eq(
  $$
    select
      (select author_id from app.posts) as author_id, (select owner_id from app.stored_objects) as owner_id,
      (select count(*) from app.sessions) as session_count, (select user_id from app.account_deletions) as user_id
  $$,
  $$ values (tests.id('maya'), tests.id('maya'), 0::bigint, tests.id('lena')) $$,
  'late posts and objects of a merged account move to the target, late sessions end, and the deletion stays queued'
);
select app.set_clock_offset('1 minute');
select app.finish_account_deletion(tests.id('lena'));
select results_eq(
  $$ select ended_at, (select count(*) from app.account_deletions) from app.users where id = tests.id('maya') $$,
  'values (null::timestamptz, 0::bigint)',
  'the account deletion of a merged account is finished after a minute and does not end the target'
);

rollback to empty;

-- finish_account_deletion removes a merged account whose target has ended.
select tests.person('maya', 3);
select tests.person('lena', 2);
select app.end_user(tests.id('lena'), tests.id('maya'));
select app.end_user(tests.id('maya'));
select tests.post('late', 'lena');
select tests.asset('photo', 'lena');
update app.account_deletions set due_at = app.now() - interval '1 second' where user_id = tests.id('lena');
select is(app.claim_account_deletion(), tests.id('lena'), 'a worker claims a merged account whose target has ended');
select is(merged_into_id, null, 'a claim forgets a merge target that has ended')
from app.account_deletions where user_id = tests.id('lena');
select app.finish_account_deletion(tests.id('lena')) from generate_series(1, 2);
select results_eq(
  $$
    select owner_id, expires_at, (select count(*) from app.posts), (select count(*) from app.assets)
    from app.stored_objects
  $$,
  $$ values (tests.id('lena'), app.now(), 0::bigint, 0::bigint) $$,
  'a merged account whose target has ended loses posts, assets and stored objects'
);

rollback to empty;

-- finish_account_deletion removes posts in parts of 200.
select tests.person('maya', 3);
select tests.article('shown', 'maya');
select tests.article('draft', 'maya');
select tests.article(n::text, 'maya') from generate_series(1, 200) as n;
insert into app.posts (author_id, article_id, visibility)
select tests.id('maya'), a.id, 'public' from app.articles as a where a.title <> 'draft';
select tests.person('jonas', 3);
select tests.post('his', 'jonas');
select tests.article('his draft', 'jonas');
select app.end_user(tests.id('maya'));
select app.set_clock_offset('1 minute');
select app.claim_account_deletion();

select app.finish_account_deletion(tests.id('maya'));
select results_eq(
  $$
    select due_at, attempt_count, (select count(*) from app.posts where author_id = tests.id('maya'))
    from app.account_deletions
  $$,
  'values (app.now(), 0, 1::bigint)',
  'an account deletion removes 200 posts at a time and is due at once with posts left'
);
select app.finish_account_deletion(tests.id('maya')) from generate_series(1, 2);
select results_eq(
  $$
    select p.author_id, a.author_id as article_author_id, (select count(*) from app.account_deletions)
    from app.posts as p, app.articles as a
  $$,
  $$ values (tests.id('jonas'), tests.id('jonas'), 0::bigint) $$,
  'an account deletion is finished when all posts, articles and drafts of the user alone are removed'
);

rollback to empty;

-- finish_account_deletion removes follows and blocks on either side.
select tests.person(name, 3) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.follow('maya', 'jonas');
select tests.follow('lena', 'maya');
select tests.follow('lena', 'jonas');
select tests.block('maya', 'lena');
select tests.block('jonas', 'maya');
select tests.block('jonas', 'lena');
select app.end_user(tests.id('maya'));
select app.set_clock_offset('1 minute');
select app.claim_account_deletion();
select app.finish_account_deletion(tests.id('maya'));
select set_eq(
  'select user_id, follower_count, following_count, array(select tests.follows()) from app.follow_counts',
  $$ values (tests.id('jonas'), 1, 0, array['lena > jonas']), (tests.id('lena'), 0, 1, array['lena > jonas']) $$,
  'an account deletion removes follows on either side, and their counts'
);
select results_eq(
  'select blocker_id, blocked_id, (select count(*) from app.account_deletions) from app.blocks',
  $$ values (tests.id('jonas'), tests.id('lena'), 0::bigint) $$,
  'an account deletion removes blocks on either side, and is finished then'
);

rollback to empty;

-- finish_account_deletion waits until storage has removed the objects.
select tests.person('maya', 3);
select tests.asset('picture', 'maya');
select tests.asset('document', 'maya', 'document');
select tests.person('jonas', 3);
select tests.asset('his', 'jonas');
select app.end_user(tests.id('maya'));
select app.claim_account_deletion();
select app.set_clock_offset('1 minute');

select app.finish_account_deletion(tests.id('maya'));
select results_eq(
  'select id from app.assets', tests.ids('his'), 'an account deletion removes the assets of the user alone'
);
select set_eq(
  'select id from app.claim_expired_objects(10)', tests.ids('picture', 'document'),
  'an account deletion hands the objects of the user to the worker'
);
update app.account_deletions set due_at = app.now() + interval '40 seconds';
select app.finish_account_deletion(tests.id('maya'));
select results_eq(
  'select due_at from app.account_deletions', $$ values (app.now() + interval '40 seconds') $$,
  'an account deletion that waits for objects keeps its lease'
);
select app.delete_objects(tests.ids('picture'));
select results_eq(
  'select due_at from app.account_deletions', 'values (app.now())',
  'an account deletion is due when storage has removed an object'
);
select app.finish_account_deletion(tests.id('maya'));
select isnt_empty(
  'select from app.account_deletions', 'an account deletion stays queued while storage holds an object'
);
select app.delete_objects(tests.ids('document'));
select app.finish_account_deletion(tests.id('maya'));
select results_eq(
  'select id, (select count(*) from app.account_deletions) from app.stored_objects',
  $$ values (tests.id('his'), 0::bigint) $$,
  'an account deletion is finished when storage has removed all objects of the user, and keeps those of others'
);

rollback to empty;

-- finish_account_deletion does not wait for files of an open report.
select tests.person(name, 3) from unnest(array['maya', 'lena']) as name;
select tests.asset('picture', 'maya'), tests.post('trams', 'maya'), tests.report('lena', p_post => 'trams');
insert into app.evidence_assets (report_id, asset_id) select r.id, tests.id('picture') from app.reports as r;
select app.end_user(tests.id('maya'));
select app.finish_account_deletion(tests.id('maya')) from generate_series(1, 3);
select app.set_clock_offset('1 minute');
select app.finish_account_deletion(tests.id('maya'));
select is_empty(
  'select from app.account_deletions', 'an account deletion is finished although a file of an open report is left'
);
select results_eq(
  'select id, expires_at from app.stored_objects', $$ values (tests.id('picture'), null::timestamptz) $$,
  'an account deletion leaves the file of an open report'
);

rollback to empty;

-- finish_account_deletion releases reserved objects a minute after the account has ended.
select tests.person('maya', 3);
select tests.person('jonas', 3);
-- What app.begin_completion reserves for an hour, and what the worker has failed to remove.
select tests.stored_object(
  name, 'maya', app.now() + interval '50 minutes'
) from unnest(array['reserved', 'failed']) as name;
update app.stored_objects set attempt_count = 1 where id = tests.id('failed');
select tests.stored_object('his', 'jonas', app.now() + interval '50 minutes');
select app.end_user(tests.id('maya'));
select app.finish_account_deletion(tests.id('maya'));
select is_empty(
  'select tests.expired_objects()', 'an account deletion keeps reserved objects while a request may still store them'
);
select app.set_clock_offset('1 minute');
select app.finish_account_deletion(tests.id('maya'));
select results_eq(
  'select tests.expired_objects()', tests.ids('reserved'),
  'an account deletion removes reserved objects of the user after a minute'
);
select isnt_empty('select from app.account_deletions', 'an account deletion waits for reserved objects');
select app.delete_objects(tests.ids('reserved', 'failed'));
select app.finish_account_deletion(tests.id('maya'));
select is_empty(
  'select from app.account_deletions', 'an account deletion is finished when reserved objects are removed'
);

rollback to empty;

-- merge_user ends the anonymous account and keeps the values of the phone's user (docs/product.md I15).
select tests.person('maya', 3);
select tests.person('lena', 2);
update app.users set device_hash = tests.hash('install') where id = tests.id('lena');
select tests.session('lena');
select app.end_user(tests.id('lena'), tests.id('maya'));
select set_eq(
  'select id, ended_at, phone, device_hash from app.users',
  $$ values (tests.id('lena'), app.now(), null, null::bytea), (tests.id('maya'), null, tests.phone_of('maya'), null) $$,
  'a merge ends the anonymous account, clears its device, and keeps the account and phone of its target'
);
select is_empty('select from app.sessions', 'a merge ends the sessions of the anonymous account');
select results_eq(
  'select user_id, merged_into_id from app.account_deletions', $$ values (tests.id('lena'), tests.id('maya')) $$,
  'a merge queues the anonymous account for the worker with its target'
);
select results_eq(
  $$ select user_id, username collate "default" from app.profiles $$, $$ values (tests.id('maya'), 'maya') $$,
  'a merge keeps the profile of its target and frees the username of the anonymous account'
);

rollback to empty;

-- merge_user moves uploads and removes the photo of a profile that goes (docs/product.md I16).
select tests.person('maya', 3);
select tests.person('lena', 2);
select tests.asset('her face', 'maya', 'profile_photo');
select tests.asset('the other face', 'lena', 'profile_photo');
select tests.asset('picture', 'lena');
select tests.asset('loose', 'lena');
select tests.open_upload('next', 'lena');
update app.profiles set photo_asset_id = tests.id(case username when 'maya' then 'her face' else 'the other face' end);
select tests.post_with_media('trams', 'lena', 'picture');
select app.end_user(tests.id('lena'), tests.id('maya'));
select set_eq(
  'select id, owner_id from app.assets',
  $$ select tests.id(name), tests.id('maya') as owner from unnest(array['her face', 'picture', 'loose']) as name $$,
  'a merge moves all assets but the photo of the anonymous profile'
);
select set_eq(
  'select tests.expired_objects()', tests.ids('the other face'),
  'a merge removes the photo of the anonymous profile from storage'
);
update app.users set phone = null, phone_verified_at = null;
delete from app.profiles;
select tests.person('ann', 2);
select tests.asset('third face', 'ann', 'profile_photo');
update app.profiles set photo_asset_id = tests.id('third face');
select app.end_user(tests.id('ann'), tests.id('maya'));
select results_eq(
  'select user_id, photo_asset_id from app.profiles', $$ values (tests.id('maya'), tests.id('third face')) $$,
  'a merge that moves the profile keeps its photo'
);

rollback to empty;

-- move_belongings fills in profile, onboarding steps and default feed where the target has none.
-- docs/product.md I16
select tests.person('maya', 3);
delete from app.profiles;
select tests.person(name, 2) from unnest(array['lena', 'ann', 'jonas']) as name;
update app.users set media_completed_at = null where id = tests.id('maya');
update app.users
set terms_version = '1', terms_accepted_at = app.now() - interval '1 day',
media_completed_at = app.now() - interval '1 hour'
where id = tests.id('lena');
update app.users set terms_version = '2', terms_accepted_at = app.now(), media_completed_at = app.now()
where id = tests.id('ann');
insert into app.default_feed_users (user_id, added_at)
values (tests.id('lena'), app.now() - interval '1 day'), (tests.id('ann'), app.now()), (tests.id('jonas'), app.now());

create function pg_temp.has(p_name text)
returns text
language sql
return (
  select concat_ws(
    '; ', p.username || '''s profile', u.phone, 'terms ' || u.terms_version,
    'accepted ' || (app.now() - u.terms_accepted_at),
    'media ' || (app.now() - u.media_completed_at), 'default feed ' || (app.now() - d.added_at)
  )
  from app.users as u
  left join app.profiles as p on p.user_id = u.id
  left join app.default_feed_users as d on d.user_id = u.id
  where u.id = tests.id(p_name)
);

select app.move_belongings(tests.id('lena'), tests.id('maya'));
create temporary table after_first as select pg_temp.has('maya') as had;
select is(
  had, 'lena''s profile; ' || tests.phone_of('maya') || '; terms 1; accepted 1 day; media 01:00:00; default feed 1 day',
  'a merge moves profile, onboarding steps and default feed to a target without them'
)
from after_first;
select app.move_belongings(tests.id('ann'), tests.id('maya'));
select is(
  pg_temp.has('maya'), had, 'a merge keeps profile, onboarding steps and default feed of a target that has them'
)
from after_first;
select is(
  pg_temp.has('jonas'), 'jonas''s profile; default feed 00:00:00',
  'a merge leaves profile, steps and default feed of other users'
);

rollback to empty;

-- move_belongings moves posts, articles, relations and uploads (docs/product.md I16).
select tests.person('maya', 3);
select tests.post('hers', 'maya');
select tests.person('lena', 2);
select tests.article(name, 'lena') from unnest(array['shown', 'draft']) as name;
insert into app.posts (id, author_id, article_id, visibility)
values (tests.id('about it'), tests.id('lena'), tests.id('shown'), 'public');
select tests.person('jonas', 3);
select tests.post('his', 'jonas');
select tests.follow('lena', 'jonas');
select tests.asset('photo', 'lena'), tests.asset('his', 'jonas');
select tests.open_upload('next', 'lena'), tests.open_upload('his next', 'jonas');
select app.move_belongings(tests.id('lena'), tests.id('maya'));

select set_eq(
  'select id, author_id, article_id from app.posts',
  $$
    values
      (tests.id('hers'), tests.id('maya'), null), (tests.id('about it'), tests.id('maya'), tests.id('shown')),
      (tests.id('his'), tests.id('jonas'), null)
  $$,
  'a merge moves posts with their articles and leaves those of others'
);
select set_eq(
  'select id, author_id from app.articles',
  $$ values (tests.id('shown'), tests.id('maya')), (tests.id('draft'), tests.id('maya')) $$,
  'a merge moves articles, drafts included'
);
select set_eq('select tests.follows()', array['maya > jonas'], 'a merge moves follows');
select set_eq(
  'select id, owner_id from ' || name,
  format('values (tests.id(%L), tests.id(%L)), (tests.id(%L), tests.id(%L))', hers, 'maya', his, 'jonas'),
  format('a merge moves rows of %s and leaves those of others', name)
)
from (
  values ('app.stored_objects', 'photo', 'his'), ('app.assets', 'photo', 'his'), ('app.uploads', 'next', 'his next')
) as moved (name, hers, his);

rollback to empty;

-- move_belongings moves decisions of staff, their appeals and what they removed.
select tests.person('maya', 3), tests.person('lena', 2), tests.person('jonas', 3);
insert into app.decisions (id, action, reason, statement, target_kind, target_id, decided_by)
select tests.id(name), 'content_removed', 'spam', 'It sells pills.', 'comment', tests.id('a comment'), 'nina'
from unnest(array['about lena', 'about both', 'about jonas']) as name;
insert into app.decision_subjects (decision_id, user_id)
values
  (tests.id('about lena'), tests.id('lena')), (tests.id('about both'), tests.id('lena')),
  (tests.id('about both'), tests.id('maya')),
  (tests.id('about jonas'), tests.id('jonas'));
insert into app.appeals (decision_id, user_id, text)
values (tests.id('about lena'), tests.id('lena'), 'It does not.'),
(tests.id('about jonas'), tests.id('jonas'), 'It does not.');
insert into app.removed_contents (decision_id, author_id, content_id, body, created_at)
select a.decision_id, a.user_id, tests.id('a comment'), 'Pills!', app.now() from app.appeals as a;
select tests.report('maya', p_user => 'lena'), tests.report('maya', p_user => 'jonas');
select app.move_belongings(tests.id('lena'), tests.id('maya'));
select bag_eq(
  'select author_id, name from app.evidence', $$ values (tests.id('maya'), 'lena'), (tests.id('jonas'), 'jonas') $$,
  'a merge moves evidence about the author and leaves its texts'
);
select set_eq(
  'select decision_id, user_id from app.decision_subjects',
  $$
    values
      (tests.id('about lena'), tests.id('maya')), (tests.id('about both'), tests.id('maya')),
      (tests.id('about jonas'), tests.id('jonas'))
  $$,
  'a merge moves decisions of staff once and leaves those about others'
);
select set_eq(
  format('select decision_id, %I from app.%I', owner, name),
  $$ values (tests.id('about lena'), tests.id('maya')), (tests.id('about jonas'), tests.id('jonas')) $$,
  format('a merge moves rows of app.%s and leaves those of others', name)
)
from (values ('appeals', 'user_id'), ('removed_contents', 'author_id')) as moved (name, owner);

rollback to empty;

-- move_belongings keeps the five device tokens of both that were refreshed last (docs/product.md I16).
select tests.person('maya', 3);
select tests.session('maya');
select tests.person('lena', 2);
select tests.session('lena');
select tests.device_token('lena ' || n, 'lena', app.now() - n * interval '1 hour') from generate_series(1, 3) as n;
select tests.device_token('maya ' || n, 'maya', app.now() - n * interval '61 minutes') from generate_series(1, 3) as n;
select app.move_belongings(tests.id('lena'), tests.id('maya'));
delete from app.sessions where user_id = tests.id('lena');

select set_eq(
  'select token_hash, user_id, session_id is null from app.device_tokens',
  $$
    select tests.hash(name), tests.id('maya'), name like 'lena%'
    from unnest(array['lena 1', 'maya 1', 'lena 2', 'maya 2', 'lena 3']) as name
  $$,
  'a merge keeps the five device tokens that were refreshed last, and detaches moved ones from their ended session'
);

rollback to empty;

-- move_belongings joins what both accounts did, and what others did to both, within a day.
-- docs/product.md N26
select tests.person(name, 4) from unnest(array['maya', 'jonas', 'ann', 'ben']) as name;
select tests.person('lena', 2);
select tests.post('trams', 'jonas'), tests.post('bikes', 'jonas'), tests.post('of lena', 'lena');
select tests.comment('root of lena', 'lena', 'trams');
select tests.comment('reply of ann', 'ann', 'trams', 'root of lena');
delete from app.events;
select app.emit('user_followed', tests.id(actor), tests.id('jonas')) from unnest(array['lena', 'maya', 'ann']) as actor;
select app.emit('post_shared_to_feed', tests.id(actor), p_post_id => tests.id('trams'))
from unnest(array['lena', 'maya']) as actor;
select app.emit('post_shared_to_feed', tests.id('lena'), p_post_id => tests.id('bikes'));
select app.emit('user_followed', tests.id('ben'), tests.id(subject)) from unnest(array['lena', 'maya']) as subject;
select app.emit('user_followed', tests.id('ann'), tests.id('lena'));
insert into app.events (type, actor_id, subject_id, occurred_at)
values ('user_followed', tests.id('lena'), tests.id('jonas'), app.now() - interval '25 hours');
select app.emit(
  'comment_replied', tests.id('ben'), p_post_id => tests.id('trams'), p_comment_id => tests.id('reply of ann')
);
insert into app.notifications (event_id, recipient_id, audience, audience_id, actor_id, thread_author_id)
select e.id, tests.id('jonas'), 'everybody', tests.id('jonas'), e.actor_id, tests.id('lena')
from app.events as e where e.type = 'comment_replied';
insert into app.notification_preferences (user_id, silent_types) values (tests.id('lena'), '{user_followed}');
select app.move_belongings(tests.id('lena'), tests.id('maya'));
select bag_eq(
  $$
    select e.type::text, actor.username, coalesce(subject.username, p.thought_text)
    from app.events as e
    join app.profiles as actor on actor.user_id = e.actor_id
    left join app.profiles as subject on subject.user_id = e.subject_id
    left join app.posts as p on p.id = e.post_id
    where e.type <> 'comment_replied'
  $$,
  $$
    values
      ('user_followed', 'maya', 'jonas'), ('user_followed', 'maya', 'jonas'), ('user_followed', 'ann', 'jonas'),
      ('post_shared_to_feed', 'maya', 'trams'), ('post_shared_to_feed', 'maya', 'bikes'),
      ('user_followed', 'ben', 'maya'),
      ('user_followed', 'ann', 'maya')
  $$,
  'a merge keeps one event of what both accounts did within a day, and one of a follow of both'
);
select results_eq(
  $$
    select thread_author_id
    from app.notifications
    where recipient_id = tests.id('jonas') and thread_author_id is not null
  $$,
  $$ values (tests.id('maya')) $$, 'a merge moves the threads of the inboxes of others'
);
select results_eq(
  'select user_id, silent_types from app.notification_preferences',
  $$ values (tests.id('maya'), '{user_followed}'::app.event_type[]) $$,
  'a merge moves notification preferences'
);

rollback to empty;

-- move_belongings keeps events of both that are more than a day apart, whichever came first.
select tests.person(name, 3) from unnest(array['maya', 'jonas', 'ben']) as name;
select tests.person('lena', 2);
create function pg_temp.events_after_merge(p_distance interval, p_is_of_both boolean)
returns bigint
language plpgsql
as $$
begin
  delete from app.events;
  insert into app.events (type, actor_id, subject_id, occurred_at)
  select
    'user_followed',
    tests.id(case when p_is_of_both then one.name else 'ben' end),
    tests.id(case when p_is_of_both then 'jonas' else one.name end),
    one.occurred_at
  from (values ('lena', app.now()), ('maya', app.now() + p_distance)) as one (name, occurred_at);
  perform app.move_belongings(tests.id('lena'), tests.id('maya'));
  return (select count(*) from app.events);
end
$$;
select is(
  pg_temp.events_after_merge(distance, is_of_both), expected,
  format(
    'a merge leaves %s of two follows %s accounts that are %s apart', expected,
    case when is_of_both then 'by both' else 'of both' end, distance
  )
)
from (
  values
    (interval '24 hours', 1::bigint), ('-24 hours', 1), ('24 hours 1 microsecond', 2), ('-24 hours -1 microsecond', 2)
) as c (distance, expected)
cross join (values (true), (false)) as kind (is_of_both);

rollback to empty;

-- move_belongings merges the inboxes (docs/product.md I16).
select tests.person(name, 4) from unnest(array['maya', 'jonas', 'ann', 'ben']) as name;
select tests.person('lena', 2);
select tests.hub('elm', 'ben');
select tests.slider('trams', 'lena'), tests.post('of jonas', 'jonas');
delete from app.events;
select tests.notification('to lena', 'lena', p_actor => 'jonas', p_author => 'ann');
select tests.notification('in elm', 'lena', 'hub_role_changed', 'ben', 'elm');
select tests.notification('read', 'lena', 'hub_member_removed', 'ben', 'elm');
update app.notifications set read_at = app.now() where id = tests.id('read');
select tests.notification('of maya, to lena', 'lena', 'post_commented', 'maya');
select tests.notification('of lena, to maya', 'maya', 'post_commented', 'lena');
select tests.notification('of lena', 'jonas', p_actor => 'lena', p_author => 'ann');
select tests.notification('to maya', 'maya', 'post_shared_to_feed', p_actor => 'jonas', p_post => 'trams');
select tests.notification('of her post', 'jonas', 'post_shared_to_feed', 'ann', p_post => 'trams', p_author => 'lena');
select tests.notification(
  'of another post', 'ann', 'post_shared_to_feed', 'ben', p_post => 'of jonas', p_author => 'jonas'
);
select tests.notification('both', 'lena', p_actor => 'ann');
select tests.notification('of maya''s post', 'lena', p_actor => 'ann', p_author => 'maya');
insert into app.notifications (id, event_id, recipient_id, audience, audience_id, actor_id, read_at)
select tests.id('both, to maya'), n.event_id, tests.id('maya'), n.audience, tests.id('maya'), n.actor_id, app.now()
from app.notifications as n where n.id = tests.id('both');
select app.move_belongings(tests.id('lena'), tests.id('maya'));

select bag_eq(
  $$
    select id, audience::text, audience_id, actor_id, author_id, read_at is not null from app.notifications
    where recipient_id = tests.id('maya')
  $$,
  $$
    values
      (tests.id('to lena'), 'everybody', tests.id('maya'), tests.id('jonas'), tests.id('ann'), false),
      (tests.id('in elm'), 'hub_member', tests.id('elm'), tests.id('ben'), null, false),
      (tests.id('read'), 'hub_ready', tests.id('elm'), tests.id('ben'), null, true),
      (tests.id('to maya'), 'everybody', tests.id('maya'), tests.id('jonas'), null, false),
      (tests.id('both, to maya'), 'everybody', tests.id('maya'), tests.id('ann'), null, true),
      (tests.id('of maya''s post'), 'everybody', tests.id('maya'), tests.id('ann'), null, false)
  $$,
  'a merge joins both inboxes, each event once, without notifications of own activity'
);
select is_empty(
  $$
    select recipient_id from app.notifications where recipient_id = tests.id('lena')
    union all select user_id from app.inbox_counts where user_id = tests.id('lena')
  $$,
  'a merge leaves no notification and no inbox count to the anonymous account'
);
select is(tests.unread_count('maya'), 3, 'a merge counts the moved notifications as unread');
select bag_eq(
  $$ select id, actor_id, author_id from app.notifications where recipient_id <> tests.id('maya') $$,
  $$
    values
      (tests.id('of lena'), tests.id('maya'), tests.id('ann')),
      (tests.id('of her post'), tests.id('ann'), tests.id('maya')),
      (tests.id('of another post'), tests.id('ben'), tests.id('jonas'))
  $$,
  'a merge names its target as actor and author in notifications to others'
);
select tests.block('jonas', 'maya');
select is(tests.unread_count('jonas'), 0, 'a block of the merge target hides notifications of the moved activity');

rollback to empty;

-- move_belongings moves events.
select tests.person(name, 4) from unnest(array['lena', 'maya', 'jonas']) as name;
select app.emit('user_followed', tests.id('lena'), tests.id('jonas'));
select app.emit('user_followed', tests.id('jonas'), tests.id('lena'));
select app.emit('user_followed', tests.id('jonas'), tests.id('jonas'));
select app.move_belongings(tests.id('lena'), tests.id('maya'));
select set_eq(
  'select actor_id, subject_id from app.events',
  $$
    values
      (tests.id('maya'), tests.id('jonas')), (tests.id('jonas'), tests.id('maya')),
      (tests.id('jonas'), tests.id('jonas'))
  $$,
  'a merge moves events by actor and by subject'
);
select app.emit('user_followed', tests.id('lena'), tests.id('maya'));
select app.emit('hub_member_joined', tests.id('lena'), tests.id('lena'));
select app.move_belongings(tests.id('lena'), tests.id('maya'));
select results_eq(
  $$ select type::text from app.events where actor_id = tests.id('maya') and subject_id = tests.id('maya') $$,
  array['hub_member_joined'], 'a merge removes the event that one of both followed the other'
);
select tests.slider('trams', 'jonas'), tests.slider('bikes', 'jonas');
delete from app.events;
insert into app.events (type, subject_id, post_id, milestone_total, milestone_count)
values
  ('post_vote_milestone', tests.id('lena'), tests.id('trams'), 501, 500),
  ('post_vote_milestone', tests.id('maya'), tests.id('trams'), 501, 501),
  ('post_vote_milestone', tests.id('lena'), tests.id('bikes'), 501, 500),
  ('post_vote_milestone', tests.id('maya'), tests.id('bikes'), 601, 500);
select app.move_belongings(tests.id('lena'), tests.id('maya'));
select bag_eq(
  'select subject_id, post_id, milestone_total, milestone_count from app.events',
  $$
    values
      (tests.id('maya'), tests.id('trams'), 501, 501), (tests.id('maya'), tests.id('trams'), 501, 500),
      (tests.id('maya'), tests.id('bikes'), 501, 500), (tests.id('maya'), tests.id('bikes'), 601, 500)
  $$,
  'a merge keeps milestones that differ in total or count'
);

rollback to empty;

-- move_belongings moves votes that no fold has seen, and milestones (docs/product.md I16).
select tests.person('maya', 3);
select tests.person(name) from unnest(array['lena', 'jonas']) as name;
select tests.slider(name, 'jonas') from unnest(array['trams', 'bikes']) as name;
select tests.vote('lena', 'trams', 'left', '10 minutes'), tests.vote('jonas', 'trams', 'left', '10 minutes');
select app.set_clock_offset('1 second');
select tests.vote('maya', 'bikes', 'right', '10 minutes');
select app.set_clock_offset('2 seconds');
select tests.vote('lena', 'bikes', 'right', '10 minutes');
insert into app.events (type, subject_id, post_id, milestone_total, milestone_count)
select 'post_vote_milestone', tests.id(reached.name), tests.id(reached.post), reached.total, 500
from (
  values
    ('lena', 'trams', 600), ('lena', 'bikes', 700), ('maya', 'bikes', 700), ('lena', 'bikes', 800),
    ('maya', 'trams', 700),
    ('jonas', 'bikes', 700), ('jonas', 'trams', 600)
) as reached (name, post, total);
select tests.hub('elm', 'maya');
select app.move_belongings(tests.id('lena'), tests.id('maya'));

select bag_eq(
  'select post_id, user_id from app.fresh_votes',
  $$
    values
      (tests.id('trams'), tests.id('maya')), (tests.id('trams'), tests.id('jonas')),
      (tests.id('bikes'), tests.id('maya')),
      (tests.id('bikes'), null)
  $$,
  'a merge moves fresh votes and makes a second vote on a post anonymous'
);
select bag_eq(
  $$ select tests.milestones(post) from unnest(array['trams', 'bikes']) as post $$,
  array[
    'maya: 500 of 600', 'maya: 500 of 700', 'maya: 500 of 700', 'maya: 500 of 800', 'jonas: 500 of 700',
    'jonas: 500 of 600'
  ],
  'a merge moves milestones, each once'
);
select is(count(*), 1::bigint, 'a merge keeps one milestone that both accounts had')
from app.events where post_id = tests.id('bikes') and subject_id = tests.id('maya') and milestone_total = 700;
select tests.fold();
select is(
  array(select tests.baselines('bikes')), array['maya: 1'],
  'a fold after a merge ranks the vote of the target where both voted'
);
select is(
  array[count(*), count(*) filter (where ranked like '%not ranked')], array[2::bigint, 0],
  'a fold after a merge ranks all votes, each voter by themselves'
)
from tests.baselines('trams') as ranked;
select set_eq('select vote_count from app.posts', array[2], 'a fold after a merge counts every vote');
select bag_eq(
  $$ select tests.activity_on('trams') union all select tests.activity_on('bikes') $$,
  array[
    'voted by maya', 'voted by maya in elm', 'voted by maya', 'voted by maya in elm', 'published by jonas',
    'published by jonas'
  ],
  'a merge moves the activity of votes to feeds of its target'
);

rollback to empty;

-- move_belongings moves comments, saved posts, shares, reports and activity (docs/product.md I16).
select tests.person(name) from unnest(array['lena', 'jonas', 'ann']) as name;
select tests.person('maya', 4);
select tests.hub('elm', 'maya');
select tests.post(name, 'jonas') from unnest(array['trams', 'bikes', 'cars', 'boats', 'trains']) as name;
select app.set_clock_offset('1 hour');
select tests.comment('of lena', 'lena', 'trams');
select tests.comment('taken back', 'lena', 'cars');
select app.delete_comment(tests.id('taken back'));
select tests.comment('of ann', 'ann', 'trams');
select tests.feed_share('ann', 'boats');
select tests.feed_share('maya', name) from unnest(array['boats', 'trains']) as name;
select tests.comment('of ann too', 'ann', 'trains');
insert into app.saved_posts (user_id, post_id) values (tests.id('ann'), tests.id('boats'));
insert into app.saved_posts (user_id, post_id)
select tests.id('lena'), tests.id(name) from unnest(array['trams', 'bikes']) as name;
select tests.feed_share('lena', name) from unnest(array['trams', 'bikes']) as name;
insert into app.reports (reporter_id, post_id, reason)
select tests.id('lena'), tests.id(name), 'spam' from unnest(array['trams', 'bikes']) as name;
select app.set_clock_offset('2 hours');
insert into app.saved_posts (user_id, post_id)
select tests.id('maya'), tests.id(name) from unnest(array['bikes', 'cars']) as name;
select tests.feed_share('maya', name) from unnest(array['bikes', 'cars']) as name;
select tests.feed_share('lena', 'boats');
select app.set_clock_offset('3 hours');
select tests.feed_share('jonas', 'cars');
select app.set_clock_offset('2 hours');
insert into app.reports (reporter_id, post_id, reason) values (tests.id('maya'), tests.id('bikes'), 'hate');
insert into app.reports (reporter_id, post_id, reason, state)
values (tests.id('maya'), tests.id('trams'), 'hate', 'dismissed'),
(tests.id('lena'), tests.id('bikes'), 'nudity', 'actioned');
insert into app.reports (reporter_id, user_id, reason)
values
  (tests.id('ann'), tests.id('lena'), 'spam'), (tests.id('jonas'), tests.id('lena'), 'spam'),
  (tests.id('jonas'), tests.id('maya'), 'hate');
insert into app.reports (reporter_id, user_id, reason, state)
values (tests.id('ann'), tests.id('maya'), 'hate', 'dismissed'),
(tests.id('jonas'), tests.id('lena'), 'nudity', 'dismissed');
select app.move_belongings(tests.id('lena'), tests.id('maya'));

select set_eq(
  'select id, author_id from app.comments',
  $$
    values
      (tests.id('of lena'), tests.id('maya')), (tests.id('of ann'), tests.id('ann')),
      (tests.id('of ann too'), tests.id('ann'))
  $$,
  'a merge moves comments and leaves those of others'
);
select set_eq(
  'select user_id, post_id, saved_at - now() from app.saved_posts',
  $$
    values
      (tests.id('maya'), tests.id('trams'), interval '1 hour'),
      (tests.id('maya'), tests.id('bikes'), interval '2 hours'),
      (tests.id('maya'), tests.id('cars'), interval '2 hours'), (tests.id('ann'), tests.id('boats'), interval '1 hour')
  $$,
  'a merge moves saved posts and keeps the time of its target where both saved'
);
select set_eq(
  'select user_id, post_id, shared_at - now() from app.feed_shares',
  $$
    values
      (tests.id('maya'), tests.id('trams'), interval '1 hour'),
      (tests.id('maya'), tests.id('bikes'), interval '2 hours'),
      (tests.id('maya'), tests.id('cars'), interval '2 hours'),
      (tests.id('maya'), tests.id('boats'), interval '2 hours'),
      (tests.id('maya'), tests.id('trains'), interval '1 hour'),
      (tests.id('ann'), tests.id('boats'), interval '1 hour'),
      (tests.id('jonas'), tests.id('cars'), interval '3 hours')
  $$,
  'a merge moves feed shares and keeps the later time where both shared'
);
select set_eq(
  $$ select post_id, reason::text, state::text from app.reports where reporter_id = tests.id('maya') $$,
  $$
    values
      (tests.id('trams'), 'spam', 'open'), (tests.id('trams'), 'hate', 'dismissed'),
      (tests.id('bikes'), 'hate', 'open'),
      (tests.id('bikes'), 'nudity', 'actioned')
  $$,
  'a merge moves reports and keeps one open report for each post'
);
select set_eq(
  $$ select reporter_id, user_id, reason::text from app.reports where user_id is not null $$,
  $$
    values
      (tests.id('ann'), tests.id('maya'), 'spam'), (tests.id('jonas'), tests.id('lena'), 'spam'),
      (tests.id('jonas'), tests.id('maya'), 'hate'), (tests.id('ann'), tests.id('maya'), 'hate'),
      (tests.id('jonas'), tests.id('maya'), 'nudity')
  $$,
  'a merge moves reports about the user, unless the reporter has an open report about both'
);
select set_eq(
  $$
    select post_id, kind::text, hub_id, occurred_at - now() from app.feed_events
    where actor_id = tests.id('maya') and kind in ('commented', 'shared_to_feed') and ended_at is null
  $$,
  $$
    select tests.id(post), kind, hub, at
    from (
      values
        ('trams', 'commented', interval '1 hour'), ('trams', 'shared_to_feed', '1 hour'),
        ('bikes', 'shared_to_feed', '2 hours'),
        ('cars', 'shared_to_feed', '2 hours'), ('boats', 'shared_to_feed', '2 hours'),
        ('trains', 'shared_to_feed', '1 hour')
    ) as activity (post, kind, at)
    cross join unnest(array[null, tests.id('elm')]) as hub
  $$,
  'a merge moves activity to the feeds of its target and of their Hubs'
);
select bag_eq(
  $$ select kind::text, post_id from app.feed_events where actor_id = tests.id('ann') $$,
  $$
    values ('commented', tests.id('trams')), ('shared_to_feed', tests.id('boats')), ('commented', tests.id('trains'))
  $$,
  'a merge leaves the activity of others'
);
select is_empty(
  $$
    select actor_id from app.feed_events where actor_id = tests.id('lena')
    union all select reporter_id from app.reports where reporter_id = tests.id('lena')
  $$,
  'a merge leaves no activity and no report by the anonymous account'
);

rollback to empty;

-- move_belongings runs again without effect, and moves what has come since.
select tests.person('maya', 3);
select tests.session('maya');
select tests.person('lena', 2);
select tests.session('lena');
select tests.slider('trams', 'lena');
select tests.slider('bikes', 'maya');
select tests.vote('lena', 'trams', 'left');
select tests.vote('lena', 'bikes', 'left');
select tests.vote('maya', 'bikes', 'right');
select tests.comment('hello', 'lena', 'bikes');
select tests.feed_share('lena', 'bikes');
select tests.repost('repost', 'lena', 'bikes');
insert into app.saved_posts (user_id, post_id) values (tests.id('lena'), tests.id('bikes'));
insert into app.reports (reporter_id, post_id, reason) values (tests.id('lena'), tests.id('bikes'), 'spam');
select tests.stored_object('photo', 'lena');
select tests.device_token('hers', 'lena');
insert into app.default_feed_users (user_id) values (tests.id('lena'));

-- Every row of these tables, as text.
create function pg_temp.world()
returns setof text
language plpgsql
as $$
declare
  v_table text;
begin
  foreach v_table in array array[
    'users', 'profiles', 'posts', 'vote_receipts', 'vote_slots', 'fresh_votes', 'stored_objects', 'device_tokens',
    'default_feed_users', 'comments', 'feed_shares', 'saved_posts', 'reports', 'feed_events', 'notifications'
  ] loop
    return query execute format('select %L || t::text from app.%I as t', v_table, v_table);
  end loop;
end
$$;

select app.move_belongings(tests.id('lena'), tests.id('maya'));
create temporary table worlds as select pg_temp.world() as line;
select app.set_clock_offset('1 hour');
select app.move_belongings(tests.id('lena'), tests.id('maya'));
select bag_eq('select pg_temp.world()', 'select line from worlds', 'moving belongings again changes nothing');

select tests.slider('cars', 'maya');
select tests.vote('lena', 'cars', 'left');
select tests.vote('lena', 'trams', 'left');
select app.move_belongings(tests.id('lena'), tests.id('maya'));
select set_eq(
  'select post_id, user_id from app.vote_receipts',
  $$ select tests.id(name), tests.id('maya') as owner from unnest(array['trams', 'bikes', 'cars']) as name $$,
  'moving belongings again moves vote receipts that have come since, one for each post'
);

rollback to empty;

-- erase_belongings removes what the user did and keeps what others need (docs/product.md I17).
select tests.elm();
select tests.post('trams', 'jonas');
select tests.post('bikes', 'lena');
select tests.post('hers', 'amara');
select tests.asset('picture', 'amara');
select tests.comment('root', 'amara', 'trams');
select tests.comment('answer', 'jonas', 'trams', 'root');
select tests.comment('picture alone', 'amara', 'trams');
update app.comments set body = null, asset_id = tests.id('picture') where id = tests.id('picture alone');
select tests.comment('his', 'jonas', 'trams');
select tests.comment('reply', 'amara', 'trams', 'his');
select tests.feed_share('amara', 'trams');
select tests.feed_share('jonas', 'trams');
select tests.repost('repost', 'amara', 'trams');
select tests.placement('bikes', 'elm', app.now(), 'shared', 'amara');
select app.leave_next_hub(tests.id('amara'));
select app.erase_belongings(tests.id('amara')) from generate_series(1, 3);

select set_eq(
  'select id, author_id, body, asset_id, reply_count from app.comments',
  $$
    values
      (tests.id('root'), null, null, null::uuid, 1), (tests.id('answer'), tests.id('jonas'), 'answer', null, 0),
      (tests.id('his'), tests.id('jonas'), 'his', null, 0)
  $$,
  'account deletion removes comments and keeps empty roots of replies by others'
);
select results_eq(
  $$ select comment_count, repost_count from app.posts where id = tests.id('trams') $$, 'values (2, 0)',
  'account deletion updates the comment and repost counts of posts'
);
select set_eq(
  'select tests.expired_objects()', tests.ids('picture'), 'account deletion removes pictures of comments from storage'
);
select set_eq(
  'select user_id from app.feed_shares union all select id from app.posts', tests.ids('jonas', 'trams', 'bikes'),
  'account deletion removes feed shares, posts and reposts of the user alone'
);
select set_eq(
  $$ select tests.activity_on(post) from unnest(array['trams', 'bikes']) as post $$,
  array[
    'published by jonas', 'published by jonas in elm', 'shared_to_feed by jonas', 'shared_to_feed by jonas in elm',
    'published by lena', 'shared_to_hub by nobody in elm'
  ],
  'account deletion removes the activity of the user from feeds, but keeps shares into Hubs without an actor'
);
select results_eq(
  'select post_id, hub_id, placed_by from app.placements',
  $$ values (tests.id('bikes'), tests.id('elm'), null::uuid) $$,
  'account deletion keeps placements in Hubs, without the user'
);
select is_empty(
  $$ select from app.events where actor_id = tests.id('amara') $$, 'account deletion removes the events of the user'
);
select ok(not app.erase_belongings(tests.id('amara')), 'removing belongings answers false when nothing is left');

rollback to empty;

-- erase_belongings keeps messages as anonymous text and removes Hub photos (docs/product.md I18).
select tests.elm();
select tests.asset('photo', 'amara', 'hub_photo');
select tests.asset('other photo', 'maya', 'hub_photo');
select tests.asset('picture', 'amara');
select tests.hub('ash', 'maya');
update app.hubs set photo_asset_id = tests.id(case id when tests.id('elm') then 'photo' else 'other photo' end);
select tests.discussion('trams', 'jonas', 'elm');
delete from app.events;
select tests.message('hers', 'amara', 'trams in elm');
select tests.message('picture alone', 'amara', 'trams in elm');
update app.messages set body = null, asset_id = tests.id('picture') where id = tests.id('picture alone');
select tests.message('his', 'jonas', 'trams in elm');
update app.discussions set message_count = 3;
select app.emit('user_followed', tests.id('amara'), tests.id('maya'));
select app.emit('user_followed', tests.id('maya'), tests.id('amara'));
select app.emit('user_followed', tests.id('maya'), tests.id('jonas'));

select app.leave_next_hub(tests.id('amara'));
select is(
  app.erase_belongings(tests.id('amara')), false, 'removing belongings without posts and comments takes one part'
);
select set_eq(
  $$ select tests.members('elm') $$, array['maya: admin', 'jonas: member'],
  'account deletion of a sole admin promotes a manager'
);
select set_eq(
  'select id, author_id, body, asset_id from app.messages',
  $$
    values
      (tests.id('hers'), null, 'hers', null), (tests.id('picture alone'), null, null, null),
      (tests.id('his'), tests.id('jonas'), 'his', null::uuid)
  $$,
  'account deletion keeps messages without author and picture'
);
select set_eq(
  $$
    select 'asset', id from app.assets union all select 'hub', id from app.hubs where photo_asset_id is null
    union all select 'expired', tests.expired_objects()
  $$,
  $$
    values
      ('asset', tests.id('other photo')), ('hub', tests.id('elm')), ('expired', tests.id('photo')),
      ('expired', tests.id('picture'))
  $$,
  'account deletion removes pictures of messages and the Hub photos of the user alone'
);
select set_eq(
  'select actor_id, subject_id from app.events',
  $$ values (null::uuid, tests.id('maya')), (tests.id('maya'), tests.id('jonas')) $$,
  'account deletion removes events about the user and anonymises events by them'
);

rollback to empty;

-- erase_belongings removes the inbox of the user, and notifications of their activity.
select tests.elm();
select tests.post('trams', 'lena');
delete from app.events;
select app.emit('user_followed', tests.id('jonas'), tests.id('maya'));
select app.emit('user_followed', tests.id('maya'), tests.id('jonas'));
select app.emit('user_followed', tests.id('lena'), tests.id('jonas'));
select app.emit('hub_member_joined', tests.id('maya'), tests.id('maya'), tests.id('elm'));
select tests.insert_event(tests.event('hub_role_changed', 'lena', null, 'elm'));
select app.notify(e, tests.ids('maya', 'amara')) from app.events as e where e.type = 'hub_role_changed';
select ok(tests.unread_count('maya') > 0, 'a user has an inbox before account deletion');
select app.end_user(tests.id('maya'));
select ok(not app.erase_belongings(tests.id('maya')), 'removing a small inbox takes one part');
select is_empty(
  $$
    select recipient_id from app.notifications where recipient_id = tests.id('maya')
    union all select user_id from app.inbox_counts where user_id = tests.id('maya')
  $$,
  'account deletion removes the inbox and the inbox count of the user'
);
select bag_eq(
  $$ select tests.notifications_of('jonas') $$, array['user_followed by lena'],
  'account deletion removes notifications of activity by the user'
);
select results_eq(
  $$ select tests.notifications_of('amara') $$, array['hub_role_changed by lena in elm'],
  'account deletion keeps notifications of activity by others'
);
select is(tests.unread_count('jonas'), 1, 'account deletion lowers the unread counts of others');

rollback to empty;

-- erase_belongings removes everything else in parts.
select tests.person(name, 4) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.hub('elm', 'jonas');
select tests.discussion('trams', 'jonas', 'elm');
select tests.post('bikes', 'jonas');
insert into app.posts (id, author_id, thought_text, visibility)
select tests.id('post ' || n), tests.id('jonas'), 'Hello', 'public' from generate_series(1, 1001) as n;
insert into app.users (id) select tests.id('fan ' || n) from generate_series(1, 5002) as n;
delete from app.events;
delete from app.feed_events;

-- Answers how many parts the removal of the rows of p_setup takes and how many of p_rows are left then.
create function pg_temp.removal(p_setup text, p_rows text)
returns text
language plpgsql
as $$
declare
  v_part_count integer := 1;
  v_row_count integer;
begin
  -- Without triggers, the rows bring no counts, events and activity, which would take most of the time.
  set local session_replication_role = replica;
  execute p_setup;
  set local session_replication_role = origin;
  while v_part_count < 5 and app.erase_belongings(tests.id('maya')) loop
    v_part_count := v_part_count + 1;
  end loop;
  execute 'select count(*) from ' || p_rows into v_row_count;
  return format('%s parts, %s left', v_part_count, v_row_count);
end
$$;

select is(
  pg_temp.removal(setup, rows), format('%s parts, 0 left', part_count),
  format('removing %s takes %s parts', what, part_count)
)
from (
  values
    (
      $$
        with made as (
          insert into app.events (type) select 'followed_user_posted' from generate_series(1, 1001)
          returning id
        )
        insert into app.notifications (event_id, recipient_id, audience, audience_id)
        select id, tests.id('maya'), 'everybody', tests.id('maya') from made
      $$,
      'app.notifications', 2, '1,001 notifications to the user'
    ),
    (
      $$
        insert into app.events (id, type, actor_id)
        values (tests.id('event'), 'followed_user_posted', tests.id('maya'));
        insert into app.notifications (event_id, recipient_id, audience, audience_id)
        select tests.id('event'), tests.id('fan ' || n), 'everybody',
          tests.id('fan ' || n) from generate_series(1, 5002) as n
      $$,
      $$ app.events where actor_id = tests.id('maya') $$, 2,
      '5,002 notifications by the user, and their event after them'
    ),
    (
      $$
        insert into app.follows (follower_id, followee_id)
        select tests.id('maya'), tests.id('fan ' || n) from generate_series(1, 1001) as n
      $$,
      'app.follows', 2, '1,001 followees'
    ),
    (
      $$
        insert into app.follows (follower_id, followee_id)
        select tests.id('fan ' || n), tests.id('maya') from generate_series(1, 1001) as n
      $$,
      'app.follows', 2, '1,001 followers'
    ),
    (
      $$
        insert into app.blocks (blocker_id, blocked_id)
        select tests.id('maya'), tests.id('fan ' || n) from generate_series(1, 1001) as n
      $$,
      'app.blocks', 2, '1,001 blocks by the user'
    ),
    (
      $$
        insert into app.blocks (blocker_id, blocked_id)
        select tests.id('fan ' || n), tests.id('maya') from generate_series(1, 1001) as n
      $$,
      'app.blocks', 2, '1,001 blocks of the user'
    ),
    (
      $$
        insert into app.events (type, actor_id) select 'user_followed', tests.id('maya') from generate_series(1, 1001)
      $$,
      $$ app.events where actor_id = tests.id('maya') $$, 2, '1,001 events by the user'
    ),
    (
      $$
        insert into app.events (type, subject_id) select 'user_followed', tests.id('maya') from generate_series(1, 1001)
      $$,
      $$ app.events where subject_id = tests.id('maya') $$, 2, '1,001 events about the user'
    ),
    (
      $$
        insert into app.messages (discussion_id, hub_id, author_id, body)
        select tests.id('trams in elm'), tests.id('elm'), tests.id('maya'), 'Hello' from generate_series(1, 1001)
      $$,
      'app.messages where author_id is not null', 2, 'the author of 1,001 messages'
    ),
    (
      $$
        insert into app.comments (post_id, author_id, body)
        select tests.id('bikes'), tests.id('maya'), 'Hello' from generate_series(1, 201);
        update app.posts set comment_count = 201 where id = tests.id('bikes')
      $$,
      'app.comments', 3, '201 comments'
    ),
    (
      $$
        insert into app.feed_shares (user_id, post_id)
        select tests.id('maya'), tests.id('post ' || n) from generate_series(1, 1001) as n
      $$,
      'app.feed_shares', 2, '1,001 feed shares'
    ),
    (
      $$
        insert into app.placements (post_id, hub_id, kind, placed_by)
        select tests.id('post ' || n), tests.id('elm'), 'shared', tests.id('maya') from generate_series(1, 1001) as n
      $$,
      $$ app.placements where placed_by = tests.id('maya') $$, 2, 'the user from 1,001 placements'
    ),
    (
      $$
        insert into app.feed_events (actor_id, post_id, kind, occurred_at)
        select tests.id('maya'), tests.id('post ' || n), 'voted', app.now() from generate_series(1, 1001) as n
      $$,
      'app.feed_events where ended_at is null', 2, '1,001 feed events'
    )
) as removals (setup, rows, part_count, what);

select * from finish();
rollback;
