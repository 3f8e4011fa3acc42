select plan(9);

select tests.person('maya');
select tests.stored_object('kept', 'maya');
select tests.stored_object('in time', 'maya', app.now() + interval '1 microsecond');
select tests.stored_object('due', 'maya', app.now());
select tests.stored_object('overdue', 'maya', app.now() - interval '2 hours');
insert into app.stored_objects (id, owner_id, bucket, expires_at)
values (tests.id('face'), tests.id('maya'), 'photos', app.now() - interval '1 hour');

-- No index lends an order that is not asked for.
set local enable_indexscan = off;
set local enable_bitmapscan = off;
select results_eq(
  'select id, bucket from app.claim_expired_objects(1)', $$ values (tests.id('overdue'), 'media') $$, 'what has waited longest is first'
);
select set_eq(
  'select id, bucket from app.claim_expired_objects(10)',
  $$ values (tests.id('face'), 'photos'), (tests.id('due'), 'media') $$, 'then all that is due, and each once'
);
select is_empty('select from app.claim_expired_objects(10)', 'nobody else gets it');
select ok(
  bool_and(expires_at - app.now() between interval '45 seconds' and interval '75 seconds'), 'for about a minute'
)
from app.stored_objects where attempt_count = 1;
select is(count(*)::integer, 3, 'each try is counted') from app.stored_objects where attempt_count = 1;
select app.set_clock_offset('76 seconds');
select is(count(*)::integer, 4, 'then a worker that died is followed by another') from app.claim_expired_objects(10);
select is(max(attempt_count), 2, 'and the tries are counted on') from app.stored_objects;
select is(expires_at, null, 'what is an asset is never taken') from app.stored_objects where id = tests.id('kept');
select set_eq($$ select tests.who_may('select app.claim_expired_objects(1)') $$, array['opine_worker'], 'by nobody but the worker');

select * from finish();
