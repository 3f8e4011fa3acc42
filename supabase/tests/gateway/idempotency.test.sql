begin;
select plan(34);
savepoint empty;

-- idempotent_answers: have short keys
select tests.person('maya');

create function pg_temp.keep(p_key text)
returns text
language sql
return tests.violation_of(format('insert into gateway.idempotent_answers (user_id, key, fingerprint) values (tests.id(%L), %L, %L)', 'maya', p_key, 'f'));

select is(pg_temp.keep(''), 'idempotent_answers_key_is_short', 'an empty key is none');
select is(pg_temp.keep(repeat('k', 129)), 'idempotent_answers_key_is_short', 'a key has 128 characters at most');
select is(pg_temp.keep(repeat('k', 128)), null, 'and may have as many');

rollback to empty;

-- invoke_once: forgets what was refused
select tests.person('maya', 2);
select tests.session('maya');

create function pg_temp.is_replay()
returns boolean
language sql
return (gateway.invoke_once(
  'create_post', tests.claims('maya'), '{"thoughtText": "Trams", "visibility": "public"}', 'key', 'fingerprint'
)).is_replayed;

select throws_ok('select pg_temp.is_replay()', 'PT403', 'FORBIDDEN', 'who lacks the level is refused');
update app.users set phone = tests.phone_of('maya'), phone_verified_at = app.now(), media_completed_at = app.now();
select ok(not pg_temp.is_replay(), 'once they have it, the same request with the same key runs');

rollback to empty;

-- invoke_once: is not for guests
set local session authorization opine_gateway;
select throws_ok(
  $$ select gateway.invoke_once('create_post', null, '{"thoughtText": "Trams", "visibility": "public"}', 'key', 'f') $$,
  'PT401', 'UNAUTHORIZED', 'a guest has no keys'
);

rollback to empty;

-- invoke_once: keeps keys of people apart
select tests.person('maya', 3);
select tests.session('maya');
select tests.person('jonas', 3);
select tests.session('jonas');
set local session authorization opine_gateway;
create temporary table answers as
select maya.* from gateway.invoke_once('create_post', tests.claims('maya'), '{"thoughtText": "Trams", "visibility": "public"}', 'key', 'f') as maya;
insert into answers
select jonas.* from gateway.invoke_once('create_post', tests.claims('jonas'), '{"thoughtText": "Trams", "visibility": "public"}', 'key', 'f') as jonas;
reset session authorization;

select ok(not bool_or(is_replayed), 'the same key of two people is two keys') from answers;
select set_eq(
  $$ select answer::jsonb -> 'author' ->> 'username' from answers $$, array['maya', 'jonas'], 'each has their own answer'
);

rollback to empty;

-- invoke_once: refuses another request with the key
select tests.person('maya', 3);
select tests.session('maya');
set local session authorization opine_gateway;
select gateway.invoke_once('create_post', tests.claims('maya'), '{"thoughtText": "Trams", "visibility": "public"}', 'key', 'trams');
select throws_ok(
  $$ select gateway.invoke_once('create_post', tests.claims('maya'), '{"thoughtText": "Bikes", "visibility": "public"}', 'key', 'bikes') $$,
  'PT409', 'IDEMPOTENCY_KEY_CONFLICT', 'a key stands for one request'
);
reset session authorization;
select is(count(*)::integer, 1, 'the other request did nothing') from app.posts;

rollback to empty;

-- invoke_once: remembers for a day
select tests.person('maya', 3);
select tests.session('maya');

create function pg_temp.is_replay()
returns boolean
language sql
return (gateway.invoke_once(
  'create_post', tests.claims('maya') || '{"exp": 9999999999}', '{"thoughtText": "Trams", "visibility": "public"}', 'key', 'fingerprint'
)).is_replayed;

select ok(not pg_temp.is_replay(), 'the first request runs');
select app.set_clock_offset('23 hours 59 minutes 59 seconds');
select ok(pg_temp.is_replay(), 'for a day it is replayed');
select app.set_clock_offset('24 hours');
select ok(not pg_temp.is_replay(), 'then the key is free again');
select ok(pg_temp.is_replay(), 'and stands for the later request');

rollback to empty;

-- invoke_once: replays nothing to a dead session
select tests.person('maya', 3);
select tests.session('maya');
set local session authorization opine_gateway;
select gateway.invoke_once('create_post', tests.claims('maya'), '{"thoughtText": "Trams", "visibility": "public"}', 'key', 'f');
reset session authorization;
delete from app.sessions;
set local session authorization opine_gateway;
select throws_ok(
  $$ select gateway.invoke_once('create_post', tests.claims('maya'), '{"thoughtText": "Trams", "visibility": "public"}', 'key', 'f') $$,
  'PT401', 'UNAUTHORIZED', 'a stored answer is for its caller alone, as long as they are signed in'
);

rollback to empty;

-- invoke_once: replays the first answer
select tests.person('maya', 3);
select tests.session('maya');

create function pg_temp.publish(out answer text, out is_replayed boolean)
language sql
return gateway.invoke_once(
  'create_post', tests.claims('maya'), '{"thoughtText": "Trams", "visibility": "public"}', 'key', 'fingerprint'
);

set local session authorization opine_gateway;
create temporary table answers as select 1 as request, * from pg_temp.publish();
insert into answers select 2, * from pg_temp.publish();

select ok(not is_replayed, 'the first request runs') from answers where request = 1;
select ok(is_replayed, 'the second does not') from answers where request = 2;
select is(count(distinct answer)::integer, 1, 'both have the same answer') from answers;
reset session authorization;
select is(count(*)::integer, 1, 'one post is published') from app.posts;

rollback to empty;

-- invoke_once: runs what the service vouches for
select tests.person('maya', 1);
select tests.session('maya');
select tests.open_upload('picture', 'maya');

create function pg_temp.complete(p_args jsonb, p_key text, p_as_service boolean, out answer text, out is_replayed boolean)
language sql
return gateway.invoke_once('complete_upload', tests.claims('maya'), tests.completion('picture') || p_args, p_key, 'f', p_as_service);

set local session authorization opine_gateway;
create temporary table looks as
select gateway.invoke_as_service('complete_upload', tests.claims('maya'), tests.completion('picture'))::jsonb #>> '{upload,assetId}' as asset_id;
set local role none;
create temporary table answers as
select 1 as request, done.* from looks, pg_temp.complete(tests.found(asset_id), 'key', true) as done;
insert into answers select 2, done.* from looks, pg_temp.complete(tests.found(asset_id), 'key', true) as done;
select is(answer::jsonb ->> 'assetId', asset_id, 'the service completes in the name of the caller') from answers, looks where request = 1;
select ok(not is_replayed, 'once') from answers where request = 1;
select ok(is_replayed, 'and replays the answer') from answers where request = 2;
select is(count(distinct answer)::integer, 1, 'which is the same') from answers;
select throws_ok($$ select pg_temp.complete('{}', 'other', false) $$, '42501', null, 'as the caller it is not run');
select throws_ok(
  $$ select gateway.invoke_once('complete_upload', null, tests.completion('picture'), 'key', 'f', true) $$, 'PT401', 'UNAUTHORIZED', 'nor for a guest'
);
reset session authorization;
select results_eq('select owner_id from app.assets', array[tests.id('maya')], 'the asset is the caller''s');

rollback to empty;

-- invoke_once: says where photos are
select tests.person('maya');
select tests.session('maya');
select tests.asset('face', 'maya', 'profile_photo');
update app.profiles set photo_asset_id = tests.id('face');
set local session authorization opine_gateway;
select is(
  answer::jsonb ->> 'profilePhotoUrl', 'https://one.example/photos/' || tests.id('face'), 'below the URL of the request'
)
from gateway.invoke_once('get_own_profile', tests.claims('maya'), '{}', 'key', 'f', false, 'https://one.example/photos/');

rollback to empty;

-- prune_idempotent_answers: forgets after a day
select tests.person('maya');
insert into gateway.idempotent_answers (user_id, key, fingerprint, created_at)
values
  (tests.id('maya'), 'a day old', 'f', app.now() - interval '24 hours'),
  (tests.id('maya'), 'nearly', 'f', app.now() - interval '23 hours 59 minutes 59 seconds');
set local session authorization opine_worker;
select gateway.prune_idempotent_answers();
reset session authorization;
select set_eq('select key from gateway.idempotent_answers', array['nearly'], 'what may be replayed stays');

rollback to empty;

-- without_phones: removes them at any depth
select is(gateway.without_phones(given), expected, format('phones are removed from %s', given))
from (
  values
    ('{"id": 1, "authorPhoneNumber": "+12025550101"}'::jsonb, '{"id": 1, "authorPhoneNumber": null}'::jsonb),
    ('{"author": {"phoneNumber": "+12025550101", "x": [1]}}', '{"author": {"phoneNumber": null, "x": [1]}}'),
    ('{"items": [{"phoneNumber": "+1"}, {"phoneNumber": null}]}', '{"items": [{"phoneNumber": null}, {"phoneNumber": null}]}'),
    ('{"text": "\"phoneNumber\": \"+12025550101\", \\"}', '{"text": "\"phoneNumber\": \"+12025550101\", \\"}'),
    ('{"text": "phoneNumber", "a": "b"}', '{"text": "phoneNumber", "a": "b"}'),
    (null, null)
) as answer (given, expected);

select * from finish();
rollback;
