select plan(2);

select tests.person('maya', 4);
select tests.hub('hub ' || n, 'maya') from generate_series(1, 6) as n;
select tests.without_indexes();

create function pg_temp.hubs()
returns uuid[]
language sql
return tests.listed(jsonb_build_object('items', app.admin_hubs(tests.id('maya'))));

create temporary table by_id as select array(select h.id from app.hubs as h order by h.id) as ids;
select is(pg_temp.hubs(), ids, 'those of one moment in the order of their ids') from by_id;
update app.memberships set joined_at = app.now() - interval '1 day' from by_id where hub_id = ids[6];
select is(pg_temp.hubs(), ids[6] || ids[:5], 'the first first') from by_id;

select * from finish();
