begin;
select plan(40);
savepoint empty;

-- Claims wait longer after each failed attempt.
select tests.person('maya', 3);
select tests.stored_object('file', 'maya', app.now());
select app.end_user(tests.id('maya'));
update app.stored_objects set attempt_count = 5;
update app.account_deletions set attempt_count = 5;
select app.claim_account_deletion();
select app.claim_expired_objects(1);
select ok(due_at > app.now() + interval '20 minutes', 'an account deletion waits longer after five failed attempts')
from app.account_deletions;
select ok(expires_at > app.now() + interval '20 minutes', 'an expired object waits longer after five failed attempts')
from app.stored_objects;

rollback to empty;

-- backoff doubles with each attempt, up to an hour, and varies at random.
create temporary table waits as
select attempts, app.backoff(attempts) as wait
from generate_series(0, 12) as attempts, generate_series(1, 20);
select is_empty(
  $$
    select * from waits
    where wait not between interval '45 seconds' * least(2 ^ attempts, 60)
      and interval '75 seconds' * least(2 ^ attempts, 60)
  $$,
  'backoff doubles with each attempt, up to about an hour'
);
select is_empty(
  'select from waits group by attempts having count(distinct wait) = 1',
  'backoff differs between tasks with equal attempts'
);
select ok(
  min(
    wait / least(2 ^ attempts, 60)
  ) < interval '54 seconds' and max(wait / least(2 ^ attempts, 60)) > interval '66 seconds',
  'backoff uses the whole range of its jitter'
)
from waits;
select lives_ok('select app.backoff(1000000)', 'backoff accepts any number of attempts');

rollback to empty;

-- set_clock_offset shifts the clock, for plans that exist already too.
prepare reading_the_clock as select app.now() - now();
select results_eq('reading_the_clock', $$ values (interval '0') $$, 'app.now is the time of the transaction');
select is(app.set_clock_offset('1 day') - now(), interval '1 day', 'set_clock_offset returns the shifted time');
select results_eq(
  'reading_the_clock', $$ values (interval '1 day') $$, 'set_clock_offset shifts app.now in plans that were made before'
);
select app.set_clock_offset('-1 hour');
select results_eq(
  'reading_the_clock', $$ values (interval '-1 hour') $$, 'a second offset of the clock replaces the first'
);

rollback to empty;

-- first_id_at is the lowest id of a millisecond.
select is(
  app.first_id_at('2026-01-02 03:04:05.678Z'), '019b7ca9-8f2e-0000-0000-000000000000',
  'first_id_at returns the lowest id of a millisecond'
);
select is(
  app.first_id_at('2026-01-02 03:04:05.678999Z'), app.first_id_at('2026-01-02 03:04:05.678Z'),
  'first_id_at does not round up'
);

rollback to empty;

-- iso writes a time in UTC with milliseconds (docs/product.md W1).
set local timezone = 'Asia/Tokyo';
select is(app.iso(at), expected, title)
from (
  values
    (
      '2026-01-02 03:04:05.678901+02'::timestamptz, '2026-01-02T01:04:05.678Z',
      'iso writes UTC, whatever the session''s time zone'
    ),
    ('2026-01-02 00:00:00+00', '2026-01-02T00:00:00.000Z', 'iso writes the milliseconds of a whole second'),
    ('2026-12-31 23:59:59.9999+00', '2026-12-31T23:59:59.999Z', 'iso cuts microseconds instead of rounding up'),
    ('9999-12-31 23:59:59.999999+00', '9999-12-31T23:59:59.999Z', 'iso writes the last year of four digits'),
    ('10000-01-01 00:00:00+00', '+010000-01-01T00:00:00.000Z', 'iso writes the year 10000 with a sign and six digits'),
    (
      '99999-12-31 23:59:59.999999+00', '+099999-12-31T23:59:59.999Z',
      'iso writes the last year of five digits with six'
    ),
    ('100000-01-01 00:00:00+00', '+100000-01-01T00:00:00.000Z', 'iso writes the year 100000 with six digits'),
    (null, null, 'iso returns null for null')
) as c (at, expected, title);

rollback to empty;

-- app.now is the only clock that rules read (docs/product.md R4).
create function pg_temp.reads_a_clock(p_code text)
returns boolean
language sql
return regexp_replace(p_code, 'app\.now\(\)', '', 'g')
  ~* (
    '\m(now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\s*\('
    || '|\m(current_(date|time|timestamp)|localtime|localtimestamp)\M|''(now|today|tomorrow|yesterday)'''
  );

-- A time-ordered id needs the very moment; no rule reads the time of an id. Replicas are compared by the
-- clocks of servers.
select set_eq(
  $$ select signature from tests.our_functions where pg_temp.reads_a_clock(definition) $$,
  array[
    'app.first_id_within(interval)', 'app.now()', 'app.set_clock_offset(interval)', 'app.uuid_v7()',
    'gateway.applied(xid8[],interval)', 'gateway.call_replica(text,jsonb,jsonb,xid8[],interval,text,text)',
    'gateway.record_heartbeat()', 'gateway.staleness()'
  ],
  'no function but app.now, the one that replaces it, and those of ids and of replicas reads a clock'
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
  'no column default, check or policy reads a clock but app.now'
);

select is(app.now(), now(), 'app.now is the transaction''s time');
select tests.authenticate_as_guest();
select is(app.now(), now(), 'app.now is the transaction''s time for a guest');

rollback to empty;

-- set_clock_offset works only for the owner, in a database of the embedded stack (docs/product.md R4).
select is_empty(
  $$
    select rolname from pg_roles
    where not rolsuper and rolname <> 'postgres'
      and has_function_privilege(oid, 'app.set_clock_offset(interval)', 'execute')
  $$,
  'only a superuser and the owner may set the clock''s offset'
);
drop table embedded.stack;
select throws_ok(
  $$ select app.set_clock_offset('8 days') $$,
  'P0001', 'The clock is shifted only in a database that the embedded stack made.',
  'set_clock_offset refuses a database without the mark of the embedded stack'
);
select is(app.now(), now(), 'a refused set_clock_offset leaves app.now unchanged');

rollback to empty;

-- set_clock_offset shifts app.now for everybody (docs/product.md R4).
select is(app.set_clock_offset('8 days'), now() + interval '8 days', 'set_clock_offset returns the new time');
select is(app.now(), now() + interval '8 days', 'set_clock_offset shifts app.now for its caller');
select tests.authenticate_as_guest();
select is(app.now(), now() + interval '8 days', 'set_clock_offset shifts app.now for a guest');
reset role;
select app.set_clock_offset('-1 hour');
select is(app.now(), now() - interval '1 hour', 'a later offset replaces the earlier one');

rollback to empty;

-- start_task starts a task that is due.
create function pg_temp.starts(p_task text, p_at interval)
returns boolean
language plpgsql
as $$
begin
  perform app.set_clock_offset(p_at);
  return app.start_task(p_task, '5 minutes');
end
$$;

select is(pg_temp.starts(task, at), expected, title)
from (
  values
    ('prune', interval '0', true, 'a task that never ran is due'),
    ('prune', '0', false, 'a task that just started is not due'),
    ('sweep', '0', true, 'a task is due independently of other tasks'),
    ('prune', '4 minutes', false, 'a task is not due before its interval has passed'),
    ('prune', '5 minutes', true, 'a task is due when its interval has passed')
) as c (task, at, expected, title);

rollback to empty;

-- uuid_v7 makes version 7 UUIDs that begin with their time.
create temporary table moments (id uuid, earliest timestamptz not null, latest timestamptz);
insert into moments (earliest) values (clock_timestamp());
update moments set id = app.uuid_v7();
update moments set latest = clock_timestamp();

create function pg_temp.microseconds(p_id uuid)
returns bigint
language sql
as $$
  select ('x' || left(hex, 12))::bit(48)::bigint * 1000 + ceil(
    ('x' || substr(hex, 14, 3))::bit(12)::int * 1000 / 4096.0
  )::bigint
  from translate(p_id::text, '-', '') as hex
$$;
create function pg_temp.microseconds(p_moment timestamptz)
returns bigint
language sql
as $$ select (extract(epoch from p_moment) * 1000000)::bigint $$;

select ok(
  pg_temp.microseconds(id) between pg_temp.microseconds(earliest) and pg_temp.microseconds(latest),
  'an id begins with its time, to the fraction of a millisecond'
)
from moments;

create temporary table ids as select app.uuid_v7() as id from generate_series(1, 1000);

select is((select count(distinct id)::integer from ids), 1000, 'a thousand ids are distinct');
select is_empty($$ select id from ids where substr(id::text, 15, 1) <> '7' $$, 'an id has the version 7');
select is_empty(
  $$ select id from ids where substr(id::text, 20, 1) !~ '[89ab]' $$, 'an id has the variant of RFC 9562'
);

select * from finish();
rollback;
