begin;
select plan(105);
savepoint empty;

-- anonymous_user: is one for each device
create temporary table users as select * from app.anonymous_user(tests.hash('phone'));
select ok(is_new, 'a device that was never seen has a new user') from users;
select results_eq(
  $$ select * from app.anonymous_user(tests.hash('phone')) $$, 'select user_id, false from users', 'which it restores from then on'
);
select isnt((app.anonymous_user(tests.hash('tablet'))).user_id, user_id, 'another device has another') from users;
select app.end_user(user_id) from users;
select isnt((app.anonymous_user(tests.hash('phone'))).user_id, user_id, 'after that account ended the device begins anew') from users;
select is_empty($$ select tests.who_may('select app.anonymous_user(null)') $$, 'no role makes a user without a proof');

rollback to empty;

-- exchange_id_token: merges into a phone alone
select tests.person('lena', 2);
select tests.session('lena');
select tests.person('maya', 3);

create function pg_temp.exchange(p_proof jsonb)
returns jsonb
language sql
return gateway.invoke_as_service(
  'exchange_id_token', tests.claims('lena'), tests.sign_in(gen_random_uuid()::text) || p_proof
)::jsonb;

set local session authorization opine_gateway;
create temporary table answers as select pg_temp.exchange(jsonb_build_object('subjectHash', tests.hex('subject'))) as of_nobody;
set local role none;
select is(of_nobody -> 'merged', 'false', 'an anonymous identity takes no session over') from answers;
reset session authorization;
select is(ended_at, null, 'whose user lives on') from app.users where id = tests.id('lena');
set local session authorization opine_gateway;
select is(
  pg_temp.exchange(jsonb_build_object('phoneNumber', tests.phone_of('maya'))) #>> '{merged}', 'true', 'a proven phone does'
);
reset session authorization;
select isnt(ended_at, null, 'and its user ends') from app.users where id = tests.id('lena');

rollback to empty;

-- exchange_id_token: restores an anonymous identity
create function pg_temp.exchange(p_subject text)
returns jsonb
language sql
return api.exchange_id_token(tests.sign_in(gen_random_uuid()::text) || jsonb_build_object('subjectHash', tests.hex(p_subject)));

create temporary table answers as
select pg_temp.exchange('subject') as first, pg_temp.exchange('subject') as again, pg_temp.exchange('another') as another;
select is((first - 'user') ->> 'isNewUser', 'true', 'an anonymous identity is a new user once') from answers;
select is(
  array[again -> 'user' ->> 'id', again ->> 'isNewUser', again ->> 'merged'], array[first -> 'user' ->> 'id', 'false', 'false'],
  'and the same user from then on'
)
from answers;
select isnt(another -> 'user' ->> 'id', first -> 'user' ->> 'id', 'another identity is another user') from answers;
select is((first -> 'user') - 'id', '{"username": null, "fullName": null, "isAnonymous": true, "level": 1}', 'who is anonymous') from answers;

rollback to empty;

-- exchange_id_token: signs in a phone
create function pg_temp.exchange(p_name text)
returns jsonb
language sql
return api.exchange_id_token(tests.sign_in(gen_random_uuid()::text) || jsonb_build_object('phoneNumber', tests.phone_of(p_name)));

select tests.person('maya', 3);
create temporary table answers as select pg_temp.exchange('maya') as known, pg_temp.exchange('jonas') as unknown;
select is(known -> 'user' ->> 'id', tests.id('maya')::text, 'a token of a known phone is its user''s') from answers;
select is(known -> 'isNewUser', 'false', 'who is not new') from answers;
select is(unknown -> 'isNewUser', 'true', 'a token of an unknown phone makes a user') from answers;
select is(unknown -> 'merged', 'false', 'nothing is merged without a session') from answers;
select is(u.phone::text, tests.phone_of('jonas'), 'whose phone is proven')
from answers
join app.users as u on u.id = (unknown -> 'user' ->> 'id')::uuid;

rollback to empty;

-- get_login_config: adds what the database knows
select tests.authenticate_as_guest();
select is(
  api.get_login_config('{"appLogoUrl": "https://opine.example/logo.png", "methods": ["phone_otp"], "legal": {"termsVersion": "1"}}'),
  '{"appLogoUrl": "https://opine.example/logo.png", "legal": {"termsVersion": "1"}, "methods": ["phone_otp"],
    "otp": {"length": 4, "resendAfterSeconds": 60, "expiresInSeconds": 300}}',
  'what the configuration knows comes back with the rules of one-time codes'
);

rollback to empty;

-- grant_to_phone: takes device tokens over
select tests.person('maya', 3);
select tests.session('maya');
select tests.device_token('tablet', 'maya');
select tests.person('lena', 2);
select tests.session('lena');
select tests.device_token('phone', 'lena');
select tests.person('jonas', 3);
select tests.device_token('his', 'jonas');

select set_config('request.jwt.claims', tests.claims('lena')::text, true);
create temporary table answers as select app.grant_to_phone(tests.phone_of('maya'), tests.sign_in('token')) as answer;
select is(answer -> 'merged', 'true', 'the session is merged') from answers;
select results_eq(
  $$ select user_id, session_id::text from app.device_tokens where token_hash = tests.hash('phone') $$,
  $$ select tests.id('maya'), answer ->> 'sessionId' from answers $$,
  'its device token goes with the session that is opened'
);
select results_eq(
  $$ select session_id from app.device_tokens where token_hash = tests.hash('tablet') $$, array[tests.id('session of maya')],
  'others stay with theirs'
);
select is(session_id, null, 'so do those of others') from app.device_tokens where token_hash = tests.hash('his');
select is_empty($$ select tests.who_may($s$ select app.grant_to_phone('', '{}') $s$) $$, 'no role gives a session to a phone of its choice');

rollback to empty;

-- request_otp: answers alike for every phone
select tests.person('maya', 3);
select is(
  tests.request_code('maya', '1234') - 'phoneNumber',
  tests.request_code('nobody yet', '1234') - 'phoneNumber',
  'whether a phone has an account is not told'
);

rollback to empty;

-- request_otp: limits an address
create function pg_temp.request(p_name text, p_address text default 'office', p_is_test_number boolean default false)
returns jsonb
language sql
return tests.error_of(format('select tests.request_code(%L, %L, %L, %L)', p_name, '1234', p_is_test_number, p_address));

select is_empty(
  $$ select from unnest(array['ann', 'ben', 'cleo', 'dan']) as name where pg_temp.request(name) is not null $$,
  'as many phones as the limit get their code'
);
select is(
  pg_temp.request('eve'), '{"state": "PT429", "code": "RATE_LIMITED", "details": {"retryAfterSeconds": 900}}',
  'the next waits for its share of the hour'
);
select is(pg_temp.request('tester', p_is_test_number => true) ->> 'code', 'RATE_LIMITED', 'test numbers wait with it');
select is(pg_temp.request('eve', 'home'), null, 'other addresses do not wait');
select is(pg_temp.request('finn', null), null, 'nor does what has no address to count by');
select app.set_clock_offset('15 minutes');
select is(pg_temp.request('gus'), null, 'then one more is sent');

rollback to empty;

-- request_otp: replaces the code
select tests.request_code('maya', '1234');
select app.set_clock_offset('1 minute');
select tests.request_code('maya', '5678');
select is(
  tests.enter_code('maya', '1234'), '{"refusal": {"code": "OTP_INVALID", "details": {}}}', 'the older code is void'
);
select ok(tests.enter_code('maya', '5678') ? 'sessionId', 'the newer one signs in');

rollback to empty;

-- request_otp: says when both limits pass
create function pg_temp.request() returns void language sql as $$
  select api.request_otp(jsonb_build_object(
    'phoneNumber', tests.phone_of('maya'), 'phoneHash', tests.hex('maya'), 'codeHash', tests.hex('code'), 'codesPerDay', 2
  ));
$$;

select pg_temp.request();
update app.otp_codes set requested_at = requested_at - interval '1 hour', sent_at = array[app.now() - interval '1 hour'];
select pg_temp.request();
select is(
  tests.error_of('select pg_temp.request()') -> 'details', jsonb_build_object('retryAfterSeconds', 23 * 3600),
  'right after the last code of the day the wait is for the next day, not for a minute'
);
select is(
  (select app.next_code_at(c, 3) from app.otp_codes as c), app.now() + interval '1 minute', 'within the limit it is a minute'
);
select is(
  (select app.next_code_at(c, null) from app.otp_codes as c), app.now() + interval '1 minute', 'as it is without one'
);

rollback to empty;

-- request_otp: sends five a day
create function pg_temp.request_at(p_offset interval, p_name text, p_is_test_number boolean default false)
returns jsonb
language plpgsql
as $$
begin
  perform app.set_clock_offset(p_offset);
  return tests.error_of(format('select tests.request_code(%L, %L, %L)', p_name, '1234', p_is_test_number));
end
$$;

select pg_temp.request_at(n * interval '1 hour', 'maya') from generate_series(0, 4) as n;
select pg_temp.request_at(n * interval '1 hour', 'tester', true) from generate_series(0, 4) as n;

select is(
  pg_temp.request_at('5 hours', 'maya'),
  '{"state": "PT429", "code": "RATE_LIMITED", "details": {"retryAfterSeconds": 68400}}',
  'a sixth code waits until the first is a day old'
);
select is(pg_temp.request_at('5 hours', 'tester', true), null, 'a test number has no daily limit');
select is(
  pg_temp.request_at('5 hours', 'tester', true) ->> 'code', 'RATE_LIMITED', 'but waits its minute like any other'
);
select is(
  sent_at, '{}', 'and is counted nowhere, should it become a number like any other'
)
from app.otp_codes where phone_hash = tests.hash(tests.phone_of('tester'));
select is(pg_temp.request_at('24 hours', 'maya'), null, 'then it is sent');
select is(
  pg_temp.request_at('24 hours 1 minute', 'maya') -> 'details', '{"retryAfterSeconds": 3540}',
  'and the next waits for the second'
);

rollback to empty;

-- request_otp: sends one a minute
select tests.request_code('maya', '1234');
select is(
  tests.error_of($$ select tests.request_code('maya', '5678') $$),
  '{"state": "PT429", "code": "RATE_LIMITED", "details": {"retryAfterSeconds": 60}}',
  'a second code has to wait'
);
select lives_ok($$ select tests.request_code('jonas', '5678') $$, 'other phones do not wait');
select app.set_clock_offset('59.5 seconds');
select is(
  tests.error_of($$ select tests.request_code('maya', '5678') $$) -> 'details', '{"retryAfterSeconds": 1}',
  'the rest of a second counts as one'
);
select app.set_clock_offset('60 seconds');
select lives_ok($$ select tests.request_code('maya', '5678') $$, 'after a minute it is sent');

rollback to empty;

-- request_otp: tells how long a code lives
select is(
  tests.request_code('maya', '1234'),
  jsonb_build_object(
    'phoneNumber', tests.phone_of('maya'), 'resendAfterSeconds', 60, 'expiresAt', app.iso(app.now() + interval '5 minutes')
  ),
  'a code lives five minutes and may be sent anew after one'
);

rollback to empty;

-- sign_in_with_phone: ends the other sessions of the install
select tests.person('lena', 1);
select tests.session('here', 'lena');
select tests.session('elsewhere', 'lena');
select set_config('request.jwt.claims', tests.claims('here', 'lena')::text, true);
select app.sign_in_with_phone(tests.phone_of('lena'), tests.id('lena'));
select bag_eq(
  'select id from app.sessions', array[tests.id('session of here')],
  'of the sessions that a device id opened only the one that verifies the phone goes on'
);
select is_empty(
  $$ select from app.refresh_tokens where session_id <> tests.id('session of here') $$, 'and no refresh token brings one back'
);

rollback to empty;

-- sign_in_with_phone: finds the user of a known phone
select tests.person('maya', 3);
select results_eq(
  'select * from app.sign_in_with_phone(tests.phone_of(''maya''), null)',
  $$ values (tests.id('maya'), false, false) $$,
  'the phone''s user signs in'
);
select is(count(*)::integer, 1, 'and no other is made') from app.users;

rollback to empty;

-- sign_in_with_phone: gives an anonymous user a new phone
select tests.person('lena', 2);
update app.users set device_hash = tests.hash('install');
select results_eq(
  $$ select * from app.sign_in_with_phone(tests.phone_of('lena'), tests.id('lena')) $$,
  $$ values (tests.id('lena'), true, true) $$,
  'the anonymous user becomes the phone''s, with the same id'
);
select is(phone::text, tests.phone_of('lena'), 'the phone is theirs') from app.users;
select is(device_hash, null, 'the install opens the account no more') from app.users;
select is(username, 'lena', 'the profile stays') from app.profiles;

rollback to empty;

-- sign_in_with_phone: leaves users with a phone alone
select tests.person('maya', 3);
select tests.person('jonas', 3);
select results_eq(
  $$ select * from app.sign_in_with_phone(tests.phone_of('maya'), tests.id('jonas')) $$,
  $$ values (tests.id('maya'), false, false) $$,
  'who has a phone is not merged into another phone''s user'
);
select results_eq(
  $$ select is_new, is_merged from app.sign_in_with_phone(tests.phone_of('new'), tests.id('jonas')) $$,
  'values (true, false)',
  'nor given a second phone'
);
select is(phone::text, tests.phone_of('jonas'), 'and keeps their own') from app.users where id = tests.id('jonas');

rollback to empty;

-- sign_in_with_phone: makes a user for a new phone
create temporary table sign_ins as select * from app.sign_in_with_phone(tests.phone_of('maya'), null);
select results_eq('select is_new, is_merged from sign_ins', 'values (true, false)', 'the user is new');
select is(phone::text, tests.phone_of('maya'), 'and has the phone') from app.users join sign_ins on user_id = id;
select is(phone_verified_at, app.now(), 'as of now') from app.users join sign_ins on user_id = id;

rollback to empty;

-- sign_in_with_phone: merges an anonymous user into a known phone
select tests.person('maya', 3);
select tests.person('lena', 2);
select tests.session('lena');
select results_eq(
  $$ select * from app.sign_in_with_phone(tests.phone_of('maya'), tests.id('lena')) $$,
  $$ values (tests.id('maya'), false, true) $$,
  'the phone''s user signs in and takes over what the anonymous one did'
);
select isnt(ended_at, null, 'the anonymous user has ended') from app.users where id = tests.id('lena');
select is_empty('select from app.sessions', 'and so have their sessions');

rollback to empty;

-- sign_in_with_phone: revives no ended user
select tests.person('guest', 1);
select app.end_user(tests.id('guest'));
select results_eq(
  $$ select user_id = tests.id('guest'), is_merged from app.sign_in_with_phone(tests.phone_of('maya'), tests.id('guest')) $$,
  'values (false, false)',
  'an ended user does not become a phone''s'
);

rollback to empty;

-- start_anonymous_session: limits new installs of an address
create function pg_temp.start(p_device text, p_address text default 'here') returns jsonb language sql as $$
  select api.start_anonymous_session(jsonb_build_object(
    'deviceHash', tests.hex(p_device), 'refreshTokenHash', tests.hex(gen_random_uuid()::text), 'deviceKind', 'ios',
    'addressHash', p_address, 'devicesPerAddress', 2
  ));
$$;

select pg_temp.start('one');
select pg_temp.start('two');
select is(
  tests.error_of($$ select pg_temp.start('three') $$),
  '{"state": "PT429", "code": "RATE_LIMITED", "details": {"retryAfterSeconds": 1800}}'::jsonb,
  'a third new install within the hour waits'
);
select isnt(pg_temp.start('one') -> 'sessionId', null, 'a known one is restored all the same');
select isnt(pg_temp.start('three', 'elsewhere') -> 'sessionId', null, 'another address has its own limit');
select isnt(pg_temp.start('four', null) -> 'sessionId', null, 'no address has none');

rollback to empty;

-- start_anonymous_session: opens no account with a phone
create function pg_temp.open_app(p_token text)
returns uuid
language sql
return (api.start_anonymous_session(
  tests.sign_in(p_token) || jsonb_build_object('deviceHash', tests.hex('install'))
) -> 'user' ->> 'id')::uuid;

create temporary table openings as select pg_temp.open_app('before') as before;
select app.sign_in_with_phone(tests.phone_of('maya'), before) from openings;
select is(phone::text, tests.phone_of('maya'), 'the anonymous user has verified a phone') from app.users join openings on id = before;
select isnt(pg_temp.open_app('after'), before, 'from then on the install alone opens another user') from openings;

rollback to empty;

-- start_anonymous_session: restores the user of an install
create function pg_temp.open_app(p_install text, p_token text)
returns jsonb
language sql
return api.start_anonymous_session(tests.sign_in(p_token) || jsonb_build_object('deviceHash', tests.hex(p_install)));

create temporary table answers as
select install, token, pg_temp.open_app(install, token) as answer
from (values ('first', 'a'), ('first', 'b'), ('second', 'c')) as opened (install, token);

select is(
  (answer -> 'user') - 'id', '{"username": null, "fullName": null, "isAnonymous": true, "level": 1}', 'a new install is an anonymous user'
)
from answers where token = 'a';
select is(count(distinct answer -> 'user' ->> 'id')::integer, 1, 'the same install is the same user again') from answers where install = 'first';
select is(count(distinct answer -> 'user' ->> 'id')::integer, 2, 'another install is another user') from answers;
select is(count(distinct answer ->> 'sessionId')::integer, 3, 'each time a session begins') from answers;

rollback to empty;

-- verify_otp: breaks at wrong tries of the whole service
select tests.request_code(name, '1234') from unnest(array['ann', 'ben', 'cleo', 'tester']) as name;

create function pg_temp.enter(p_name text, p_code text, p_tries_per_day integer default 2)
returns jsonb
language sql
return tests.enter_code(p_name, p_code, jsonb_build_object('wrongTriesPerDay', p_tries_per_day));

select is(
  pg_temp.enter('tester', '0000', null) -> 'refusal' ->> 'code', 'OTP_INVALID', 'a wrong code of a test number is told'
);
select is_empty('select from app.rate_limits', 'and counts for nothing');
select pg_temp.enter('ann', '0000');
select ok(pg_temp.enter('ann', '1234') ? 'sessionId', 'a right code is no wrong try');
select is(pg_temp.enter('ben', '0000') -> 'refusal' ->> 'code', 'OTP_INVALID', 'so that the next wrong one is only the second');
select is(
  pg_temp.enter('cleo', '1234'), '{"refusal": {"code": "RATE_LIMITED", "details": {"retryAfterSeconds": 43200}}}',
  'who guesses across many phones is stopped on all of them'
);
select ok(pg_temp.enter('tester', '1234', null) ? 'sessionId', 'a test number signs in all the same');
select is(
  pg_temp.enter('nobody', '0000') -> 'refusal' ->> 'code', 'RATE_LIMITED', 'whether a phone asked for a code shows no more'
);

rollback to empty;

-- verify_otp: ends a code at the third wrong try
select tests.request_code('maya', '1234');
select is(tests.enter_code('maya', '0000'), '{"refusal": {"code": "OTP_INVALID", "details": {}}}', 'the first wrong try is told');
select is(tests.enter_code('maya', '0001'), '{"refusal": {"code": "OTP_INVALID", "details": {}}}', 'the second too');
select is(
  tests.enter_code('maya', '0002'), '{"refusal": {"code": "RATE_LIMITED", "details": {"retryAfterSeconds": 60}}}',
  'the third ends the code'
);
select is(
  tests.enter_code('maya', '1234') -> 'refusal' ->> 'code', 'RATE_LIMITED', 'then even the right code is refused'
);
select app.set_clock_offset('1 minute');
select is(
  tests.enter_code('maya', '1234'), '{"refusal": {"code": "RATE_LIMITED", "details": {"retryAfterSeconds": 1}}}',
  'and stays refused'
);
select tests.request_code('maya', '5678');
select ok(tests.enter_code('maya', '5678') ? 'sessionId', 'a new code has tries of its own');

rollback to empty;

-- verify_otp: limits an address
select tests.request_code(name, '1234') from unnest(array['ann', 'ben', 'cleo']) as name;

create function pg_temp.enter(p_name text, p_code text, p_address text default 'office')
returns jsonb
language sql
return tests.enter_code(p_name, p_code, jsonb_build_object('addressHash', tests.hex(p_address), 'triesPerAddress', 2));

select pg_temp.enter('ann', '0000');
select ok(pg_temp.enter('ann', '1234') ? 'sessionId', 'tries within the limit are tries');
select is(
  pg_temp.enter('ben', '1234'), '{"refusal": {"code": "RATE_LIMITED", "details": {"retryAfterSeconds": 1800}}}',
  'beyond it even the right code is refused'
);
select is(wrong_try_count, 0::smallint, 'and costs the phone no try') from app.otp_codes where phone_hash = tests.hash(tests.phone_of('ben'));
select ok(pg_temp.enter('ben', '1234', 'home') ? 'sessionId', 'another address has its own limit');

rollback to empty;

-- verify_otp: refuses a code of another phone
select tests.request_code('maya', '1234');
select tests.request_code('jonas', '5678');
select is(
  tests.enter_code('jonas', '1234'), '{"refusal": {"code": "OTP_INVALID", "details": {}}}', 'a code is for its phone alone'
);
select is(
  tests.enter_code('nobody', '1234'), '{"refusal": {"code": "OTP_INVALID", "details": {}}}',
  'a phone that asked for none is answered alike'
);

rollback to empty;

-- verify_otp: refuses an expired code
select tests.request_code('maya', '1234');
select tests.request_code('jonas', '1234');
select app.set_clock_offset('4 minutes 59 seconds');
select ok(tests.enter_code('maya', '1234') ? 'sessionId', 'a code lives nearly five minutes');
select app.set_clock_offset('5 minutes');
select is(
  tests.enter_code('jonas', '1234'), '{"refusal": {"code": "OTP_EXPIRED", "details": {}}}', 'and not a moment longer'
);

rollback to empty;

-- verify_otp: signs in
select tests.request_code('maya', '1234');
create temporary table answers as select tests.enter_code('maya', '1234') as answer;

select is(answer -> 'isNewUser', 'true', 'a new phone makes a new user') from answers;
select is(answer -> 'merged', 'false', 'nothing is merged without a session') from answers;
select is((answer -> 'user') - 'id', '{"username": null, "fullName": null, "isAnonymous": true, "level": 1}', 'who has taken no step yet') from answers;
select is(u.phone::text, tests.phone_of('maya'), 'the phone is theirs, and proven')
from answers
join app.users as u on u.id = (answer -> 'user' ->> 'id')::uuid;
select is(s.user_id::text, answer -> 'user' ->> 'id', 'the session is theirs')
from answers
join app.sessions as s on s.id = (answer ->> 'sessionId')::uuid;

rollback to empty;

-- verify_otp: takes a code once
select tests.request_code('maya', '1234');
select ok(tests.enter_code('maya', '1234') ? 'sessionId', 'the right code signs in');
select is(
  tests.enter_code('maya', '1234'), '{"refusal": {"code": "OTP_INVALID", "details": {}}}', 'the same code does so once'
);
select is(count(*)::integer, 1, 'one session is open') from app.sessions;

rollback to empty;

-- verify_otp: takes the right code at the third try
select tests.request_code('maya', '1234');
select tests.enter_code('maya', '0000');
select tests.enter_code('maya', '0001');
select ok(tests.enter_code('maya', '1234') ? 'sessionId', 'two wrong tries leave one');

select * from finish();
rollback;
