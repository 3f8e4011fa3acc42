begin;
select plan(94);
savepoint empty;

-- claim_pushes: asks anew who may hear
select tests.elm();
select tests.device_token('phone', 'jonas'), tests.device_token('lent', 'jonas');
select tests.notification('due', 'jonas', p_actor => 'lena'), tests.notification('read', 'jonas', p_actor => 'lena'), tests.notification('blocked', 'jonas', p_actor => 'maya');
select tests.notification('muted', 'jonas', 'hub_post_created', 'amara', 'elm');
insert into app.pushes (notification_id, token_hash)
select id, tests.hash(token)
from unnest(tests.ids('due', 'read', 'blocked', 'muted', 'gone')) as id cross join unnest(array['phone', 'lent', 'removed']) as token
where id = tests.id('due') or token = 'phone';
update app.notifications set read_at = app.now() where id = tests.id('read');
select tests.block('maya', 'jonas');
insert into app.hub_mutes (hub_id, user_id) select hub_id, user_id from app.memberships;
update app.device_tokens set user_id = tests.id('lena') where token_hash = tests.hash('lent');

select bag_eq(
  'select notification_id, token_hash from tests.claims(10)', $$ values (tests.id('due'), tests.hash('phone')) $$,
  'what is due is for a device of the recipient''s'
);
select bag_eq('select notification_id, token_hash from app.pushes', $$ values (tests.id('due'), tests.hash('phone')) $$, 'all else is let go of');

rollback to empty;

-- claim_pushes: leaves to staff what was never settled
select tests.person('maya');
select tests.device_token('phone', 'maya');
select tests.notification(name, 'maya') from unnest(array['often', 'too often', 'under way']) as name;
insert into app.pushes (notification_id, token_hash, due_at, attempt_count)
values
  (tests.id('often'), tests.hash('phone'), app.now(), 9), (tests.id('too often'), tests.hash('phone'), app.now(), 10),
  (tests.id('under way'), tests.hash('phone'), app.now() + interval '1 second', 10);

select results_eq('select notification_id from tests.claims(10)', tests.ids('often'), 'who took it ten times took it once too often');
select results_eq(
  'select notification_id, token_hash, attempt_count, failure from app.dead_letters',
  $$ values (tests.id('too often'), tests.hash('phone'), 10, 'unsettled') $$, 'staff has to look'
);
select bag_eq('select notification_id from app.pushes', tests.ids('often', 'under way'), 'and it is tried no more');
delete from app.dead_letters;
update app.pushes set due_at = app.now(), attempt_count = 10;
select app.claim_pushes(1);
select is(count(*), 1::bigint, 'so many at once') from app.dead_letters;

rollback to empty;

-- claim_pushes: takes each device apart
select tests.person('maya');
select tests.device_token('phone', 'maya'), tests.device_token('tablet', 'maya');
select tests.notification('hers', 'maya'), tests.notification('another', 'maya');
insert into app.pushes (notification_id, token_hash, due_at)
select id, tests.hash(token), app.now() - interval '1 second' * (case token when 'phone' then 2 else 1 end) * (case id when tests.id('hers') then 10 else 1 end)
from unnest(tests.ids('hers', 'another')) as id
cross join unnest(array['phone', 'tablet']) as token;

select results_eq('select notification_id, token_hash from tests.claims(1)', $$ values (tests.id('hers'), tests.hash('phone')) $$, 'one');
select is(count(*), 3::bigint, 'the other waits, of the same notification') from app.pushes where attempt_count = 0;
select bag_eq(
  'select notification_id, token_hash from tests.claims(2)',
  $$ values (tests.id('hers'), tests.hash('tablet')), (tests.id('another'), tests.hash('phone')) $$, 'then the next'
);

rollback to empty;

-- claim_pushes: takes what is due
select tests.person('maya'), tests.person('jonas');
select tests.device_token('phone', 'maya'), tests.device_token('his', 'jonas');
update app.device_tokens set platform = 'android' where user_id = tests.id('maya');
select tests.notification('hers', 'maya', p_actor => 'jonas'), tests.notification('his', 'jonas', p_actor => 'maya'), tests.notification('later', 'maya');
insert into app.pushes (notification_id, token_hash, due_at, attempt_count)
values
  (tests.id('his'), tests.hash('his'), app.now(), 0), (tests.id('hers'), tests.hash('phone'), app.now() - interval '1 second', 2),
  (tests.id('later'), tests.hash('phone'), app.now() + interval '1 microsecond', 0);

create function pg_temp.message(p_name text, p_token text, p_platform text)
returns jsonb
language sql
as $$
  select jsonb_build_array(jsonb_build_object(
    'token_hash', encode(tests.hash(p_token), 'hex'), 'platform', p_platform, 'sealed_token', encode(tests.sealed(p_token), 'base64'), 'payload', payload
  ))
  from app.due_notifications where id = tests.id(p_name)
$$;
create temporary table claims (is_more boolean, messages jsonb);
grant insert on claims to opine_worker;
-- An index gives them in their order by itself.
set local enable_indexscan = off;
set local enable_bitmapscan = off;
set local session authorization opine_worker;
insert into claims select is_more, messages from app.claim_pushes(1);
reset session authorization;
select results_eq('select messages from claims', $$ select pg_temp.message('hers', 'phone', 'android') $$, 'what has been due longest, and what it says');
select ok(is_more, 'there may be more') from claims;
select results_eq('select is_more, messages::jsonb from app.claim_pushes(10)', $$ select false, pg_temp.message('his', 'his', 'ios') $$, 'then the next, until there is no more');
select bag_eq(
  'select notification_id, due_at, attempt_count from app.pushes',
  $$
    values
      (tests.id('hers'), app.now() + interval '2 minutes', 3), (tests.id('his'), app.now() + interval '2 minutes', 1), (tests.id('later'), app.now() + interval '1 microsecond', 0)
  $$,
  'for two minutes nobody else takes it'
);
select app.set_clock_offset('2 minutes');
select is(count(*), 3::bigint, 'then it is tried again') from tests.claims(10);
select results_eq('select is_more, messages::jsonb from app.claim_pushes(10)', $$ values (false, '[]'::jsonb) $$, 'where nothing is due there is nothing');
select set_eq($$ select tests.who_may('select app.claim_pushes(1)') $$, array['opine_worker'], 'the worker does this');

rollback to empty;

-- claim_pushes: takes what it may and no more
select tests.person('maya');
select tests.device_token('phone', 'maya'), tests.device_token('tablet', 'maya');
select tests.notification('one', 'maya'), tests.notification('two', 'maya');
-- As Postgres knows the table when it was counted while nearly nothing waited.
insert into app.pushes (notification_id, token_hash) values (tests.id('one'), tests.hash('phone'));
analyze app.pushes;
insert into app.pushes (notification_id, token_hash) values (tests.id('one'), tests.hash('tablet')), (tests.id('two'), tests.hash('phone')), (tests.id('two'), tests.hash('tablet'));

select is(count(*), 1::bigint, 'so many as it may') from tests.claims(1);
select is(count(*), 3::bigint, 'others are for other workers') from app.pushes where attempt_count = 0;

rollback to empty;

-- claim_pushes: tries none an eleventh time
select tests.person('maya');
select tests.device_token('phone', 'maya');
select tests.notification(name, 'maya') from unnest(array['one', 'two', 'three']) as name;
insert into app.pushes (notification_id, token_hash, attempt_count)
select id, tests.hash('phone'), 10 from unnest(tests.ids('one', 'two', 'three')) as id;

select is_empty('select from tests.claims(2)', 'however many were never settled');
select is(count(*), 2::bigint, 'staff sees so many at once') from app.dead_letters;
select is_empty('select from tests.claims(2)', 'and then the rest');
select is(count(*), 3::bigint, 'until it has seen all') from app.dead_letters;

rollback to empty;

-- keep_device_token: is the callers
select set_eq(
  $$ select tests.who_may('select app.keep_device_token(null, null, null)') $$, array['authenticated'], 'signed-in people keep device tokens'
);
select is_empty($$ select tests.who_may('select app.keep_newest_device_tokens(null)') $$, 'no role drops those of somebody else');

rollback to empty;

-- max_attempts: are ten
select is(app.max_attempts(), 10, 'then staff has to look');
select is_empty($$ select tests.who_may('select app.max_attempts()') $$, 'no role asks');

rollback to empty;

-- postpone_push: tries again later
select tests.person('maya');
select tests.notification('hers', 'maya'), tests.notification('another', 'maya');
insert into app.pushes (notification_id, token_hash, attempt_count, due_at)
select id, tests.hash(token), 4, app.now() + interval '2 minutes' from unnest(tests.ids('hers', 'another')) as id cross join unnest(array['one', 'two']) as token;
create function pg_temp.this()
returns setof app.pushes
language sql
as $$ select * from app.pushes where notification_id = tests.id('hers') and token_hash = tests.hash('one') $$;

select app.postpone_push(tests.id('hers'), tests.hash('one'), 'quota');
select is(attempt_count, 4, 'that it was tried is counted when it is taken') from pg_temp.this();
select ok(due_at between app.now() + 0.75 * interval '54 seconds' and app.now() + 1.25 * interval '54 seconds', 'it rests the longer') from pg_temp.this();
select is(count(*), 3::bigint, 'others do not') from app.pushes where due_at = app.now() + interval '2 minutes';
update app.pushes set attempt_count = 9;
select app.postpone_push(tests.id('hers'), tests.hash('one'), 'quota');
select is_empty('select from app.dead_letters', 'nine times is not too often');
update app.pushes set attempt_count = 10;
select app.postpone_push(tests.id('hers'), tests.hash('one'), 'internal');
select results_eq(
  'select notification_id, token_hash, attempt_count, failure, died_at from app.dead_letters',
  $$ values (tests.id('hers'), tests.hash('one'), 10, 'internal', app.now()) $$, 'ten times is: staff has to look'
);
select is_empty('select from pg_temp.this()', 'and it is tried no more');
select is(count(*), 3::bigint, 'others are') from app.pushes;
insert into app.pushes (notification_id, token_hash, attempt_count) values (tests.id('hers'), tests.hash('one'), 11);
select app.postpone_push(tests.id('hers'), tests.hash('one'), 'again');
select is(count(*), 1::bigint, 'nor told of twice') from app.dead_letters;
delete from app.notifications;
select app.postpone_push(tests.id('another'), tests.hash('one'), 'quota');
select is_empty('select from app.dead_letters', 'what is gone needs nobody');
select bag_eq(
  'select notification_id, token_hash from app.pushes', $$ values (tests.id('hers'), tests.hash('two')), (tests.id('another'), tests.hash('two')) $$, 'and is forgotten'
);
select is_empty($$ select tests.who_may('select app.postpone_push(null, null, null)') $$, 'no role postpones');

rollback to empty;

-- prune_device_tokens: forgets stale ones
select tests.person('maya');
select tests.device_token('stale', 'maya', app.now() - interval '60 days');
select tests.device_token('fresh', 'maya', app.now() - interval '60 days' + interval '1 microsecond');
set local session authorization opine_worker;
select app.prune_device_tokens();
reset session authorization;
select results_eq('select token_hash from app.device_tokens', array[tests.hash('fresh')], 'a token that nobody refreshed for 60 days goes');
select set_eq($$ select tests.who_may('select app.prune_device_tokens()') $$, array['opine_worker'], 'the worker sees to it');

rollback to empty;

-- queue_pushes: is for each device
select tests.person('maya'), tests.person('jonas');
select tests.device_token('phone', 'maya'), tests.device_token('tablet', 'maya'), tests.device_token('his', 'jonas');
select tests.notification('one', 'maya'), tests.notification('another', 'maya'), tests.notification('to jonas', 'jonas');
insert into app.pushes (notification_id, token_hash, attempt_count) values (tests.id('one'), tests.hash('phone'), 3);

select app.queue_pushes(array(select due from app.due_notifications as due where due.id = any (tests.ids('one', 'to jonas'))), tests.ids('to jonas'));
select bag_eq(
  'select notification_id, token_hash, attempt_count from app.pushes',
  $$
    values
      (tests.id('one'), tests.hash('phone'), 3), (tests.id('one'), tests.hash('tablet'), 0), (tests.id('to jonas'), tests.hash('his'), 1)
  $$,
  'it waits for each device of the recipient''s once'
);
select is(count(*), 3::bigint, 'for whoever comes') from app.pushes where due_at = app.now();
select is_empty($$ select tests.who_may('select app.queue_pushes(null, null)') $$, 'no role has devices told');

rollback to empty;

-- register_device_token: keeps it for the session
select tests.person('maya');
select tests.session('maya');
select tests.authenticate_as('maya');
select is(tests.register_device('phone', 'android'), '{"registered": true}', 'the device is registered');
reset role;
select results_eq(
  'select token_hash, user_id, session_id, platform, sealed_token, refreshed_at from app.device_tokens',
  $$
    values (
      tests.hash('phone'), tests.id('maya'), tests.id('session of maya'), 'android'::app.device_platform,
      tests.sealed('phone'), app.now()
    )
  $$,
  'for the caller and their session'
);
delete from app.sessions;
select is_empty('select from app.device_tokens', 'and goes with it');

rollback to empty;

-- register_device_token: keeps the newest five
select tests.person('maya');
select tests.person('jonas');

create function pg_temp.register_at(p_offset interval, p_owner text, p_token text)
returns void
language plpgsql
as $$
begin
  perform app.set_clock_offset(p_offset);
  perform tests.authenticate_as(p_owner);
  perform tests.register_device(p_token);
  perform set_config('role', 'none', true);
end
$$;

create function pg_temp.device_tokens()
returns setof bytea
language sql
begin atomic
  select token_hash from app.device_tokens where user_id = tests.id('maya');
end;

select pg_temp.register_at('0', 'jonas', 'his');
select pg_temp.register_at(n * interval '1 minute', 'maya', n::text) from generate_series(1, 5) as n;
select is(count(*)::integer, 5, 'a person has five devices') from pg_temp.device_tokens();
select pg_temp.register_at('6 minutes', 'maya', '1');
select pg_temp.register_at('7 minutes', 'maya', '6');
select set_eq(
  'select pg_temp.device_tokens()', $$ select tests.hash(n) from unnest(array['1', '3', '4', '5', '6']) as n $$,
  'a sixth takes the place of the one that was refreshed longest ago'
);
select isnt_empty($$ select from app.device_tokens where user_id = tests.id('jonas') $$, 'and not of somebody else''s');

rollback to empty;

-- register_device_token: may be repeated
select tests.person('maya');
select tests.session('maya');
select tests.authenticate_as('maya');
select tests.register_device('phone', 'android');
reset role;
update app.device_tokens set session_id = null, sealed_token = tests.sealed('before');
select app.set_clock_offset('1 minute');
select tests.authenticate_as('maya');
select is(tests.register_device('phone', 'ios'), '{"registered": true}', 'a device may register again');
reset role;
select results_eq(
  'select session_id, platform, sealed_token from app.device_tokens',
  $$ values (tests.id('session of maya'), 'ios'::app.device_platform, tests.sealed('phone')) $$,
  'what it says now holds'
);
select is(refreshed_at, app.now(), 'and its time is this') from app.device_tokens;

rollback to empty;

-- register_device_token: moves it to whoever has the device
select tests.person('maya');
select tests.person('jonas');
select tests.authenticate_as('maya');
select tests.register_device('shared');
select tests.register_device('hers');
reset role;
select app.set_clock_offset('1 minute');
select tests.authenticate_as('jonas');
select tests.register_device('shared');
reset role;
select results_eq(
  $$ select user_id, session_id, refreshed_at from app.device_tokens where token_hash = tests.hash('shared') $$,
  $$ values (tests.id('jonas'), tests.id('session of jonas'), app.now()) $$,
  'the device is of whoever registered it last'
);
select results_eq(
  $$ select user_id from app.device_tokens where token_hash = tests.hash('hers') $$, array[tests.id('maya')], 'others stay where they are'
);
delete from app.sessions where user_id = tests.id('maya');
select results_eq('select token_hash from app.device_tokens', array[tests.hash('shared')], 'and it goes with no session of before');

rollback to empty;

-- register_device_token: needs a profile
select tests.person('lena', 1);
select set_eq($$ select tests.who_may($s$ select api.register_device_token('{}') $s$) $$, array['authenticated'], 'it is for signed-in people');
select tests.authenticate_as('lena');
select is(
  tests.error_of($$ select tests.register_device('phone') $$),
  '{"state": "PT403", "code": "FORBIDDEN", "details": {"requiredLevel": 2, "level": 1, "nextStep": "profile_basics"}}',
  'who has no profile gets no push messages'
);
reset role;
select is_empty('select from app.device_tokens', 'nothing is kept');
insert into app.profiles (user_id, username, full_name) values (tests.id('lena'), 'lena', 'Lena');
select tests.authenticate_as('lena');
select lives_ok($$ select tests.register_device('phone') $$, 'who has one does');
reset role;
delete from app.sessions;
set local role authenticated;
select throws_ok($$ select tests.register_device('phone') $$, 'PT401', 'UNAUTHORIZED', 'as long as the session lives');

rollback to empty;

-- remove_device_token: removes ones own
select tests.person('maya', 1);
select tests.person('jonas', 1);
select tests.device_token('hers', 'maya');
select tests.device_token('his', 'jonas');

create function pg_temp.remove(p_token text)
returns jsonb
language sql
return api.remove_device_token(jsonb_build_object('tokenHash', tests.hex(p_token)));

select tests.authenticate_as('maya');
select is(pg_temp.remove('hers'), '{"removed": true}', 'one''s own device token is removed');
select is(pg_temp.remove('hers'), '{"removed": false}', 'once');
select is(pg_temp.remove('his'), '{"removed": false}', 'that of somebody else is answered alike');
reset role;
select results_eq('select token_hash from app.device_tokens', array[tests.hash('his')], 'and stays');
select set_eq($$ select tests.who_may($s$ select api.remove_device_token('{}') $s$) $$, array['authenticated'], 'it is for signed-in people');
delete from app.sessions;
set local role authenticated;
select throws_ok($$ select pg_temp.remove('his') $$, 'PT401', 'UNAUTHORIZED', 'with a live session');

rollback to empty;

-- settle_published: notes what came of them
select tests.person('maya');
select tests.device_token('phone', 'maya'), tests.device_token('tablet', 'maya'), tests.device_token('old', 'maya');
select tests.notification(name, 'maya') from unnest(array['one', 'two', 'three', 'four']) as name;
update app.outbox set is_told = true, due_at = app.now() + app.push_lease() where notification_id <> tests.id('four');
create function pg_temp.push(p_name text, p_token text, p_is_gone boolean default null, p_failure text default null)
returns jsonb
language sql
return jsonb_strip_nulls(
  jsonb_build_object('notificationId', tests.id(p_name), 'tokenHash', tests.hex(p_token), 'isGone', p_is_gone, 'failure', p_failure)
);
create temporary table results as select jsonb_build_object(
  'done', jsonb_build_array(pg_temp.push('one', 'phone'), pg_temp.push('two', 'phone'), pg_temp.push('four', 'phone')),
  'refused', jsonb_build_array(
    pg_temp.push('one', 'tablet', false, 'quota'), pg_temp.push('one', 'old', true, 'UNREGISTERED'),
    pg_temp.push('four', 'tablet', false, 'quota'), pg_temp.push('none', 'phone', false, 'quota')
  )
) as results;
grant select on results to opine_worker;

set local session authorization opine_worker;
select app.settle_published(results) from results;
reset session authorization;
select bag_eq('select notification_id from app.outbox', tests.ids('three', 'four'), 'what was sent is over; what was not, or is no longer the worker''s, waits');
select bag_eq(
  'select notification_id, token_hash, attempt_count from app.pushes', $$ values (tests.id('one'), tests.hash('tablet'), 1) $$,
  'a device that refused it waits by itself'
);
select ok(due_at < app.now() + interval '10 seconds', 'and is tried again') from app.pushes;
select bag_eq('select token_hash from app.device_tokens', array[tests.hash('phone'), tests.hash('tablet')], 'a device that is gone is removed');
update app.device_tokens set refreshed_at = app.now() + interval '1 microsecond';
select app.settle_published(jsonb_build_object('done', '[]'::jsonb, 'refused', jsonb_build_array(pg_temp.push('three', 'tablet', true, 'UNREGISTERED'))));
select is(count(*), 2::bigint, 'but not where it registered anew since that was taken') from app.device_tokens;
select bag_eq('select notification_id from app.outbox', tests.ids('four'), 'though that message is over');
select results_eq('select app.settle_published(results)::text from results', $$ values ('') $$, 'what is settled already stays so');
select set_eq($$ select tests.who_may($s$ select app.settle_published('{"refused": []}') $s$) $$, array['opine_worker'], 'the worker does this');

rollback to empty;

-- settle_pushes: notes what came of them
select tests.person('maya');
select tests.device_token('phone', 'maya'), tests.device_token('tablet', 'maya'), tests.device_token('old', 'maya');
select tests.notification(name, 'maya') from unnest(array['one', 'two', 'three']) as name;
insert into app.pushes (notification_id, token_hash, due_at, attempt_count)
select id, tests.hash(token), app.now() + interval '2 minutes', 1 from unnest(tests.ids('one', 'two', 'three')) as id cross join unnest(array['phone', 'tablet', 'old']) as token;
create function pg_temp.push(p_name text, p_token text, p_is_gone boolean default null, p_failure text default null)
returns jsonb
language sql
return jsonb_strip_nulls(
  jsonb_build_object('notificationId', tests.id(p_name), 'tokenHash', tests.hex(p_token), 'isGone', p_is_gone, 'failure', p_failure)
);
create temporary table results as select jsonb_build_object(
  'done', jsonb_build_array(pg_temp.push('one', 'phone'), pg_temp.push('two', 'phone')),
  'refused', jsonb_build_array(
    pg_temp.push('one', 'tablet', false, 'quota'), pg_temp.push('one', 'old', true, 'UNREGISTERED'), pg_temp.push('none', 'phone', false, 'quota')
  )
) as results;
grant select on results to opine_worker;

set local session authorization opine_worker;
select app.settle_pushes(results) from results;
reset session authorization;
select bag_eq(
  $$ select notification_id, token_hash from app.pushes $$,
  $$
    values
      (tests.id('one'), tests.hash('tablet')), (tests.id('two'), tests.hash('tablet')), (tests.id('three'), tests.hash('tablet')),
      (tests.id('three'), tests.hash('phone')), (tests.id('two'), tests.hash('old')), (tests.id('three'), tests.hash('old'))
  $$,
  'what is done is over; other notifications and devices wait'
);
select ok(due_at < app.now() + interval '10 seconds', 'what failed is tried again')
from app.pushes where notification_id = tests.id('one') and token_hash = tests.hash('tablet');
select is(count(*), 5::bigint, 'and nothing else before its time') from app.pushes where due_at = app.now() + interval '2 minutes';
select bag_eq('select token_hash from app.device_tokens', array[tests.hash('phone'), tests.hash('tablet')], 'a device that is gone is removed');
update app.pushes set attempt_count = 10;
select app.settle_pushes(jsonb_build_object(
  'done', jsonb_build_array(pg_temp.push('three', 'tablet')), 'refused', jsonb_build_array(pg_temp.push('two', 'tablet', false, 'internal'))
));
select results_eq(
  'select notification_id, token_hash, failure from app.dead_letters', $$ values (tests.id('two'), tests.hash('tablet'), 'internal') $$,
  'what failed so often is left to staff'
);
select set_eq($$ select tests.who_may($s$ select app.settle_pushes('{}') $s$) $$, array['opine_worker'], 'the worker does this');

rollback to empty;

-- settle_pushes: spares devices registered anew
select tests.person('maya');
select tests.device_token('phone', 'maya');
select tests.notification('one', 'maya');
update app.device_tokens set refreshed_at = app.now() - interval '1 day';
create function pg_temp.is_gone()
returns void
language sql
as $$
  delete from app.pushes;
  insert into app.pushes (notification_id, token_hash, due_at, attempt_count) values (tests.id('one'), tests.hash('phone'), app.now() + app.push_lease(), 1);
  select app.settle_pushes(jsonb_build_object('done', '[]'::jsonb, 'refused', jsonb_build_array(jsonb_build_object(
    'notificationId', tests.id('one'), 'tokenHash', tests.hex('phone'), 'isGone', true, 'failure', 'UNREGISTERED'
  ))));
$$;

update app.device_tokens set refreshed_at = app.now() + interval '1 microsecond';
select pg_temp.is_gone();
select is(count(*), 1::bigint, 'what was said of a device before it registered anew holds no longer') from app.device_tokens;
select is_empty('select from app.pushes', 'though that message is done with');
update app.device_tokens set refreshed_at = app.now();
select pg_temp.is_gone();
select is_empty('select from app.device_tokens', 'what was said of it since holds');

rollback to empty;

-- retry_delay: is longer each time
create function pg_temp.holds(p_attempt_count integer, p_rest interval)
returns boolean
language sql
as $$
  select min(rest) >= 0.75 * p_rest and max(rest) <= 1.25 * p_rest and min(rest) < 0.8 * p_rest and max(rest) > 1.2 * p_rest
  from (select app.retry_delay(p_attempt_count) as rest from generate_series(1, 500)) as rests
$$;
select ok(pg_temp.holds(0, '2 seconds'), 'two seconds, or so');
select ok(pg_temp.holds(1, '6 seconds'), 'then three times as long');
select ok(pg_temp.holds(2, '18 seconds'), 'and again');
select ok(pg_temp.holds(5, '486 seconds'), 'and again');
select ok(pg_temp.holds(6, '15 minutes'), 'a quarter of an hour at most');
select ok(pg_temp.holds(1000000, '15 minutes'), 'however often it was tried');
select is_empty($$ select tests.who_may('select app.retry_delay(1)') $$, 'no role asks');

rollback to empty;

-- take_pushes: is for each device
select tests.person('maya'), tests.person('jonas'), tests.person('tomas');
select tests.device_token('phone', 'maya'), tests.device_token('tablet', 'maya'), tests.device_token('his', 'jonas');
update app.device_tokens set platform = 'android' where user_id = tests.id('jonas');
select tests.notification('one', 'maya'), tests.notification('another', 'maya'), tests.notification('to jonas', 'jonas'), tests.notification('to tomas', 'tomas');
create temporary table taken as
select message.value as message
from jsonb_array_elements(
  app.take_pushes(array(select due from app.due_notifications as due where due.id = any (tests.ids('one', 'to jonas', 'to tomas'))))::jsonb
) as message;

select bag_eq(
  'select message ->> ''token_hash'' from taken', array[tests.hex('phone'), tests.hex('tablet'), tests.hex('his')], 'each device of the recipients'
);
select results_eq(
  $$
    select message from taken where message ->> 'token_hash' = tests.hex('his')
  $$,
  $$
    select jsonb_build_object(
      'token_hash', encode(tests.hash('his'), 'hex'), 'platform', 'android', 'sealed_token', encode(tests.sealed('his'), 'base64'), 'payload', payload
    )
    from app.due_notifications where id = tests.id('to jonas')
  $$,
  'whoever asks has them to send'
);
select bag_eq(
  'select notification_id, is_told, due_at from app.outbox',
  $$
    values
      (tests.id('one'), true, app.now() + app.push_lease()), (tests.id('to jonas'), true, app.now() + app.push_lease()),
      (tests.id('another'), false, app.now()), (tests.id('to tomas'), false, app.now())
  $$,
  'and nobody else for a while'
);
select is(app.take_pushes('{}')::text, '[]', 'of nothing, nothing');
select is_empty($$ select tests.who_may('select app.take_pushes(null)') $$, 'no role takes what it likes');

select * from finish();
rollback;
