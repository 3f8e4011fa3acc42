select plan(9);

select tests.person('maya'), tests.person('jonas');
select tests.device_token('hers', 'maya');
select tests.notification(name, 'maya') from unnest(array['a', 'b', 'c', 'read']) as name;
select tests.notification('stream alone', 'maya');
update app.notifications set read_at = app.now() where id = tests.id('read');
update app.outbox set is_queued = true where notification_id = tests.id('stream alone');
create function pg_temp.publish(p_room integer)
returns setof uuid
language sql
as $$
  select (message.value -> 'envelope' ->> 'notificationId')::uuid
  from jsonb_array_elements((app.publish_hints('00000000-0000-0000-0000-000000000000', 10, p_room)).messages::jsonb) as message
$$;

select is(count(*), 2::bigint, 'as much as there is room for') from pg_temp.publish(2);
select is(count(*), 2::bigint, 'of which it is noted who has it') from app.outbox where is_told and due_at = app.now() + app.push_lease();
select is(count(*), 2::bigint, 'and nothing else lies there any more') from app.outbox;
select bag_eq(
  'select notification_id, attempt_count from app.pushes',
  $$ select id, 0 from unnest(tests.ids('a', 'b', 'c')) as id where id not in (select o.notification_id from app.outbox as o) $$,
  'others wait for whoever comes; a device that was told before is not told again'
);
delete from app.pushes;
select tests.notification('to jonas', 'jonas');
select is_empty('select pg_temp.publish(9)', 'nobody else is given what somebody has, or what is for no device');
delete from realtime.messages;
update app.outbox set due_at = app.now();
select is_empty('select pg_temp.publish(9)', 'nor where that worker has died');
select results_eq('select attempt_count, count(*) from app.pushes group by 1', $$ values (1, 2::bigint) $$, 'but then it waits, once tried');
select is_empty('select from app.outbox', 'and is in one place alone');
select is_empty('select from realtime.messages', 'the stream is not told again');

select * from finish();
