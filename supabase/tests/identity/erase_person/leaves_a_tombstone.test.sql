select plan(19);

select tests.person('maya', 4);
update app.users set terms_version = '1', terms_accepted_at = app.now();
select tests.session('maya');
select tests.device_token('hers', 'maya');
insert into app.device_tokens (token_hash, user_id, platform, sealed_token)
values (tests.hash('of a merge'), tests.id('maya'), 'ios', tests.sealed('of a merge'));
select tests.upload('maya');
insert into app.contacts (user_id, place, name, phone_numbers) values (tests.id('maya'), 1, 'Ann', array['+12025550101']);
insert into app.default_feed_users (user_id) values (tests.id('maya'));
select app.use_meter('handle checks', tests.id('maya')::text, 60, interval '1 minute');
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
  'app.default_feed_users', 'app.rate_meters', 'gateway.idempotent_answers', 'app.hub_profiles', 'app.uploads', 'app.assets',
  'app.saved_posts', 'app.former_sources', 'app.hub_mutes'
]) as erased;
select results_eq('select reporter_id, reason from app.reports', $$ values (null::uuid, 'spam'::app.report_reason) $$, 'what they reported stays, and not who did');
select is_empty(
  $$
    select c.conrelid::regclass from pg_constraint as c
    where c.confrelid = 'app.users'::regclass
      and c.conrelid::regclass::text <> all (array[
        'app.articles', 'app.assets', 'app.blocks', 'app.comments', 'app.contact_snapshots', 'app.default_feed_users', 'app.departures',
        'app.device_tokens', 'app.events', 'app.feed_events', 'app.feed_shares', 'app.follow_counts', 'app.follows', 'app.former_sources',
        'app.hub_invitations', 'app.hub_mutes', 'app.hub_profiles', 'app.join_requests', 'app.memberships', 'app.messages', 'app.notifications', 'app.placements',
        'app.posts', 'app.profiles', 'app.reports', 'app.saved_discussions', 'app.saved_posts', 'app.sessions', 'app.stored_objects',
        'app.suspended_memberships', 'app.suspensions', 'app.uploads', 'app.vote_receipts', 'gateway.idempotent_answers'
      ])
  $$,
  'whoever adds a table of people says here whether app.erase_person or app.finish_departure empties it'
);
select is_empty($$ select tests.who_may('select app.erase_person(null)') $$, 'no role erases anybody');

select * from finish();
