select plan(3);

select tests.person('maya');
select tests.notification(name, 'maya') from unnest(array['early', 'late']) as name;
update app.notifications set id = app.first_id_within('10 seconds') where id = tests.id('early');
update app.outbox set notification_id = app.first_id_within('10 seconds') where notification_id = tests.id('early');
update app.notifications set id = app.uuid_v7() where id = tests.id('late');
update app.outbox set notification_id = (select max(id::text)::uuid from app.notifications where id <> tests.id('early')) where notification_id = tests.id('late');

select is((app.publish_hints(null, 9, 0)).last, null, 'a look at what came lately');
select is(count(*), 1::bigint, 'leaves alone what came before') from app.outbox as o where o.notification_id < app.first_id_within('2 seconds');
select is(count(*), 0::bigint, 'and nothing else') from app.outbox as o where o.notification_id > app.first_id_within('2 seconds');

select * from finish();
