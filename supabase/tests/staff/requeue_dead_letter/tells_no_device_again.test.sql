select plan(2);

select tests.person('maya');
select tests.device_token('phone', 'maya');
select tests.notification('hers', 'maya');
delete from app.outbox;
insert into app.dead_letters (id, notification_id, attempt_count, failure) values (tests.id('of the stream'), tests.id('hers'), 10, 'XX000');
select staff.requeue_dead_letter(tests.id('of the stream'));
select app.publish_hints('00000000-0000-0000-0000-000000000000', 10, 0);
select is_empty('select from app.outbox', 'the stream is told');
select is_empty('select from app.pushes', 'and no device, which was told apart from it');

select * from finish();
