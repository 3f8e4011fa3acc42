select plan(6);

select tests.person(name) from unnest(array['lena', 'maya', 'jonas']) as name;
insert into app.users (id) select tests.id('fan ' || n) from generate_series(1, 2000) as n;
insert into app.follows (follower_id, followee_id) select tests.id('fan ' || n), tests.id('lena') from generate_series(1, 2000) as n;
select tests.follow('jonas', 'maya');
insert into app.events (id, type, actor_id)
select md5(who)::uuid, 'followed_user_posted', tests.id(who) from unnest(array['lena', 'maya']) as who;
insert into app.fan_outs (event_id, turn_count) values (md5('lena')::uuid, 1), (md5('maya')::uuid, 1);
create function pg_temp.waiting()
returns setof text
language sql
as $$ select p.username || ' ' || f.turn_count from app.fan_outs as f join app.events as e on e.id = f.event_id join app.profiles as p on p.user_id = e.actor_id $$;

update app.fan_outs set turn_count = 0 where event_id = md5('lena')::uuid;
select ok(app.fan_out(), 'what had the fewest turns is next');
select set_eq('select pg_temp.waiting()', array['lena 1', 'maya 1'], 'and has had one more');
select app.fan_out();
select app.fan_out();
select is_empty('select pg_temp.waiting()', 'until all are done');
insert into app.fan_outs (event_id, turn_count) values (md5('maya')::uuid, 1), (md5('lena')::uuid, 2);
select app.fan_out();
select set_eq('select pg_temp.waiting()', array['lena 2'], 'what is for few waits for nobody');
delete from app.fan_outs;
create temporary table happened as select id::uuid from unnest(array['7', '0', 'f']) as first (digit) cross join lateral repeat(digit, 32) as id;
insert into app.events (id, type) select id, 'user_followed' from happened;
-- An index gives them in their order by itself.
set local enable_indexscan = off;
set local enable_bitmapscan = off;
insert into app.fan_outs (event_id) select id from happened;
select app.fan_out();
select set_eq('select event_id from app.fan_outs', $$ select id from happened where id::text !~ '^0' $$, 'and otherwise what happened first');
select results_eq($$ select tests.told('jonas') $$, array['followed_user_posted by maya'], 'and is told once');

select * from finish();
