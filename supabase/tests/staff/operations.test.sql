begin;
select plan(25);
savepoint empty;

-- add_default_feed_user: shows somebody to all
select tests.person('maya');
select tests.log_in_as('nina', 'staff_admin');
select staff.add_default_feed_user('Maya', 'writes well'), staff.add_default_feed_user('maya', 'still does');
select results_eq('select username collate "default" from staff.default_feed_users', array['maya'], 'maya is shown to whoever follows nobody');
select throws_ok($$ select staff.add_default_feed_user('nobody', 'x') $$, 'PT404', 'USER_NOT_FOUND', 'nobody else can be');
select staff.remove_default_feed_user('maya', 'has asked for it');
select is_empty('select from staff.default_feed_users', 'then no more');
select throws_ok($$ select staff.remove_default_feed_user('maya', 'x') $$, 'PT404', 'USER_NOT_FOUND', 'nor can who is none be taken away');
reset session authorization;
select bag_eq(
  'select action from staff.audit_log', array['add_default_feed_user', 'add_default_feed_user', 'remove_default_feed_user'], 'and that is written down'
);

rollback to empty;

-- dead_letters: show what could not be sent
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

rollback to empty;

-- health: tells what waits
select tests.person('maya'), tests.person('jonas');
select is(
  staff.health(),
  '{"outboxCount": 0, "outboxAgeSeconds": 0, "pushCount": 0, "deadLetterCount": 0, "unfoldedVoteAgeMinutes": 0, "accountDeletionCount": 0, "openReportCount": 0}',
  'nothing waits'
);
select tests.notification('one', 'maya'), tests.notification('two', 'maya');
select tests.report('jonas', p_user => 'maya');
insert into app.pushes (notification_id, token_hash) values (tests.id('one'), tests.hash('phone'));
insert into app.dead_letters (notification_id, attempt_count, failure) values (tests.id('one'), 10, 'XX000');
insert into app.account_deletions (user_id) values (tests.id('jonas'));
insert into app.fresh_votes (post_id, user_id) values (tests.id('trams'), tests.id('maya'));
select app.set_clock_offset('119 seconds');
select is(
  staff.health(),
  '{"outboxCount": 2, "outboxAgeSeconds": 119, "pushCount": 1, "deadLetterCount": 1, "unfoldedVoteAgeMinutes": 1, "accountDeletionCount": 1, "openReportCount": 1}',
  'or so much, for so long: of a vote in whole minutes'
);
update app.outbox set due_at = app.now() + interval '1 minute';
select is(staff.health() -> 'outboxAgeSeconds', '0', 'what is to be tried later is not late');
select set_eq($$ select tests.who_may('select staff.health()') $$, array['staff_support', 'staff_moderator', 'staff_admin'], 'for staff alone');

rollback to empty;

-- requeue_dead_letter: tells no device again
select tests.person('maya');
select tests.device_token('phone', 'maya');
select tests.notification('hers', 'maya');
delete from app.outbox;
insert into app.dead_letters (id, notification_id, attempt_count, failure) values (tests.id('of the stream'), tests.id('hers'), 10, 'XX000');
select staff.requeue_dead_letter(tests.id('of the stream'));
select app.publish_signals('00000000-0000-0000-0000-000000000000', 10, 0);
select is_empty('select from app.outbox', 'the stream is told');
select is_empty('select from app.pushes', 'and no device, which was told apart from it');

rollback to empty;

-- requeue_dead_letter: tries once more
select tests.person('maya');
select tests.notification('one', 'maya'), tests.notification('two', 'maya');
delete from app.outbox;
insert into app.dead_letters (id, notification_id, token_hash, attempt_count, failure)
values
  (tests.id('of the stream'), tests.id('one'), null, 10, 'XX000'), (tests.id('of a device'), tests.id('two'), tests.hash('phone'), 10, 'quota'),
  (tests.id('another'), tests.id('one'), tests.hash('phone'), 10, 'quota');
select staff.requeue_dead_letter(tests.id('of the stream'));
select results_eq('select notification_id, due_at, attempt_count from app.outbox', $$ values (tests.id('one'), app.now(), 0) $$, 'the stream, as if it was new');
select is_empty('select from app.pushes', 'and no device');
select staff.requeue_dead_letter(tests.id('of a device'));
select results_eq(
  'select notification_id, token_hash, due_at, attempt_count from app.pushes', $$ values (tests.id('two'), tests.hash('phone'), app.now(), 0) $$, 'or the device'
);
select is(count(*), 1::bigint, 'and not the stream') from app.outbox;
select results_eq('select id from app.dead_letters', tests.ids('another'), 'it is dead no more');
select bag_eq(
  'select actor_email, action, details from staff.audit_log',
  $$ select session_user::text, 'requeue_dead_letter', jsonb_build_object('notificationId', tests.id(name)) from unnest(array['one', 'two']) as name $$, 'who did it is written down'
);
select throws_ok($$ select staff.requeue_dead_letter(tests.id('of a device')) $$, 'PT404', 'DEAD_LETTER_NOT_FOUND', 'once');
insert into app.pushes (notification_id, token_hash, attempt_count) values (tests.id('one'), tests.hash('phone'), 4);
select lives_ok($$ select staff.requeue_dead_letter(tests.id('another')) $$, 'what is being tried already');
select bag_eq('select attempt_count from app.pushes', array[0, 4], 'goes on');
insert into app.dead_letters (id, notification_id, attempt_count, failure) values (tests.id('again'), tests.id('one'), 10, 'XX000');
select lives_ok($$ select staff.requeue_dead_letter(tests.id('again')) $$, 'either way');
select set_eq($$ select tests.who_may('select staff.requeue_dead_letter(null)') $$, array['staff_admin'], 'by admins');

select * from finish();
rollback;
