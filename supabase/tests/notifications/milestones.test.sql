begin;
select plan(34);
savepoint empty;

-- fan_out_milestones: goes in parts
select tests.person(name) from unnest(array['lena', 'maya', 'jonas', 'ann']) as name;
select tests.slider('trams', 'lena');
select tests.slider('bikes', 'lena');
select tests.receipt('maya', 'trams', 1), tests.receipt('jonas', 'trams', 5), tests.receipt('ann', 'trams', 6);
insert into app.milestones (id, post_id, next_total, last_total)
values
  ('ffffffff-ffff-7fff-bfff-ffffffffffff', tests.id('bikes'), 100, 100),
  ('00000000-0000-7000-8000-000000000000', tests.id('trams'), 200001, 200006);
select ok(app.fan_out_milestones(), 'there are some');
select bag_eq($$ select tests.milestones('trams') $$, array['maya: 200000 of 200001', 'jonas: 200000 of 200005'], 'of 200,000 votes five totals at a time, as each has four hundred voters');
select bag_eq('select next_total, last_total from app.milestones', 'values (200006, 200006), (100, 100)', 'the rest waits');
select is_empty($$ select tests.milestones('bikes') $$, 'the first one first');
select ok(app.fan_out_milestones(), 'there are more');
select bag_eq($$ select tests.milestones('trams') $$, array['maya: 200000 of 200001', 'jonas: 200000 of 200005', 'ann: 200000 of 200006'], 'each once');
select ok(app.fan_out_milestones(), 'and of other posts');
select ok(not app.fan_out_milestones(), 'until there are none');
select set_eq($$ select tests.who_may('select app.fan_out_milestones()') $$, array['opine_worker'], 'the worker does this');

rollback to empty;

-- fan_out_milestones: is reached by votes
select tests.person(name) from unnest(array['lena', 'maya', 'jonas']) as name;
select tests.slider('trams', 'lena');
update app.posts set vote_count = 98 where id = tests.id('trams');
select tests.vote('maya', 'trams', 'left');
select app.set_clock_offset('1 second');
select tests.vote('jonas', 'trams', 'right');
select tests.fold();
select tests.notify_milestones();
select results_eq($$ select tests.milestones('trams') $$, array['lena: 100 of 100'], 'the hundredth vote is the author''s');
update app.posts set vote_count = 598 where id = tests.id('trams');
select tests.vote('lena', 'trams', 'right');
select tests.fold();
select tests.notify_milestones();
select bag_eq($$ select tests.milestones('trams') $$, array['lena: 100 of 100', 'maya: 500 of 599'], 'the 500th after a vote is its voter''s');
select tests.fold();
select tests.notify_milestones();
select bag_eq($$ select tests.milestones('trams') $$, array['lena: 100 of 100', 'maya: 500 of 599'], 'once');

rollback to empty;

-- fan_out_milestones: tells as many at once
select tests.person('lena');
select tests.slider('trams', 'lena');
create function pg_temp.step(p_next integer, p_last integer)
returns integer
language sql
as $$
  delete from app.milestones;
  insert into app.milestones (post_id, next_total, last_total) values (tests.id('trams'), p_next, p_last);
  select app.fan_out_milestones();
  select m.next_total - p_next - 1 from app.milestones as m
$$;
-- A total of n is a milestone of n / 500 voters.
select ok(pg_temp.step(1, 100000) > 0, 'totals are told of by many at a time');
select is(pg_temp.step(1, 10000), 10 * pg_temp.step(1, 100000), 'of a tenth of the votes ten times as many, so that as many voters are told');
select is(pg_temp.step(99001, 100000), pg_temp.step(1, 100000), 'however many are left');

rollback to empty;

-- fan_out_milestones: tells each in the inbox
select tests.person(name, 4) from unnest(array['lena', 'maya', 'jonas', 'ann']) as name;
select tests.slider('trams', 'lena');
select tests.receipt('maya', 'trams', 100), tests.receipt('jonas', 'trams', 100);
select tests.block('lena', 'jonas');
delete from app.events;
insert into app.milestones (post_id, next_total, last_total) values (tests.id('trams'), 600, 600);
select tests.notify_milestones();
select results_eq($$ select tests.told('lena') $$, array['post_vote_milestone of trams 600 of 600'], 'its author');
select results_eq($$ select tests.told('maya') $$, array['post_vote_milestone of trams 500 of 600'], 'who voted, of how many since');
select is_empty($$ select tests.told('jonas') $$, 'but nobody whom a block parts from the author');
select is(count(*), 2::bigint, 'and nobody else') from app.notifications;
select is(tests.unread('maya'), 1, 'to be read');
select bag_eq('select author_id from app.notifications', array[null, tests.id('lena')], 'whose post it is says what a later block hides');

rollback to empty;

-- fan_out_milestones: tells the author
select tests.person('lena', 3);
select tests.slider('trams', 'lena');
select tests.slider('bikes', 'lena');
delete from app.events;
create function pg_temp.reach(p_from integer, p_to integer)
returns void
language sql
as $$
  insert into app.milestones (post_id, next_total, last_total) values (tests.id('trams'), p_from, p_to);
  select tests.notify_milestones()
$$;
select pg_temp.reach(98, 99);
select is_empty($$ select tests.milestones('trams') $$, 'of 99 votes not');
select pg_temp.reach(100, 100);
select results_eq($$ select tests.milestones('trams') $$, array['lena: 100 of 100'], 'of the hundredth');
select pg_temp.reach(101, 301);
select bag_eq($$ select tests.milestones('trams') $$, array['lena: 100 of 100', 'lena: 200 of 200', 'lena: 300 of 300'], 'and of each hundredth from there on');
select results_eq(
  'select distinct type::text, actor_id, subject_id, hub_id, post_id from app.events',
  $$ values ('post_vote_milestone', null::uuid, tests.id('lena'), null::uuid, tests.id('trams')) $$, 'whoever''s vote it was'
);
select app.end_user(tests.id('lena'));
select pg_temp.reach(302, 400);
select is(count(*), 3::bigint, 'nobody whose account has ended') from tests.milestones('trams');
select is_empty('select from app.milestones', 'then there is nothing to tell');

rollback to empty;

-- fan_out_milestones: tells voters
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
  select tests.notify_milestones();
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
rollback;
