select plan(3);

select tests.person('maya'), tests.person('jonas');
select tests.session('maya');
select tests.notification('one', 'maya', p_actor => 'jonas'), tests.notification('two', 'maya', p_actor => 'jonas'), tests.notification('read', 'maya');
select tests.notification('later', 'maya'), tests.notification('to jonas', 'jonas', p_actor => 'maya');
update app.notifications set read_at = app.now() where id = tests.id('read');
insert into app.outbox (notification_id) values (tests.id('gone'));
delete from realtime.messages;

create function pg_temp.publish(p_ids uuid[])
returns void
language sql
begin atomic
  select app.publish_batch(p_ids, array(select due from app.due_notifications as due order by due.id));
end;

select pg_temp.publish(tests.ids('one', 'two', 'read', 'to jonas', 'gone'));
select bag_eq(
  'select topic, extension, event, private, payload from realtime.messages',
  $$
    select 'user:' || due.recipient_id as topic, 'broadcast' as extension, 'notification' as event, true, due.envelope
    from app.due_notifications as due where due.id = any (tests.ids('one', 'two', 'to jonas'))
  $$,
  'each recipient''s own channel, of what is due'
);
select results_eq('select notification_id from app.outbox', tests.ids('later'), 'what was told of, or cannot be, is done');
select is_empty($$ select tests.who_may('select app.publish_batch(null, null)') $$, 'no role tells of what it likes');

select * from finish();
