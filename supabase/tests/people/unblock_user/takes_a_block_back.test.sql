select plan(10);

select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.person('guest', 1);
select tests.block('maya', 'jonas');
select tests.block('jonas', 'maya');
select tests.block('maya', 'lena');
select tests.block('lena', 'jonas');

select tests.act_as('maya');
select is(api.unblock_user(tests.user('jonas')), '{"blocked": false}', 'the state is told, of whoever has blocked the caller as well');
reset role;
select set_eq(
  'select blocker_id, blocked_id from app.blocks',
  $$ values (tests.id('jonas'), tests.id('maya')), (tests.id('maya'), tests.id('lena')), (tests.id('lena'), tests.id('jonas')) $$,
  'the caller''s block of this person is gone, and no other'
);
select tests.act_as('maya');
select is(
  tests.error_of($$ select api.unblock_user(tests.user('jonas')) $$) ->> 'code', 'USER_NOT_FOUND', 'who is hidden and not blocked is not there'
);
select is(api.unblock_user(tests.user('lena')), '{"blocked": false}', 'another is taken back');
select is(api.unblock_user(tests.user('lena')), '{"blocked": false}', 'where there is none, none goes');
select is(tests.error_of($$ select api.unblock_user(tests.user('nobody')) $$) ->> 'code', 'USER_NOT_FOUND', 'of nobody there is none');
select tests.act_as('guest');
select is(api.unblock_user(tests.user('maya')), '{"blocked": false}', 'who has no profile may ask as well');
select tests.act_as_guest();
select throws_ok($$ select api.unblock_user(tests.user('jonas')) $$, '42501', null, 'a guest has none');
reset role;
select is(count(*)::integer, 2, 'those of others stay') from app.blocks;
delete from app.sessions;
set local role authenticated;
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
select throws_ok($$ select api.unblock_user(tests.user('jonas')) $$, 'PT401', 'UNAUTHORIZED', 'a dead session takes nothing back');

select * from finish();
