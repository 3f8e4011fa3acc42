select plan(4);

select tests.person(name) from unnest(array['maya', 'jonas']) as name;
select tests.act_as('maya');
select is(api.follow_user(tests.user('jonas')), '{"following": true}', 'the state is told');
select results_eq(
  'select follower_id, followee_id, is_muted, created_at from app.follows',
  $$ values (tests.id('maya'), tests.id('jonas'), false, app.now()) $$, 'the caller follows'
);
select is(
  tests.violation_of($$ select api.follow_user(tests.user('jonas')) $$), 'follows_pkey', 'a second time is refused: ALREADY_FOLLOWING'
);
select is(
  tests.violation_of($$ select api.follow_user(tests.user('maya')) $$), 'follows_are_of_others', 'and oneself: CANNOT_FOLLOW_SELF'
);

select * from finish();
