select plan(7);

select tests.elm();
select tests.person('ann');
select tests.post(name, 'ann') from unnest(array['trams', 'bikes', 'cars', 'later']) as name;
delete from app.feed_events;
select tests.follow('maya', 'lena');
select tests.did('voted', 'lena', 'trams', tests.ago(2));
select tests.did('commented', 'jonas', 'trams', tests.ago(6));
select tests.did('voted', 'lena', 'bikes', tests.ago(5));
select tests.did('voted', 'lena', 'cars', tests.ago(9));
select tests.did('voted', 'lena', 'later', app.now() + interval '1 minute');

create function pg_temp.entries(p_limit integer, p_place app.feed_place default tests.behind())
returns text[]
language sql
return tests.entries(app.home_entries(p_place, p_limit));

select tests.act_as('maya');
select is(pg_temp.entries(9), array['trams voted -2', 'bikes voted -5', 'cars voted -9'], 'each once, and not before it counts');
select is(pg_temp.entries(1), array['trams voted -2'], 'so many');
select is(pg_temp.entries(9, tests.behind(tests.ago(2), 'trams')), array['bikes voted -5', 'cars voted -9'], 'behind its place it is not found again');
reset role;
select app.set_clock_offset('1 minute');
select tests.act_as('maya');
select is((pg_temp.entries(9))[1], 'later voted', 'when it counts it is there');
select is((pg_temp.entries(9, tests.behind(app.now() - interval '1 minute')))[1], 'trams voted -3', 'a walk that is past it does not find it');
reset role;
delete from app.feed_events;
delete from app.follows;
delete from app.memberships where user_id = tests.id('maya');
select tests.act_as('maya');
select is(pg_temp.entries(9), '{}', 'without sources there is nothing');
reset role;
select set_eq(
  $$ select tests.who_may('select app.home_entries(tests.behind(), 1)') $$, array['authenticated'], 'which is what a guest has'
);

select * from finish();
