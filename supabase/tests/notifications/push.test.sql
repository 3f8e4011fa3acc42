begin;
select plan(84);

create function pg_temp.result(p_name text, p_token text, p_is_gone boolean default null, p_failure text default null)
returns jsonb
language sql
return jsonb_strip_nulls(
  jsonb_build_object(
    'notificationId', tests.id(p_name), 'tokenHash', tests.hash_hex(p_token), 'isGone', p_is_gone, 'failure', p_failure
  )
);
savepoint empty;

-- claim_pushes checks again who may receive a notification.
select tests.elm();
select tests.post('trams', 'jonas');
select tests.device_token('phone', 'jonas'), tests.device_token('lent', 'jonas');
select tests.notification('due', 'jonas', p_actor => 'lena'), tests.notification('read', 'jonas', p_actor => 'lena');
select
  tests.notification('silent', 'jonas', 'post_shared_to_feed', 'lena', p_post => 'trams'),
  tests.notification('blocked', 'jonas', p_actor => 'maya'),
  tests.notification('muted', 'jonas', 'hub_post_created', 'amara', 'elm');
insert into app.pushes (notification_id, token_hash)
select id, tests.hash(token)
from unnest(tests.ids('due', 'read', 'blocked', 'muted', 'silent', 'gone')) as id
cross join unnest(array['phone', 'lent', 'removed']) as token
where id = tests.id('due') or token = 'phone';
update app.notifications set read_at = app.now() where id = tests.id('read');
insert into app.notification_preferences (user_id, silent_types) values (tests.id('jonas'), '{post_shared_to_feed}');
select tests.block('maya', 'jonas');
insert into app.hub_mutes (hub_id, user_id) select hub_id, user_id from app.memberships;
update app.device_tokens set user_id = tests.id('lena') where token_hash = tests.hash('lent');

select bag_eq(
  'select notification_id, token_hash from tests.claim_pushes(10)', $$ values (tests.id('due'), tests.hash('phone')) $$,
  'claim_pushes returns due notifications alone, for devices of the recipient'
);
select bag_eq(
  'select notification_id, token_hash from app.pushes', $$ values (tests.id('due'), tests.hash('phone')) $$,
  'claim_pushes deletes pushes that are read, blocked, muted, silent or without their device'
);

rollback to empty;

-- claim_pushes turns a push that no worker settled into a dead letter after ten attempts.
select tests.person('maya');
select tests.device_token('phone', 'maya');
select tests.notification(name, 'maya') from unnest(array['nine attempts', 'ten attempts', 'in progress']) as name;
insert into app.pushes (notification_id, token_hash, due_at, attempt_count)
values
  (tests.id('nine attempts'), tests.hash('phone'), app.now(), 9),
  (tests.id('ten attempts'), tests.hash('phone'), app.now(), 10),
  (tests.id('in progress'), tests.hash('phone'), app.now() + interval '1 second', 10);

select results_eq(
  'select notification_id from tests.claim_pushes(10)', tests.ids('nine attempts'),
  'claim_pushes returns a push after nine attempts and not after ten'
);
select results_eq(
  'select notification_id, token_hash, attempt_count, failure from app.dead_letters',
  $$ values (tests.id('ten attempts'), tests.hash('phone'), 10, 'unsettled') $$,
  'claim_pushes makes a dead letter of an unsettled push after ten attempts'
);
select bag_eq(
  'select notification_id from app.pushes', tests.ids('nine attempts', 'in progress'),
  'claim_pushes deletes the push of a dead letter'
);
delete from app.dead_letters;
update app.pushes set due_at = app.now(), attempt_count = 10;
select app.claim_pushes(1);
select is(count(*), 1::bigint, 'claim_pushes makes at most as many dead letters as the limit') from app.dead_letters;

delete from app.dead_letters;
delete from app.pushes;
insert into app.pushes (notification_id, token_hash, attempt_count)
select id, tests.hash('phone'), 10 from unnest(tests.ids('nine attempts', 'ten attempts', 'in progress')) as id;
select is_empty('select from tests.claim_pushes(2)', 'claim_pushes returns no push if all had ten attempts');
select is(
  count(*), 2::bigint, 'claim_pushes makes two dead letters of three pushes for a limit of 2'
) from app.dead_letters;
select is_empty('select from tests.claim_pushes(2)', 'claim_pushes returns no push for the rest with ten attempts');
select is(count(*), 3::bigint, 'claim_pushes makes the last dead letter with the next call') from app.dead_letters;

rollback to empty;

-- claim_pushes serves each device of a recipient separately.
select tests.person('maya');
select tests.device_token('phone', 'maya'), tests.device_token('tablet', 'maya');
select tests.notification('first', 'maya'), tests.notification('second', 'maya');
insert into app.pushes (notification_id, token_hash, due_at)
select
  id, tests.hash(token),
  app.now()
    - interval '1 second' * (case token when 'phone' then 2 else 1 end) * (
      case id when tests.id('first') then 10 else 1 end
    )
from unnest(tests.ids('first', 'second')) as id
cross join unnest(array['phone', 'tablet']) as token;

select results_eq(
  'select notification_id, token_hash from tests.claim_pushes(1)',
  $$ values (tests.id('first'), tests.hash('phone')) $$,
  'claim_pushes returns a notification for one of two devices'
);
select is(
  count(*), 3::bigint, 'claim_pushes leaves the same notification for the other device'
)
from app.pushes where attempt_count = 0;
select bag_eq(
  'select notification_id, token_hash from tests.claim_pushes(2)',
  $$ values (tests.id('first'), tests.hash('tablet')), (tests.id('second'), tests.hash('phone')) $$,
  'claim_pushes returns the next devices in the order of due time'
);

rollback to empty;

-- claim_pushes leases due pushes for two minutes, the longest due first.
select tests.person('maya'), tests.person('jonas');
select tests.device_token('phone', 'maya'), tests.device_token('tablet', 'jonas');
update app.device_tokens set platform = 'android' where user_id = tests.id('maya');
select tests.notification('to maya', 'maya', p_actor => 'jonas'),
  tests.notification('to jonas', 'jonas', p_actor => 'maya');
select tests.notification('later', 'maya');
insert into app.pushes (notification_id, token_hash, due_at, attempt_count)
values
  (tests.id('to jonas'), tests.hash('tablet'), app.now(), 0),
  (tests.id('to maya'), tests.hash('phone'), app.now() - interval '1 second', 2),
  (tests.id('later'), tests.hash('phone'), app.now() + interval '1 microsecond', 0);

create function pg_temp.messages(p_name text, p_token text, p_platform text, p_badge integer)
returns jsonb
language sql
as $$
  select jsonb_build_array(jsonb_build_object(
    'token_hash', encode(tests.hash(p_token), 'hex'), 'platform', p_platform, 'sealed_token',
    encode(tests.sealed_token(p_token), 'base64'), 'badge', p_badge, 'payload', payload
  ))
  from app.due_notifications where id = tests.id(p_name)
$$;
create temporary table claims (is_more boolean, messages jsonb);
grant insert on claims to opine_worker;
-- An index returns rows in order even without an order by.
set local enable_indexscan = off;
set local enable_bitmapscan = off;
set local session authorization opine_worker;
insert into claims select is_more, messages from app.claim_pushes(1);
reset session authorization;
select results_eq(
  'select messages from claims', $$ select pg_temp.messages('to maya', 'phone', 'android', 2) $$,
  'claim_pushes returns the push that is due longest with device, unread count and payload'
);
select ok(is_more, 'claim_pushes reports more work after a full batch') from claims;
select results_eq(
  'select is_more, messages::jsonb from app.claim_pushes(10)',
  $$ select false, pg_temp.messages('to jonas', 'tablet', 'ios', 1) $$,
  'claim_pushes returns the next due push and reports no more work'
);
select bag_eq(
  'select notification_id, due_at, attempt_count from app.pushes',
  $$
    values
      (tests.id('to maya'), app.now() + interval '2 minutes', 3),
      (tests.id('to jonas'), app.now() + interval '2 minutes', 1),
      (tests.id('later'), app.now() + interval '1 microsecond', 0)
  $$,
  'claim_pushes counts the attempt and leases the push for two minutes'
);
select app.set_clock_offset('2 minutes');
select is(
  count(*), 3::bigint, 'claim_pushes returns an unsettled push again after two minutes'
) from tests.claim_pushes(10);
select results_eq(
  'select is_more, messages::jsonb from app.claim_pushes(10)', $$ values (false, '[]'::jsonb) $$,
  'claim_pushes returns an empty array if nothing is due'
);

rollback to empty;

-- claim_pushes respects the limit even with outdated table statistics.
select tests.person('maya');
select tests.device_token('phone', 'maya'), tests.device_token('tablet', 'maya');
select tests.notification('one', 'maya'), tests.notification('two', 'maya');
-- The statistics say that the table has one row.
insert into app.pushes (notification_id, token_hash) values (tests.id('one'), tests.hash('phone'));
analyze app.pushes;
insert into app.pushes (notification_id, token_hash)
values (tests.id('one'), tests.hash('tablet')), (tests.id('two'), tests.hash('phone')),
(tests.id('two'), tests.hash('tablet'));

select is(count(*), 1::bigint, 'claim_pushes returns at most as many pushes as the limit') from tests.claim_pushes(1);
select is(
  count(*), 3::bigint, 'claim_pushes leaves pushes beyond the limit to other workers'
)
from app.pushes where attempt_count = 0;

rollback to empty;

-- postpone_push tries again later and makes a dead letter after ten attempts (docs/product.md N20).
select is(app.max_attempts(), 10, 'max_attempts allows ten attempts before a dead letter');
select tests.person('maya');
select tests.notification('first', 'maya'), tests.notification('second', 'maya');
insert into app.pushes (notification_id, token_hash, attempt_count, due_at)
select id, tests.hash(token), 4, app.now() + interval '2 minutes'
from unnest(tests.ids('first', 'second')) as id cross join unnest(array['one', 'two']) as token;
create function pg_temp.postponed()
returns setof app.pushes
language sql
as $$ select * from app.pushes where notification_id = tests.id('first') and token_hash = tests.hash('one') $$;

select app.postpone_push(tests.id('first'), tests.hash('one'), 'quota');
select is(attempt_count, 4, 'postpone_push leaves the attempt count to claim_pushes') from pg_temp.postponed();
select ok(
  due_at between app.now() + 0.75 * interval '54 seconds' and app.now() + 1.25 * interval '54 seconds',
  'postpone_push waits about 54 seconds after the fourth attempt'
)
from pg_temp.postponed();
select is(
  count(*), 3::bigint, 'postpone_push leaves other pushes unchanged'
)
from app.pushes where due_at = app.now() + interval '2 minutes';
update app.pushes set attempt_count = 9;
select app.postpone_push(tests.id('first'), tests.hash('one'), 'quota');
select is_empty('select from app.dead_letters', 'postpone_push makes no dead letter after nine attempts');
update app.pushes set attempt_count = 10;
select app.postpone_push(tests.id('first'), tests.hash('one'), 'internal');
select results_eq(
  'select notification_id, token_hash, attempt_count, failure, died_at from app.dead_letters',
  $$ values (tests.id('first'), tests.hash('one'), 10, 'internal', app.now()) $$,
  'postpone_push makes a dead letter after ten attempts'
);
select is_empty('select from pg_temp.postponed()', 'postpone_push deletes the push of a dead letter');
select is(count(*), 3::bigint, 'postpone_push keeps the pushes of other devices and notifications') from app.pushes;
insert into app.pushes (notification_id, token_hash, attempt_count) values (tests.id('first'), tests.hash('one'), 11);
select app.postpone_push(tests.id('first'), tests.hash('one'), 'again');
select is(count(*), 1::bigint, 'postpone_push makes no second dead letter of the same push') from app.dead_letters;
delete from app.notifications;
select app.postpone_push(tests.id('second'), tests.hash('one'), 'quota');
select is_empty('select from app.dead_letters', 'postpone_push makes no dead letter of a deleted notification');
select bag_eq(
  'select notification_id, token_hash from app.pushes',
  $$ values (tests.id('first'), tests.hash('two')), (tests.id('second'), tests.hash('two')) $$,
  'postpone_push deletes the push of a deleted notification'
);

rollback to empty;

-- prune_device_tokens deletes tokens that nobody refreshed for 60 days (docs/product.md N22).
select tests.person('maya');
select tests.device_token('stale', 'maya', app.now() - interval '60 days');
select tests.device_token('fresh', 'maya', app.now() - interval '60 days' + interval '1 microsecond');
set local session authorization opine_worker;
select app.prune_device_tokens();
reset session authorization;
select results_eq(
  'select token_hash from app.device_tokens', array[tests.hash('fresh')],
  'prune_device_tokens deletes a token that was last refreshed 60 days ago'
);

rollback to empty;

-- queue_pushes adds one push per device of the recipient.
select tests.person('maya'), tests.person('jonas');
select tests.device_token('phone', 'maya'), tests.device_token('tablet', 'maya'),
  tests.device_token('of jonas', 'jonas');
select tests.notification('one', 'maya'), tests.notification('another', 'maya'),
  tests.notification('to jonas', 'jonas');
insert into app.pushes (notification_id, token_hash, attempt_count) values (tests.id('one'), tests.hash('phone'), 3);

select app.queue_pushes(
  array(select due from app.due_notifications as due where due.id = any (tests.ids('one', 'to jonas'))), 1
);
select bag_eq(
  'select notification_id, token_hash, attempt_count from app.pushes',
  $$
    values
      (tests.id('one'), tests.hash('phone'), 3), (tests.id('one'), tests.hash('tablet'), 1),
      (tests.id('to jonas'), tests.hash('of jonas'), 1)
  $$,
  'queue_pushes adds a push with the given attempts for each device and keeps existing pushes'
);
select is(count(*), 3::bigint, 'queue_pushes makes new pushes due at once') from app.pushes where due_at = app.now();

rollback to empty;

-- register_device_token binds a token to the user and session of the last registration (docs/product.md N22).
select tests.person('maya');
select tests.session('maya');
select tests.authenticate_as('maya');
select is(
  tests.register_device_token('phone', 'android'), '{"registered": true}',
  'register_device_token registers a new device token'
);
reset role;
select results_eq(
  'select token_hash, user_id, session_id, platform, sealed_token, refreshed_at from app.device_tokens',
  $$
    values (
      tests.hash('phone'), tests.id('maya'), tests.id('session of maya'), 'android'::app.device_platform,
      tests.sealed_token('phone'), app.now()
    )
  $$,
  'register_device_token stores the token for the caller and the session'
);
update app.device_tokens set session_id = null, sealed_token = tests.sealed_token('before');
select app.set_clock_offset('1 minute');
select tests.authenticate_as('maya');
select is(
  tests.register_device_token('phone', 'ios'), '{"registered": true}',
  'register_device_token accepts a registered token again'
);
reset role;
select results_eq(
  'select session_id, platform, sealed_token from app.device_tokens',
  $$ values (tests.id('session of maya'), 'ios'::app.device_platform, tests.sealed_token('phone')) $$,
  'register_device_token updates session, platform and sealed token of a registered token'
);
select is(
  refreshed_at, app.now(), 'register_device_token updates the refresh time of a registered token'
) from app.device_tokens;
delete from app.sessions;
select is_empty('select from app.device_tokens', 'the end of a session deletes the device token');

rollback to empty;

-- register_device_token keeps the five tokens of a user that were refreshed last (docs/product.md N22).
select tests.person('maya');
select tests.person('jonas');

create function pg_temp.register_at(p_offset interval, p_owner text, p_token text)
returns void
language plpgsql
as $$
begin
  perform app.set_clock_offset(p_offset);
  perform tests.authenticate_as(p_owner);
  perform tests.register_device_token(p_token);
  perform set_config('role', 'none', true);
end
$$;

create function pg_temp.device_tokens()
returns setof bytea
language sql
begin atomic
  select token_hash from app.device_tokens where user_id = tests.id('maya');
end;

select pg_temp.register_at('0', 'jonas', 'of jonas');
select pg_temp.register_at(n * interval '1 minute', 'maya', n::text) from generate_series(1, 5) as n;
select is(count(*)::integer, 5, 'register_device_token keeps five tokens of a user') from pg_temp.device_tokens();
select pg_temp.register_at('6 minutes', 'maya', '1');
select pg_temp.register_at('7 minutes', 'maya', '6');
select set_eq(
  'select pg_temp.device_tokens()', $$ select tests.hash(n) from unnest(array['1', '3', '4', '5', '6']) as n $$,
  'a sixth token replaces the token that was refreshed longest ago'
);
select isnt_empty(
  $$ select from app.device_tokens where user_id = tests.id('jonas') $$,
  'a sixth token leaves the older token of another user'
);

rollback to empty;

-- register_device_token moves a token to the user who registered last (docs/product.md N22).
select tests.person('maya');
select tests.person('jonas');
select tests.authenticate_as('maya');
select tests.register_device_token('shared');
select tests.register_device_token('of maya');
reset role;
select app.set_clock_offset('1 minute');
select tests.authenticate_as('jonas');
select tests.register_device_token('shared');
reset role;
select results_eq(
  $$ select user_id, session_id, refreshed_at from app.device_tokens where token_hash = tests.hash('shared') $$,
  $$ values (tests.id('jonas'), tests.id('session of jonas'), app.now()) $$,
  'register_device_token moves a shared token to the user and session of the last registration'
);
select results_eq(
  $$ select user_id from app.device_tokens where token_hash = tests.hash('of maya') $$, array[tests.id('maya')],
  'register_device_token leaves other tokens of the former owner'
);
delete from app.sessions where user_id = tests.id('maya');
select results_eq(
  'select token_hash from app.device_tokens', array[tests.hash('shared')],
  'the end of the former session leaves a token that moved'
);

rollback to empty;

-- register_device_token requires level 2 and a live session (docs/product.md N21).
select tests.person('lena', 1);
select tests.authenticate_as('lena');
select is(
  tests.error_of($$ select tests.register_device_token('phone') $$),
  '{"state": "PT403", "code": "FORBIDDEN", "details": {"requiredLevel": 2, "level": 1, "nextStep": "profile_basics"}}',
  'register_device_token refuses an anonymous user'
);
reset role;
select is_empty('select from app.device_tokens', 'register_device_token stores no token of a refused call');
insert into app.profiles (user_id, username, full_name) values (tests.id('lena'), 'lena', 'Lena');
select tests.authenticate_as('lena');
select lives_ok(
  $$ select tests.register_device_token('phone') $$, 'register_device_token accepts a user with a profile'
);
reset role;
delete from app.sessions;
set local role authenticated;
select throws_ok(
  $$ select tests.register_device_token('phone') $$, 'PT401', 'UNAUTHORIZED',
  'register_device_token refuses an ended session'
);

rollback to empty;

-- remove_device_token removes tokens of the caller alone (docs/product.md N23).
select tests.person('maya', 1);
select tests.person('jonas', 1);
select tests.device_token('of maya', 'maya');
select tests.device_token('of jonas', 'jonas');

create function pg_temp.remove(p_token text)
returns jsonb
language sql
return api.remove_device_token(jsonb_build_object('tokenHash', tests.hash_hex(p_token)));

select tests.authenticate_as('maya');
select is(pg_temp.remove('of maya'), '{"removed": true}', 'remove_device_token removes a token of the caller');
select is(pg_temp.remove(token), '{"removed": false}', title)
from (
  values
    ('of maya', 'remove_device_token answers removed: false for a removed token'),
    ('of jonas', 'remove_device_token answers removed: false for a token of another user')
) as c (token, title);
reset role;
select results_eq(
  'select token_hash from app.device_tokens', array[tests.hash('of jonas')],
  'remove_device_token leaves the token of another user'
);
delete from app.sessions;
set local role authenticated;
select throws_ok(
  $$ select pg_temp.remove('of jonas') $$, 'PT401', 'UNAUTHORIZED', 'remove_device_token refuses an ended session'
);

rollback to empty;

-- settle_published settles the pushes of a lease.
select tests.person('maya');
select tests.device_token('phone', 'maya'), tests.device_token('tablet', 'maya'), tests.device_token('old', 'maya');
select tests.notification(name, 'maya') from unnest(array['one', 'two', 'three', 'four']) as name;
insert into app.push_leases (id, notification_ids, lapses_at)
values
  (tests.id('lease'), tests.ids('one', 'two'), app.now() + app.push_lease()),
  (tests.id('later lease'), tests.ids('three'), app.now() + app.push_lease());
create function pg_temp.settle(p_lease text, variadic p_refused jsonb[])
returns void
language sql
return app.settle_published(tests.id(p_lease), jsonb_build_object('refused', to_jsonb(p_refused)));

set local session authorization opine_worker;
select pg_temp.settle(
  'lease', pg_temp.result('one', 'tablet', false, 'quota'), pg_temp.result('one', 'old', true, 'UNREGISTERED'),
  pg_temp.result('four', 'tablet', false, 'quota'), pg_temp.result('none', 'phone', false, 'quota')
);
reset session authorization;
select bag_eq(
  'select id from app.push_leases', array[tests.id('later lease')], 'settle_published ends its lease and no other'
);
select bag_eq(
  'select notification_id, token_hash, attempt_count from app.pushes',
  $$ values (tests.id('one'), tests.hash('tablet'), 1) $$,
  'settle_published adds a push for a device that refused a leased notification'
);
select ok(
  due_at < app.now() + interval '10 seconds', 'settle_published retries a refused push within seconds'
) from app.pushes;
select bag_eq(
  'select token_hash from app.device_tokens', array[tests.hash('phone'), tests.hash('tablet')],
  'settle_published removes a device that is gone'
);
update app.device_tokens set refreshed_at = app.now() + interval '1 microsecond';
select pg_temp.settle('later lease', pg_temp.result('three', 'tablet', true, 'UNREGISTERED'));
select is(
  count(*), 2::bigint, 'settle_published keeps a device that registered again since the lease'
) from app.device_tokens;
update app.device_tokens set refreshed_at = app.now() - interval '1 hour';
update app.pushes set due_at = app.now() + app.push_lease();
select pg_temp.settle(
  'lease', pg_temp.result('one', 'tablet', true, 'UNREGISTERED'), pg_temp.result('two', 'phone', false, 'quota')
);
select results_eq(
  'select notification_id, token_hash, due_at from app.pushes',
  $$ values (tests.id('one'), tests.hash('tablet'), app.now() + app.push_lease()) $$,
  'settle_published changes nothing for a lease that has ended'
);

rollback to empty;

-- claim_pushes takes over the pushes of leases that lapsed.
select tests.person('maya');
select tests.device_token('phone', 'maya');
select tests.notification(name, 'maya') from unnest(array['one', 'read', 'leased']) as name;
update app.notifications set read_at = app.now() where id = tests.id('read');
insert into app.push_leases (notification_ids, lapses_at)
values (tests.ids('one', 'read'), app.now()), (tests.ids('leased'), app.now() + interval '1 second');
create temporary table claimed as
select (message.value -> 'payload' ->> 'notificationId')::uuid as id
from jsonb_array_elements((app.claim_pushes(10)).messages::jsonb) as message;

select bag_eq(
  'select id from claimed', tests.ids('one'), 'claim_pushes returns the pushes of a lapsed lease that are still due'
);
select bag_eq(
  'select notification_id, attempt_count from app.pushes', $$ values (tests.id('one'), 2) $$,
  'claim_pushes counts the attempt of the worker whose lease lapsed'
);
select bag_eq(
  'select notification_ids from app.push_leases', $$ values (tests.ids('leased')) $$,
  'claim_pushes leaves a lease that has not lapsed'
);

rollback to empty;

-- settle_pushes settles pushes that claim_pushes leased.
select tests.person('maya');
select tests.device_token('phone', 'maya'), tests.device_token('tablet', 'maya'), tests.device_token('old', 'maya');
select tests.notification(name, 'maya') from unnest(array['one', 'two', 'three']) as name;
insert into app.pushes (notification_id, token_hash, due_at, attempt_count)
select id, tests.hash(token), app.now() + interval '2 minutes', 1
from unnest(tests.ids('one', 'two', 'three')) as id cross join unnest(array['phone', 'tablet', 'old']) as token;
create temporary table results as select jsonb_build_object(
  'done', jsonb_build_array(pg_temp.result('one', 'phone'), pg_temp.result('two', 'phone')),
  'refused', jsonb_build_array(
    pg_temp.result('one', 'tablet', false, 'quota'), pg_temp.result('one', 'old', true, 'UNREGISTERED'),
    pg_temp.result('none', 'phone', false, 'quota')
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
      (tests.id('one'), tests.hash('tablet')), (tests.id('two'), tests.hash('tablet')),
      (tests.id('three'), tests.hash('tablet')),
      (tests.id('three'), tests.hash('phone')), (tests.id('two'), tests.hash('old')),
      (tests.id('three'), tests.hash('old'))
  $$,
  'settle_pushes deletes the pushes that are done or whose device is gone, and no others'
);
select ok(due_at < app.now() + interval '10 seconds', 'settle_pushes retries a refused push within seconds')
from app.pushes where notification_id = tests.id('one') and token_hash = tests.hash('tablet');
select is(
  count(*), 5::bigint, 'settle_pushes leaves the due time of other pushes unchanged'
)
from app.pushes where due_at = app.now() + interval '2 minutes';
select bag_eq(
  'select token_hash from app.device_tokens', array[tests.hash('phone'), tests.hash('tablet')],
  'settle_pushes removes a device that is gone'
);
update app.pushes set attempt_count = 10;
select app.settle_pushes(jsonb_build_object(
  'done', jsonb_build_array(pg_temp.result('three', 'tablet')), 'refused',
  jsonb_build_array(pg_temp.result('two', 'tablet', false, 'internal'))
));
select results_eq(
  'select notification_id, token_hash, failure from app.dead_letters',
  $$ values (tests.id('two'), tests.hash('tablet'), 'internal') $$,
  'settle_pushes makes a dead letter of a push that was refused ten times'
);

rollback to empty;

-- settle_pushes keeps a device that registered again since the lease.
select tests.person('maya');
select tests.device_token('phone', 'maya');
select tests.notification('one', 'maya');
create function pg_temp.settle_as_gone()
returns void
language sql
as $$
  delete from app.pushes;
  insert into app.pushes (notification_id, token_hash, due_at, attempt_count)
  values (tests.id('one'), tests.hash('phone'), app.now() + app.push_lease(), 1);
  select app.settle_pushes(
    jsonb_build_object(
      'done', '[]'::jsonb, 'refused', jsonb_build_array(pg_temp.result('one', 'phone', true, 'UNREGISTERED'))
    )
  );
$$;

update app.device_tokens set refreshed_at = app.now() + interval '1 microsecond';
select pg_temp.settle_as_gone();
select is(
  count(*), 1::bigint, 'settle_pushes keeps a device that registered a microsecond after the lease'
)
from app.device_tokens;
select is_empty('select from app.pushes', 'settle_pushes deletes the push to a device that registered after the lease');
update app.device_tokens set refreshed_at = app.now();
select pg_temp.settle_as_gone();
select is_empty(
  'select from app.device_tokens', 'settle_pushes removes a device that registered at the time of the lease'
);

rollback to empty;

-- retry_delay triples with each attempt up to 15 minutes, with a jitter of 25 % (docs/product.md N20).
create function pg_temp.spreads_around(p_attempt_count integer, p_delay interval)
returns boolean
language sql
as $$
  select min(
    delay
  ) >= 0.75 * p_delay and max(delay) <= 1.25 * p_delay and min(delay) < 0.8 * p_delay and max(delay) > 1.2 * p_delay
  from (select app.retry_delay(p_attempt_count) as delay from generate_series(1, 500)) as delays
$$;
select ok(
  pg_temp.spreads_around(attempt_count, delay::interval),
  format('retry_delay spreads around %s after %s attempts', delay, attempt_count)
)
from (
  values (0, '2 seconds'), (1, '6 seconds'), (2, '18 seconds'), (5, '486 seconds'), (6, '15 minutes'),
  (1000000, '15 minutes')
) as c (attempt_count, delay);

rollback to empty;

-- lease_pushes leases the pushes of notifications to the worker that published them.
select tests.person('maya'), tests.person('jonas'), tests.person('tomas');
select tests.device_token('phone', 'maya'), tests.device_token('tablet', 'maya'),
  tests.device_token('of jonas', 'jonas');
update app.device_tokens set platform = 'android' where user_id = tests.id('jonas');
select
  tests.notification('one', 'maya'), tests.notification('another', 'maya'), tests.notification('to jonas', 'jonas'),
  tests.notification('to tomas', 'tomas');
create temporary table result as
select taken.*
from app.lease_pushes(array(
  select due from app.due_notifications as due where due.id = any (tests.ids('one', 'to jonas', 'to tomas'))
)) as taken;
create temporary table taken as
select message.value as message from result as r, jsonb_array_elements(r.messages::jsonb) as message;

select bag_eq(
  'select message ->> ''token_hash'' from taken',
  array[tests.hash_hex('phone'), tests.hash_hex('tablet'), tests.hash_hex('of jonas')],
  'lease_pushes returns one message per device of the recipients'
);
select results_eq(
  $$
    select message from taken where message ->> 'token_hash' = tests.hash_hex('of jonas')
  $$,
  $$
    select jsonb_build_object(
      'token_hash', encode(tests.hash('of jonas'), 'hex'), 'platform', 'android',
      'sealed_token', encode(tests.sealed_token('of jonas'), 'base64'), 'badge', 1, 'payload', payload
    )
    from app.due_notifications where id = tests.id('to jonas')
  $$,
  'lease_pushes returns token hash, platform, sealed token, unread count and payload of a message'
);
select results_eq(
  $$
    select l.id, array(select distinct unnest(l.notification_ids) as id order by id), l.lapses_at
    from app.push_leases as l
  $$,
  $$
    select r.lease_id, array(select id from unnest(tests.ids('one', 'to jonas')) as id order by id),
      app.now() + app.push_lease()
    from result as r
  $$,
  'lease_pushes returns a lease of the notifications that have a device'
);
select results_eq(
  $$ select lease_id, messages::text from app.lease_pushes('{}') $$, $$ values (null::uuid, '[]') $$,
  'lease_pushes returns no lease and an empty array for no notifications'
);
select is(count(*), 1::bigint, 'lease_pushes adds no lease without messages') from app.push_leases;

select * from finish();
rollback;
