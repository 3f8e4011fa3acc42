select plan(7);

select tests.person(name) from unnest(array['maya', 'one', 'two', 'three', 'author']) as name;
select tests.follow('maya', name) from unnest(array['one', 'two', 'three']) as name;
select tests.post(n::text, 'author') from generate_series(1, 9) as n;
delete from app.feed_events;
-- The number of a post is its age.
select tests.did('voted', 'one', n::text, tests.ago(n)) from unnest(array[1, 2, 3, 8]) as n;
select tests.did('voted', 'two', n::text, tests.ago(n)) from unnest(array[4, 5, 9]) as n;
select tests.did('voted', 'three', n::text, tests.ago(n)) from unnest(array[6, 7]) as n;

create function pg_temp.ages(p_limit integer, p_place app.feed_place default tests.behind(), p_except uuid[] default '{}')
returns text
language sql
return array_to_string(tests.thoughts(array(select event.id from app.newest_events(p_place, p_limit, p_except) as event)), ' ');

select tests.act_as('maya');
select is(
  array(select pg_temp.ages(n) from generate_series(1, 9) as n),
  array['1', '1 2', '1 2 3', '1 2 3 4', '1 2 3 4 5', '1 2 3 4 5 6', '1 2 3 4 5 6 7', '1 2 3 4 5 6 7 8', '1 2 3 4 5 6 7 8 9'], 'however many'
);
select is(pg_temp.ages(3, tests.behind(tests.ago(4), '4')), '5 6 7', 'from wherever');
select is(pg_temp.ages(1, tests.behind(tests.ago(3), '3')), '4', 'the stream of that place is no newer than the others');
select is(pg_temp.ages(3, p_except => tests.ids('1', '2', '4', '6')), '3 5 7', 'whichever are left out');
reset role;
update app.feed_events set occurred_at = tests.ago(1);
select tests.act_as('maya');
create temporary table ordered as
select array(select id from generate_series(1, 9) as n, tests.id(n::text) as id order by id desc) as ids;
select is(
  array(select event.id from app.newest_events(tests.behind(), 9, '{}') as event), ids, 'what happened at one time is in the order of posts'
)
from ordered;
select is(
  array(
    select event.id
    from app.newest_events((tests.ago(1), ids[4], app.now(), '1:1:', 'recent', '')::app.feed_place, 9, '{}') as event
  ),
  ids[5:], 'behind any of them'
)
from ordered;
select is(
  array(select array(select event.id from app.newest_events(tests.behind(), n, '{}') as event) = ids[:n] from generate_series(1, 9) as n),
  array_fill(true, array[9]), 'however many'
)
from ordered;

select * from finish();
