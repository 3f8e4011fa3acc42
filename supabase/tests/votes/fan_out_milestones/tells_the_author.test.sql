select plan(6);

select tests.person('lena', 3);
select tests.slider('trams', 'lena');
select tests.slider('bikes', 'lena');
delete from app.events;
create function pg_temp.reach(p_from integer, p_to integer)
returns void
language sql
as $$
  insert into app.milestones (post_id, next_total, last_total) values (tests.id('trams'), p_from, p_to);
  select tests.tell_milestones()
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

select * from finish();
