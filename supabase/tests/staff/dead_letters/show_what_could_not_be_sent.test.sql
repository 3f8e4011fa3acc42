select plan(3);

select tests.elm();
select tests.notification('one', 'maya', p_actor => 'lena'), tests.notification('two', 'jonas', 'hub_role_changed', 'amara', 'elm');
insert into app.dead_letters (id, notification_id, token_hash, attempt_count, failure, died_at)
values
  (tests.id('of the stream'), tests.id('one'), null, 10, 'XX000', app.now() - interval '1 day'),
  (tests.id('of a device'), tests.id('two'), tests.hash('phone'), 11, 'quota', app.now());
select bag_eq(
  'select id, notification_id, type::text, recipient_id, channel, attempt_count, failure, died_at from staff.dead_letters',
  $$
    values
      (tests.id('of the stream'), tests.id('one'), 'user_followed', tests.id('maya'), 'stream', 10, 'XX000', app.now() - interval '1 day'),
      (tests.id('of a device'), tests.id('two'), 'hub_role_changed', tests.id('jonas'), 'device', 11, 'quota', app.now())
  $$,
  'to whom, how, and why not'
);
select set_eq(
  $$ select attname from pg_attribute where attrelid = 'staff.dead_letters'::regclass and attnum > 0 $$,
  array['id', 'notification_id', 'type', 'recipient_id', 'channel', 'attempt_count', 'failure', 'died_at'], 'and no device'
);
select set_eq($$ select tests.who_may('select from staff.dead_letters') $$, array['staff_admin'], 'for admins');

select * from finish();
