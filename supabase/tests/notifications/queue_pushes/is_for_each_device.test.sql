select plan(3);

select tests.person('maya'), tests.person('jonas');
select tests.device_token('phone', 'maya'), tests.device_token('tablet', 'maya'), tests.device_token('his', 'jonas');
select tests.notification('one', 'maya'), tests.notification('another', 'maya'), tests.notification('to jonas', 'jonas');
insert into app.pushes (notification_id, token_hash, attempt_count) values (tests.id('one'), tests.hash('phone'), 3);

select app.queue_pushes(array(select due from app.due_notifications as due where due.id = any (tests.ids('one', 'to jonas'))), tests.ids('to jonas'));
select bag_eq(
  'select notification_id, token_hash, attempt_count from app.pushes',
  $$
    values
      (tests.id('one'), tests.hash('phone'), 3), (tests.id('one'), tests.hash('tablet'), 0), (tests.id('to jonas'), tests.hash('his'), 1)
  $$,
  'it waits for each device of the recipient''s once'
);
select is(count(*), 3::bigint, 'for whoever comes') from app.pushes where due_at = app.now();
select is_empty($$ select tests.who_may('select app.queue_pushes(null, null)') $$, 'no role has devices told');

select * from finish();
