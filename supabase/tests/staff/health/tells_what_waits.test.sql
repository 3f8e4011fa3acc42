select plan(4);

select tests.person('maya'), tests.person('jonas');
select is(
  staff.health(),
  '{"outboxCount": 0, "outboxAgeSeconds": 0, "pushCount": 0, "deadLetterCount": 0, "unfoldedVoteAgeMinutes": 0, "departureCount": 0, "openReportCount": 0}',
  'nothing waits'
);
select tests.notification('one', 'maya'), tests.notification('two', 'maya');
select tests.report('jonas', p_user => 'maya');
insert into app.pushes (notification_id, token_hash) values (tests.id('one'), tests.hash('phone'));
insert into app.dead_letters (notification_id, attempt_count, failure) values (tests.id('one'), 10, 'XX000');
insert into app.departures (user_id) values (tests.id('jonas'));
insert into app.fresh_votes (post_id, user_id) values (tests.id('trams'), tests.id('maya'));
select app.set_clock_offset('119 seconds');
select is(
  staff.health(),
  '{"outboxCount": 2, "outboxAgeSeconds": 119, "pushCount": 1, "deadLetterCount": 1, "unfoldedVoteAgeMinutes": 1, "departureCount": 1, "openReportCount": 1}',
  'or so much, for so long: of a vote in whole minutes'
);
update app.outbox set due_at = app.now() + interval '1 minute';
select is(staff.health() -> 'outboxAgeSeconds', '0', 'what is to be tried later is not late');
select set_eq($$ select tests.who_may('select staff.health()') $$, array['staff_support', 'staff_moderator', 'staff_admin'], 'for staff alone');

select * from finish();
