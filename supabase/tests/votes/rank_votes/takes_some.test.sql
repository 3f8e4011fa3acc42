select plan(15);

select tests.person(name) from unnest(array['ann', 'ben', 'jonas', 'maya', 'lena']) as name;
select tests.slider('trams', 'lena');
select tests.without_indexes();
create function pg_temp.taken(p_limit integer, p_row_limit integer)
returns text
language sql
as $$
  delete from app.fresh_votes;
  insert into app.fresh_votes (post_id, user_id, hub_count, cast_at)
  select tests.id('trams'), tests.id(name), hub_count, app.now() + seconds * interval '1 second'
  from (values ('maya', 0, 4), ('ann', 201, 1), ('jonas', 3, 3), ('ben', 200, 2)) as vote (name, hub_count, seconds);
  select string_agg(p.username, ', ' order by p.username)
  from unnest(app.rank_votes(p_limit, p_row_limit)) as v
  join app.profiles as p on p.user_id = v.user_id
$$;
select is(pg_temp.taken(1, 1000), 'ben', 'who voted first of those who are in up to 200 Hubs');
select is(pg_temp.taken(2, 1000), 'ben, jonas', 'who voted after them');
select is(pg_temp.taken(3, 1000), 'ben, jonas, maya', 'and so on');
select is(pg_temp.taken(4, 1000), 'ann, ben, jonas, maya', 'who is in more comes last');
-- Into the stream of each of their Hubs and into their own: 201, 4, 1 and 202.
select is(pg_temp.taken(4, 408), 'ann, ben, jonas, maya', 'as many as come into so many streams');
select is(pg_temp.taken(4, 407), 'ben, jonas, maya', 'not into more');
select is(pg_temp.taken(4, 206), 'ben, jonas, maya', 'the first ones of them');
select is(pg_temp.taken(4, 205), 'ben, jonas', 'of whom each counts');
select is(pg_temp.taken(4, 204), 'ben', 'whoever would still fit in');
select is(pg_temp.taken(4, 0), 'ben', 'one in any case');

delete from app.fresh_votes;
update app.posts set vote_count = 0;
insert into app.fresh_votes (post_id, user_id, cast_at)
select tests.id('trams'), voter, app.now() from unnest(tests.ids('ann', 'ben', 'jonas', 'maya', 'lena')) as voter order by voter desc;
select is(cardinality(app.rank_votes(5, 0)), 1, 'and no other who voted at the same moment');
delete from app.fresh_votes;
insert into app.fresh_votes (post_id, user_id, cast_at)
select tests.id('trams'), voter, app.now() from unnest(tests.ids('ann', 'ben', 'jonas', 'maya', 'lena')) as voter order by voter desc;
select results_eq(
  'select user_id from unnest(app.rank_votes(5, 1000)) order by baseline', 'select id from app.users order by id',
  'they are ranked by their ids'
);

update app.posts set vote_count = 0;
insert into app.fresh_votes (post_id, user_id) values (tests.id('trams'), null), (tests.id('trams'), null), (tests.id('trams'), tests.id('maya'));
select app.rank_votes(3, 1000);
select is(vote_count, 3, 'votes of those who became part of somebody count') from app.posts;

insert into app.fresh_votes (post_id, user_id) values (tests.id('gone'), tests.id('maya'));
select is(cardinality(app.rank_votes(3, 1000)), 1, 'what is on a post that has gone is taken');
select is_empty('select from app.fresh_votes', 'and done with');

select * from finish();
