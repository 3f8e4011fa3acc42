select plan(11);

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

select * from finish();
