select plan(6);

select tests.person('maya'), tests.person('jonas');
select tests.device_token('his', 'jonas'), tests.device_token('hers', 'maya');
select tests.notification('hers', 'maya'), tests.notification('his', 'jonas'), tests.notification('also his', 'jonas');
delete from realtime.messages;
create function pg_temp.refuse()
returns trigger
language plpgsql
as $$ begin raise exception using errcode = 'PX001', message = 'not hers'; end $$;
create trigger refuse before insert on realtime.messages for each row when (new.topic like '%' || md5('maya')::uuid::text) execute function pg_temp.refuse();

select is((app.publish_hints('00000000-0000-0000-0000-000000000000', 10, 0)).last, null, 'nothing is raised');
select bag_eq('select payload ->> ''notificationId'' from realtime.messages', $$ select unnest(tests.ids('his', 'also his'))::text $$, 'others are told of');
select bag_eq('select notification_id from app.pushes', tests.ids('hers', 'his', 'also his'), 'and all devices');
delete from app.pushes;
select results_eq('select notification_id, attempt_count from app.outbox', $$ values (tests.id('hers'), 1) $$, 'it is tried again');
update app.outbox set attempt_count = 9, due_at = app.now();
select app.publish_hints('00000000-0000-0000-0000-000000000000', 10, 0);
select is_empty('select from app.pushes', 'her device is not told again');
select results_eq('select notification_id, failure from app.dead_letters', $$ values (tests.id('hers'), 'PX001') $$, 'until staff has to see why');

select * from finish();
