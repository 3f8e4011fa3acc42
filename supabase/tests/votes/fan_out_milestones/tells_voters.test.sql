select plan(7);

select tests.person(name) from unnest(array['lena', 'maya', 'jonas', 'ann', 'ben', 'tom']) as name;
select tests.slider('trams', 'lena');
select tests.slider('bikes', 'ben');
select tests.receipt('maya', 'trams', 1), tests.receipt('jonas', 'trams', 99), tests.receipt('lena', 'trams', 100), tests.receipt('ann', 'trams', 2), tests.receipt('ben', 'trams', 601);
select tests.receipt('tom', 'trams');
select tests.receipt('maya', 'bikes', 3);
select app.end_user(tests.id('ann'));
create function pg_temp.reach(p_from integer, p_to integer)
returns setof text
language sql
as $$
  delete from app.events;
  insert into app.milestones (post_id, next_total, last_total) values (tests.id('trams'), p_from, p_to);
  select tests.tell_milestones();
  select told from tests.milestones('trams') as told
$$;
select bag_eq('select pg_temp.reach(401, 500)', array['lena: 500 of 500'], 'nobody before 500 more have voted');
select bag_eq('select pg_temp.reach(501, 598)', array['maya: 500 of 501'], 'then who voted first');
select bag_eq('select pg_temp.reach(599, 599)', array['jonas: 500 of 599'], 'each since their own vote');
select bag_eq('select pg_temp.reach(600, 600)', array['lena: 600 of 600', 'lena: 500 of 600'], 'an author who voted gets a milestone as the author and one as a voter');
select bag_eq('select pg_temp.reach(1001, 1100)', array['maya: 1000 of 1001', 'jonas: 1000 of 1099', 'lena: 1100 of 1100', 'lena: 1000 of 1100'], 'and of each further 500');
select bag_eq('select pg_temp.reach(1101, 1500)', array['ben: 500 of 1101', 'lena: 1200 of 1200', 'lena: 1300 of 1300', 'lena: 1400 of 1400', 'lena: 1500 of 1500'], 'whenever that was');
select results_eq('select distinct post_id from app.events', tests.ids('trams'), 'on that post');

select * from finish();
