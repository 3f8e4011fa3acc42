select plan(10);

select tests.person('maya');
select tests.notification(name, 'maya') from unnest(array['a', 'b', 'c', 'd']) as name;
create temporary table places as select id, row_number() over (order by id) as place from unnest(tests.ids('a', 'b', 'c', 'd')) as id;
create function pg_temp.at(p_place integer)
returns uuid
language sql
as $$ select id from places where place = p_place $$;
create function pg_temp.waiting()
returns setof bigint
language sql
as $$ select p.place from app.outbox as o join places as p on p.id = o.notification_id $$;
grant select on places to opine_worker;
-- An index gives them in their order by itself.
set local enable_indexscan = off;
set local enable_bitmapscan = off;

update app.outbox set due_at = app.now() + interval '1 microsecond' where notification_id = pg_temp.at(1);
set local session authorization opine_worker;
select is((app.publish_hints('00000000-0000-0000-0000-000000000000', 2, 0)).last, pg_temp.at(3), 'the first two that are due, in their order');
reset session authorization;
select bag_eq('select pg_temp.waiting()', array[1, 4]::bigint[], 'others wait');
update app.outbox set due_at = app.now();
insert into app.outbox (notification_id) values (pg_temp.at(3));
select is((app.publish_hints(pg_temp.at(3), 1, 0)).last, pg_temp.at(4), 'then behind them');
select is((app.publish_hints(pg_temp.at(4), 1, 0)).last, null, 'until there are no more');
select bag_eq('select pg_temp.waiting()', array[1, 3]::bigint[], 'but what has come before them');
select is((app.publish_hints('00000000-0000-0000-0000-000000000000', 3, 0)).last, null, 'fewer than there may be are all');
select is_empty('select pg_temp.waiting()', 'and are told of');
select set_eq('select payload ->> ''notificationId'' from realtime.messages', 'select id::text from places', 'all of them');
select is(count(*), 5::bigint, 'each as often as it lay there') from realtime.messages where topic = 'user:' || tests.id('maya');
select set_eq($$ select tests.who_may('select app.publish_hints(null, 1, 1)') $$, array['opine_worker'], 'the worker does this');

select * from finish();
