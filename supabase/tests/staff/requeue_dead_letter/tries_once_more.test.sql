select plan(11);

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
