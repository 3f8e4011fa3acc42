select plan(2);

select tests.person(name, 2) from unnest(array['maya', 'jonas']) as name;
insert into app.follows (follower_id, followee_id) values (tests.id('maya'), tests.id('jonas'));
select lives_ok($$ delete from app.users where id = tests.id('maya') $$, 'a user whose row is deleted takes their follows along');
select results_eq(
  'select user_id, follower_count, following_count from app.follow_counts', $$ values (tests.id('jonas'), 0, 0) $$,
  'and is counted no more'
);

select * from finish();
