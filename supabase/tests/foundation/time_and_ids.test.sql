begin;
select plan(34);
savepoint empty;

-- backoff: is kept by each claim
select tests.person('maya', 3);
select tests.stored_object('file', 'maya', app.now());
select app.end_user(tests.id('maya'));
update app.stored_objects set attempt_count = 5;
update app.account_deletions set attempt_count = 5;
select app.claim_account_deletion();
select app.claim_expired_objects(1);
select ok(due_at > app.now() + interval '20 minutes', 'a departure that failed five times waits') from app.account_deletions;
select ok(expires_at > app.now() + interval '20 minutes', 'and so does an object') from app.stored_objects;

rollback to empty;

-- backoff: is longer each time
create temporary table waits as
select attempts, app.backoff(attempts) as wait
from generate_series(0, 12) as attempts, generate_series(1, 20);
select is_empty(
  $$
    select * from waits
    where wait not between interval '45 seconds' * least(2 ^ attempts, 60) and interval '75 seconds' * least(2 ^ attempts, 60)
  $$,
  'twice as long each time, up to about an hour'
);
select is_empty(
  'select from waits group by attempts having count(distinct wait) = 1', 'what failed together does not come back together'
);
select ok(
  min(wait / least(2 ^ attempts, 60)) < interval '54 seconds' and max(wait / least(2 ^ attempts, 60)) > interval '66 seconds',
  'but anywhere in between'
)
from waits;
select lives_ok('select app.backoff(1000000)', 'and no number of tries is too many');

rollback to empty;

-- clock: has one row
insert into app.clock (shift) values ('1 day');
select is(
  tests.violation_of($$ insert into app.clock (shift) values ('2 days') $$), 'clock_pkey', 'the clock has one shift'
);
select is(
  tests.violation_of($$ insert into app.clock (is_singleton, shift) values (false, '2 days') $$),
  'clock_is_singleton',
  'and no second by another key'
);

rollback to empty;

-- iso: is utc with milliseconds
set local timezone = 'Asia/Tokyo';
select is(
  app.iso('2026-01-02 03:04:05.678901+02'), '2026-01-02T01:04:05.678Z', 'a time is told in UTC, whatever zone it came from'
);
select is(app.iso('2026-01-02 00:00:00+00'), '2026-01-02T00:00:00.000Z', 'a whole second has its milliseconds too');
select is(app.iso('2026-12-31 23:59:59.9999+00'), '2026-12-31T23:59:59.999Z', 'the year does not turn before its time');
select is(app.iso(null), null, 'no time stays null');

rollback to empty;

-- now: is the only clock
create function pg_temp.reads_a_clock(p_code text)
returns boolean
language sql
return regexp_replace(p_code, 'app\.now\(\)', '', 'g')
  ~* '\m(now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\s*\(|\m(current_(date|time|timestamp)|localtime|localtimestamp)\M|''(now|today|tomorrow|yesterday)''';

-- A time-ordered id needs the very moment; no rule asks an id for its time.
select set_eq(
  $$ select signature from tests.our_functions where pg_temp.reads_a_clock(definition) $$,
  array['app.first_id_within(interval)', 'app.now()', 'app.uuid_v7()'],
  'no other function reads a clock of its own'
);
select is_empty(
  $$
    select adrelid::regclass::text from pg_attrdef
    where adrelid in (select oid from tests.our_tables) and pg_temp.reads_a_clock(pg_get_expr(adbin, adrelid))
    union all
    select conname from pg_constraint
    where conrelid in (select oid from tests.our_tables) and pg_temp.reads_a_clock(pg_get_constraintdef(oid))
    union all
    select polname from pg_policy
    where polrelid in (select oid from tests.our_tables)
      and pg_temp.reads_a_clock(concat(pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)))
  $$,
  'nor does a default, a check or a policy'
);

rollback to empty;

-- now: is the transactions time
select is(app.now(), now(), 'the clock of every rule is the transaction''s time');
select tests.authenticate_as_guest();
select is(app.now(), now(), 'for guests as well');

rollback to empty;

-- set_clock_offset: is not for callers or staff
select is_empty(
  $$
    select rolname from pg_roles
    where not rolsuper and rolname <> 'postgres' and has_function_privilege(oid, 'app.set_clock_offset(interval)', 'execute')
  $$,
  'no role may shift the clock but a superuser and the owner of the schema'
);
select tests.authenticate_as(null);
select throws_ok(
  $$ insert into app.clock (shift) values ('1 day') $$, '42501', null, 'nor can a caller write its table'
);

rollback to empty;

-- set_clock_offset: refuses where people live
drop table embedded.stack;
select throws_ok(
  $$ select app.set_clock_offset('8 days') $$,
  'P0001', 'The clock is shifted only in a database that the embedded stack made.', 'the mark of the embedded stack is missing'
);
select is(app.now(), now(), 'the clock is not shifted');

rollback to empty;

-- set_clock_offset: shifts the clock
select is(app.set_clock_offset('8 days'), now() + interval '8 days', 'answers the new time');
select is(app.now(), now() + interval '8 days', 'the clock is shifted');
select tests.authenticate_as_guest();
select is(app.now(), now() + interval '8 days', 'for everybody');
reset role;
select app.set_clock_offset('-1 hour');
select is(app.now(), now() - interval '1 hour', 'a later shift replaces the first');

rollback to empty;

-- start_task: starts what is due
select ok(app.start_task('prune', '5 minutes'), 'a task that never ran is due');
select ok(not app.start_task('prune', '5 minutes'), 'a task that just started is not due');
select ok(app.start_task('sweep', '5 minutes'), 'another task is due by itself');
select app.set_clock_offset('4 minutes');
select ok(not app.start_task('prune', '5 minutes'), 'a task is not due before its interval has passed');
select app.set_clock_offset('5 minutes');
select ok(app.start_task('prune', '5 minutes'), 'a task is due when its interval has passed');
select set_eq(
  $$ select tests.who_may('select app.start_task(null, null)') $$, array['opine_worker'], 'only the worker starts tasks'
);

rollback to empty;

-- uuid_v7: begins with its time
create temporary table moments (id uuid, earliest timestamptz not null, latest timestamptz);
insert into moments (earliest) values (clock_timestamp());
update moments set id = app.uuid_v7();
update moments set latest = clock_timestamp();

create function pg_temp.microseconds(p_id uuid)
returns bigint
language sql
as $$
  select ('x' || left(hex, 12))::bit(48)::bigint * 1000 + ceil(('x' || substr(hex, 14, 3))::bit(12)::int * 1000 / 4096.0)::bigint
  from translate(p_id::text, '-', '') as hex
$$;
create function pg_temp.microseconds(p_moment timestamptz)
returns bigint
language sql
as $$ select (extract(epoch from p_moment) * 1000000)::bigint $$;

select ok(
  pg_temp.microseconds(id) between pg_temp.microseconds(earliest) and pg_temp.microseconds(latest),
  'an id begins with its milliseconds since the epoch and their fraction, so that ids sort by time'
)
from moments;

rollback to empty;

-- uuid_v7: is a version 7 uuid
create temporary table ids as select app.uuid_v7() as id from generate_series(1, 1000);

select is((select count(distinct id)::integer from ids), 1000, 'no id comes twice');
select is_empty($$ select id from ids where substr(id::text, 15, 1) <> '7' $$, 'the version is 7');
select is_empty($$ select id from ids where substr(id::text, 20, 1) !~ '[89ab]' $$, 'the variant is that of RFC 9562');

select * from finish();
rollback;
