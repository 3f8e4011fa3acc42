select plan(8);

select tests.person('maya');
select tests.session('maya');
set local session authorization opine_gateway;

select throws_ok(
  format('select gateway.invoke(%L, null, %L)', operation, '{}'), '42501', null, 'a guest cannot run ' || operation
)
from unnest(array['refresh_session', 'request_otp', 'start_anonymous_session', 'verify_otp']) as operation;
select throws_ok(
  format('select gateway.invoke(%L, tests.claims(%L), %L)', operation, 'maya', '{}'), '42501', null, 'a member cannot run ' || operation
)
from unnest(array['refresh_session', 'request_otp', 'start_anonymous_session', 'verify_otp']) as operation;

select * from finish();
