select plan(3);

select tests.person('guest', 1);
select tests.person('jonas');
select tests.act_as('guest');
select is(
  tests.error_of($$ select api.follow_user(tests.user('jonas')) $$) #>> '{details,requiredLevel}', '2', 'following needs a profile'
);
select tests.act_as('jonas');
select is(tests.error_of($$ select api.follow_user(tests.user('guest')) $$) ->> 'code', 'USER_NOT_FOUND', 'and so does being followed');
select tests.act_as_guest();
select throws_ok($$ select api.follow_user(tests.user('jonas')) $$, '42501', null, 'a guest follows nobody');

select * from finish();
