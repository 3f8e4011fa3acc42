begin;
select plan(106);
savepoint empty;

-- enter: a guest is anon
set local session authorization opine_gateway;
select is(gateway.enter(null, false), 'anon', 'the role of a caller without claims is anon');
reset session authorization;
select is(app.user_id(), null, 'a caller without claims is nobody');

rollback to empty;

-- enter: a member is authenticated
select tests.person('maya');
select tests.session('maya');
set local session authorization opine_gateway;
select is(gateway.enter(tests.claims('maya'), false), 'authenticated', 'the role of a caller with a live session is authenticated');
reset session authorization;
select is(app.user_id(), tests.id('maya'), 'the caller is whom the claims name');

rollback to empty;

-- enter: falls back to a guest
select tests.person('maya');
select tests.session('maya');
select app.end_user(tests.id('maya'));
set local session authorization opine_gateway;
select is(gateway.enter(tests.claims('maya'), true), 'anon', 'where a bearer is optional, a dead session is a guest''s');
reset session authorization;
select is(app.user_id(), null, 'who is nobody');
select is(
  current_setting('request.jwt.claims')::jsonb, '{"role": "anon"}', 'and nothing of the dead session is left in the claims'
);

rollback to empty;

-- enter: refuses a dead session
select tests.person('maya');
select tests.session('maya');
select tests.person('jonas');
select tests.session('jonas');

prepare of_maya as select gateway.enter(tests.claims('maya'), false);

set local session authorization opine_gateway;
select throws_ok(
  $$ select gateway.enter(tests.claims('unknown'), false) $$, 'PT401', 'UNAUTHORIZED', 'a session that never was is dead'
);
select throws_ok(
  $$ select gateway.enter(tests.claims('jonas', 'maya'), false) $$, 'PT401', 'UNAUTHORIZED', 'the session of somebody else opens nothing'
);
select lives_ok('of_maya', 'a live session enters');

reset session authorization;
select app.set_clock_offset('15 minutes');
set local session authorization opine_gateway;
select throws_ok('of_maya', 'PT401', 'UNAUTHORIZED', 'an access token ends after its 15 minutes');

reset session authorization;
select app.set_clock_offset('0');
delete from app.sessions where user_id = tests.id('maya');
set local session authorization opine_gateway;
select throws_ok('of_maya', 'PT401', 'UNAUTHORIZED', 'an access token ends with its session');
deallocate of_maya;

rollback to empty;

-- enter: refuses an ended user
select tests.person('maya');
select tests.session('maya');
select app.end_user(tests.id('maya'));
set local session authorization opine_gateway;
select throws_ok(
  $$ select gateway.enter(tests.claims('maya'), false) $$, 'PT401', 'UNAUTHORIZED', 'an ended account enters no more'
);

rollback to empty;

-- invoke: acts as its caller
select tests.person('maya', 3);
select tests.session('maya');
set local session authorization opine_gateway;
create temporary table answers as
select gateway.invoke('create_post', tests.claims('maya'), '{"thoughtText": "Trams", "visibility": "public"}')::jsonb as post;
reset session authorization;

select is(post ->> 'thoughtText', 'Trams', 'the operation''s data come back as JSON text') from answers;
select is(p.author_id, tests.id('maya'), 'what was written is the caller''s')
from answers
join app.posts as p on p.id = (post ->> 'id')::uuid;

rollback to empty;

-- invoke: answers guests
select tests.person('maya');
select tests.post('trams', 'maya');
select tests.session('maya');
set local session authorization opine_gateway;
select is(
  gateway.invoke('get_post', null, tests.arguments('trams'))::jsonb ->> 'thoughtText', 'trams', 'a guest reads a public post'
);
set local role none;
select is(
  gateway.invoke('get_post', tests.claims('unknown'), tests.arguments('trams'), true)::jsonb ->> 'thoughtText',
  'trams',
  'and so does a dead session where the bearer is optional'
);

rollback to empty;

-- invoke: exchanges no proofs
select tests.person('maya');
select tests.session('maya');
set local session authorization opine_gateway;

select throws_ok(
  format('select gateway.invoke(%L, null, %L)', operation, '{}'), '42501', null, 'a guest cannot run ' || operation
)
from unnest(array[
  'end_staff_session', 'exchange_id_token', 'get_staff_session', 'refresh_session', 'request_otp', 'start_anonymous_session',
  'start_staff_session', 'verify_otp'
]) as operation;
select throws_ok(
  format('select gateway.invoke(%L, tests.claims(%L), %L)', operation, 'maya', '{}'), '42501', null, 'a member cannot run ' || operation
)
from unnest(array[
  'end_staff_session', 'exchange_id_token', 'get_staff_session', 'refresh_session', 'request_otp', 'start_anonymous_session',
  'start_staff_session', 'verify_otp'
]) as operation;

rollback to empty;

-- invoke: keeps guests out of what needs a session
set local session authorization opine_gateway;
select throws_ok(
  $$ select gateway.invoke('create_post', null, '{"thoughtText": "Trams", "visibility": "public"}') $$,
  '42501', 'permission denied for function create_post', 'a guest publishes nothing'
);
select throws_ok(
  $$ select gateway.invoke('get_onboarding_status', tests.claims('unknown'), '{}', true) $$,
  '42501', 'permission denied for function get_onboarding_status', 'nor does a dead session that counts as a guest act'
);

rollback to empty;

-- invoke: raises what the operation raises
select tests.person('maya', 2);
select tests.session('maya');
set local session authorization opine_gateway;
select throws_ok(
  $$ select gateway.invoke('get_post', null, tests.arguments('unknown')) $$,
  'PT404', 'POST_NOT_FOUND', 'a refusal keeps its status and code'
);
select is(
  tests.error_of($$ select gateway.invoke('create_post', tests.claims('maya'), '{"visibility": "public"}') $$),
  '{"state": "PT403", "code": "FORBIDDEN", "details": {"level": 2, "requiredLevel": 3, "nextStep": "media"}}',
  'and its details'
);

rollback to empty;

-- invoke: runs nothing but operations
select tests.person('maya', 4);
select tests.session('maya');
set local session authorization opine_gateway;

select throws_ok(
  format('select gateway.invoke(%L, tests.claims(%L), %L)', forged, 'maya', '{}'),
  '42883', null, 'no operation is called ' || forged
)
from unnest(array[
  '"; drop table app.posts; --',
  'get_post"($1); drop table app.posts; select api."get_post',
  'app.end_user',
  'app"."end_user',
  '"api"."get_post"',
  'pg_sleep',
  'GET_POST',
  ''
]) as forged
where forged <> '';
select throws_ok(
  $$ select gateway.invoke('', tests.claims('maya'), '{}') $$, '42601', null, 'an operation without a name is none'
);

rollback to empty;

-- invoke: runs nothing for staff
select tests.person('maya', 4);
select tests.session('maya');
select tests.sign_in_as_staff('cookie', tests.staff_identity('ada@opine.example'));
set local session authorization opine_gateway;
select throws_ok(
  $$ select gateway.invoke('end_staff_session', tests.claims('maya'), jsonb_build_object('staffTokenHash', tests.hex('cookie'))) $$,
  '42501', null, 'a member does nothing of staff''s, though they know the cookie'
);
select throws_ok(
  $$ select gateway.invoke_as_service('end_staff_session', null, jsonb_build_object('staffTokenHash', tests.hex('cookie'))) $$,
  '42501', null, 'nor does an exchange of proofs'
);

rollback to empty;

-- invoke: says where photos are
select tests.person('maya');
select tests.asset('face', 'maya', 'profile_photo');
update app.profiles set photo_asset_id = tests.id('face');

create function pg_temp.photo(p_url text)
returns text
language sql
return gateway.invoke('get_profile', null, tests.user('maya'), false, p_url)::jsonb ->> 'profilePhotoUrl';

set local session authorization opine_gateway;
select is(pg_temp.photo('https://one.example/photos/'), 'https://one.example/photos/' || tests.id('face'), 'below the URL of the request');
set local role none;
select is(pg_temp.photo('https://two.example/photos/'), 'https://two.example/photos/' || tests.id('face'), 'each by its own');
set local role none;
select is(pg_temp.photo(null), '/storage/v1/object/public/photos/' || tests.id('face'), 'none is left from another');

rollback to empty;

-- invoke_as_guest: answers guests what is new enough
select tests.person('maya', 3);
select tests.post('trams', 'maya');
select tests.session('maya');
set local session authorization opine_worker;
select gateway.record_heartbeat();
reset session authorization;
update gateway.heartbeat set beaten_at = beaten_at - interval '3 seconds';

set local session authorization opine_gateway;
select is(
  gateway.invoke_as_guest('get_post', tests.arguments('trams'), 'https://photos.example/', '3 seconds')::jsonb ->> 'thoughtText',
  'trams', 'a guest reads what is as old as it may be'
);
set local role none;
select throws_ok(
  $$ select gateway.invoke_as_guest('get_post', tests.arguments('trams'), null, '2.9 seconds') $$,
  'PT503', 'SERVICE_UNAVAILABLE', 'and is given nothing older'
);
select throws_ok(
  $$ select gateway.invoke_as_guest('create_post', '{"thoughtText": "Trams", "visibility": "public"}', null, '1 hour') $$,
  '42501', 'permission denied for function create_post', 'nobody is more than a guest'
);

rollback to empty;

-- invoke_as_service: acts with the claims of its caller
select tests.person('maya', 1);
select tests.session('maya');
select tests.open_upload('picture', 'maya');
set local session authorization opine_gateway;
select is(
  gateway.invoke_as_service('complete_upload', tests.claims('maya'), tests.completion('picture'))::jsonb #>> '{upload,bucket}', 'media',
  'what the caller uploaded is looked at'
);
select is(current_user::text, 'opine_service', 'the rest of the transaction is the service''s');
set local role none;
select throws_ok(
  $$ select gateway.invoke_as_service('complete_upload', null, tests.completion('picture')) $$, 'PT401', 'UNAUTHORIZED', 'in nobody''s name nothing is'
);
set local role none;
select throws_ok(
  $$ select gateway.invoke_as_service('complete_upload', tests.claims('other', 'maya'), tests.completion('picture')) $$,
  'PT401', 'UNAUTHORIZED', 'nor for a session that is no more'
);
set local role none;
select throws_ok(
  $$ select gateway.invoke_as_service('complete_upload', tests.claims('other', 'maya'), tests.completion('picture'), true) $$,
  'PT401', 'UNAUTHORIZED', 'which counts as nobody where a bearer is optional'
);

rollback to empty;

-- invoke_as_service: exchanges proofs
set local session authorization opine_gateway;
select is(
  gateway.invoke_as_service('request_otp', null, jsonb_build_object(
    'phoneNumber', '+12025550101', 'phoneHash', tests.hex('phone'), 'codeHash', tests.hex('code'), 'codesPerDay', 5
  ))::jsonb ->> 'phoneNumber',
  '+12025550101',
  'the gateway may ask for a code in nobody''s name'
);

rollback to empty;

-- invoke_as_service: merges live sessions only
select tests.person('guest', 1);
select tests.session('guest');
select tests.person('former guest', 1);
select tests.request_code('maya', '1234');
select tests.request_code('jonas', '1234');

create function pg_temp.verify(p_name text, p_claims jsonb)
returns text
language sql
return gateway.invoke_as_service('verify_otp', p_claims, tests.sign_in('token of ' || p_name) || jsonb_build_object(
  'phoneNumber', tests.phone_of(p_name), 'phoneHash', tests.hex(tests.phone_of(p_name)),
  'codeHash', tests.hex('1234')
), true);

set local session authorization opine_gateway;
select is(
  pg_temp.verify('maya', tests.claims('guest'))::jsonb -> 'user' ->> 'id', tests.id('guest')::text,
  'the user of a live session becomes the phone''s'
);
set local role none;
select isnt(
  pg_temp.verify('jonas', tests.claims('former guest'))::jsonb -> 'user' ->> 'id', tests.id('former guest')::text,
  'a dead session is left out, and signing in goes on without it'
);

rollback to empty;

-- invoke_as_service: runs only exchanges
select tests.person('maya', 3);
select tests.session('maya');
select tests.post('trams', 'maya');
set local session authorization opine_gateway;
select throws_ok(
  $$ select gateway.invoke_as_service('create_post', tests.claims('maya'), '{"thoughtText": "Trams", "visibility": "public"}') $$,
  '42501', null, 'it publishes nothing'
);
select throws_ok(
  $$ select gateway.invoke_as_service('get_post', null, tests.arguments('trams')) $$, '42501', null, 'it reads nothing'
);
select throws_ok(
  $$ select gateway.invoke_as_service('"; drop table app.posts; --', null, '{}') $$, '42883', null, 'and no forged name'
);

rollback to empty;

-- invoke_as_staff: acts as staff
select tests.sign_in_as_staff('cookie', tests.staff_identity('ada@opine.example'));
create function api.look_around(p_args jsonb)
returns jsonb
language sql
return p_args || jsonb_build_object('role', current_user, 'claims', current_setting('request.jwt.claims')::jsonb);
grant execute on function api.look_around(jsonb) to opine_staff;
revoke execute on function api.look_around(jsonb) from public;

set local session authorization opine_gateway;
create temporary table answers as
select tests.as_staff('look_around', 'cookie', jsonb_build_object('q', 'trams', 'staffTokenHash', tests.hex('of somebody else'))) as answer;
reset session authorization;
select is(answer ->> 'role', 'staff_admin', 'who has a live session goes on as what they are') from answers;
select is(
  answer -> 'claims', '{"role": "staff_admin", "email": "ada@opine.example"}', 'as themselves, and as no user of the service'
)
from answers;
select is(answer ->> 'q', 'trams', 'with what they asked') from answers;
select is(answer ->> 'staffTokenHash', tests.hex('cookie'), 'and with the token that was looked up, whatever the request says') from answers;
select set_eq(
  $$ select tests.who_may($s$ select gateway.invoke_as_staff('look_around', '', '{}', '{}') $s$) $$, array['opine_gateway'],
  'the gateway''s login alone lets staff in'
);

rollback to empty;

-- invoke_as_staff: refuses dead sessions
select tests.sign_in_as_staff('cookie', tests.staff_identity('ada@opine.example'));
prepare of_ada as select tests.as_staff('get_staff_session', 'cookie');
set local session authorization opine_gateway;
select throws_ok($$ select tests.as_staff('get_staff_session', 'forged') $$, 'PT401', 'UNAUTHORIZED', 'a forged cookie opens nothing');
select throws_ok($$ select tests.as_staff('get_staff_session', null) $$, 'PT401', 'UNAUTHORIZED', 'nor does none');
select throws_ok(
  $$ select gateway.invoke_as_staff('get_staff_session', tests.hex('cookie'), '{"allowedEmails": ["ben@opine.example"]}', '{}') $$,
  'PT401', 'UNAUTHORIZED', 'nor that of somebody who is off the list'
);
reset session authorization;
select app.set_clock_offset('8 hours');
set local session authorization opine_gateway;
select throws_ok('of_ada', 'PT401', 'UNAUTHORIZED', 'nor does one that has expired');
deallocate of_ada;

rollback to empty;

-- invoke_as_staff: runs only what is for staff
select tests.sign_in_as_staff('cookie', tests.staff_identity('ada@opine.example'));
set local session authorization opine_gateway;
select throws_ok(format('select tests.as_staff(%L, %L)', operation, 'cookie'), 'PT403', 'FORBIDDEN', 'staff cannot run ' || operation)
from unnest(array['create_post', 'get_home_feed', 'request_otp', 'start_staff_session']) as operation;
select throws_ok(
  $$ select tests.as_staff('"; drop table app.posts; --', 'cookie') $$, '42883', null, 'nor what is no operation'
);

rollback to empty;

-- invoke_then_read: needs a serializable transaction
-- That it commits between write and read cannot be shown inside a test's transaction; votes over HTTP show it.
select tests.person('maya');
select tests.session('maya');
select tests.slider('trams', 'maya');
set local session authorization opine_serializable;
select throws_ok(
  $$ call gateway.invoke_then_read('cast_vote', tests.claims('maya'), tests.arguments('trams') || '{"position": "left"}', null) $$,
  'P0001', 'gateway.invoke_then_read needs a serializable transaction.', 'what needs no SERIALIZABLE does not come this way'
);
reset session authorization;
select is_empty('select from app.vote_receipts', 'nothing is written');

rollback to empty;

-- run_operation: hides values of violations
create table app.things (
  id uuid constraint things_pkey primary key, phone text not null constraint things_phone_is_short check (length(phone) < 5), owner_id uuid
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
  perform gateway.invoke('add_thing', null, p_thing);
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
    ('{"id": "00000000-0000-7000-8000-000000000099", "phone": "999", "owner_id": "00000000-0000-7000-8000-000000000099"}'),
    ('{"id": "00000000-0000-7000-8000-000000000097", "phone": "999", "owner_id": "00000000-0000-7000-8000-000000000098"}')
) as thing (row)
cross join lateral pg_temp.failure(thing.row) as failure;
reset session authorization;
select results_eq(
  $$ select state, place from failures where state is not null $$,
  $$ values
    ('23505', 'things_pkey'), ('23514', 'things_phone_is_short'), ('23502', ''), ('23503', 'things_owner_id_fkey')
  $$,
  'a violation keeps its state and the name of its constraint'
);
select is(count(*), 1::bigint, 'an operation that violates nothing succeeds') from failures where state is null;
select is(detail, '', format('the violation %s has no detail', state)) from failures where state is not null;
select is_empty($$ select from failures where message ~ '9{3}|0{3}' $$, 'no message of a violation holds a value');

rollback to empty;

-- session_is_live: fails closed
select tests.person('maya');
select tests.session('maya');

select ok(gateway.session_is_live(tests.claims('maya')), 'whole claims of a live session are live');
select is(gateway.session_is_live(tests.claims('maya') - 'exp'), false, 'claims that never expire are dead');
select is(gateway.session_is_live(tests.claims('maya') - 'session_id'), false, 'claims without a session are dead');
select is(gateway.session_is_live('{}'), false, 'empty claims are dead');

rollback to empty;

-- show_request: names the transaction
select tests.person('maya');
select tests.session('maya');
set local session authorization opine_gateway;
set local application_name = 'opine-api';

select gateway.enter(null, false, 'a1b2');
select is(current_setting('application_name'), 'opine-api a1b2', 'a request is shown by its id');
set local role none;
select gateway.enter(tests.claims('maya'), false, repeat('x', 128));
select is(current_setting('application_name'), 'opine-api ' || repeat('x', 53), 'a long one by as much as Postgres shows');
set local role none;
select is(
  (select current_setting('application_name') from gateway.invoke_once('get_onboarding_status', tests.claims('maya'), '{}', 'key', 'print', p_request_id => 'once')),
  'opine-api once', 'one with a key as well'
);
set local role none;
select is(
  (select current_setting('application_name') from gateway.invoke('get_onboarding_status', tests.claims('maya'), '{}', p_request_id => 'plain')),
  'opine-api plain', 'and one without'
);
set local role none;
reset session authorization;
select is(
  (
    select array_agg(p.proname::text order by p.proname)
    from pg_proc as p
    where p.pronamespace = 'gateway'::regnamespace and p.proname like 'invoke%' and not 'p_request_id' = any (p.proargnames)
  ), null, 'there is no other way in'
);
select set_eq($$ select tests.who_may($s$ select gateway.show_request('x') $s$) $$, array['opine_gateway', 'opine_serializable'], 'nobody else names requests');

rollback to empty;

-- staff_member: knows who is staff now
insert into staff.allowed_emails (email) values ('ben@opine.example');
select tests.sign_in_as_staff('of ada', tests.staff_identity('ada@opine.example'));
select tests.sign_in_as_staff('of ben', tests.staff_identity('ben@opine.example'));

create function pg_temp.email_of(p_token text, p_policy jsonb default tests.staff_policy())
returns text
language sql
begin atomic
  select m.email from gateway.staff_member(tests.hex(p_token), p_policy) as m where m.role is not null;
end;

select is(pg_temp.email_of('of ada'), 'ada@opine.example', 'a live session is of somebody of staff');
select is(role, 'staff_moderator', 'as what the list says they are') from gateway.staff_member(tests.hex('of ben'), tests.staff_policy());
select is(pg_temp.email_of('forged'), null, 'a forged one is nobody''s');
select is(pg_temp.email_of(null), null, 'nor is none');
select is(pg_temp.email_of('of ada', '{"allowedEmails": []}'), null, 'who is off the list is staff no more');
delete from staff.allowed_emails;
select is(pg_temp.email_of('of ben'), null, 'off the table as well');
select app.set_clock_offset('7 hours 59 minutes 59 seconds');
select is(pg_temp.email_of('of ada'), 'ada@opine.example', 'a session lives for nearly eight hours');
select app.set_clock_offset('8 hours');
select is(pg_temp.email_of('of ada'), null, 'and not a moment longer');
select set_eq($$ select tests.who_may($s$ select gateway.staff_member('', '{}') $s$) $$, array['opine_gateway'], 'the gateway''s login asks');

select * from finish();
rollback;
