select plan(7);

select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ann']) as name;
select tests.block('maya', 'lena');
select tests.block('ann', 'maya');

create function pg_temp.follow(p_follower text, p_followee text)
returns void
language sql
as $$ insert into app.follows (follower_id, followee_id) values (tests.id(p_follower), tests.id(p_followee)) $$;

select tests.act_as('maya');
select lives_ok($$ select pg_temp.follow('maya', 'jonas') $$, 'one follows somebody');
select throws_ok($$ select pg_temp.follow('jonas', 'maya') $$, '42501', null, 'nobody makes somebody follow them');
select throws_ok($$ select pg_temp.follow('maya', 'lena') $$, '42501', null, 'nor follows whom they have blocked');
select throws_ok($$ select pg_temp.follow('maya', 'ann') $$, '42501', null, 'nor who has blocked them');
select throws_ok(
  $$ insert into app.follows (follower_id, followee_id, created_at) values (tests.id('maya'), tests.id('jonas'), 'epoch') $$,
  '42501', null, 'the time of a follow is not theirs to choose'
);
select throws_ok(
  $$ insert into app.follows (follower_id, followee_id, is_muted) values (tests.id('maya'), tests.id('jonas'), true) $$,
  '42501', null, 'and it begins unmuted'
);
select tests.act_as_guest();
select throws_ok($$ select pg_temp.follow('jonas', 'maya') $$, '42501', null, 'a guest makes none');

select * from finish();
