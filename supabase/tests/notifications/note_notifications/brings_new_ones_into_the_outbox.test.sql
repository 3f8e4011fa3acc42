select plan(2);

select tests.person('maya'), tests.person('jonas');
select tests.notification('hers', 'maya'), tests.notification('his', 'jonas');
select bag_eq(
  'select notification_id, due_at, attempt_count from app.outbox',
  $$ values (tests.id('hers'), app.now(), 0), (tests.id('his'), app.now(), 0) $$, 'each, due at once'
);
delete from app.outbox;
update app.notifications set read_at = app.now();
delete from app.notifications;
select is_empty('select from app.outbox', 'and what is read or goes no more');

select * from finish();
