select plan(6);

select tests.person('guest', 1);
select tests.person('jonas');
select tests.person('lena');
select tests.block('lena', 'guest');
select tests.act_as('guest');
select is(api.block_user(tests.user('jonas')), '{"blocked": true}', 'who has no profile blocks as well');
select is(tests.error_of($$ select api.block_user(tests.user('nobody')) $$) ->> 'code', 'USER_NOT_FOUND', 'but nobody unknown');
select is(tests.error_of($$ select api.block_user(tests.user('lena')) $$) ->> 'code', 'USER_NOT_FOUND', 'nor who is hidden from them');
select tests.act_as('jonas');
select is(tests.error_of($$ select api.block_user(tests.user('guest')) $$) ->> 'code', 'USER_NOT_FOUND', 'nor who has no profile');
select is(
  tests.violation_of($$ select api.block_user(tests.user('jonas')) $$), 'blocks_are_of_others', 'nor themselves: CANNOT_BLOCK_SELF'
);
select tests.act_as_guest();
select throws_ok($$ select api.block_user(tests.user('jonas')) $$, '42501', null, 'a guest blocks nobody');

select * from finish();
