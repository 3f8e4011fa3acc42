begin;
select plan(22);
savepoint empty;

-- Staff adds and removes default feed users by username (docs/product.md S16).
select tests.person('maya');
select tests.log_in_as('nina', 'staff_admin');
select staff.add_default_feed_user('@Maya', 'writes well'), staff.add_default_feed_user('maya', 'still does');
select results_eq(
  'select username collate "default" from staff.default_feed_users', array['maya'],
  'an admin adds a default feed user once'
);
select throws_ok(
  $$ select staff.add_default_feed_user('nobody', 'x') $$, 'PT404', 'USER_NOT_FOUND',
  'add_default_feed_user finds no unknown user'
);
select staff.remove_default_feed_user(' @maya', 'requested by the user');
select is_empty('select from staff.default_feed_users', 'an admin removes a default feed user');
select throws_ok(
  $$ select staff.remove_default_feed_user('maya', 'x') $$, 'PT404', 'USER_NOT_FOUND',
  'remove_default_feed_user finds no user who is not a default feed user'
);
reset session authorization;
select bag_eq(
  'select action from staff.audit_log',
  array['add_default_feed_user', 'add_default_feed_user', 'remove_default_feed_user'],
  'the audit log has every change of the default feed users'
);

rollback to empty;

-- staff.dead_letters shows undelivered notifications without their device.
select tests.elm();
select tests.notification('one', 'maya', p_actor => 'lena');
select tests.notification('two', 'jonas', 'hub_role_changed', 'amara', 'elm');
insert into app.dead_letters (id, notification_id, token_hash, attempt_count, failure, died_at)
values
  (tests.id('of the stream'), tests.id('one'), null, 10, 'XX000', app.now() - interval '1 day'),
  (tests.id('of a device'), tests.id('two'), tests.hash('phone'), 11, 'quota', app.now());
select bag_eq(
  'select id, notification_id, type::text, recipient_id, channel, attempt_count, failure, died_at from '
  'staff.dead_letters',
  $$
    values
      (
        tests.id('of the stream'), tests.id('one'), 'user_followed', tests.id('maya'), 'stream', 10, 'XX000',
        app.now() - interval '1 day'
      ),
      (
        tests.id('of a device'), tests.id('two'), 'hub_role_changed', tests.id('jonas'), 'device', 11, 'quota',
        app.now()
      )
  $$,
  'staff.dead_letters shows recipient, channel and failure of each dead letter'
);
select set_eq(
  $$ select attname from pg_attribute where attrelid = 'staff.dead_letters'::regclass and attnum > 0 $$,
  array['id', 'notification_id', 'type', 'recipient_id', 'channel', 'attempt_count', 'failure', 'died_at'],
  'staff.dead_letters has no column for a device'
);

rollback to empty;

-- staff.health reports the backlog.
select tests.person('maya'), tests.person('jonas');
select is(
  staff.health(),
  '{
    "outboxCount": 0, "outboxAgeSeconds": 0, "pushCount": 0, "deadLetterCount": 0, "unfoldedVoteAgeMinutes": 0,
    "accountDeletionCount": 0, "openReportCount": 0
  }',
  'staff.health reports zeros if nothing waits'
);
select tests.notification('one', 'maya'), tests.notification('two', 'maya');
select tests.report('jonas', p_user => 'maya'), tests.report('maya', p_user => 'jonas');
update app.reports set state = 'dismissed' where user_id = tests.id('jonas');
insert into app.pushes (notification_id, token_hash) values (tests.id('one'), tests.hash('phone'));
insert into app.dead_letters (notification_id, attempt_count, failure) values (tests.id('one'), 10, 'XX000');
select tests.account_deletion('jonas');
insert into app.fresh_votes (post_id, user_id) values (tests.id('trams'), tests.id('maya'));
select app.set_clock_offset('119 seconds');
select is(
  staff.health(),
  '{
    "outboxCount": 2, "outboxAgeSeconds": 119, "pushCount": 1, "deadLetterCount": 1, "unfoldedVoteAgeMinutes": 1,
    "accountDeletionCount": 1, "openReportCount": 1
  }',
  'staff.health reports counts and ages, of votes in whole minutes'
);
update app.outbox set due_at = app.now() + interval '1 minute';
select is(staff.health() -> 'outboxAgeSeconds', '0', 'staff.health reports no age of outbox rows that are due later');

rollback to empty;

-- requeue_dead_letter retries the channel of a dead letter (docs/product.md S16, N20).
select tests.person('maya');
select tests.notification('one', 'maya'), tests.notification('two', 'maya');
delete from app.outbox;
insert into app.dead_letters (id, notification_id, token_hash, attempt_count, failure)
values
  (tests.id('of the stream'), tests.id('one'), null, 10, 'XX000'),
  (tests.id('of a device'), tests.id('two'), tests.hash('phone'), 10, 'quota'),
  (tests.id('another'), tests.id('one'), tests.hash('phone'), 10, 'quota');
select staff.requeue_dead_letter(tests.id('of the stream'));
select results_eq(
  'select notification_id, due_at, attempt_count from app.outbox', $$ values (tests.id('one'), app.now(), 0) $$,
  'a requeued dead letter of the stream is due now with no attempts'
);
select is_empty('select from app.pushes', 'a requeued dead letter of the stream creates no push');
select staff.requeue_dead_letter(tests.id('of a device'));
select results_eq(
  'select notification_id, token_hash, due_at, attempt_count from app.pushes',
  $$ values (tests.id('two'), tests.hash('phone'), app.now(), 0) $$,
  'a requeued dead letter of a device is due now with no attempts'
);
select is(count(*), 1::bigint, 'a requeued dead letter of a device adds nothing to the outbox') from app.outbox;
select results_eq('select id from app.dead_letters', tests.ids('another'), 'a requeued dead letter is deleted');
select bag_eq(
  'select actor_email, action, details from staff.audit_log',
  $$
    select session_user::text, 'requeue_dead_letter', jsonb_build_object('notificationId', tests.id(name))
    from unnest(array['one', 'two']) as name
  $$,
  'the audit log has every requeued dead letter'
);
select throws_ok(
  $$ select staff.requeue_dead_letter(tests.id('of a device')) $$, 'PT404', 'DEAD_LETTER_NOT_FOUND',
  'a dead letter is requeued only once'
);
insert into app.pushes (notification_id, token_hash, attempt_count) values (tests.id('one'), tests.hash('phone'), 4);
select lives_ok(
  $$ select staff.requeue_dead_letter(tests.id('another')) $$,
  'a dead letter whose device has a pending push can be requeued'
);
select bag_eq(
  'select attempt_count from app.pushes', array[0, 4], 'a requeued dead letter leaves a pending push as it is'
);
insert into app.dead_letters (id, notification_id, attempt_count, failure)
values (tests.id('again'), tests.id('one'), 10, 'XX000');
select lives_ok(
  $$ select staff.requeue_dead_letter(tests.id('again')) $$,
  'a dead letter whose notification is in the outbox can be requeued'
);

rollback to empty;

-- A requeued dead letter of the stream notifies no device.
select tests.person('maya');
select tests.device_token('phone', 'maya');
select tests.notification('hers', 'maya');
delete from app.outbox;
insert into app.dead_letters (id, notification_id, attempt_count, failure)
values (tests.id('of the stream'), tests.id('hers'), 10, 'XX000');
select staff.requeue_dead_letter(tests.id('of the stream'));
select app.deliver_outbox('00000000-0000-0000-0000-000000000000', 10, 0);
select is_empty('select from app.outbox', 'a requeued dead letter of the stream is published');
select is_empty('select from app.pushes', 'a published dead letter of the stream sends no push');

select * from finish();
rollback;
