select plan(2);

select tests.person('maya'), tests.person('jonas');
select tests.session('maya');
select tests.notification('one', 'maya', p_actor => 'jonas'), tests.notification('two', 'maya', p_actor => 'jonas'), tests.notification('read', 'maya');
select tests.notification('later', 'maya'), tests.notification('to jonas', 'jonas', p_actor => 'maya');
update app.notifications set read_at = app.now() where id = tests.id('read');
delete from realtime.messages;

create function pg_temp.publish(p_ids uuid[])
returns void
language sql
begin atomic
  select app.publish_batch(array(select due from app.due_notifications as due where due.id = any (p_ids)));
end;

select pg_temp.publish(tests.ids('one', 'two', 'read', 'to jonas'));
select bag_eq(
  'select topic, extension, event, private, payload from realtime.messages',
  $$
    select 'user:' || due.recipient_id as topic, 'broadcast' as extension, 'notification' as event, true, due.envelope
    from app.due_notifications as due where due.id = any (tests.ids('one', 'two', 'to jonas'))
  $$,
  'each recipient''s own channel, of what is due'
);
select is_empty($$ select tests.who_may('select app.publish_batch(null)') $$, 'no role tells of what it likes');

select * from finish();
