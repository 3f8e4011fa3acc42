begin;
select plan(99);
savepoint empty;

-- get_login_config adds the rules of one-time codes to the configuration.
select tests.authenticate_as_guest();
select is(
  api.get_login_config('{"appLogoUrl": "https://opine.example/logo.png", "methods": ["phone_otp"],
    "legal": {"termsVersion": "1"}}'),
  '{"appLogoUrl": "https://opine.example/logo.png", "legal": {"termsVersion": "1"}, "methods": ["phone_otp"],
    "otp": {"length": 4, "resendAfterSeconds": 60, "expiresInSeconds": 300}}',
  'the login config answers the configuration with the rules of one-time codes'
);

rollback to empty;

-- request_otp answers alike for every phone (docs/product.md I9).
select tests.person('maya', 3);
select is(
  tests.request_code(name, '1234'),
  jsonb_build_object(
    'phoneNumber', tests.phone_of(name), 'resendAfterSeconds', 60, 'expiresAt',
    app.iso(app.now() + interval '5 minutes')
  ),
  'a code request answers when the code expires, for a phone ' || account
)
from (values ('maya', 'with an account'), ('nobody yet', 'without an account')) as phones (name, account);

rollback to empty;

-- request_otp sends a phone one code a minute, and each code replaces the one before.
-- docs/product.md I9, W26
select tests.request_code('maya', '1234');
select is(
  tests.error_of($$ select tests.request_code('maya', '5678') $$),
  '{"state": "PT429", "code": "RATE_LIMITED", "details": {"retryAfterSeconds": 60}}',
  'a second code request of a phone within a minute exceeds the rate limit'
);
select lives_ok($$ select tests.request_code('jonas', '5678') $$, 'the code rate limit counts each phone by itself');
select app.set_clock_offset('59.5 seconds');
select is(
  tests.error_of($$ select tests.request_code('maya', '5678') $$) -> 'details', '{"retryAfterSeconds": 1}',
  'the wait for the next code rounds up to full seconds'
);
select app.set_clock_offset('60 seconds');
select lives_ok($$ select tests.request_code('maya', '5678') $$, 'a phone gets its next code after a minute');
select is(
  tests.enter_code('maya', '1234'), '{"refusal": {"code": "OTP_INVALID", "details": {}}}',
  'a newer code makes the older one invalid'
);
select ok(tests.enter_code('maya', '5678') ? 'sessionId', 'the newest code of a phone signs in');

rollback to empty;

-- request_otp sends a phone five codes a day (docs/product.md I9, I11, W26).
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
  'a sixth code request of a phone waits until its first is a day old'
);
select is(pg_temp.request_at('5 hours', 'tester', true), null, 'a test number has no daily limit of codes');
select is(
  pg_temp.request_at('5 hours', 'tester', true) ->> 'code', 'RATE_LIMITED',
  'a test number gets at most one code a minute'
);
select is(sent_at, '{}', 'the codes of a test number do not count towards a daily limit')
from app.otp_codes where phone_hash = tests.hash(tests.phone_of('tester'));
select is(pg_temp.request_at('24 hours', 'maya'), null, 'a phone gets its sixth code when its first is a day old');
select is(
  pg_temp.request_at('24 hours 1 minute', 'maya') -> 'details', '{"retryAfterSeconds": 3540}',
  'a seventh code request of a phone waits until its second is a day old'
);

rollback to empty;

-- request_otp limits the requests of an address (docs/product.md W26).
create function pg_temp.request(p_name text, p_address text default 'office', p_is_test_number boolean default false)
returns jsonb
language sql
return tests.error_of(format('select tests.request_code(%L, %L, %L, %L)', p_name, '1234', p_is_test_number, p_address));

select is(pg_temp.request(name), null, format('code request %s of 4 from an address is within the rate limit', n))
from unnest(array['ann', 'ben', 'cleo', 'dan']) with ordinality as phones (name, n);
select is(
  pg_temp.request('eve'), '{"state": "PT429", "code": "RATE_LIMITED", "details": {"retryAfterSeconds": 900}}',
  'a fifth code request from an address exceeds its rate limit'
);
select is(
  pg_temp.request('tester', p_is_test_number => true) ->> 'code', 'RATE_LIMITED',
  'a code request of a test number counts towards the rate limit of its address'
);
select is(pg_temp.request('eve', 'home'), null, 'the rate limit of code requests counts each address by itself');
select is(pg_temp.request('finn', null), null, 'a code request without an address has no rate limit by address');
select app.set_clock_offset('15 minutes');
select is(pg_temp.request('gus'), null, 'the rate limit of code requests drains evenly over the hour');

rollback to empty;

-- verify_otp signs in with the right code of the phone, once (docs/product.md I10).
select tests.request_code('maya', '1234');
select tests.request_code('jonas', '5678');
select is(tests.enter_code(name, '1234'), '{"refusal": {"code": "OTP_INVALID", "details": {}}}', title)
from (
  values
    ('jonas', 'a phone cannot sign in with the code of another phone'),
    ('nobody', 'a phone that requested no code is refused like a wrong code')
) as phones (name, title);
create temporary table answers as select tests.enter_code('maya', '1234') as answer;
select is(answer -> 'isNewUser', 'true', 'a code of a new phone creates a user') from answers;
select is(answer -> 'merged', 'false', 'a sign-in without a session merges nothing') from answers;
select is(
  (answer -> 'user') - 'id', '{"username": null, "fullName": null, "isAnonymous": true, "level": 1}',
  'a new user of a phone is anonymous at level 1'
)
from answers;
select is(u.phone::text, tests.phone_of('maya'), 'a sign-in by code verifies the phone of the user')
from answers
join app.users as u on u.id = (answer -> 'user' ->> 'id')::uuid;
select is(s.user_id::text, answer -> 'user' ->> 'id', 'a sign-in by code opens a session of the user')
from answers
join app.sessions as s on s.id = (answer ->> 'sessionId')::uuid;
select is(
  tests.enter_code('maya', '1234'), '{"refusal": {"code": "OTP_INVALID", "details": {}}}',
  'a used code cannot sign in again'
);
select is(count(*)::integer, 1, 'a refused code opens no session') from app.sessions;

rollback to empty;

-- verify_otp ends a code at the third wrong try (docs/product.md I10).
select tests.request_code(name, '1234') from unnest(array['maya', 'jonas']) as name;
select tests.enter_code('jonas', '0000');
select tests.enter_code('jonas', '0001');
select ok(tests.enter_code('jonas', '1234') ? 'sessionId', 'the right code signs in after two wrong tries');
select is(tests.enter_code('maya', code), refusal, title)
from (
  values
    ('0000', '{"refusal": {"code": "OTP_INVALID", "details": {}}}'::jsonb, 'a first wrong code answers OTP_INVALID'),
    ('0001', '{"refusal": {"code": "OTP_INVALID", "details": {}}}', 'a second wrong code answers OTP_INVALID'),
    (
      '0002', '{"refusal": {"code": "RATE_LIMITED", "details": {"retryAfterSeconds": 60}}}',
      'a third wrong code answers RATE_LIMITED until the next code'
    ),
    (
      '1234', '{"refusal": {"code": "RATE_LIMITED", "details": {"retryAfterSeconds": 60}}}',
      'the right code is refused after three wrong tries'
    )
) as tries (code, refusal, title);
select app.set_clock_offset('1 minute');
select is(
  tests.enter_code('maya', '1234'), '{"refusal": {"code": "RATE_LIMITED", "details": {"retryAfterSeconds": 1}}}',
  'the right code stays refused a minute after three wrong tries'
);
select tests.request_code('maya', '5678');
select ok(tests.enter_code('maya', '5678') ? 'sessionId', 'a new code has tries of its own');

rollback to empty;

-- verify_otp refuses a code after five minutes (docs/product.md I9, I10).
select tests.request_code(name, '1234') from unnest(array['maya', 'jonas']) as name;
select app.set_clock_offset('4 minutes 59 seconds');
select ok(tests.enter_code('maya', '1234') ? 'sessionId', 'a code signs in just before five minutes have passed');
select app.set_clock_offset('5 minutes');
select is(
  tests.enter_code('jonas', '1234'), '{"refusal": {"code": "OTP_EXPIRED", "details": {}}}',
  'a code expires after five minutes'
);

rollback to empty;

-- verify_otp limits the tries of an address (docs/product.md W26).
select tests.request_code(name, '1234') from unnest(array['ann', 'ben', 'cleo']) as name;

create function pg_temp.enter(p_name text, p_code text, p_address text default 'office')
returns jsonb
language sql
return tests.enter_code(
  p_name, p_code, jsonb_build_object('addressHash', tests.hash_hex(p_address), 'triesPerAddress', 2)
);

select pg_temp.enter('ann', '0000');
select ok(pg_temp.enter('ann', '1234') ? 'sessionId', 'a second try from an address is within the rate limit');
select is(
  pg_temp.enter('ben', '1234'), '{"refusal": {"code": "RATE_LIMITED", "details": {"retryAfterSeconds": 1800}}}',
  'a third try from an address exceeds its rate limit, even with the right code'
);
select is(wrong_try_count, 0::smallint, 'a rate-limited try from an address does not count as a wrong try')
from app.otp_codes where phone_hash = tests.hash(tests.phone_of('ben'));
select ok(pg_temp.enter('ben', '1234', 'home') ? 'sessionId', 'the rate limit of tries counts each address by itself');

rollback to empty;

-- verify_otp opens the circuit breaker after too many wrong codes of the whole service (docs/product.md I11).
select tests.request_code(name, '1234') from unnest(array['ann', 'ben', 'cleo', 'tester']) as name;

create function pg_temp.enter(p_name text, p_code text, p_tries_per_day integer default 2)
returns jsonb
language sql
return tests.enter_code(p_name, p_code, jsonb_build_object('wrongTriesPerDay', p_tries_per_day));

select is(
  pg_temp.enter('tester', '0000', null) -> 'refusal' ->> 'code', 'OTP_INVALID',
  'a wrong code of a test number answers OTP_INVALID'
);
select is_empty('select from app.rate_limits', 'a wrong code of a test number does not count for the circuit breaker');
select pg_temp.enter('ann', '0000');
select ok(pg_temp.enter('ann', '1234') ? 'sessionId', 'the right code signs in while the circuit breaker is closed');
select is(
  pg_temp.enter('ben', '0000') -> 'refusal' ->> 'code', 'OTP_INVALID',
  'a right code does not count for the circuit breaker'
);
select is(
  pg_temp.enter('cleo', '1234'), '{"refusal": {"code": "RATE_LIMITED", "details": {"retryAfterSeconds": 43200}}}',
  'an open circuit breaker refuses the right code of every phone'
);
select ok(pg_temp.enter('tester', '1234', null) ? 'sessionId', 'an open circuit breaker lets test numbers sign in');
select is(
  pg_temp.enter('nobody', '0000') -> 'refusal' ->> 'code', 'RATE_LIMITED',
  'an open circuit breaker does not reveal whether a phone requested a code'
);

rollback to empty;

-- The circuit breaker counts no wrong code of an address from which somebody has signed in by code within 30 days.
create function pg_temp.address(p_name text)
returns jsonb
language sql
return jsonb_build_object('wrongTriesPerDay', 100, 'addressHash', tests.hash_hex(p_name));

create function pg_temp.counted_wrong_codes(p_name text, p_address text)
returns bigint
language plpgsql
as $$
begin
  delete from app.rate_limits;
  perform tests.request_code(p_name, '1234');
  perform tests.enter_code(p_name, '0000', pg_temp.address(p_address));
  return (select count(*) from app.rate_limits as r where r.kind = 'wrong codes');
end
$$;

select tests.request_code('maya', '1234');
select tests.enter_code('maya', '1234', pg_temp.address('home'));
select app.remember_places(
  id, jsonb_build_object('phoneHash', tests.hash_hex('phone'), 'deviceHash', tests.hash_hex('device'))
)
from app.users;
select app.set_clock_offset('29 days 23 hours 59 minutes');
select is(
  pg_temp.counted_wrong_codes(name, address), expected,
  format('the circuit breaker counts %s wrong codes of %s', expected, title)
)
from (
  values
    ('ann', 'home', 0::bigint, 'an address with a sign-in by code within 30 days'),
    ('ben', 'office', 1, 'an address without a sign-in'),
    ('cleo', 'device', 1, 'an address that is no more than the id of a device with a sign-in')
) as c (name, address, expected, title);
select app.set_clock_offset('30 days');
select is(
  pg_temp.counted_wrong_codes('dan', 'home'), 1::bigint,
  'the circuit breaker counts wrong codes of an address after 30 days without a sign-in'
);

rollback to empty;

-- A request may bring a wait between codes of its own.
create function pg_temp.request_after(p_offset interval)
returns jsonb
language plpgsql
as $$
begin
  perform app.set_clock_offset(p_offset);
  return api.request_otp(jsonb_build_object(
    'phoneNumber', tests.phone_of('tester'), 'phoneHash', tests.hash_hex('tester'), 'codeHash', tests.hash_hex('1234'),
    'resendAfterSeconds', 10
  ));
end
$$;
select is(pg_temp.request_after('0') -> 'resendAfterSeconds', '10', 'a code request answers the wait that it brings');
select is(
  tests.error_of($$ select pg_temp.request_after('9.999 seconds') $$) -> 'details', '{"retryAfterSeconds": 1}',
  'a code request is refused until the wait that it brings has passed'
);
select is(
  tests.error_of($$ select pg_temp.request_after('10 seconds') $$), null,
  'a code request passes after the wait that it brings'
);

rollback to empty;

-- sign_in_with_phone finds or creates the user of a phone and merges an anonymous bearer.
-- docs/product.md I14, I15
select tests.person(name, 3) from unnest(array['maya', 'jonas']) as name;
select tests.person('guest', 1);
select app.end_user(tests.id('guest'));
select tests.person(name, 2) from unnest(array['lena', 'ann']) as name;
update app.users set device_hash = tests.hash('install') where id = tests.id('lena');
select tests.session('here', 'lena');
select tests.session('elsewhere', 'lena');
select tests.session('ann');
select set_config('request.jwt.claims', tests.claims('here', 'lena')::text, true);

create function pg_temp.sign_in(p_phone text, p_bearer text)
returns text
language sql
begin atomic
  select concat_ws(
    ', ', coalesce((select p.username::text from app.profiles as p where p.user_id = s.user_id), 'unnamed'),
    case when s.is_new then 'new' end, case when s.is_merged then 'merged' end
  )
  from app.sign_in_with_phone(tests.phone_of(p_phone), tests.id(p_bearer)) as s;
end;

select is(pg_temp.sign_in(phone, bearer), result, title)
from (
  values
    ('maya', null, 'maya', 'a sign-in with a known phone finds its user'),
    ('maya', 'jonas', 'maya', 'a bearer with a phone is not merged into the user of another phone'),
    ('second of jonas', 'jonas', 'unnamed, new', 'a bearer with a phone cannot add a second phone'),
    ('of nobody', null, 'unnamed, new', 'a sign-in with an unknown phone creates a user'),
    ('of guest', 'guest', 'unnamed, new', 'an ended bearer does not become the user of a phone'),
    ('lena', 'lena', 'lena, new, merged', 'an anonymous bearer becomes the user of an unknown phone')
) as sign_ins (phone, bearer, result, title);
select is(count(*)::integer, 3, 'only sign-ins with unknown phones create users')
from app.users where id <> all (tests.ids('maya', 'jonas', 'guest', 'lena', 'ann'));
select is(
  phone::text, tests.phone_of('jonas'), 'a bearer with a phone keeps that phone'
)
from app.users where id = tests.id('jonas');
select results_eq(
  $$ select phone_verified_at, ended_at from app.users where phone = tests.phone_of('of nobody') $$,
  'values (app.now(), null::timestamptz)', 'a user of an unknown phone is created with a verified phone'
);
select isnt(ended_at, null, 'a sign-in does not revive an ended bearer') from app.users where id = tests.id('guest');
select results_eq(
  $$ select phone::text, device_hash from app.users where id = tests.id('lena') $$,
  $$ values (tests.phone_of('lena'), null::bytea) $$, 'an anonymous bearer receives the phone and loses the device'
);
select bag_eq(
  'select id from app.sessions', tests.ids('session of here', 'session of ann'),
  'an anonymous bearer that receives a phone loses all sessions but that of the request'
);
select is_empty(
  $$ select from app.refresh_tokens where token_hash = tests.hash('token of elsewhere') $$,
  'an anonymous bearer that receives a phone loses the refresh tokens of other sessions'
);
select is(
  pg_temp.sign_in('maya', 'ann'), 'maya, merged', 'an anonymous bearer is merged into the user of a known phone'
);
select isnt(ended_at, null, 'a merged anonymous user has ended') from app.users where id = tests.id('ann');
select is_empty(
  $$ select from app.sessions where user_id = tests.id('ann') $$, 'a merged anonymous user has no session'
);

rollback to empty;

-- grant_to_phone attaches device tokens of a merged user to the new session (docs/product.md I16).
select tests.person('maya', 3);
select tests.session('maya');
select tests.device_token('tablet', 'maya');
select tests.person('lena', 2);
select tests.session('lena');
select tests.device_token('phone', 'lena');
select tests.person('jonas', 3);
select tests.device_token('his', 'jonas');

select set_config('request.jwt.claims', tests.claims('lena')::text, true);
create temporary table answers as select app.grant_to_phone(
  tests.phone_of('maya'), tests.session_args('token')
) as answer;
select is(answer -> 'merged', 'true', 'a sign-in of an anonymous bearer answers merged') from answers;
select results_eq(
  $$ select user_id, session_id::text from app.device_tokens where token_hash = tests.hash('phone') $$,
  $$ select tests.id('maya'), answer ->> 'sessionId' from answers $$,
  'a merge moves device tokens to the new session of the phone''s user'
);
select results_eq(
  $$ select session_id from app.device_tokens where token_hash = tests.hash('tablet') $$,
  array[tests.id('session of maya')],
  'a merge leaves device tokens of other sessions of the phone''s user'
);
select is(
  session_id, null, 'a merge leaves device tokens of other users'
)
from app.device_tokens where token_hash = tests.hash('his');

rollback to empty;

-- exchange_id_token signs in the user of a phone or of an anonymous identity (docs/product.md I12).
create function pg_temp.exchange(p_proof jsonb)
returns jsonb
language sql
return api.exchange_id_token(tests.session_args(gen_random_uuid()::text) || p_proof);

select tests.person('maya', 3);
create temporary table answers as
select
  pg_temp.exchange(jsonb_build_object('phoneNumber', tests.phone_of('maya'))) as known,
  pg_temp.exchange(jsonb_build_object('phoneNumber', tests.phone_of('jonas'))) as unknown,
  pg_temp.exchange(jsonb_build_object('subjectHash', tests.hash_hex('subject'))) as anonymous,
  pg_temp.exchange(jsonb_build_object('subjectHash', tests.hash_hex('subject'))) as again,
  pg_temp.exchange(jsonb_build_object('subjectHash', tests.hash_hex('another'))) as another;
select is(
  array[
    known -> 'isNewUser', unknown -> 'isNewUser', unknown -> 'merged', anonymous -> 'isNewUser', again -> 'isNewUser',
    again -> 'merged'
  ],
  array['false', 'true', 'false', 'true', 'false', 'false']::jsonb[],
  'an ID token of an unknown phone or anonymous identity creates a user, and merges nothing without a session'
)
from answers;
select is(
  known -> 'user' ->> 'id', tests.id('maya')::text, 'an ID token of a known phone signs in its user'
) from answers;
select is(u.phone::text, tests.phone_of('jonas'), 'an ID token of an unknown phone verifies the phone')
from answers
join app.users as u on u.id = (unknown -> 'user' ->> 'id')::uuid;
select is(
  again -> 'user', anonymous -> 'user', 'an ID token of a known anonymous identity restores its user'
) from answers;
select isnt(
  another -> 'user' -> 'id', anonymous -> 'user' -> 'id', 'two anonymous identities have different users'
) from answers;

rollback to empty;

-- exchange_id_token merges the bearer into the user of a verified phone only (docs/product.md I12, I15).
select tests.person('lena', 2);
select tests.session('lena');
select tests.person('maya', 3);

create function pg_temp.exchange(p_proof jsonb)
returns jsonb
language sql
return (gateway.call(
  'service', 'exchange_id_token', tests.session_args(gen_random_uuid()::text) || p_proof, tests.claims('lena')
)).answer::jsonb;

set local session authorization opine_gateway;
create temporary table answers as select pg_temp.exchange(
  jsonb_build_object('subjectHash', tests.hash_hex('subject'))
) as answer;
set local role none;
select is(answer -> 'merged', 'false', 'an ID token of an anonymous identity does not merge the bearer') from answers;
reset session authorization;
select is(
  ended_at, null, 'an ID token of an anonymous identity leaves the bearer'
) from app.users where id = tests.id('lena');
set local session authorization opine_gateway;
select is(
  pg_temp.exchange(jsonb_build_object('phoneNumber', tests.phone_of('maya'))) #>> '{merged}', 'true',
  'an ID token of a phone merges the anonymous bearer'
);
reset session authorization;
select isnt(
  ended_at, null, 'an ID token of a phone ends the anonymous bearer'
) from app.users where id = tests.id('lena');

rollback to empty;

-- start_anonymous_session restores the user of an install until a phone is verified.
-- docs/product.md I13, I14
create function pg_temp.start(p_install text, p_token text)
returns jsonb
language sql
return api.start_anonymous_session(
  tests.session_args(p_token) || jsonb_build_object('deviceHash', tests.hash_hex(p_install))
);

create temporary table answers as
select install, token, pg_temp.start(install, token) as answer
from (values ('first', 'a'), ('first', 'b'), ('second', 'c')) as opened (install, token);

select is(
  (answer -> 'user') - 'id', '{"username": null, "fullName": null, "isAnonymous": true, "level": 1}',
  'a new install gets an anonymous user at level 1'
)
from answers where token = 'a';
select is(
  count(
    distinct answer -> 'user' ->> 'id'
  ) filter (where install = 'first') || ' and ' || count(distinct answer -> 'user' ->> 'id')
    || ' users, ' || count(distinct answer ->> 'sessionId') || ' sessions',
  '1 and 2 users, 3 sessions', 'a known install restores its user, in a session of its own'
)
from answers;
select app.sign_in_with_phone(tests.phone_of('maya'), (answer -> 'user' ->> 'id')::uuid) from answers where token = 'a';
select is(u.phone::text, tests.phone_of('maya'), 'the anonymous user of an install receives a verified phone')
from answers
join app.users as u on u.id = (answer -> 'user' ->> 'id')::uuid
where token = 'a';
select isnt(
  pg_temp.start('first', 'd') -> 'user' ->> 'id', answer -> 'user' ->> 'id',
  'an install opens no account that has a phone'
)
from answers where token = 'a';

rollback to empty;

-- start_anonymous_session limits the new installs of an address (docs/product.md W26).
create function pg_temp.start(p_device text, p_address text default 'here') returns jsonb language sql as $$
  select api.start_anonymous_session(jsonb_build_object(
    'deviceHash', tests.hash_hex(p_device), 'refreshTokenHash', tests.hash_hex(gen_random_uuid()::text), 'deviceKind',
    'ios',
    'addressHash', p_address, 'devicesPerAddress', 2
  ));
$$;

select pg_temp.start('one');
select pg_temp.start('two');
select is(
  tests.error_of($$ select pg_temp.start('three') $$),
  '{"state": "PT429", "code": "RATE_LIMITED", "details": {"retryAfterSeconds": 1800}}'::jsonb,
  'a third new install of an address within an hour exceeds the rate limit'
);
select ok(pg_temp.start(device, address) ? 'sessionId', title)
from (
  values
    ('one', 'here', 'the rate limit of new installs lets a known install sign in'),
    ('three', 'elsewhere', 'the rate limit of new installs counts each address by itself'),
    ('four', null, 'a new install without an address has no rate limit')
) as installs (device, address, title);

-- remember_places keeps the last places of a user, and prune_sign_in_places the recent ones.
select tests.person('maya');

create function pg_temp.sign_in_from(p_device text, p_address text)
returns void
language sql
return app.remember_places(tests.id('maya'), jsonb_build_object(
  'phoneHash', encode(tests.hash('the phone'), 'hex'), 'deviceHash', encode(tests.hash(p_device), 'hex'),
  'addressHash', encode(tests.hash(p_address), 'hex')
));

create function pg_temp.sign_in_at(p_minutes integer, p_device text)
returns void
language plpgsql
as $$
begin
  perform app.set_clock_offset(p_minutes * interval '1 minute'), pg_temp.sign_in_from(p_device, null);
end
$$;
select pg_temp.sign_in_at(n, 'device ' || n) from generate_series(1, 41) as n;
select set_eq(
  'select place_hash from app.sign_in_places',
  array(select tests.hash('device ' || n) from generate_series(2, 41) as n),
  'the last forty places of a user are kept'
);
select app.set_clock_offset('0');
delete from app.sign_in_places;
select pg_temp.sign_in_from('device ' || age, 'address ' || age)
from unnest(array['29 days 23:59:59', '30 days', '1 year -1 second', '1 year']) as age;
update app.sign_in_places as p
set signed_in_at = app.now() - age::interval
from unnest(array['29 days 23:59:59', '30 days', '1 year -1 second', '1 year']) as age
where p.place_hash in (tests.hash('device ' || age), tests.hash('address ' || age));
set local session authorization opine_worker;
select app.prune_sign_in_places();
reset session authorization;
select set_eq(
  'select place_hash from app.sign_in_places',
  array[
    tests.hash('address 29 days 23:59:59'), tests.hash('device 29 days 23:59:59'), tests.hash('device 30 days'),
    tests.hash('device 1 year -1 second')
  ],
  'prune_sign_in_places deletes addresses after 30 days and devices after a year without a sign-in'
);

select * from finish();
rollback;
