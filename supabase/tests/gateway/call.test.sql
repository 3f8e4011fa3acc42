begin;
select plan(91);
-- Runs an operation and returns to the role of the login, for the next request.
create function pg_temp.call(
  p_mode text, p_operation text, p_args jsonb, p_claims jsonb default null,
  p_treats_ended_session_as_guest boolean default false,
  p_photos_url text default null
)
returns jsonb
language plpgsql
as $$
declare
  v_answer jsonb := (
    gateway.call(p_mode, p_operation, p_args, p_claims, p_treats_ended_session_as_guest, p_photos_url)
  ).answer;
begin
  perform set_config('role', 'none', true);
  return v_answer;
end
$$;

savepoint empty;

-- enter sets the claims of a request and returns its role.
select tests.person('maya');
select tests.session('maya');
select tests.person('jonas');
select tests.session('jonas');

set local session authorization opine_gateway;
select is(gateway.set_caller(null, false), 'anon', 'a caller without claims enters as anon');
reset session authorization;
select is(app.user_id(), null, 'a caller without claims has no user id');
set local session authorization opine_gateway;
select is(
  gateway.set_caller(tests.claims('maya'), false), 'authenticated',
  'a caller with a live session enters as authenticated'
);
reset session authorization;
select is(app.user_id(), tests.id('maya'), 'a caller with a live session has the user id of the claims');

prepare enter_as_maya as select gateway.set_caller(tests.claims('maya'), false);
set local session authorization opine_gateway;
select throws_ok(
  $$ select gateway.set_caller(tests.claims('unknown'), false) $$, 'PT401', 'UNAUTHORIZED',
  'claims of an unknown session are unauthorized'
);
select throws_ok(
  $$ select gateway.set_caller(tests.claims('jonas', 'maya'), false) $$, 'PT401', 'UNAUTHORIZED',
  'claims of another user''s session are unauthorized'
);
reset session authorization;
select app.set_clock_offset('15 minutes');
set local session authorization opine_gateway;
select throws_ok('enter_as_maya', 'PT401', 'UNAUTHORIZED', 'claims are unauthorized 15 minutes after their issue');
reset session authorization;
select app.set_clock_offset('0');
delete from app.sessions where user_id = tests.id('maya');
set local session authorization opine_gateway;
select throws_ok('enter_as_maya', 'PT401', 'UNAUTHORIZED', 'claims of a deleted session are unauthorized');
deallocate enter_as_maya;

reset session authorization;
select app.end_user(tests.id('jonas'));
set local session authorization opine_gateway;
select throws_ok(
  $$ select gateway.set_caller(tests.claims('jonas'), false) $$, 'PT401', 'UNAUTHORIZED',
  'claims of an ended account are unauthorized'
);
select is(
  gateway.set_caller(tests.claims('jonas'), true), 'anon',
  'a dead session enters as anon where authentication is optional'
);
reset session authorization;
select is(app.user_id(), null, 'a dead session that enters as anon has no user id');
select is(
  current_setting('request.jwt.claims')::jsonb, '{"role": "anon"}',
  'a dead session that enters as anon leaves nothing in the claims'
);

rollback to empty;

-- Mode caller runs an operation as the caller.
select tests.person('maya', 3);
select tests.session('maya');
select tests.person('jonas', 2);
select tests.session('jonas');
select tests.post('trams', 'maya');

set local session authorization opine_gateway;
create temporary table answers as
select pg_temp.call(
  'caller', 'create_post', '{"thoughtText": "Bikes", "visibility": "public"}', tests.claims('maya')
) as post;
select is(post ->> 'thoughtText', 'Bikes', 'call returns the data of the operation as JSON text') from answers;
reset session authorization;
select is(p.author_id, tests.id('maya'), 'a post created by a call belongs to the caller')
from answers
join app.posts as p on p.id = (post ->> 'id')::uuid;

set local session authorization opine_gateway;
select is(
  pg_temp.call('caller', 'get_post', tests.post_args('trams')) ->> 'thoughtText', 'trams',
  'a guest can read a public post'
);
select is(
  pg_temp.call('caller', 'get_post', tests.post_args('trams'), tests.claims('unknown'), true) ->> 'thoughtText',
  'trams',
  'a dead session can read a public post where authentication is optional'
);
select throws_ok(
  $$ select pg_temp.call('admin', 'get_post', tests.post_args('trams')) $$, 'P0001', 'gateway.call has no mode admin.',
  'call fails for an unknown mode'
);
select throws_ok(
  $$ select pg_temp.call('caller', 'create_post', '{"thoughtText": "Trams", "visibility": "public"}') $$,
  '42501', 'permission denied for function create_post', 'a guest cannot create a post'
);
select throws_ok(
  $$ select pg_temp.call('caller', 'get_onboarding_status', '{}', tests.claims('unknown'), true) $$,
  '42501', 'permission denied for function get_onboarding_status',
  'a dead session cannot run an operation for signed-in users'
);
select throws_ok(
  $$ select pg_temp.call('caller', 'get_post', tests.post_args('trams'), tests.claims('unknown')) $$, 'PT401',
  'UNAUTHORIZED',
  'a dead session is unauthorized where authentication is not optional'
);
select throws_ok(
  $$ select pg_temp.call('caller', 'get_post', tests.post_args('unknown')) $$,
  'PT404', 'POST_NOT_FOUND', 'call keeps the status and code of an operation''s error'
);
select is(
  tests.error_of($$ select pg_temp.call('caller', 'create_post', '{"visibility": "public"}', tests.claims('jonas')) $$),
  '{"state": "PT403", "code": "FORBIDDEN", "details": {"level": 2, "requiredLevel": 3, "nextStep": "media"}}',
  'call keeps the details of an operation''s error'
);

select is_empty(
  format(
    $$
      select operation
      from unnest(array[
        'end_staff_session', 'exchange_id_token', 'get_staff_session', 'refresh_session', 'request_otp',
        'start_anonymous_session', 'start_staff_session', 'verify_otp'
      ]) as operation
      where tests.error_of(
        format('select pg_temp.call(%%L, %%L, %%L, %%L)', 'caller', operation, '{}', %L::jsonb)
      ) ->> 'state'
        is distinct from '42501'
    $$,
    claims
  ),
  caller || ' cannot run an operation of staff or the service'
)
from (values ('a guest', null::jsonb), ('a user', tests.claims('maya'))) as c (caller, claims);

-- No forged name reaches a function outside schema api.
select throws_ok(
  format('select pg_temp.call(%L, %L, %L, tests.claims(%L))', 'caller', name, '{}', 'maya'), state, null,
  format('call finds no operation of the name %L', name)
)
from (
  values
    ('"; drop table app.posts; --', '42883'),
    ('get_post"($1); drop table app.posts; select api."get_post', '42883'),
    ('app.end_user', '42883'),
    ('app"."end_user', '42883'),
    ('"api"."get_post"', '42883'),
    ('pg_sleep', '42883'),
    ('GET_POST', '42883'),
    ('', '42601')
) as c (name, state);

rollback to empty;

-- call makes URLs of photos below the URL of the request.
select tests.person('maya');
select tests.asset('face', 'maya', 'profile_photo');
update app.profiles set photo_asset_id = tests.id('face');

set local session authorization opine_gateway;
select is(
  pg_temp.call('caller', 'get_profile', tests.user_args('maya'), p_photos_url => url) ->> 'profilePhotoUrl',
  expected || tests.id('face'), title
)
from (
  values
    ('https://one.example/photos/', 'https://one.example/photos/', 'a photo is below the photos URL of the request'),
    ('https://two.example/photos/', 'https://two.example/photos/', 'a later request uses a photos URL of its own'),
    (null, '/storage/v1/object/public/photos/', 'a request without a photos URL uses the default, not the last URL')
) as c (url, expected, title);

rollback to empty;

-- Mode service runs the operations of the service with the claims of the caller.
select tests.person('maya', 3);
select tests.session('maya');
select tests.post('trams', 'maya');
select tests.open_upload('picture', 'maya');
set local session authorization opine_gateway;
select is(
  pg_temp.call(
    'service', 'complete_upload', tests.completion_args('picture'), tests.claims('maya')
  ) #>> '{upload,bucket}',
  'media', 'mode service finds the upload of the caller'
);
select throws_ok(
  format(
    'select pg_temp.call(%L, %L, %L, %L, %L)', 'service', 'complete_upload', tests.completion_args('picture'), claims,
    treats_ended_session_as_guest
  ),
  'PT401', 'UNAUTHORIZED', title
)
from (
  values
    (null::jsonb, false, 'complete_upload is unauthorized for a guest'),
    (tests.claims('other', 'maya'), false, 'complete_upload is unauthorized for a dead session'),
    (tests.claims('other', 'maya'), true, 'complete_upload is unauthorized for a dead session that counts as a guest')
) as c (claims, treats_ended_session_as_guest, title);
select is(
  pg_temp.call('service', 'request_otp', jsonb_build_object(
    'phoneNumber', '+12025550101', 'phoneHash', tests.hash_hex('phone'), 'codeHash', tests.hash_hex('code'),
    'codesPerDay', 5
  )) ->> 'phoneNumber',
  '+12025550101', 'mode service can request a one-time code for a guest'
);
select throws_ok(
  format('select pg_temp.call(%L, %L, %L, %L)', 'service', operation, args, claims), state, null,
  format('mode service cannot run operation %s', operation)
)
from (
  values
    ('create_post', tests.claims('maya'), '{"thoughtText": "Trams", "visibility": "public"}'::jsonb, '42501'),
    ('get_post', null, tests.post_args('trams'), '42501'),
    ('end_staff_session', null, jsonb_build_object('staffTokenHash', tests.hash_hex('cookie')), '42501'),
    ('"; drop table app.posts; --', null, '{}', '42883')
) as c (operation, claims, args, state);
select gateway.call('service', 'complete_upload', tests.completion_args('picture'), tests.claims('maya'));
select is(
  current_user::text, 'opine_service', 'the transaction stays in role opine_service after a call in mode service'
);

rollback to empty;

-- Mode service signs in over the caller's session while it is live.
select tests.person('guest', 1);
select tests.session('guest');
select tests.person('former guest', 1);
select tests.request_code('maya', '1234');
select tests.request_code('jonas', '1234');

create function pg_temp.verified_user(p_name text, p_claims jsonb)
returns text
language sql
return pg_temp.call('service', 'verify_otp', tests.session_args('token of ' || p_name) || jsonb_build_object(
  'phoneNumber', tests.phone_of(p_name), 'phoneHash', tests.hash_hex(tests.phone_of(p_name)),
  'codeHash', tests.hash_hex('1234')
), p_claims) #>> '{user,id}';

set local session authorization opine_gateway;
select is(
  pg_temp.verified_user('maya', tests.claims('guest')), tests.id('guest')::text,
  'verify_otp gives the phone to the anonymous user of a live session'
);
select throws_ok(
  $$ select pg_temp.verified_user('jonas', tests.claims('former guest')) $$, 'PT401', 'UNAUTHORIZED',
  'verify_otp with a dead session is unauthorized'
);
select ok(pg_temp.verified_user('jonas', null) is not null, 'a code that came with a dead session is not used up');

rollback to empty;

-- Mode staff runs the operations of staff for a live staff session.
select tests.sign_in_as_staff('cookie', tests.staff_identity('ada@opine.example'));
create function api.look_around(p_args jsonb)
returns jsonb
language sql
return p_args || jsonb_build_object('role', current_user, 'claims', current_setting('request.jwt.claims')::jsonb);
grant execute on function api.look_around(jsonb) to opine_staff;
revoke execute on function api.look_around(jsonb) from public;

set local session authorization opine_gateway;
create temporary table answers as
select tests.call_as_staff(
  'look_around', 'cookie', jsonb_build_object('q', 'trams', 'staffTokenHash', tests.hash_hex('of somebody else'))
) as answer;
reset session authorization;
select is(answer ->> 'role', 'staff_admin', 'mode staff runs an operation in the caller''s staff role') from answers;
select is(
  answer -> 'claims', '{"role": "staff_admin", "email": "ada@opine.example"}',
  'mode staff sets claims of role and email, without a user'
)
from answers;
select is(answer ->> 'q', 'trams', 'mode staff passes the arguments of the request') from answers;
select is(
  answer ->> 'staffTokenHash', tests.hash_hex('cookie'),
  'mode staff replaces a token hash in the arguments by the caller''s own'
)
from answers;

set local session authorization opine_gateway;
select throws_ok(
  format('select tests.call_as_staff(%L, %L)', operation, 'cookie'), 'PT403', 'FORBIDDEN',
  'staff cannot run operation ' || operation
)
from unnest(array['create_post', 'get_home_feed', 'request_otp', 'start_staff_session']) as operation;
select throws_ok(
  $$ select tests.call_as_staff('"; drop table app.posts; --', 'cookie') $$, '42883', null,
  'mode staff finds no operation of a forged name'
);
select throws_ok(
  $$ select tests.call_as_staff('get_staff_session', 'forged') $$, 'PT401', 'UNAUTHORIZED',
  'a forged staff cookie is unauthorized'
);
select throws_ok(
  $$ select tests.call_as_staff('get_staff_session', null) $$, 'PT401', 'UNAUTHORIZED',
  'a request without a staff cookie is unauthorized'
);
select throws_ok(
  format('select gateway.call(%L, %L, %L, %L)', 'staff', 'get_staff_session', '{}', jsonb_build_object(
    'tokenHash', tests.hash_hex('cookie'), 'policy', '{"allowedEmails": ["ben@opine.example"]}'::jsonb
  )),
  'PT401', 'UNAUTHORIZED', 'a staff session is unauthorized once its email is off the allow-list'
);
reset session authorization;
select app.set_clock_offset('8 hours');
set local session authorization opine_gateway;
select throws_ok(
  $$ select tests.call_as_staff('get_staff_session', 'cookie') $$, 'PT401', 'UNAUTHORIZED',
  'a staff session is unauthorized after eight hours'
);

rollback to empty;

-- cast_vote requires a serializable transaction.
-- A test's transaction cannot commit, so tests over HTTP cover the read after the commit.
select tests.person('maya');
select tests.session('maya');
select tests.slider('trams', 'maya');
set local session authorization opine_serializable;
select throws_ok(
  $$
    call gateway.cast_vote(
      tests.post_args('trams') || '{"position": "left"}', tests.claims('maya'), null, null, null, null
    )
  $$,
  'P0001', 'gateway.cast_vote needs a serializable transaction.',
  'cast_vote fails outside a serializable transaction'
);
reset session authorization;
select is_empty('select from app.vote_receipts', 'cast_vote outside a serializable transaction writes nothing');

rollback to empty;

-- run_operation hides the values of constraint violations, because Postgres would log them.
create table app.things (
  id uuid constraint things_pkey primary key,
  phone text not null constraint things_phone_is_short check (length(phone) < 5),
  owner_id uuid
);
alter table app.things add constraint things_owner_id_fkey foreign key (owner_id) references app.things (id);
insert into app.things values ('00000000-0000-7000-8000-000000000001', 'abc');
create function api.add_thing(p_args jsonb) returns jsonb language plpgsql security definer set search_path = '' as $$
begin
  insert into app.things select * from jsonb_populate_record(null::app.things, p_args);
  return '{"added": true}';
end
$$;
grant execute on function api.add_thing(jsonb) to anon;
create function pg_temp.failure(p_thing jsonb, out state text, out place text, out message text, out detail text)
language plpgsql
as $$
begin
  set local session authorization opine_gateway;
  perform gateway.call('caller', 'add_thing', p_thing);
exception when integrity_constraint_violation then
  get stacked diagnostics message = message_text, detail = pg_exception_detail, place = constraint_name;
  get stacked diagnostics state = returned_sqlstate;
end
$$;
create temporary table failures as
select failure.*
from (
  values
    ('{"id": "00000000-0000-7000-8000-000000000001", "phone": "999"}'::jsonb),
    ('{"id": "00000000-0000-7000-8000-000000000099", "phone": "99999"}'),
    ('{"id": "00000000-0000-7000-8000-000000000099"}'),
    (
      '{"id": "00000000-0000-7000-8000-000000000099", "phone": "999", "owner_id": '
      '"00000000-0000-7000-8000-000000000099"}'
    ),
    (
      '{"id": "00000000-0000-7000-8000-000000000097", "phone": "999", "owner_id": '
      '"00000000-0000-7000-8000-000000000098"}'
    )
) as thing (row)
cross join lateral pg_temp.failure(thing.row) as failure;
reset session authorization;
select results_eq(
  'select state, place, detail from failures where state is not null',
  $$
    values
      ('23505', 'things_pkey', ''), ('23514', 'things_phone_is_short', ''), ('23502', '', ''),
      ('23503', 'things_owner_id_fkey', '')
  $$,
  'a violation keeps its state and constraint name, and has no detail'
);
select is(count(*), 1::bigint, 'an operation without a violation succeeds') from failures where state is null;
select is_empty(
  $$ select from failures where message ~ '9{3}|0{3}' $$, 'the message of a violation has no value of the row'
);

rollback to empty;

-- begin_read makes the rest of its statement run as the caller.
select tests.person('maya', 3);
select tests.session('maya');
create function pg_temp.read(p_operation text, p_claims jsonb, p_treats_ended_session_as_guest boolean default false)
returns table (answer text, role text, level integer)
language plpgsql
as $$
begin
  perform set_config('role', 'none', true);
  return query execute format(
    'select api.%1$I(gateway.begin_read(%1$L, $1, $2, $3, null, $4, null))::text, current_user::text,
      current_setting(''opine.level'')::integer',
    p_operation
  ) using '{}'::jsonb, p_claims, p_treats_ended_session_as_guest, 'read of ' || p_operation;
end
$$;
grant execute on function pg_temp.read to opine_gateway;

set local session authorization opine_gateway;
select results_eq(
  $$ select role, level from pg_temp.read('get_onboarding_status', tests.claims('maya')) $$,
  $$ values ('authenticated', 3) $$,
  'a read of a member runs as authenticated with the level of the member'
);
select is(
  current_setting('application_name'), 'opine-api read of get_onboarding_status', 'a read shows its request id'
);
reset session authorization;
update app.users set media_completed_at = null where id = tests.id('maya');
select is(app.viewer_level(), 3, 'the level of a read is looked up once');
select gateway.set_caller(tests.claims('maya'), false);
select is(app.viewer_level(), 2, 'the level of a write is that of its beginning at first');
update app.users set media_completed_at = app.now() where id = tests.id('maya');
select is(app.viewer_level(), 3, 'the level of a write is that of the moment');
set local session authorization opine_gateway;
select results_eq(
  $$ select role, level from pg_temp.read('get_home_feed', null) $$, $$ values ('anon', 0) $$,
  'a read of a guest runs as anon'
);
select results_eq(
  $$ select role, level from pg_temp.read('get_home_feed', tests.claims('unknown'), true) $$, $$ values ('anon', 0) $$,
  'a read with a dead session runs as anon where authentication is optional'
);
select throws_ok(
  $$ select from pg_temp.read('get_home_feed', tests.claims('unknown')) $$, 'PT401', 'UNAUTHORIZED',
  'a read with a dead session is unauthorized'
);
select throws_ok(
  $$ select from pg_temp.read('get_own_profile', null) $$, '42501',
  'The role anon may not execute api.get_own_profile.',
  'a read of a guest starts no operation of members'
);
select throws_ok(
  $$ select from pg_temp.read('refresh_session', tests.claims('maya')) $$, '42501',
  'The role authenticated may not execute api.refresh_session.', 'a read of a member starts no operation of the service'
);
reset session authorization;

rollback to empty;

-- session_is_live requires complete claims.
select tests.person('maya');
select tests.session('maya');
select is(app.session_is_live(claims), expected, title)
from (
  values
    (tests.claims('maya'), true, 'complete claims of a live session are live'),
    (tests.claims('maya') - 'exp', false, 'claims without an expiry are dead'),
    (tests.claims('maya') - 'session_id', false, 'claims without a session are dead'),
    ('{}', false, 'empty claims of a caller are dead')
) as c (claims, expected, title);

rollback to empty;

-- call shows the request id in application_name.
select tests.person('maya');
select tests.session('maya');
create function pg_temp.application_name(p_request_id text)
returns text
language plpgsql
as $$
begin
  perform gateway.call('caller', 'get_onboarding_status', '{}', tests.claims('maya'), p_request_id => p_request_id);
  perform set_config('role', 'none', true);
  return current_setting('application_name');
end
$$;

set local session authorization opine_gateway;
select is(pg_temp.application_name(request_id), expected, title)
from (
  values
    ('a1b2', 'opine-api a1b2', 'application_name holds the id of the request'),
    (
      repeat('x', 128), 'opine-api ' || repeat('x', 53),
      'application_name holds at most the 63 bytes that Postgres shows'
    )
) as c (request_id, expected, title);
reset session authorization;
select is_empty(
  $$
    select p.proname
    from pg_proc as p
    where p.pronamespace = 'gateway'::regnamespace and p.proname like 'call%'
      and not 'p_request_id' = any (p.proargnames)
  $$,
  'each way to run an operation takes a request id'
);

rollback to empty;

-- staff_member finds the owner of a live staff session and their role.
insert into staff.allowed_emails (email) values ('ben@opine.example');
select tests.sign_in_as_staff('of ada', tests.staff_identity('ada@opine.example'));
select tests.sign_in_as_staff('of ben', tests.staff_identity('ben@opine.example'));

create function pg_temp.email_of(p_token text, p_policy jsonb default tests.staff_policy())
returns text
language sql
begin atomic
  select m.email from gateway.staff_member(tests.hash_hex(p_token), p_policy) as m where m.role is not null;
end;

select is(pg_temp.email_of(token, policy), expected, title)
from (
  values
    ('of ada', tests.staff_policy(), 'ada@opine.example', 'a live staff session belongs to its email'),
    ('forged', tests.staff_policy(), null, 'a forged staff token belongs to no email'),
    (null, tests.staff_policy(), null, 'a missing staff token belongs to no email'),
    ('of ada', '{"allowedEmails": []}', null, 'an email off the configured allow-list is not staff')
) as c (token, policy, expected, title);
select is(role, 'staff_moderator', 'an email on the table of allowed emails has the role of the table')
from gateway.staff_member(tests.hash_hex('of ben'), tests.staff_policy());
delete from staff.allowed_emails;
select is(pg_temp.email_of('of ben'), null, 'an email deleted from the table of allowed emails is not staff');
select app.set_clock_offset('7 hours 59 minutes 59 seconds');
select is(pg_temp.email_of('of ada'), 'ada@opine.example', 'a staff session is live a second before eight hours');
select app.set_clock_offset('8 hours');
select is(pg_temp.email_of('of ada'), null, 'a staff session ends after eight hours');

select * from finish();
rollback;
