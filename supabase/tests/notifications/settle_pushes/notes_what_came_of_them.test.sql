select plan(6);

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

select * from finish();
