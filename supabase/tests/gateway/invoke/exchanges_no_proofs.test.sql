select plan(16);

select tests.person('maya');
select tests.session('maya');
set local session authorization opine_gateway;

select throws_ok(
  format('select gateway.invoke(%L, null, %L)', operation, '{}'), '42501', null, 'a guest cannot run ' || operation
)
from unnest(array[
  'end_staff_session', 'exchange_id_token', 'get_staff_session', 'refresh_session', 'request_otp', 'start_anonymous_session',
  'start_staff_session', 'verify_otp'
]) as operation;
select throws_ok(
  format('select gateway.invoke(%L, tests.claims(%L), %L)', operation, 'maya', '{}'), '42501', null, 'a member cannot run ' || operation
)
from unnest(array[
  'end_staff_session', 'exchange_id_token', 'get_staff_session', 'refresh_session', 'request_otp', 'start_anonymous_session',
  'start_staff_session', 'verify_otp'
]) as operation;

select * from finish();
