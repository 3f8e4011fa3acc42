begin;
select plan(39);
savepoint empty;

-- admit refuses ended sessions.
select tests.person('maya');
select tests.session('maya');
prepare admitted as select app.require_live_session_if_any('{"limit": 5}');

select tests.authenticate_as_guest();
select results_eq('admitted', $$ values ('{"limit": 5}'::jsonb) $$, 'admit returns the arguments of a guest');

set local role none;
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
set local role authenticated;
select results_eq('admitted', $$ values ('{"limit": 5}'::jsonb) $$, 'admit returns the arguments of a live session');

select set_config('request.jwt.claims', (tests.claims('maya') - 'session_id')::text, true);
select set_config('opine.user_id', '', true);
select throws_ok(
  'admitted', 'PT401', 'UNAUTHORIZED',
  'admit refuses a token without a session on a connection that served the gateway before'
);

select set_config('request.jwt.claims', '', true);
select throws_ok('admitted', 'PT401', 'UNAUTHORIZED', 'admit refuses a member without claims');

set local role none;
delete from app.sessions where user_id = tests.id('maya');
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
set local role authenticated;
select throws_ok('admitted', 'PT401', 'UNAUTHORIZED', 'admit refuses an ended session while its token is valid');

set local role none;
select throws_ok(
  $$ select gateway.set_caller(tests.claims('maya'), false) $$, 'PT401', 'UNAUTHORIZED',
  'gateway.set_caller refuses an ended session'
);
select tests.session('maya');
select gateway.set_caller(tests.claims('maya'), false);
set local role authenticated;
select results_eq(
  'admitted', $$ values ('{"limit": 5}'::jsonb) $$, 'admit accepts a session that gateway.set_caller has checked'
);
deallocate admitted;

rollback to empty;

-- An account that ends after the gateway has looked its caller up has no onboarding status any more.
select tests.person('maya');
select tests.session('maya');
select gateway.set_caller(tests.claims('maya'), false, p_keeps_level => true);
select app.end_user(tests.id('maya'));
set local role authenticated;
select throws_ok(
  'select app.onboarding_status()', 'PT401', 'UNAUTHORIZED',
  'onboarding_status refuses an account that has ended since its session was checked'
);

rollback to empty;

-- session_is_live accepts an access token until the second of its exp.
select tests.person('maya');
select tests.session('maya');
select app.set_clock_offset(date_trunc('second', now()) - now());
select is(
  app.session_is_live(
    tests.claims('maya') || jsonb_build_object('exp', extract(epoch from app.now())::bigint + seconds)
  ), expected,
  format('an access token is %s %s seconds before its exp', case when expected then 'valid' else 'invalid' end, seconds)
)
from (values (1, true), (0, false), (-1, false)) as c (seconds, expected);
select is(
  app.session_is_live(tests.claims('maya') - claim), false, format('an access token without %s is invalid', claim)
)
from unnest(array['exp', 'sub', 'session_id']) as claim;

rollback to empty;

-- level_of counts the onboarding steps that a user has taken (docs/product.md L1, L2).
select tests.person(name, level)
from (values ('one', 1), ('two', 2), ('three', 3), ('four', 4), ('ended', 1)) as person (name, level);
select app.end_user(tests.id('ended'));

select is(app.level_of(tests.id(name)), expected, title)
from (
  values
    (null, 0, 'level_of is 0 for a guest'),
    ('unknown', 0, 'level_of is 0 for an unknown user'),
    ('ended', 0, 'level_of is 0 for a deleted account'),
    ('one', 1, 'level_of is 1 for a user without a profile'),
    ('two', 2, 'level_of is 2 for a user with a profile'),
    ('three', 3, 'level_of is 3 with a phone and the media step'),
    ('four', 4, 'level_of is 4 with synced contacts as well')
) as c (name, expected, title);
update app.users set media_completed_at = null where id = tests.id('four');
select is(app.level_of(tests.id('four')), 2, 'level_of is 2 with phone and contacts but without the media step');
delete from app.profiles where user_id = tests.id('three');
select is(app.level_of(tests.id('three')), 1, 'level_of is 1 with a phone but without a profile');
select tests.authenticate_as('two');
select set_config(
  'request.jwt.claims', jsonb_build_object('sub', tests.id('two'), 'level', 4, 'role', 'service_role')::text, true
);
select is(app.viewer_level(), 2, 'viewer_level ignores a level that the token claims');
-- The Data API accepts an access token until it expires, even if its session has ended.
select tests.authenticate_as('ended');
select throws_ok(
  $$
    select api.save_profile_basics(
      '{"termsAccepted": true, "username": "again", "fullName": "Maya", "termsVersion": "1"}'
    )
  $$,
  'PT401', 'UNAUTHORIZED', 'a deleted account cannot register again with its access token'
);

rollback to empty;

-- get_onboarding_status names the first open step (docs/product.md O1, O2).
select tests.person('maya', 1);

create function pg_temp.status_after(p_step text)
returns jsonb
language plpgsql
as $$
begin
  perform set_config('role', 'none', true);
  execute p_step;
  perform tests.authenticate_as('maya');
  return api.get_onboarding_status('{}');
end
$$;

select is(
  pg_temp.status_after('select'),
  '{"profileBasics": false, "mediaCompleted": false, "phoneConfirmed": false, "contactsSynced": false,
    "contactsSyncedAt": null, "level": 1, "completed": false, "nextStep": "profile_basics", "snapshot": null}',
  'get_onboarding_status names profile_basics as the first step'
);
select is(
  pg_temp.status_after(step) ->> 'nextStep', next, format('get_onboarding_status names %s as the next step', next)
)
from (
  values
    ($$ insert into app.profiles (user_id, username, full_name) values (tests.id('maya'), 'maya', 'Maya') $$, 'media'),
    ('update app.users set media_completed_at = app.now()', 'phone'),
    ($$ update app.users set phone = tests.phone_of('maya'), phone_verified_at = app.now() $$, 'contacts')
) as steps (step, next);
select is(
  pg_temp.status_after($$ update app.users set contacts_synced_at = '2026-01-02 03:04:05+00' $$),
  '{"profileBasics": true, "mediaCompleted": true, "phoneConfirmed": true, "contactsSynced": true,
    "contactsSyncedAt": "2026-01-02T03:04:05.000Z", "level": 4, "completed": true, "nextStep": null, "snapshot": null}',
  'get_onboarding_status names no step after the last one'
);

rollback to empty;

-- require_level accepts live sessions of a user who has the level.
-- docs/product.md I3, I4: the Data API accepts the access token too, and logging out ends it at once.
-- docs/product.md L3
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
  'require_level names profile_basics as the next step at level 1'
);
select is(pg_temp.refusal(caller, level) #>> '{details,nextStep}', next, title)
from (
  values
    ('three', 3, null, 'require_level accepts a user of exactly this level'),
    ('three', 1, null, 'require_level accepts a user of a higher level'),
    ('two', 3, 'media', 'require_level names media as the next step at level 2'),
    ('two', 4, 'media', 'require_level names the next step even if the required level is two higher'),
    ('three', 4, 'contacts', 'require_level names contacts as the next step at level 3')
) as c (caller, level, next, title);
reset role;
delete from app.sessions;
set local role authenticated;
select set_config('request.jwt.claims', tests.claims('three')::text, true);
select throws_ok('select app.require_level(1)', 'PT401', 'UNAUTHORIZED', 'require_level refuses an ended session');
select set_config('request.jwt.claims', '', true);
select throws_ok(
  'select app.require_level(1)', 'PT401', 'UNAUTHORIZED', 'require_level refuses a caller without claims'
);
select tests.authenticate_as('without an account');
select throws_ok(
  'select app.require_level(1)', 'PT401', 'UNAUTHORIZED', 'require_level refuses a token of an unknown user'
);

select * from finish();
rollback;
