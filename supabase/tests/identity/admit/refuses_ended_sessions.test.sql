select plan(9);

select tests.person('maya');
select tests.session('maya');
prepare admitted as select app.admit('{"limit": 5}');

select set_config('request.jwt.claims', '{"role": "anon"}', true);
set local role anon;
select results_eq('admitted', $$ values ('{"limit": 5}'::jsonb) $$, 'a guest gets the arguments back');
select throws_ok($$ select app.session_is_live('{}') $$, '42501', null, 'a guest may look no session up');

set local role none;
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
set local role authenticated;
select results_eq('admitted', $$ values ('{"limit": 5}'::jsonb) $$, 'a live session gets the arguments back');

select set_config('request.jwt.claims', (tests.claims('maya') - 'session_id')::text, true);
select throws_ok('admitted', 'PT401', 'UNAUTHORIZED', 'a token without a session is refused');
select set_config('opine.live_session', '', true);
select throws_ok('admitted', 'PT401', 'UNAUTHORIZED', 'a token without a session is refused on a connection that served the gateway before');

select set_config('request.jwt.claims', '', true);
select throws_ok('admitted', 'PT401', 'UNAUTHORIZED', 'a member without claims is refused');

set local role none;
delete from app.sessions where user_id = tests.id('maya');
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
set local role authenticated;
select throws_ok('admitted', 'PT401', 'UNAUTHORIZED', 'an ended session is refused while its token is valid');

set local role none;
select throws_ok(
  $$ select gateway.enter(tests.claims('maya'), false) $$, 'PT401', 'UNAUTHORIZED', 'the gateway refuses an ended session itself'
);
select tests.session('maya');
select gateway.enter(tests.claims('maya'), false);
set local role authenticated;
select results_eq('admitted', $$ values ('{"limit": 5}'::jsonb) $$, 'a session that the gateway let in is admitted');

select * from finish();
