select plan(8);

select tests.person('maya', 3);
select tests.person(name) from unnest(array['lena', 'jonas']) as name;
select tests.slider(name, 'jonas') from unnest(array['trams', 'bikes']) as name;
select tests.vote('lena', 'trams', 'left', '10 minutes'), tests.vote('jonas', 'trams', 'left', '10 minutes');
select app.set_clock_offset('1 second');
select tests.vote('maya', 'bikes', 'right', '10 minutes');
select app.set_clock_offset('2 seconds');
select tests.vote('lena', 'bikes', 'right', '10 minutes');
insert into app.events (type, subject_id, post_id, milestone_total, milestone_count)
select 'post_vote_milestone', tests.id(told.name), tests.id(told.post), told.total, 500
from (
  values ('lena', 'trams', 600), ('lena', 'bikes', 700), ('maya', 'bikes', 700), ('lena', 'bikes', 800), ('maya', 'trams', 700), ('jonas', 'bikes', 700), ('jonas', 'trams', 600)
) as told (name, post, total);
select tests.hub('elm', 'maya');
select app.move_belongings(tests.id('lena'), tests.id('maya'));

select bag_eq(
  'select post_id, user_id from app.fresh_votes',
  $$ values (tests.id('trams'), tests.id('maya')), (tests.id('trams'), tests.id('jonas')), (tests.id('bikes'), tests.id('maya')), (tests.id('bikes'), null) $$,
  'votes that no fold has seen are the one person''s'
);
select bag_eq(
  $$ select tests.milestones(post) from unnest(array['trams', 'bikes']) as post $$,
  array['maya: 500 of 600', 'maya: 500 of 700', 'maya: 500 of 700', 'maya: 500 of 800', 'jonas: 500 of 700', 'jonas: 500 of 600'],
  'milestones move, each once'
);
select is(count(*), 1::bigint, 'one where both heard of it') from app.events where post_id = tests.id('bikes') and subject_id = tests.id('maya') and milestone_total = 700;
select tests.fold();
select is(baselined, 'maya: 1', 'where both voted their own counts') from tests.baselines('bikes') as baselined;
select is(count(*), 2::bigint, 'each by itself') from tests.baselines('trams');
select is(count(*), 0::bigint, 'and all of it is ranked') from tests.baselines('trams') as ranked where ranked like '%not ranked';
select set_eq('select vote_count from app.posts', array[2], 'every vote counts on');
select bag_eq(
  $$ select tests.acts('trams') union all select tests.acts('bikes') $$,
  array['voted by maya', 'voted by maya in elm', 'voted by jonas', 'voted by maya', 'voted by maya in elm', 'published by jonas', 'published by jonas'],
  'and is in the streams of the one person'
);

select * from finish();
