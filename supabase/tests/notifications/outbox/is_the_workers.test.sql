select plan(5);

select is_empty(format('select tests.who_may(%L)', verb), 'no role may: ' || verb)
from unnest(array['select from app.outbox', 'insert into app.outbox default values', 'update app.outbox set due_at = due_at', 'delete from app.outbox']) as verb;
select tests.person('maya');
select tests.notification('hers', 'maya');
select is(tests.violation_of('insert into app.outbox (notification_id) select notification_id from app.outbox'), 'outbox_pkey', 'a notification lies in it once');

select * from finish();
