select plan(6);

select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.person('guest', 1);
select tests.follow('maya', 'jonas');
select tests.follow('maya', 'lena');
select tests.follow('lena', 'jonas');
select tests.act_as('maya');
select is(api.unfollow_user(tests.user('jonas')), '{"following": false}', 'the state is told');
select set_eq('select tests.follows()', array['maya > lena', 'lena > jonas'], 'it ends that one alone');
select is(api.unfollow_user(tests.user('jonas')), '{"following": false}', 'where there is none, none ends');
select is(tests.error_of($$ select api.unfollow_user(tests.user('nobody')) $$) ->> 'code', 'USER_NOT_FOUND', 'of nobody there is none');
select tests.act_as('guest');
select is(
  tests.error_of($$ select api.unfollow_user(tests.user('jonas')) $$) #>> '{details,requiredLevel}', '2', 'who has no profile follows nobody'
);
select tests.act_as_guest();
select throws_ok($$ select api.unfollow_user(tests.user('jonas')) $$, '42501', null, 'nor does a guest');

select * from finish();
