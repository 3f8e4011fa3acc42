select plan(6);

select tests.person('maya');
select tests.device_token('phone', 'maya'), tests.device_token('tablet', 'maya'), tests.device_token('old', 'maya');
select tests.notification(name, 'maya') from unnest(array['one', 'two', 'three']) as name;
insert into app.pushes (notification_id, token_hash, due_at, attempt_count)
select id, tests.hash(token), app.now() + interval '2 minutes', 1 from unnest(tests.ids('one', 'two', 'three')) as id cross join unnest(array['phone', 'tablet', 'old']) as token;
create function pg_temp.settle(p_name text, p_token text, p_outcome text, p_failure text default null)
returns jsonb
language sql
return jsonb_strip_nulls(
  jsonb_build_object('notificationId', tests.id(p_name), 'tokenHash', tests.hex(p_token), 'outcome', p_outcome, 'failure', p_failure)
);
create temporary table results as select jsonb_build_array(
  pg_temp.settle('one', 'phone', 'sent'), pg_temp.settle('two', 'phone', 'dropped'), pg_temp.settle('one', 'tablet', 'failed', 'quota'),
  pg_temp.settle('one', 'old', 'gone', 'UNREGISTERED'), pg_temp.settle('none', 'phone', 'failed', 'quota')
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
  'what was sent is done, and what was dropped; other notifications and devices wait'
);
select ok(due_at < app.now() + interval '10 seconds', 'what failed is tried again')
from app.pushes where notification_id = tests.id('one') and token_hash = tests.hash('tablet');
select is(count(*), 5::bigint, 'and nothing else before its time') from app.pushes where due_at = app.now() + interval '2 minutes';
select bag_eq('select token_hash from app.device_tokens', array[tests.hash('phone'), tests.hash('tablet')], 'a device that is gone is removed');
update app.pushes set attempt_count = 10;
select app.settle_pushes(jsonb_build_array(pg_temp.settle('two', 'tablet', 'failed', 'internal'), pg_temp.settle('three', 'tablet', 'sent')));
select results_eq(
  'select notification_id, token_hash, failure from app.dead_letters', $$ values (tests.id('two'), tests.hash('tablet'), 'internal') $$,
  'what failed so often is left to staff'
);
select set_eq($$ select tests.who_may($s$ select app.settle_pushes('[]') $s$) $$, array['opine_worker'], 'the worker does this');

select * from finish();
