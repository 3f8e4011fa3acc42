select plan(2);

select tests.person('maya'), tests.person('jonas');
select tests.notification('hers', 'maya');
select is(
  tests.violation_of('insert into app.notifications (event_id, recipient_id, audience, scope_id) select event_id, recipient_id, audience, scope_id from app.notifications'),
  'notifications_event_id_recipient_id_key', 'nobody is told of the same event twice'
);
select is(
  tests.violation_of($$ insert into app.notifications (event_id, recipient_id, audience, scope_id) select event_id, tests.id('jonas'), audience, tests.id('jonas') from app.notifications $$),
  null, 'others are told of it'
);

select * from finish();
