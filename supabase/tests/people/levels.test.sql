begin;
select plan(35);
savepoint empty;

-- admit: refuses ended sessions
select tests.person('maya');
select tests.session('maya');
prepare admitted as select app.admit('{"limit": 5}');

select set_config('request.jwt.claims', '{"role": "anon"}', true);
set local role anon;
select results_eq('admitted', $$ values ('{"limit": 5}'::jsonb) $$, 'a guest gets the arguments back');
select throws_ok($$ select app.session_is_live('{}') $$, '42501', null, 'a guest may look no session up');

set local role none;
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
set local role authenticated;
select results_eq('admitted', $$ values ('{"limit": 5}'::jsonb) $$, 'a live session gets the arguments back');

select set_config('request.jwt.claims', (tests.claims('maya') - 'session_id')::text, true);
select throws_ok('admitted', 'PT401', 'UNAUTHORIZED', 'a token without a session is refused');
select set_config('opine.live_session', '', true);
select throws_ok('admitted', 'PT401', 'UNAUTHORIZED', 'a token without a session is refused on a connection that served the gateway before');

select set_config('request.jwt.claims', '', true);
select throws_ok('admitted', 'PT401', 'UNAUTHORIZED', 'a member without claims is refused');

set local role none;
delete from app.sessions where user_id = tests.id('maya');
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
set local role authenticated;
select throws_ok('admitted', 'PT401', 'UNAUTHORIZED', 'an ended session is refused while its token is valid');

set local role none;
select throws_ok(
  $$ select gateway.enter(tests.claims('maya'), false) $$, 'PT401', 'UNAUTHORIZED', 'the gateway refuses an ended session itself'
);
select tests.session('maya');
select gateway.enter(tests.claims('maya'), false);
set local role authenticated;
select results_eq('admitted', $$ values ('{"limit": 5}'::jsonb) $$, 'a session that the gateway let in is admitted');
deallocate admitted;

rollback to empty;

-- level_of: comes from the row and not from the claims
select tests.person('maya', 2);
select tests.authenticate_as('maya');
select set_config('request.jwt.claims', jsonb_build_object('sub', tests.id('maya'), 'level', 4, 'role', 'service_role')::text, true);
select is(app.level_of(app.user_id()), 2, 'what a token claims lifts nobody');

rollback to empty;

-- level_of: counts the steps taken
select tests.person('one', 1);
select tests.person('two', 2);
select tests.person('three', 3);
select tests.person('four', 4);

select is(app.level_of(null), 0, 'a guest has no level');
select is(app.level_of(tests.id('one')), 1, 'a session is level 1');
select is(app.level_of(tests.id('two')), 2, 'a registered profile is level 2');
select is(app.level_of(tests.id('three')), 3, 'a verified phone and a finished profile are level 3');
select is(app.level_of(tests.id('four')), 4, 'contacts synced on top are level 4');

update app.users set media_completed_at = null where id = tests.id('four');
select is(app.level_of(tests.id('four')), 2, 'without the media step, phone and contacts lift nobody above 2');
delete from app.profiles where user_id = tests.id('three');
select is(app.level_of(tests.id('three')), 1, 'without a profile, a phone lifts nobody above 1');
select is(app.level_of(tests.id('unknown')), 0, 'who has no account has no level');

rollback to empty;

-- level_of: is nothing for an ended account
select tests.person('maya', 1);
select app.end_user(tests.id('maya'));
select is(app.level_of(tests.id('maya')), 0, 'an ended account has no level');
-- The Data API accepts an access token until it expires, whatever became of its session.
select tests.authenticate_as('maya');
select throws_ok(
  $$ select api.save_profile_basics('{"termsAccepted": true, "username": "maya_again", "fullName": "Maya", "termsVersion": "1"}') $$,
  'PT401', 'UNAUTHORIZED', 'and does not come back with a new profile'
);

rollback to empty;

-- onboarding_status: names the first open step
select tests.person('maya', 1);
select tests.authenticate_as('maya');
select is(
  api.get_onboarding_status('{}'),
  '{"profileBasics": false, "mediaCompleted": false, "phoneConfirmed": false, "contactsSynced": false, "contactsSyncedAt": null,
    "level": 1, "completed": false, "nextStep": "profile_basics"}',
  'an anonymous user registers first'
);
reset role;
insert into app.profiles (user_id, username, full_name) values (tests.id('maya'), 'maya', 'Maya');
select tests.authenticate_as('maya');
select is(api.get_onboarding_status('{}') ->> 'nextStep', 'media', 'then comes the photo');
reset role;
update app.users set media_completed_at = app.now();
select tests.authenticate_as('maya');
select is(api.get_onboarding_status('{}') ->> 'nextStep', 'phone', 'then the phone');
reset role;
update app.users set phone = tests.phone_of('maya'), phone_verified_at = app.now();
select tests.authenticate_as('maya');
select is(api.get_onboarding_status('{}') ->> 'nextStep', 'contacts', 'then the contacts');
reset role;
update app.users set contacts_synced_at = '2026-01-02 03:04:05+00';
select tests.authenticate_as('maya');
select is(
  api.get_onboarding_status('{}'),
  '{"profileBasics": true, "mediaCompleted": true, "phoneConfirmed": true, "contactsSynced": true,
    "contactsSyncedAt": "2026-01-02T03:04:05.000Z", "level": 4, "completed": true, "nextStep": null}',
  'then nothing is left'
);

rollback to empty;

-- require_level: lets pass who has it
select tests.person('maya', 3);
select tests.authenticate_as('maya');
select lives_ok('select app.require_level(3)', 'the level itself is enough');
select lives_ok('select app.require_level(1)', 'and so is a higher one');

rollback to empty;

-- require_level: refuses an ended session
-- docs/product.md I3, I4: the Data API accepts the access token too, and logging out ends it at once.
select tests.person('maya', 3);
select tests.session('maya');
select tests.authenticate_as('maya');
select lives_ok('select app.require_level(1)', 'a live session passes');
reset role;
delete from app.sessions;
set local role authenticated;
select throws_ok('select app.require_level(1)', 'PT401', 'UNAUTHORIZED', 'an ended one does not, by whatever way it comes');

rollback to empty;

-- require_level: refuses guests
set local role authenticated;
select throws_ok('select app.require_level(1)', 'PT401', 'UNAUTHORIZED', 'nobody has no level');
select tests.authenticate_as('without an account');
select throws_ok('select app.require_level(1)', 'PT401', 'UNAUTHORIZED', 'nor has a token of another service''s user');

rollback to empty;

-- require_level: tells what is missing
select tests.person('one', 1);
select tests.person('two', 2);
select tests.person('three', 3);

create function pg_temp.refusal(p_name text, p_level integer)
returns jsonb
language plpgsql
as $$
begin
  perform tests.authenticate_as(p_name);
  return tests.error_of(format('select app.require_level(%s)', p_level));
end
$$;

select is(
  pg_temp.refusal('one', 2),
  '{"state": "PT403", "code": "FORBIDDEN", "details": {"requiredLevel": 2, "level": 1, "nextStep": "profile_basics"}}',
  'an anonymous user is told to register'
);
select is(
  pg_temp.refusal('two', 3) -> 'details', '{"requiredLevel": 3, "level": 2, "nextStep": "media"}',
  'a registered one to finish the profile'
);
select is(
  pg_temp.refusal('two', 4) -> 'details', '{"requiredLevel": 4, "level": 2, "nextStep": "media"}', 'whatever the level required'
);
select is(
  pg_temp.refusal('three', 4) -> 'details', '{"requiredLevel": 4, "level": 3, "nextStep": "contacts"}',
  'a phone-confirmed one to sync contacts'
);

select * from finish();
rollback;
