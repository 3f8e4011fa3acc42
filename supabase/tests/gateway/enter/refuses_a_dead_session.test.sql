select plan(5);

select tests.person('maya');
select tests.session('maya');
select tests.person('jonas');
select tests.session('jonas');

prepare of_maya as select gateway.enter(tests.claims('maya'), false);

set local session authorization opine_gateway;
select throws_ok(
  $$ select gateway.enter(tests.claims('unknown'), false) $$, 'PT401', 'UNAUTHORIZED', 'a session that never was is dead'
);
select throws_ok(
  $$ select gateway.enter(tests.claims('jonas', 'maya'), false) $$, 'PT401', 'UNAUTHORIZED', 'the session of somebody else opens nothing'
);
select lives_ok('of_maya', 'a live session enters');

reset session authorization;
select app.set_clock_offset('15 minutes');
set local session authorization opine_gateway;
select throws_ok('of_maya', 'PT401', 'UNAUTHORIZED', 'an access token ends after its 15 minutes');

reset session authorization;
select app.set_clock_offset('0');
delete from app.sessions where user_id = tests.id('maya');
set local session authorization opine_gateway;
select throws_ok('of_maya', 'PT401', 'UNAUTHORIZED', 'an access token ends with its session');

select * from finish();
