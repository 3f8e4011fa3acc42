begin;
select plan(245);
savepoint empty;

-- claim_account_deletion: leases it for a while
select tests.person('maya', 3);
select app.end_user(tests.id('maya'));
select is(app.claim_account_deletion(), tests.id('maya'), 'a departure that is due is claimed');
select ok(
  due_at - app.now() between interval '45 seconds' and interval '75 seconds', 'nobody else gets it for about a minute'
)
from app.account_deletions;
select app.set_clock_offset(due_at - now() - interval '1 microsecond') from app.account_deletions;
select is(app.claim_account_deletion(), null, 'as long as the lease runs');
select app.set_clock_offset(due_at - now()) from app.account_deletions;
select is(app.claim_account_deletion(), tests.id('maya'), 'then a worker that died is followed by another');
select is(attempt_count, 2, 'and each try is counted') from app.account_deletions;

rollback to empty;

-- claim_account_deletion: takes one at a time
select tests.person(name, 3) from unnest(array['ann', 'ben', 'cleo']) as name;
select app.end_user(tests.id(name)) from unnest(array['ann', 'ben', 'cleo']) as name;
update app.account_deletions set due_at = app.now() - interval '1 hour' where user_id = tests.id('ben');
update app.account_deletions set due_at = app.now() + interval '1 microsecond' where user_id = tests.id('cleo');

select is(app.claim_account_deletion(), tests.id('ben'), 'who has waited longest is first');
select is(app.claim_account_deletion(), tests.id('ann'), 'what is claimed is skipped');
select is(app.claim_account_deletion(), null, 'what is not due is left');
select set_eq($$ select tests.who_may('select app.claim_account_deletion()') $$, array['opine_worker'], 'the worker alone claims');

rollback to empty;

-- delete_account: ends the callers
select tests.person('maya', 4);
select tests.session('maya');
select tests.person('jonas', 4);
select tests.session('jonas');
select tests.authenticate_as('maya');
select is(api.delete_account('{}'), '{}', 'there is nothing more to tell');
select throws_ok($$ select api.delete_account('{}') $$, 'PT401', 'UNAUTHORIZED', 'the session ends with it');
reset role;
select ok(not gateway.session_is_live(tests.claims('maya')), 'for every way in');
select results_eq('select id from app.users where ended_at is null', array[tests.id('jonas')], 'others live on');
select is(
  tests.refresh('token of maya', 'successor') -> 'refusal' ->> 'code', 'UNAUTHORIZED', 'nothing brings the session back'
);
select ok((app.sign_in_with_phone(tests.phone_of('maya'), null)).is_new, 'who comes back by the same phone is new');

rollback to empty;

-- delete_account: needs a session and no more
select tests.person('lena', 1);
select set_eq($$ select tests.who_may($s$ select api.delete_account('{}') $s$) $$, array['authenticated'], 'it is for signed-in people');
select tests.authenticate_as('nobody');
select throws_ok($$ select api.delete_account('{}') $$, 'PT401', 'UNAUTHORIZED', 'who has no account ends none');
select tests.authenticate_as('lena');
select lives_ok($$ select api.delete_account('{}') $$, 'an anonymous user may leave too');
reset role;
select isnt(ended_at, null, 'and has left') from app.users;

rollback to empty;

-- end_own_account: ends the callers
select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.authenticate_as('maya');
select app.end_own_account();
reset role;
select results_eq('select id from app.users where ended_at is not null', array[tests.id('maya')], 'the caller''s account ends');
select results_eq('select user_id from app.account_deletions', array[tests.id('maya')], 'and leaves');
select set_eq($$ select tests.who_may('select app.end_own_account()') $$, array['authenticated'], 'for signed-in people');

rollback to empty;

-- end_user: ends everything at once
select tests.person('maya', 3);
select tests.session('maya');
select tests.person('jonas', 3);
select tests.session('jonas');
select app.end_user(tests.id('maya'));

select results_eq(
  $$ select phone::text, device_hash, ended_at from app.users where id = tests.id('maya') $$,
  $$ values (null::text, null::bytea, app.now()) $$,
  'the account ends now, without phone and device'
);
select results_eq('select user_id from app.sessions', array[tests.id('jonas')], 'its sessions end, others'' go on');
select is(count(*)::integer, 1, 'and its refresh tokens are void') from app.refresh_tokens;
select results_eq('select username collate "default" from app.profiles', array['jonas'], 'its public profile is gone');
select lives_ok($$ insert into app.users (phone, phone_verified_at) values (tests.phone_of('maya'), app.now()) $$, 'its phone is free');

rollback to empty;

-- end_user: ends once
select tests.person('maya', 3);
select app.end_user(tests.id('maya'));
update app.account_deletions set attempt_count = 3;
select app.set_clock_offset('1 hour');
select app.end_user(tests.id('maya'));
select is(ended_at, now(), 'an account ends once') from app.users;
select results_eq('select departed_at, attempt_count from app.account_deletions', 'values (now(), 3)', 'and departs once');

rollback to empty;

-- end_user: leaves the rest to the worker
select tests.person('maya', 3);
select tests.post('trams', 'maya');
select tests.stored_object('photo', 'maya');
select app.end_user(tests.id('maya'));
select results_eq(
  'select user_id, merged_into_id, departed_at, due_at, attempt_count from app.account_deletions',
  $$ values (tests.id('maya'), null::uuid, app.now(), app.now(), 0) $$,
  'what is left is due now'
);
select isnt_empty('select from app.posts', 'posts are the worker''s to remove');
select isnt_empty('select from app.stored_objects', 'and so are stored objects');
select is_empty($$ select tests.who_may('select app.end_user(null)') $$, 'no role ends the account of somebody else');

rollback to empty;

-- erase_person: keeps receipts
select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.slider('trams', 'jonas');
select tests.vote('maya', 'trams', 'left');
select app.erase_person(tests.id('maya'));
select results_eq('select user_id from app.vote_receipts', array[tests.id('maya')], 'the receipt of a vote stays, of an id without a name');
select is(app.total_of(app.pool_totals(tests.id('trams'), null)), 1::bigint, 'and the vote counts on');

rollback to empty;

-- erase_person: leaves a tombstone
select tests.person('maya', 4);
update app.users set terms_version = '1', terms_accepted_at = app.now();
select tests.session('maya');
select tests.device_token('hers', 'maya');
insert into app.device_tokens (token_hash, user_id, platform, sealed_token)
values (tests.hash('of a merge'), tests.id('maya'), 'ios', tests.sealed('of a merge'));
select tests.upload('maya');
insert into app.contacts (user_id, place, name, phone_numbers) values (tests.id('maya'), 1, 'Ann', array['+12025550101']);
insert into app.default_feed_users (user_id) values (tests.id('maya'));
select app.consume_rate_limit('handle checks', tests.id('maya')::text, 60, interval '1 minute');
insert into gateway.idempotent_answers (user_id, key, fingerprint, answer) values (tests.id('maya'), 'key', 'f', '{}');
select tests.hub('elm', 'maya');
insert into app.hub_mutes (hub_id, user_id) values (tests.id('elm'), tests.id('maya'));
insert into app.hub_profiles (user_id, display_name) values (tests.id('maya'), 'Maya of the allotments');
select tests.open_upload('next', 'maya');
select tests.asset('photo', 'maya', 'profile_photo');
update app.profiles set photo_asset_id = tests.id('photo');
select tests.person('jonas');
select tests.post('trams', 'jonas');
insert into app.saved_posts (user_id, post_id) values (tests.id('maya'), tests.id('trams'));
insert into app.former_sources (user_id, source_id) values (tests.id('maya'), tests.id('jonas'));
insert into app.reports (reporter_id, post_id, reason) values (tests.id('maya'), tests.id('trams'), 'spam');
select app.erase_person(tests.id('maya'));

-- An id says as much as created_at: it begins with its time.
select set_eq(
  $$ select jsonb_object_keys(jsonb_strip_nulls(to_jsonb(u))) from app.users as u where u.id = tests.id('maya') $$, array['id', 'created_at', 'ended_at'],
  'of the account an id is left, and its times'
);
select is_empty(format('select from %s as t where to_jsonb(t) ->> %L is distinct from %L', erased, 'user_id', tests.id('jonas')), 'nothing is left in ' || erased)
from unnest(array[
  'app.profiles', 'app.sessions', 'app.refresh_tokens', 'app.device_tokens', 'app.contact_snapshots', 'app.contacts',
  'app.default_feed_users', 'app.rate_limits', 'gateway.idempotent_answers', 'app.hub_profiles', 'app.uploads', 'app.assets',
  'app.saved_posts', 'app.former_sources', 'app.hub_mutes'
]) as erased;
select results_eq('select reporter_id, reason from app.reports', $$ values (null::uuid, 'spam'::app.report_reason) $$, 'what they reported stays, and not who did');
select is_empty(
  $$
    select c.conrelid::regclass from pg_constraint as c
    where c.confrelid = 'app.users'::regclass
      and c.conrelid::regclass::text <> all (array[
        'app.articles', 'app.assets', 'app.blocks', 'app.comments', 'app.contact_snapshots', 'app.default_feed_users', 'app.account_deletions',
        'app.device_tokens', 'app.events', 'app.feed_events', 'app.feed_shares', 'app.follow_counts', 'app.follows', 'app.former_sources',
        'app.hub_invitations', 'app.hub_mutes', 'app.hub_profiles', 'app.join_requests', 'app.memberships', 'app.messages', 'app.notifications', 'app.placements',
        'app.posts', 'app.profiles', 'app.reports', 'app.saved_discussions', 'app.saved_posts', 'app.sessions', 'app.stored_objects',
        'app.suspended_memberships', 'app.suspensions', 'app.uploads', 'app.vote_receipts', 'gateway.idempotent_answers'
      ])
  $$,
  'whoever adds a table of people says here whether app.erase_person or app.finish_account_deletion empties it'
);
select is_empty($$ select tests.who_may('select app.erase_person(null)') $$, 'no role erases anybody');

rollback to empty;

-- erase_person: leaves everybodys contacts
select tests.person('maya', 3);
select tests.person('lena', 2);
select tests.person('jonas', 4);
select tests.upload('jonas');
insert into app.contacts (user_id, place, name, phone_numbers)
values
  (tests.id('jonas'), 1, 'Maya', array['+12025550101', tests.phone_of('maya')]),
  (tests.id('jonas'), 2, 'Ann', array['+12025550102']),
  (tests.id('jonas'), 3, 'Nobody', '{}');

select app.erase_person(tests.id('lena'));
select results_eq(
  'select name from app.contacts order by place', array['Maya', 'Ann', 'Nobody'], 'who has no phone is in nobody''s contacts'
);
select app.erase_person(tests.id('maya'));
select results_eq('select name from app.contacts order by place', array['Ann', 'Nobody'], 'a phone is gone from everybody''s');

rollback to empty;

-- erase_person: leaves hubs nothing of them
select tests.elm();
select tests.hub('ash', 'lena');
select tests.discussion('trams', 'jonas', 'elm');
insert into app.hub_profiles (user_id, display_name) values (tests.id('jonas'), 'Jon'), (tests.id('maya'), 'May');
insert into app.saved_discussions (user_id, discussion_id)
values (tests.id('jonas'), tests.id('trams in elm')), (tests.id('maya'), tests.id('trams in elm'));
select tests.invitation('by him', 'elm', 'jonas', 'one');
select tests.invitation('by her', 'elm', 'maya', 'one');
select tests.invitation('open', 'ash', 'lena', 'jonas');
select tests.invitation(state::text, 'ash', 'lena', 'jonas', state) from unnest(array['accepted', 'declined', 'expired']::app.invitation_state[]) as state;
select tests.invitation('accepted by her', 'ash', 'lena', 'maya', 'accepted');
select tests.join_request('his', 'ash', 'jonas');
select tests.join_request('hers', 'ash', 'maya');
select app.erase_person(tests.id('jonas'));

select results_eq('select user_id from app.hub_profiles', tests.ids('maya'), 'no private profile');
select results_eq('select user_id from app.saved_discussions', tests.ids('maya'), 'nothing saved');
select set_eq(
  'select id from app.hub_invitations', tests.ids('by her', 'open', 'accepted by her'), 'no invitation of theirs, and of their phone open ones alone'
);
select results_eq('select id from app.join_requests', tests.ids('hers'), 'no request');

rollback to empty;

-- erase_person: removes photos at once
select tests.person('maya', 4);
select tests.person('jonas', 4);
select tests.asset(name, 'maya', 'profile_photo') from unnest(array['face', 'hub face', 'loose']) as name;
select tests.asset('his', 'jonas', 'profile_photo');
update app.profiles set photo_asset_id = tests.id(case username when 'maya' then 'face' else 'his' end);
insert into app.hub_profiles (user_id, photo_asset_id) values (tests.id('maya'), tests.id('hub face')), (tests.id('jonas'), tests.id('his'));
select tests.open_upload('open', 'maya');
select tests.open_upload('done', 'maya');
select tests.open_upload('his next', 'jonas');
update app.uploads set asset_id = tests.id('loose') where id = tests.id('done');
select app.erase_person(tests.id('maya'));
select set_eq('select tests.to_be_removed()', array[tests.id('face'), tests.id('hub face')], 'the photos that people knew them by');
select set_eq('select id from app.assets', array[tests.id('loose'), tests.id('his')], 'what they showed nobody is removed with the rest');
select set_eq('select id from app.uploads', array[tests.id('done'), tests.id('his next')], 'nothing more is uploaded');
select results_eq('select user_id from app.hub_profiles', array[tests.id('jonas')], 'their Hub identity is gone');
select results_eq('select user_id from app.profiles', array[tests.id('jonas')], 'as is their profile, and nobody else''s');

rollback to empty;

-- erase_person: touches nobody else
select tests.person('maya', 4);
select tests.person('jonas', 4);
select tests.session('jonas');
select tests.device_token('his', 'jonas');
select tests.upload('jonas');
insert into app.contacts (user_id, place, name, phone_numbers) values (tests.id('jonas'), 1, 'Ann', array['+12025550101']);
insert into app.default_feed_users (user_id) values (tests.id('jonas'));
select app.consume_rate_limit('handle checks', tests.id('jonas')::text, 60, interval '1 minute');
insert into gateway.idempotent_answers (user_id, key, fingerprint, answer) values (tests.id('jonas'), 'key', 'f', '{}');
select app.erase_person(tests.id('maya'));

select is(ended_at, null, 'another account goes on') from app.users where id = tests.id('jonas');
select isnt_empty('select from ' || kept, 'with what it has in ' || kept)
from unnest(array[
  'app.profiles', 'app.refresh_tokens', 'app.device_tokens', 'app.contacts', 'app.default_feed_users', 'app.rate_limits',
  'gateway.idempotent_answers'
]) as kept;

rollback to empty;

-- finish_account_deletion: ends what was merged into an ended account
select tests.person('maya', 3);
select tests.person('lena', 2);
select app.merge_user(tests.id('lena'), tests.id('maya'));
select app.end_user(tests.id('maya'));
select tests.post('late', 'lena');
select tests.asset('photo', 'lena');
update app.account_deletions set due_at = app.now() - interval '1 second' where user_id = tests.id('lena');
select is(app.claim_account_deletion(), tests.id('lena'), 'what was merged is due');
select is(merged_into_id, null, 'whose target has ended is treated as ended itself')
from app.account_deletions where user_id = tests.id('lena');
select app.finish_account_deletion(tests.id('lena')) from generate_series(1, 2);
select is_empty('select from app.posts', 'its posts go');
select is_empty('select from app.assets', 'and its assets');
select results_eq(
  'select owner_id, expires_at from app.stored_objects', $$ values (tests.id('lena'), app.now()) $$, 'whose objects are to be removed'
);

rollback to empty;

-- finish_account_deletion: finishes one
select tests.person(name, 3) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.asset('his', 'jonas');
select tests.post('trams', 'jonas');
select app.end_user(tests.id(name)) from unnest(array['maya', 'jonas', 'lena']) as name;
select app.set_clock_offset('1 minute');
select app.finish_account_deletion(tests.id('maya'));
select set_eq('select user_id from app.account_deletions', array[tests.id('jonas'), tests.id('lena')], 'other account_deletions stay');
select set_eq(
  'select due_at from app.account_deletions', 'values (now())', 'due as they were'
);
select isnt_empty('select from app.posts', 'with what they have left behind');

rollback to empty;

-- finish_account_deletion: gives up reserved objects
select tests.person('maya', 3);
select tests.person('jonas', 3);
-- What app.begin_completion reserves for an hour, and what the worker has failed to remove.
select tests.stored_object(name, 'maya', app.now() + interval '50 minutes') from unnest(array['reserved', 'failed']) as name;
update app.stored_objects set attempt_count = 1 where id = tests.id('failed');
select tests.stored_object('his', 'jonas', app.now() + interval '50 minutes');
select app.end_user(tests.id('maya'));
select app.finish_account_deletion(tests.id('maya'));
select is_empty('select tests.to_be_removed()', 'as long as a request of before may store it, it is left alone');
select app.set_clock_offset('1 minute');
select app.finish_account_deletion(tests.id('maya'));
select results_eq('select tests.to_be_removed()', array[tests.id('reserved')], 'then it is removed now, and what failed in its own time');
select isnt_empty('select from app.account_deletions', 'which is waited for');
select app.forget_objects(array[tests.id('reserved'), tests.id('failed')]);
select app.finish_account_deletion(tests.id('maya'));
select is_empty('select from app.account_deletions', 'and no longer');

rollback to empty;

-- finish_account_deletion: is for who has left
select tests.person('maya', 3);
select tests.person('jonas');
select tests.post('trams', 'maya');
select tests.asset('photo', 'maya');
select tests.open_upload('next', 'maya');
select tests.follow('maya', 'jonas');
select tests.block('jonas', 'maya');
select app.finish_account_deletion(tests.id('maya'));
select is(ended_at, null, 'who has not left is not erased') from app.users where id = tests.id('maya');
select results_eq(
  $$
    select (select count(*) from app.posts), (select count(*) from app.follows), (select count(*) from app.blocks), (select count(*) from app.uploads),
      (select count(*) from app.stored_objects where expires_at is null)
  $$,
  'values (1::bigint, 1::bigint, 1::bigint, 1::bigint, 1::bigint)', 'and loses nothing'
);

rollback to empty;

-- finish_account_deletion: looks once more after a minute
select tests.person('maya', 3);
select app.end_user(tests.id('maya'));
select app.claim_account_deletion();
select app.finish_account_deletion(tests.id('maya'));
select results_eq(
  'select due_at, attempt_count from app.account_deletions', $$ values (now() + interval '1 minute', 0) $$,
  'requests of before may still add something: it is looked at again'
);

-- What a request that began before the account ended may write.
select tests.session('maya');
insert into app.profiles (user_id, username, full_name) values (tests.id('maya'), 'maya', 'Maya');
select tests.post('late', 'maya');
select app.set_clock_offset('59.999999 seconds');
select app.finish_account_deletion(tests.id('maya'));
select is_empty('select from app.sessions union all select from app.profiles union all select from app.posts', 'what came late goes too');
select isnt_empty('select from app.account_deletions', 'until then the departure stays');
select app.set_clock_offset('1 minute');
select app.finish_account_deletion(tests.id('maya'));
select is_empty('select from app.account_deletions', 'then it is over');
select isnt(ended_at, null, 'and the tombstone stays') from app.users;

rollback to empty;

-- finish_account_deletion: moves what was merged
select tests.person('maya', 3);
select tests.person('lena', 2);
select app.merge_user(tests.id('lena'), tests.id('maya'));
select set_eq(
  'select user_id, merged_into_id from app.account_deletions', $$ values (tests.id('lena'), tests.id('maya')) $$, 'a merged account leaves too'
);

-- What a request that began before the merge may write.
select tests.slider('late', 'lena');
select tests.stored_object('photo', 'lena');
select tests.session('lena');
select app.claim_account_deletion();
select app.finish_account_deletion(tests.id('lena'));
select results_eq('select author_id from app.posts', array[tests.id('maya')], 'a late post is moved');
select results_eq('select owner_id from app.stored_objects', array[tests.id('maya')], 'and no object is lost');
select is_empty('select from app.sessions', 'a late session ends');
select isnt_empty('select from app.account_deletions', 'it is looked at once more');
select app.set_clock_offset('1 minute');
select app.finish_account_deletion(tests.id('lena'));
select is_empty('select from app.account_deletions', 'and then over');
select is(ended_at, null, 'whom it was merged into lives on') from app.users where id = tests.id('maya');

rollback to empty;

-- finish_account_deletion: removes media with posts
select tests.person('maya', 3);
select tests.asset('picture', 'maya');
select tests.asset('loose', 'maya', 'document');
select tests.open_upload('done', 'maya');
update app.uploads set asset_id = tests.id('loose');
select tests.illustrated_post('trams', 'maya', 'picture');
select app.end_user(tests.id('maya'));
select is_empty('select tests.to_be_removed()', 'what its posts show is hidden with them') ;
select app.claim_account_deletion();
select app.finish_account_deletion(tests.id('maya')) from generate_series(1, 2);
select set_eq('select tests.to_be_removed()', array[tests.id('picture'), tests.id('loose')], 'and goes with them, as does what nobody saw');
select is_empty(
  'select from app.assets union all select from app.article_assets union all select from app.uploads', 'and what was known of it'
);

rollback to empty;

-- finish_account_deletion: removes posts in parts
select tests.person('maya', 3);
select tests.article('shown', 'maya');
select tests.article('draft', 'maya');
select tests.article(n::text, 'maya') from generate_series(1, 200) as n;
insert into app.posts (author_id, article_id, visibility) values (tests.id('maya'), tests.id('shown'), 'public');
insert into app.posts (author_id, article_id, visibility) select tests.id('maya'), tests.id(n::text), 'public' from generate_series(1, 200) as n;
select tests.person('jonas', 3);
select tests.post('his', 'jonas');
select tests.article('his draft', 'jonas');
select app.end_user(tests.id('maya'));
select app.set_clock_offset('1 minute');
select app.claim_account_deletion();

select app.finish_account_deletion(tests.id('maya'));
select is(count(*)::integer, 1, '200 posts go at once') from app.posts where author_id = tests.id('maya');
select results_eq('select due_at, attempt_count from app.account_deletions', 'values (app.now(), 0)', 'the rest is due at once');
select app.finish_account_deletion(tests.id('maya')) from generate_series(1, 2);
select results_eq('select author_id from app.posts', array[tests.id('jonas')], 'then all are gone but those of others');
select results_eq('select author_id from app.articles', array[tests.id('jonas')], 'and their articles, drafts too');
select is_empty('select from app.account_deletions', 'nothing is left to do');
select set_eq(
  $$ select tests.who_may('select app.finish_account_deletion(null)') $$, array['opine_worker'], 'the worker alone finishes'
);

rollback to empty;

-- finish_account_deletion: removes relations
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
select set_eq('select tests.follows()', array['lena > jonas'], 'follows on either side');
select results_eq('select blocker_id, blocked_id from app.blocks', $$ values (tests.id('jonas'), tests.id('lena')) $$, 'and blocks');
select set_eq(
  'select user_id, follower_count, following_count from app.follow_counts',
  $$ values (tests.id('jonas'), 1, 0), (tests.id('lena'), 0, 1) $$, 'what others have is counted as it is now, and nothing of who left'
);
select is_empty('select from app.account_deletions', 'then it is over');
select is(count(*)::integer, 3, 'the tombstone stays') from app.users;

rollback to empty;

-- finish_account_deletion: removes relations in parts
select tests.person('maya', 3);
insert into app.users (id) select tests.id(n::text) from generate_series(1, 1002) as n;
insert into app.follows (follower_id, followee_id) select tests.id(n::text), tests.id('maya') from generate_series(1, 1001) as n;
insert into app.blocks (blocker_id, blocked_id) select tests.id(n::text), tests.id('maya') from generate_series(1, 1001) as n;
select tests.asset('loose', 'maya');
select app.end_user(tests.id('maya'));
select app.set_clock_offset('1 minute');
select app.claim_account_deletion();

select app.finish_account_deletion(tests.id('maya'));
select is(count(*)::integer, 1, '1000 follows go at once') from app.follows;
select is(count(*)::integer, 1, 'and 1000 blocks') from app.blocks;
select results_eq('select due_at, attempt_count from app.account_deletions', 'values (app.now(), 0)', 'the rest is due at once');
select isnt_empty('select from app.assets', 'what lies in storage comes last');
delete from app.follows;
insert into app.blocks (blocker_id, blocked_id) select tests.id('maya'), tests.id(n::text) from generate_series(1, 1001) as n;
select app.finish_account_deletion(tests.id('maya'));
select is(count(*)::integer, 1, 'blocks alone are more to do') from app.blocks;
select isnt_empty('select from app.assets', 'before what lies in storage');
insert into app.follows (follower_id, followee_id) select tests.id('maya'), tests.id(n::text) from generate_series(1, 1001) as n;
delete from app.blocks;
select app.finish_account_deletion(tests.id('maya'));
select is(count(*)::integer, 1, 'and so are follows') from app.follows;
select results_eq('select due_at, attempt_count from app.account_deletions', 'values (app.now(), 0)', 'which are due at once');
select app.finish_account_deletion(tests.id('maya'));
select is_empty('select from app.follows union all select from app.blocks union all select from app.assets', 'until nothing is left');

rollback to empty;

-- finish_account_deletion: waits for its objects
select tests.person('maya', 3);
select tests.asset('picture', 'maya');
select tests.asset('document', 'maya', 'document');
select tests.person('jonas', 3);
select tests.asset('his', 'jonas');
select app.end_user(tests.id('maya'));
select app.claim_account_deletion();
select app.set_clock_offset('1 minute');

select app.finish_account_deletion(tests.id('maya'));
select results_eq('select id from app.assets', array[tests.id('his')], 'assets go, and only one''s own');
select set_eq(
  'select id from app.claim_expired_objects(10)', array[tests.id('picture'), tests.id('document')], 'their objects are to be removed now'
);
update app.account_deletions set due_at = app.now() + interval '40 seconds';
select app.finish_account_deletion(tests.id('maya'));
select results_eq(
  'select due_at from app.account_deletions', $$ values (app.now() + interval '40 seconds') $$, 'and are waited for, for as long as the lease runs'
);
select app.forget_objects(array[tests.id('picture')]);
select results_eq('select due_at from app.account_deletions', 'values (app.now())', 'unless one is gone: then there may be nothing to wait for');
select app.finish_account_deletion(tests.id('maya'));
select isnt_empty('select from app.account_deletions', 'as long as another is in storage there is');
select app.forget_objects(array[tests.id('document')]);
select app.finish_account_deletion(tests.id('maya'));
select is_empty('select from app.account_deletions', 'then it is over');
select results_eq('select id from app.stored_objects', array[tests.id('his')], 'and what others have stored is there');

rollback to empty;

-- merge_user: ends the other account
select tests.person('maya', 3);
select tests.person('lena', 2);
update app.users set device_hash = tests.hash('install') where id = tests.id('lena');
select tests.session('lena');
select app.merge_user(tests.id('lena'), tests.id('maya'));
select results_eq(
  $$ select ended_at, device_hash from app.users where id = tests.id('lena') $$, 'values (app.now(), null::bytea)',
  'the anonymous account ends, and lets go of its device'
);
select is_empty('select from app.sessions', 'its sessions end');
select is(ended_at, null, 'the other goes on') from app.users where id = tests.id('maya');
select results_eq(
  'select user_id, merged_into_id from app.account_deletions', $$ values (tests.id('lena'), tests.id('maya')) $$, 'what comes late is moved'
);
select is_empty($$ select tests.who_may('select app.merge_user(null, null)') $$, 'no role merges anybody');

rollback to empty;

-- merge_user: keeps the own values of the phones user
select tests.person('maya', 3);
select tests.person('lena');
select app.merge_user(tests.id('lena'), tests.id('maya'));
select results_eq('select user_id, username collate "default" from app.profiles', $$ values (tests.id('maya'), 'maya') $$, 'the phone''s user keeps their profile');
select is(phone::text, tests.phone_of('maya'), 'and their phone') from app.users where id = tests.id('maya');
select is(tests.violation_of($$ update app.profiles set username = 'lena' $$), null, 'the anonymous user''s handle is free');

rollback to empty;

-- merge_user: moves receipts once
select tests.person('maya', 3);
select tests.person('lena');
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
select tests.vote('lena', 'trams', 'left');
select tests.vote('lena', 'bikes', 'left');
select tests.vote('maya', 'bikes', 'right');
select app.merge_user(tests.id('lena'), tests.id('maya'));

select bag_eq(
  'select post_id, user_id from app.vote_receipts',
  $$ values (tests.id('trams'), tests.id('maya')), (tests.id('bikes'), tests.id('maya')) $$,
  'each post keeps one receipt of the person'
);
select is(app.total_of(app.pool_totals(tests.id('trams'), null)), 1::bigint, 'the vote moved with its receipt counts on');
select is(app.total_of(app.pool_totals(tests.id('bikes'), null)), 2::bigint, 'pools are not touched: which vote to take out, nobody knows');

rollback to empty;

-- merge_user: takes photos and media along
select tests.person('maya', 3);
select tests.person('lena', 2);
select tests.asset('her face', 'maya', 'profile_photo');
select tests.asset('the other face', 'lena', 'profile_photo');
select tests.asset('picture', 'lena');
select tests.asset('loose', 'lena');
select tests.open_upload('next', 'lena');
update app.profiles set photo_asset_id = tests.id(case username when 'maya' then 'her face' else 'the other face' end);
select tests.illustrated_post('trams', 'lena', 'picture');
select app.merge_user(tests.id('lena'), tests.id('maya'));
select set_eq(
  'select id, owner_id from app.assets',
  $$ select tests.id(name), tests.id('maya') as owner from unnest(array['her face', 'picture', 'loose']) as name $$,
  'what was uploaded is the one person''s'
);
select set_eq('select tests.to_be_removed()', array[tests.id('the other face')], 'the photo of the profile that goes, goes with it');
select results_eq('select owner_id from app.uploads', array[tests.id('maya')], 'an upload under way is completed by them');
select tests.authenticate_as_guest();
select is(jsonb_array_length(app.article_media(tests.id('article of trams'))), 1, 'posts keep their media');
reset role;
update app.users set phone = null, phone_verified_at = null;
delete from app.profiles;
select tests.person('ann', 2);
select tests.asset('third face', 'ann', 'profile_photo');
update app.profiles set photo_asset_id = tests.id('third face');
select app.merge_user(tests.id('ann'), tests.id('maya'));
select results_eq(
  'select user_id, photo_asset_id from app.profiles', $$ values (tests.id('maya'), tests.id('third face')) $$, 'a profile that moves keeps its photo'
);

rollback to empty;

-- move_belongings: moves a place in the default feed
select tests.person(name, 2) from unnest(array['ann', 'lena', 'maya', 'jonas']) as name;
insert into app.default_feed_users (user_id, added_at) values (tests.id('lena'), app.now() - interval '1 day');
insert into app.default_feed_users (user_id) values (tests.id('jonas'));
select app.move_belongings(tests.id('lena'), tests.id('maya'));
select results_eq(
  'select user_id, app.now() - added_at from app.default_feed_users where user_id <> tests.id(''jonas'')', $$ values (tests.id('maya'), interval '1 day') $$, 'the place moves'
);
insert into app.default_feed_users (user_id) values (tests.id('ann'));
select app.move_belongings(tests.id('ann'), tests.id('maya'));
select is(app.now() - added_at, interval '1 day', 'who has one keeps it') from app.default_feed_users where user_id = tests.id('maya');
select isnt_empty($$ select from app.default_feed_users where user_id = tests.id('jonas') $$, 'and so does everybody else');

rollback to empty;

-- move_belongings: moves a profile
select tests.person('maya', 3);
delete from app.profiles;
select tests.person('lena', 2);
select tests.person('jonas', 2);
select app.move_belongings(tests.id('lena'), tests.id('maya'));
select results_eq(
  'select user_id, username collate "default" from app.profiles where username <> ''jonas''', $$ values (tests.id('maya'), 'lena') $$, 'who has no profile takes over the other''s'
);

select tests.person('ann', 2);
select app.move_belongings(tests.id('ann'), tests.id('maya'));
select set_eq(
  'select user_id, username collate "default" from app.profiles', $$ values (tests.id('maya'), 'lena'), (tests.id('ann'), 'ann'), (tests.id('jonas'), 'jonas') $$, 'who has one keeps it'
);
select is(user_id, tests.id('jonas'), 'as does everybody else') from app.profiles where username = 'jonas';

rollback to empty;

-- move_belongings: moves device tokens
select tests.person('maya', 3);
select tests.session('maya');
select tests.person('lena', 2);
select tests.session('lena');
select tests.device_token('lena ' || n, 'lena', app.now() - n * interval '1 hour') from generate_series(1, 3) as n;
select tests.device_token('maya ' || n, 'maya', app.now() - n * interval '61 minutes') from generate_series(1, 3) as n;
select app.move_belongings(tests.id('lena'), tests.id('maya'));
delete from app.sessions where user_id = tests.id('lena');

select set_eq(
  'select token_hash from app.device_tokens',
  $$ select tests.hash(name) from unnest(array['lena 1', 'maya 1', 'lena 2', 'maya 2', 'lena 3']) as name $$,
  'device tokens outlive the session that they came with; the five refreshed last stay'
);
select set_eq('select user_id from app.device_tokens', array[tests.id('maya')], 'all are of the one person');
select set_eq(
  'select token_hash from app.device_tokens where session_id is null',
  $$ select tests.hash(name) from unnest(array['lena 1', 'lena 2', 'lena 3']) as name $$,
  'those that moved wait for the session that the sign-in opens'
);

rollback to empty;

-- move_belongings: moves notifications
select tests.person(name, 4) from unnest(array['maya', 'jonas', 'ann', 'ben']) as name;
select tests.person('lena', 2);
select tests.hub('elm', 'ben');
select tests.slider('trams', 'lena'), tests.post('of jonas', 'jonas');
delete from app.events;
select tests.notification('to lena', 'lena', p_actor => 'jonas', p_author => 'ann'), tests.notification('in elm', 'lena', 'hub_role_changed', 'ben', 'elm');
select tests.notification('read', 'lena', 'hub_member_removed', 'ben', 'elm');
update app.notifications set read_at = app.now() where id = tests.id('read');
select tests.notification('of maya, to lena', 'lena', 'post_commented', 'maya'), tests.notification('of lena, to maya', 'maya', 'post_commented', 'lena');
select tests.notification('of lena', 'jonas', p_actor => 'lena', p_author => 'ann'), tests.notification('to maya', 'maya', p_actor => 'jonas');
select tests.notification('of her post', 'jonas', 'post_shared_to_feed', 'ann', p_post => 'trams', p_author => 'lena');
select tests.notification('of another post', 'ann', 'post_shared_to_feed', 'ben', p_post => 'of jonas', p_author => 'jonas');
select tests.notification('both', 'lena', p_actor => 'ann'), tests.notification('of maya''s post', 'lena', p_actor => 'ann', p_author => 'maya');
insert into app.notifications (id, event_id, recipient_id, audience, scope_id, actor_id, read_at)
select tests.id('both, to maya'), n.event_id, tests.id('maya'), n.audience, tests.id('maya'), n.actor_id, app.now() from app.notifications as n where n.id = tests.id('both');
select app.move_belongings(tests.id('lena'), tests.id('maya'));

select bag_eq(
  $$ select id, audience::text, scope_id, actor_id, author_id, read_at is not null from app.notifications where recipient_id = tests.id('maya') $$,
  $$
    values
      (tests.id('to lena'), 'everybody', tests.id('maya'), tests.id('jonas'), tests.id('ann'), false),
      (tests.id('in elm'), 'hub_member', tests.id('elm'), tests.id('ben'), null, false),
      (tests.id('read'), 'hub_ready', tests.id('maya'), tests.id('ben'), null, true),
      (tests.id('to maya'), 'everybody', tests.id('maya'), tests.id('jonas'), null, false),
      (tests.id('both, to maya'), 'everybody', tests.id('maya'), tests.id('ann'), null, true),
      (tests.id('of maya''s post'), 'everybody', tests.id('maya'), tests.id('ann'), null, false)
  $$,
  'the inbox of both is one: each event once, by what maya has read, and nothing that they did themselves'
);
select is_empty($$ select from app.notifications where recipient_id = tests.id('lena') $$, 'nothing is left of the other');
select is(tests.unread('maya'), 3, 'and counts, as far as she sees it');
select bag_eq(
  $$ select id, actor_id, author_id from app.notifications where recipient_id <> tests.id('maya') $$,
  $$
    values
      (tests.id('of lena'), tests.id('maya'), tests.id('ann')), (tests.id('of her post'), tests.id('ann'), tests.id('maya')),
      (tests.id('of another post'), tests.id('ben'), tests.id('jonas'))
  $$,
  'others were told of her'
);
select is_empty($$ select from app.inbox_counts where user_id = tests.id('lena') $$, 'no count is left behind');
select tests.block('jonas', 'maya');
select is(tests.unread('jonas'), 0, 'and a block between them hides what the other did');

rollback to empty;

-- move_belongings: moves onboarding steps
select tests.person('maya', 3);
select tests.person('lena', 2);
select tests.person('jonas', 2);
update app.users set media_completed_at = null where id = tests.id('maya');
update app.users
set terms_version = '1', terms_accepted_at = app.now() - interval '1 day', media_completed_at = app.now() - interval '1 hour'
where id = tests.id('lena');

create function pg_temp.steps(out terms text, out accepted interval, out media interval)
language sql
return (
  select row(terms_version, app.now() - terms_accepted_at, app.now() - media_completed_at) from app.users where id = tests.id('maya')
);

select app.move_belongings(tests.id('lena'), tests.id('maya'));
select results_eq(
  'select * from pg_temp.steps()', $$ values ('1', interval '1 day', interval '1 hour') $$, 'steps that the other took are taken'
);
update app.users set terms_version = '2', terms_accepted_at = app.now() where id = tests.id('maya');
update app.users set media_completed_at = app.now() where id = tests.id('maya');
select app.move_belongings(tests.id('lena'), tests.id('maya'));
select results_eq('select * from pg_temp.steps()', $$ values ('2', interval '0', interval '0') $$, 'steps that one took oneself stay');
select is(phone::text, tests.phone_of('maya'), 'the phone is not touched') from app.users where id = tests.id('maya');
select results_eq(
  $$ select terms_version, media_completed_at from app.users where id = tests.id('jonas') $$, 'values (null::text, null::timestamptz)',
  'and nobody else has taken any'
);

rollback to empty;

-- move_belongings: moves relations
select tests.person(name, 2) from unnest(array['lena', 'maya', 'jonas', 'ann']) as name;
select tests.follow('lena', 'jonas');
select tests.block('ann', 'lena');
select app.move_belongings(tests.id('lena'), tests.id('maya'));
select set_eq('select tests.follows()', array['maya > jonas'], 'whom the other followed');
select results_eq('select blocker_id, blocked_id from app.blocks', $$ values (tests.id('ann'), tests.id('maya')) $$, 'and who had blocked them');

rollback to empty;

-- move_belongings: moves stored objects
select tests.person(name, 2) from unnest(array['lena', 'maya', 'jonas']) as name;
select tests.asset('photo', 'lena');
select tests.asset('his', 'jonas');
select tests.open_upload('next', 'lena');
select tests.open_upload('his next', 'jonas');
select app.move_belongings(tests.id('lena'), tests.id('maya'));
select set_eq(
  'select id, owner_id from ' || moved, $$ values (tests.id('photo'), tests.id('maya')), (tests.id('his'), tests.id('jonas')) $$,
  moved || ': what lies in storage changes its owner'
)
from unnest(array['app.stored_objects', 'app.assets']) as moved;
select set_eq(
  'select id, owner_id from app.uploads',
  $$ values (tests.id('next'), tests.id('maya')), (tests.id('his next'), tests.id('jonas')) $$, 'as does what is on its way there'
);

rollback to empty;

-- move_belongings: moves votes
select tests.person('maya', 3);
select tests.person(name) from unnest(array['lena', 'jonas']) as name;
select tests.slider(name, 'jonas') from unnest(array['trams', 'bikes']) as name;
select tests.vote('lena', 'trams', 'left', '10 minutes'), tests.vote('jonas', 'trams', 'left', '10 minutes');
select app.set_clock_offset('1 second');
select tests.vote('maya', 'bikes', 'right', '10 minutes');
select app.set_clock_offset('2 seconds');
select tests.vote('lena', 'bikes', 'right', '10 minutes');
insert into app.events (type, subject_id, post_id, milestone_total, milestone_count)
select 'post_vote_milestone', tests.id(told.name), tests.id(told.post), told.total, 500
from (
  values ('lena', 'trams', 600), ('lena', 'bikes', 700), ('maya', 'bikes', 700), ('lena', 'bikes', 800), ('maya', 'trams', 700), ('jonas', 'bikes', 700), ('jonas', 'trams', 600)
) as told (name, post, total);
select tests.hub('elm', 'maya');
select app.move_belongings(tests.id('lena'), tests.id('maya'));

select bag_eq(
  'select post_id, user_id from app.fresh_votes',
  $$ values (tests.id('trams'), tests.id('maya')), (tests.id('trams'), tests.id('jonas')), (tests.id('bikes'), tests.id('maya')), (tests.id('bikes'), null) $$,
  'votes that no fold has seen are the one person''s'
);
select bag_eq(
  $$ select tests.milestones(post) from unnest(array['trams', 'bikes']) as post $$,
  array['maya: 500 of 600', 'maya: 500 of 700', 'maya: 500 of 700', 'maya: 500 of 800', 'jonas: 500 of 700', 'jonas: 500 of 600'],
  'milestones move, each once'
);
select is(count(*), 1::bigint, 'one where both heard of it') from app.events where post_id = tests.id('bikes') and subject_id = tests.id('maya') and milestone_total = 700;
select tests.fold();
select is(baselined, 'maya: 1', 'where both voted their own counts') from tests.baselines('bikes') as baselined;
select is(count(*), 2::bigint, 'each by itself') from tests.baselines('trams');
select is(count(*), 0::bigint, 'and all of it is ranked') from tests.baselines('trams') as ranked where ranked like '%not ranked';
select set_eq('select vote_count from app.posts', array[2], 'every vote counts on');
select bag_eq(
  $$ select tests.acts('trams') union all select tests.acts('bikes') $$,
  array['voted by maya', 'voted by maya in elm', 'voted by jonas', 'voted by maya', 'voted by maya in elm', 'published by jonas', 'published by jonas'],
  'and is in the streams of the one person'
);

rollback to empty;

-- move_belongings: moves what happened
select tests.person(name, 4) from unnest(array['lena', 'maya', 'jonas']) as name;
select app.emit('user_followed', tests.id('lena'), tests.id('jonas')), app.emit('user_followed', tests.id('jonas'), tests.id('lena'));
select app.emit('user_followed', tests.id('jonas'), tests.id('jonas'));
select app.move_belongings(tests.id('lena'), tests.id('maya'));
select set_eq(
  'select actor_id, subject_id from app.events',
  $$ values (tests.id('maya'), tests.id('jonas')), (tests.id('jonas'), tests.id('maya')), (tests.id('jonas'), tests.id('jonas')) $$,
  'by them and to them'
);
select app.emit('user_followed', tests.id('lena'), tests.id('maya')), app.emit('hub_member_joined', tests.id('lena'), tests.id('lena'));
select app.move_belongings(tests.id('lena'), tests.id('maya'));
select results_eq(
  $$ select type::text from app.events where actor_id = tests.id('maya') and subject_id = tests.id('maya') $$,
  array['hub_member_joined'], 'but nobody is told that they follow themselves'
);
delete from app.events;
select tests.slider('trams', 'jonas'), tests.slider('bikes', 'jonas');
delete from app.events;
insert into app.events (type, subject_id, post_id, milestone_total, milestone_count)
values
  ('post_vote_milestone', tests.id('lena'), tests.id('trams'), 501, 500), ('post_vote_milestone', tests.id('maya'), tests.id('trams'), 501, 501),
  ('post_vote_milestone', tests.id('lena'), tests.id('bikes'), 501, 500), ('post_vote_milestone', tests.id('maya'), tests.id('bikes'), 601, 500);
select app.move_belongings(tests.id('lena'), tests.id('maya'));
select bag_eq(
  'select subject_id, post_id, milestone_total, milestone_count from app.events',
  $$
    values
      (tests.id('maya'), tests.id('trams'), 501, 501), (tests.id('maya'), tests.id('trams'), 501, 500), (tests.id('maya'), tests.id('bikes'), 501, 500), (tests.id('maya'), tests.id('bikes'), 601, 500)
  $$,
  'milestones of an author and of a voter both stay'
);

rollback to empty;

-- move_belongings: moves what was done
select tests.person(name) from unnest(array['lena', 'jonas', 'ann']) as name;
select tests.person('maya', 4);
select tests.hub('elm', 'maya');
select tests.post(name, 'jonas') from unnest(array['trams', 'bikes', 'cars', 'boats', 'trains']) as name;
select app.set_clock_offset('1 hour');
select tests.comment('of lena', 'lena', 'trams');
select tests.comment('taken back', 'lena', 'cars');
select app.erase_comment(tests.id('taken back'));
select tests.comment('of ann', 'ann', 'trams');
select tests.feed_share('ann', 'boats');
select tests.feed_share('maya', name) from unnest(array['boats', 'trains']) as name;
select tests.comment('of ann too', 'ann', 'trains');
insert into app.saved_posts (user_id, post_id) values (tests.id('ann'), tests.id('boats'));
insert into app.saved_posts (user_id, post_id) select tests.id('lena'), tests.id(name) from unnest(array['trams', 'bikes']) as name;
select tests.feed_share('lena', name) from unnest(array['trams', 'bikes']) as name;
insert into app.reports (reporter_id, post_id, reason) select tests.id('lena'), tests.id(name), 'spam' from unnest(array['trams', 'bikes']) as name;
select app.set_clock_offset('2 hours');
insert into app.saved_posts (user_id, post_id) select tests.id('maya'), tests.id(name) from unnest(array['bikes', 'cars']) as name;
select tests.feed_share('maya', name) from unnest(array['bikes', 'cars']) as name;
select tests.feed_share('lena', 'boats');
select app.set_clock_offset('3 hours');
select tests.feed_share('jonas', 'cars');
select app.set_clock_offset('2 hours');
insert into app.reports (reporter_id, post_id, reason) values (tests.id('maya'), tests.id('bikes'), 'hate');
insert into app.reports (reporter_id, post_id, reason, state) values (tests.id('maya'), tests.id('trams'), 'hate', 'closed');
insert into app.reports (reporter_id, user_id, reason)
values (tests.id('ann'), tests.id('lena'), 'spam'), (tests.id('jonas'), tests.id('lena'), 'spam'), (tests.id('jonas'), tests.id('maya'), 'hate');
insert into app.reports (reporter_id, user_id, reason, state) values (tests.id('ann'), tests.id('maya'), 'hate', 'closed');
select app.move_belongings(tests.id('lena'), tests.id('maya'));

select set_eq('select id, author_id from app.comments', $$ values (tests.id('of lena'), tests.id('maya')), (tests.id('of ann'), tests.id('ann')), (tests.id('of ann too'), tests.id('ann')) $$, 'comments');
select set_eq(
  $$ select user_id, post_id, saved_at - now() from app.saved_posts where user_id <> tests.id('ann') $$,
  $$
    values
      (tests.id('maya'), tests.id('trams'), interval '1 hour'), (tests.id('maya'), tests.id('bikes'), interval '2 hours'),
      (tests.id('maya'), tests.id('cars'), interval '2 hours')
  $$,
  'what was saved, at its time; where both saved it, when the phone''s user did'
);
select set_eq(
  'select user_id, post_id, shared_at - now() from app.feed_shares',
  $$
    values
      (tests.id('maya'), tests.id('trams'), interval '1 hour'), (tests.id('maya'), tests.id('bikes'), interval '2 hours'),
      (tests.id('maya'), tests.id('cars'), interval '2 hours'), (tests.id('maya'), tests.id('boats'), interval '2 hours'),
      (tests.id('maya'), tests.id('trains'), interval '1 hour'), (tests.id('ann'), tests.id('boats'), interval '1 hour'),
      (tests.id('jonas'), tests.id('cars'), interval '3 hours')
  $$,
  'and what was shared, the later time where both did'
);
select set_eq(
  $$ select post_id, reason::text, state::text from app.reports where reporter_id = tests.id('maya') $$,
  $$ values (tests.id('trams'), 'spam', 'open'), (tests.id('trams'), 'hate', 'closed'), (tests.id('bikes'), 'hate', 'open') $$,
  'reports, one a post that is open'
);
select is_empty($$ select from app.reports where reporter_id = tests.id('lena') $$, 'and none of the other account''s');
select set_eq(
  $$ select reporter_id, user_id, reason::text from app.reports where user_id is not null $$,
  $$
    values
      (tests.id('ann'), tests.id('maya'), 'spam'), (tests.id('jonas'), tests.id('lena'), 'spam'), (tests.id('jonas'), tests.id('maya'), 'hate'),
      (tests.id('ann'), tests.id('maya'), 'hate')
  $$,
  'what others reported is about the one person, where they did not say so of both'
);
select set_eq(
  $$ select post_id, kind::text, hub_id, occurred_at - now() from app.feed_events where actor_id = tests.id('maya') and kind in ('commented', 'shared_to_feed') $$,
  $$
    select tests.id(post), kind, hub, at
    from (
      values ('trams', 'commented', interval '1 hour'), ('trams', 'shared_to_feed', '1 hour'), ('bikes', 'shared_to_feed', '2 hours'), ('cars', 'shared_to_feed', '2 hours'), ('boats', 'shared_to_feed', '2 hours'),
        ('trains', 'shared_to_feed', '1 hour')
    ) as act (post, kind, at)
    cross join unnest(array[null, tests.id('elm')]) as hub
  $$,
  'all of it is in their stream, and in those of their Hubs'
);
select bag_eq(
  $$ select kind::text, post_id from app.feed_events where actor_id = tests.id('ann') $$, $$ values ('commented', tests.id('trams')), ('shared_to_feed', tests.id('boats')), ('commented', tests.id('trains')) $$, 'what others did is theirs'
);
select results_eq('select user_id from app.saved_posts where post_id = tests.id(''boats'')', tests.ids('ann'), 'and so is what they keep');
select is_empty($$ select from app.feed_events where actor_id = tests.id('lena') $$, 'and in no other');
select is_empty($$ select tests.who_may('select app.move_activity(null, null)') $$, 'no role moves anything');

rollback to empty;

-- move_belongings: moves what was published
select tests.person('maya', 3);
select tests.post('hers', 'maya');
select tests.person('lena', 2);
select tests.article('shown', 'lena');
select tests.article('draft', 'lena');
insert into app.posts (id, author_id, article_id, visibility) values (tests.id('about it'), tests.id('lena'), tests.id('shown'), 'public');
select tests.person('jonas', 3);
select tests.post('his', 'jonas');
select app.move_belongings(tests.id('lena'), tests.id('maya'));

select set_eq(
  $$ select id from app.posts where author_id = tests.id('maya') $$, array[tests.id('hers'), tests.id('about it')], 'posts move'
);
select set_eq(
  $$ select id from app.articles where author_id = tests.id('maya') $$, array[tests.id('shown'), tests.id('draft')], 'articles move with them'
);
select is(article_id, tests.id('shown'), 'and stay with their posts') from app.posts where id = tests.id('about it');
select is(author_id, tests.id('jonas'), 'those of others do not') from app.posts where id = tests.id('his');

rollback to empty;

-- move_belongings: twice is once
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

create function pg_temp.world()
returns jsonb
language sql
return jsonb_build_array(
  (select jsonb_agg(to_jsonb(t) order by t.id) from app.users as t),
  (select jsonb_agg(to_jsonb(t) order by t.user_id) from app.profiles as t),
  (select jsonb_agg(to_jsonb(t) order by t.id) from app.posts as t),
  (select jsonb_agg(to_jsonb(t) order by t.post_id, t.user_id) from app.vote_receipts as t),
  (select jsonb_agg(to_jsonb(t) order by t.post_id) from app.vote_slots as t),
  (select jsonb_agg(to_jsonb(t) order by t.post_id, t.user_id, t.cast_at) from app.fresh_votes as t),
  (select jsonb_agg(to_jsonb(t) order by t.id) from app.stored_objects as t),
  (select jsonb_agg(to_jsonb(t) order by t.token_hash) from app.device_tokens as t),
  (select jsonb_agg(to_jsonb(t) order by t.user_id) from app.default_feed_users as t),
  (select jsonb_agg(to_jsonb(t) order by t.id) from app.comments as t),
  (select jsonb_agg(to_jsonb(t) order by t.user_id, t.post_id) from app.feed_shares as t),
  (select jsonb_agg(to_jsonb(t) order by t.user_id, t.post_id) from app.saved_posts as t),
  (select jsonb_agg(to_jsonb(t) order by t.id) from app.reports as t),
  (select jsonb_agg(to_jsonb(t) order by t.post_id, t.source_id, t.kind) from app.feed_events as t),
  (select jsonb_agg(to_jsonb(t) order by t.id) from app.notifications as t)
);

select app.move_belongings(tests.id('lena'), tests.id('maya'));
create temporary table worlds as select pg_temp.world() as after_once;
select app.set_clock_offset('1 hour');
select app.move_belongings(tests.id('lena'), tests.id('maya'));
select is(pg_temp.world(), after_once, 'what has moved is not moved again') from worlds;

select tests.slider('cars', 'maya');
select tests.vote('lena', 'cars', 'left');
select tests.vote('lena', 'trams', 'left');
select app.move_belongings(tests.id('lena'), tests.id('maya'));
select is_empty($$ select from app.vote_receipts where user_id = tests.id('lena') $$, 'what has come since is');
select set_eq(
  $$ select post_id from app.vote_receipts where user_id = tests.id('maya') $$,
  array[tests.id('trams'), tests.id('bikes'), tests.id('cars')],
  'each once'
);

rollback to empty;

-- remove_belongings: goes in parts
select tests.person(name, 4) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.hub('elm', 'jonas');
select tests.discussion('trams', 'jonas', 'elm');
select tests.post('bikes', 'jonas');
delete from app.events;

create function pg_temp.rounds(p_name text)
returns integer
language plpgsql
as $$
begin
  for v_round in 1..5 loop
    if not app.remove_belongings(tests.id(p_name)) then
      return v_round;
    end if;
  end loop;
end
$$;

select app.emit('user_followed', tests.id('maya'), tests.id('jonas')) from generate_series(1, 1001) as n;
select is(pg_temp.rounds('maya'), 2, 'a thousand events of theirs at a time');
select is_empty('select from app.events', 'until there are none');
select app.emit('user_followed', tests.id('jonas'), tests.id('maya')) from generate_series(1, 1001) as n;
select is(pg_temp.rounds('maya'), 2, 'a thousand that happened to them');
select is_empty('select from app.events', 'until there are none');
insert into app.messages (discussion_id, hub_id, author_id, body) select tests.id('trams in elm'), tests.id('elm'), tests.id('maya'), 'Hello' from generate_series(1, 1001) as n;
select is(pg_temp.rounds('maya'), 2, 'a thousand messages');
select is(count(*), 1001::bigint, 'until all are anonymous') from app.messages where author_id is null;
select tests.comment('comment ' || n, 'maya', 'bikes') from generate_series(1, 201) as n;
delete from app.events;
select is(pg_temp.rounds('maya'), 3, '201 comments take two parts, and what is no comment a third');
select is_empty('select from app.comments', 'until there are none');
select tests.post('post ' || n, 'jonas') from generate_series(1, 1001) as n;
select tests.feed_share('maya', 'post ' || n) from generate_series(1, 1001) as n;
delete from app.events;
delete from app.feed_events;
select is(pg_temp.rounds('maya'), 2, 'a thousand posts that they shared');
select is_empty('select from app.feed_shares', 'until there are none');
insert into app.placements (post_id, hub_id, kind, placed_by)
select tests.id('post ' || n), tests.id('elm'), 'shared', tests.id('maya') from generate_series(1, 1001) as n;
delete from app.events;
delete from app.feed_events;
select is(pg_temp.rounds('maya'), 2, 'a thousand places that they chose');
select is_empty($$ select from app.placements where placed_by = tests.id('maya') $$, 'until nobody has chosen any');
insert into app.feed_events (actor_id, post_id, kind, occurred_at)
select tests.id('maya'), tests.id('post ' || n), 'voted', app.now() from generate_series(1, 1001) as n;
select is(pg_temp.rounds('maya'), 2, 'a thousand acts');
select is_empty('select from app.feed_events where lost_at is null', 'until none counts');

rollback to empty;

-- remove_belongings: leaves hubs
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
select app.emit('user_followed', tests.id('amara'), tests.id('maya')), app.emit('user_followed', tests.id('maya'), tests.id('amara'));
select app.emit('user_followed', tests.id('maya'), tests.id('jonas'));

select app.leave_hubs(tests.id('amara'));
select is(app.remove_belongings(tests.id('amara')), false, 'an account without posts and comments is removed in one part');
select set_eq($$ select tests.members('elm') $$, array['maya: admin', 'jonas: member'], 'somebody else leads');
select set_eq(
  'select id, author_id, body, asset_id from app.messages',
  $$
    values
      (tests.id('hers'), null, 'hers', null), (tests.id('picture alone'), null, null, null), (tests.id('his'), tests.id('jonas'), 'his', null::uuid)
  $$,
  'texts stay as anonymous history, pictures do not'
);
select set_eq('select id from app.assets', tests.ids('other photo'), 'nor does a photo that was theirs');
select set_eq('select id from app.hubs where photo_asset_id is null', tests.ids('elm'), 'which that Hub alone loses');
select set_eq('select tests.to_be_removed()', tests.ids('photo', 'picture'), 'both go to the worker');
select set_eq(
  'select actor_id, subject_id from app.events', $$ values (null::uuid, tests.id('maya')), (tests.id('maya'), tests.id('jonas')) $$,
  'nobody is told of them any more'
);

rollback to empty;

-- remove_belongings: removes inboxes
select tests.elm();
select tests.post('trams', 'lena');
delete from app.events;
select app.emit('user_followed', tests.id('jonas'), tests.id('maya')), app.emit('user_followed', tests.id('maya'), tests.id('jonas'));
select app.emit('user_followed', tests.id('lena'), tests.id('jonas'));
select app.emit('hub_member_joined', tests.id('maya'), tests.id('maya'), tests.id('elm'));
insert into app.events select (tests.event('hub_role_changed', 'lena', null, 'elm')).*;
select app.notify(e, tests.ids('maya', 'amara')) from app.events as e where e.type = 'hub_role_changed';
select ok(tests.unread('maya') > 0, 'somebody has an inbox');
select app.end_user(tests.id('maya'));
select ok(not app.remove_belongings(tests.id('maya')), 'it takes one step');
select is_empty($$ select from app.notifications where recipient_id = tests.id('maya') $$, 'it goes with them');
select is_empty($$ select from app.inbox_counts where user_id = tests.id('maya') $$, 'and its counts');
select bag_eq($$ select tests.told('jonas') $$, array['user_followed by lena'], 'what they did nobody was told of');
select results_eq($$ select tests.told('amara') $$, array['hub_role_changed by lena in elm'], 'but all else');
select is(tests.unread('jonas'), 1, 'and badges say so');

rollback to empty;

-- remove_belongings: removes inboxes in parts
select tests.person(name, 2) from unnest(array['maya', 'jonas', 'lena']) as name;
insert into app.users (id) select tests.id('fan ' || n) from generate_series(1, 5002) as n;
insert into app.events (id, type, actor_id, subject_id) select tests.id('event ' || n), 'user_followed', tests.id('jonas'), tests.id('maya') from generate_series(1, 1001) as n;
insert into app.notifications (event_id, recipient_id, audience, scope_id) select tests.id('event ' || n), tests.id('lena'), 'everybody', tests.id('lena') from generate_series(1, 1001) as n;

select ok(app.remove_belongings(tests.id('lena')), 'there is more');
select is(count(*), 1::bigint, 'than a thousand that they were told at a time') from app.notifications where recipient_id = tests.id('lena');
select ok(not app.remove_belongings(tests.id('lena')), 'and then none');
select is_empty('select from app.notifications', 'that is left');
insert into app.events (id, type, actor_id) values (tests.id('told to many'), 'followed_user_posted', tests.id('maya'));
insert into app.notifications (event_id, recipient_id, audience, scope_id)
select tests.id('told to many'), tests.id('fan ' || n), 'everybody', tests.id('fan ' || n) from generate_series(1, 5002) as n;
delete from app.events where subject_id = tests.id('maya');
select ok(app.remove_belongings(tests.id('maya')), 'so with what they did');
select is(count(*), 2::bigint, 'five thousand others who were told of it at a time') from app.notifications;
select isnt_empty($$ select from app.events where actor_id = tests.id('maya') $$, 'until all have forgotten it has happened');
select ok(not app.remove_belongings(tests.id('maya')), 'and then not');
select is_empty($$ select from app.events where actor_id = tests.id('maya') $$, 'which leaves nothing');

rollback to empty;

-- remove_belongings: takes what they did along
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
select tests.placed('bikes', 'elm', app.now(), 'shared', 'amara');
select app.leave_hubs(tests.id('amara'));
select app.remove_belongings(tests.id('amara')) from generate_series(1, 3);

select set_eq(
  'select id, author_id, body, asset_id, reply_count from app.comments',
  $$
    values
      (tests.id('root'), null, null, null::uuid, 1), (tests.id('answer'), tests.id('jonas'), 'answer', null, 0),
      (tests.id('his'), tests.id('jonas'), 'his', null, 0)
  $$,
  'of comments the roots of others'' replies stay, without a word'
);
select results_eq(
  $$ select comment_count, repost_count from app.posts where id = tests.id('trams') $$, 'values (2, 0)', 'posts count what is left'
);
select set_eq('select tests.to_be_removed()', tests.ids('picture'), 'pictures go to the worker');
select results_eq('select user_id from app.feed_shares', tests.ids('jonas'), 'shares go');
select set_eq('select id from app.posts', tests.ids('trams', 'bikes'), 'as do reposts, and posts');
select set_eq(
  $$ select tests.acts('trams') $$,
  array[
    'published by jonas', 'published by jonas in elm', 'commented by jonas', 'commented by jonas in elm', 'shared_to_feed by jonas',
    'shared_to_feed by jonas in elm'
  ],
  'nothing that they did is in feeds'
);
select set_eq(
  $$ select tests.acts('bikes') $$, array['published by lena', 'shared_to_hub by nobody in elm'], 'but what they shared into Hubs is, by nobody'
);
select results_eq(
  'select post_id, hub_id, placed_by from app.placements', $$ values (tests.id('bikes'), tests.id('elm'), null::uuid) $$, 'and stays there, likewise'
);
select is_empty($$ select from app.events where actor_id = tests.id('amara') $$, 'nobody is told of any of it');
select ok(not app.remove_belongings(tests.id('amara')), 'and nothing is left to do');

select * from finish();
rollback;
