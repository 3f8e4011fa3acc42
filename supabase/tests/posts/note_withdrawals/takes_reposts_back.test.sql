select plan(7);

select tests.elm();
select tests.post('trams', 'lena');
select tests.post('bikes', 'lena');
select app.set_clock_offset('1 hour');
select tests.repost('first', 'jonas', 'trams');
select app.set_clock_offset('2 hours');
select tests.repost('second', 'jonas', 'trams');
select tests.repost('of maya', 'maya', 'trams');
select tests.repost('other', 'jonas', 'bikes');
update app.posts set created_at = app.now() where id = tests.id('second');
select app.set_clock_offset('3 hours');
create temporary table before as table app.trending_scores;

create function pg_temp.reposts(p_name text)
returns setof text
language sql
as $$
  select concat_ws(' ', coalesce(e.hub_id::text, 'own'), actor.username, e.occurred_at - now())
  from app.feed_events as e
  join app.profiles as actor on actor.user_id = e.actor_id
  where e.post_id = tests.id(p_name) and e.kind = 'reposted' and e.lost_at is null and e.hub_id is null
$$;

delete from app.posts where id = tests.id('second');
select set_eq(
  $$ select pg_temp.reposts('trams') $$, array['own jonas 01:00:00', 'own maya 02:00:00'], 'the original is where the repost before put it'
);
select results_eq(
  $$ select lost_at from app.feed_events where post_id = tests.id('trams') and actor_id = tests.id('jonas') and lost_at is not null group by lost_at $$,
  'values (app.now())', 'since now'
);
delete from app.posts where id in (tests.id('first'), tests.id('other'));
select set_eq($$ select pg_temp.reposts('trams') $$, array['own maya 02:00:00'], 'with the last one of somebody it is there for them no more');
select is_empty($$ select pg_temp.reposts('bikes') $$, 'of each');
select results_eq(
  'select id, repost_count from app.posts where source_post_id is null order by thought_text', $$ values (tests.id('bikes'), 0), (tests.id('trams'), 1) $$,
  'originals count what is left'
);
select set_eq('table app.trending_scores', 'table before', 'trending scores keep what was deleted');
delete from app.posts where id = tests.id('trams');
delete from app.posts where id = tests.id('of maya');
select is(count(*), 1::bigint, 'a repost goes after its original as well') from app.posts;

select * from finish();
