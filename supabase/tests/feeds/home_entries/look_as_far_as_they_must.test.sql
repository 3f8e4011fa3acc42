select plan(5);

select tests.person(name) from unnest(array['maya', 'lena', 'enemy', 'ann']) as name;
select tests.follow('maya', 'lena');
select tests.post('hidden ' || n, 'enemy') from generate_series(1, 30) as n;
select tests.post(name, 'ann') from unnest(array['trams', 'bikes', 'cars']) as name;
delete from app.feed_events;
select tests.block('enemy', 'maya');
select tests.did('voted', 'lena', 'trams', tests.ago(1));
select tests.did('voted', 'lena', 'hidden ' || n, tests.ago(1 + n)) from generate_series(1, 30) as n;
select tests.did('commented', 'lena', 'trams', tests.ago(40));
select tests.did('voted', 'lena', 'bikes', tests.ago(41));
select tests.did('voted', 'lena', 'cars', tests.ago(41));

create function pg_temp.entries(p_limit integer, p_place app.feed_place default tests.behind())
returns text[]
language sql
return tests.entries(app.home_entries(p_place, p_limit));

select tests.act_as('maya');
select is(cardinality(pg_temp.entries(2)), 2, 'a page is full, whatever there is that one may not see');
select is((pg_temp.entries(9))[1], 'trams voted -1', 'the newest first');
select is(cardinality(pg_temp.entries(9)), 3, 'each once, however far its events are from each other');
select is(
  pg_temp.entries(9, tests.behind(tests.ago(1), 'trams')), (pg_temp.entries(9))[2:], 'behind the first are the others'
);

reset role;
select tests.did('commented', 'lena', 'cars', tests.ago(2));
update app.feed_events set lost_at = app.now(), lost_by = '12' where kind = 'commented' and post_id = tests.id('cars');
select tests.act_as('maya');
select is(cardinality(pg_temp.entries(9, tests.behind(tests.ago(0)))), 3, 'where it is now, though it was further up when the walk began');

select * from finish();
