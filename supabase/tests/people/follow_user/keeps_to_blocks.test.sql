select plan(5);

select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ann']) as name;
select tests.block('maya', 'jonas');
select tests.block('maya', 'lena');
select tests.block('lena', 'maya');
select tests.act_as('maya');
select is(
  tests.error_of($$ select api.follow_user(tests.user('jonas')) $$), '{"state": "PT403", "code": "FORBIDDEN", "details": null}',
  'nobody follows whom they have blocked'
);
select is(
  tests.error_of($$ select api.follow_user(tests.user('lena')) $$) ->> 'code', 'USER_NOT_FOUND', 'who has blocked the caller is not there, first of all'
);
select lives_ok($$ select api.follow_user(tests.user('ann')) $$, 'others may be followed');
select tests.act_as('jonas');
select is(tests.error_of($$ select api.follow_user(tests.user('maya')) $$) ->> 'code', 'USER_NOT_FOUND', 'nor for whoever is blocked');
select lives_ok($$ select api.follow_user(tests.user('lena')) $$, 'blocks of others keep nobody from it');

select * from finish();
