select plan(11);

select tests.person('lena');
insert into app.users (id) select tests.id('fan ' || n) from generate_series(1, 4001) as n;
insert into app.follows (follower_id, followee_id) select tests.id('fan ' || n), tests.id('lena') from generate_series(1, 4001) as n;
select tests.post('trams', 'lena');
create function pg_temp.told()
returns setof uuid
language sql
as $$ select n.recipient_id from app.notifications as n join app.events as e on e.id = n.event_id where e.post_id = tests.id('trams') $$;
create temporary table fans as select tests.id('fan ' || n) as id from generate_series(1, 4001) as n;

select is_empty('select pg_temp.told()', 'who are many are told later');
select ok(app.fan_out(), 'there are some');
select bag_eq('select pg_temp.told()', 'select id from fans order by id limit 2000', 'two thousand at a time');
select results_eq(
  'select after_user_id, turn_count from app.fan_outs', 'select id, 1 from fans order by id offset 1999 limit 1', 'up to the last of them'
);
select ok(app.fan_out(), 'there are more');
select bag_eq('select pg_temp.told()', 'select id from fans order by id limit 4000', 'then the next');
select ok(app.fan_out(), 'and the last');
select bag_eq('select pg_temp.told()', 'select id from fans', 'each once');
select is_empty('select from app.fan_outs', 'then that is done');
select ok(not app.fan_out(), 'and there is nothing to do');
select set_eq($$ select tests.who_may('select app.fan_out()') $$, array['opine_worker'], 'the worker does this');

select * from finish();
