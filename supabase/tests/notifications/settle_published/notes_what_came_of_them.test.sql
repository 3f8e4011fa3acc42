select plan(8);

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

select * from finish();
