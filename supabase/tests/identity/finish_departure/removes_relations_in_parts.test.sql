select plan(9);

select tests.person('maya', 3);
insert into app.users (id) select tests.id(n::text) from generate_series(1, 1002) as n;
insert into app.follows (follower_id, followee_id) select tests.id(n::text), tests.id('maya') from generate_series(1, 1001) as n;
insert into app.blocks (blocker_id, blocked_id) select tests.id(n::text), tests.id('maya') from generate_series(1, 1001) as n;
select tests.asset('loose', 'maya');
select app.end_user(tests.id('maya'));
select app.set_clock_offset('1 minute');
select app.claim_departure();

select app.finish_departure(tests.id('maya'));
select is(count(*)::integer, 1, '1000 follows go at once') from app.follows;
select is(count(*)::integer, 1, 'and 1000 blocks') from app.blocks;
select results_eq('select due_at, attempt_count from app.departures', 'values (app.now(), 0)', 'the rest is due at once');
select isnt_empty('select from app.assets', 'what lies in storage comes last');
delete from app.follows;
insert into app.blocks (blocker_id, blocked_id) select tests.id('maya'), tests.id(n::text) from generate_series(1, 1001) as n;
select app.finish_departure(tests.id('maya'));
select is(count(*)::integer, 1, 'blocks alone are more to do') from app.blocks;
select isnt_empty('select from app.assets', 'before what lies in storage');
insert into app.follows (follower_id, followee_id) select tests.id('maya'), tests.id(n::text) from generate_series(1, 1001) as n;
delete from app.blocks;
select app.finish_departure(tests.id('maya'));
select is(count(*)::integer, 1, 'and so are follows') from app.follows;
select results_eq('select due_at, attempt_count from app.departures', 'values (app.now(), 0)', 'which are due at once');
select app.finish_departure(tests.id('maya'));
select is_empty('select from app.follows union all select from app.blocks union all select from app.assets', 'until nothing is left');

select * from finish();
