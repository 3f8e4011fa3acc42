select plan(2);

select tests.person('maya'), tests.person('jonas');
select tests.device_token('phone', 'maya'), tests.device_token('tablet', 'maya'), tests.device_token('his', 'jonas');
select tests.notification('one', 'maya'), tests.notification('another', 'maya'), tests.notification('to jonas', 'jonas');
insert into app.pushes (notification_id, token_hash, attempt_count) values (tests.id('one'), tests.hash('phone'), 3);
select app.queue_pushes(tests.ids('one', 'to jonas', 'gone'));
select bag_eq(
  'select notification_id, token_hash, attempt_count, due_at from app.pushes',
  $$
    values
      (tests.id('one'), tests.hash('phone'), 3, app.now()), (tests.id('one'), tests.hash('tablet'), 0, app.now()),
      (tests.id('to jonas'), tests.hash('his'), 0, app.now())
  $$,
  'of the recipient''s, once'
);
select is_empty($$ select tests.who_may('select app.queue_pushes(null)') $$, 'no role has devices told');

select * from finish();
