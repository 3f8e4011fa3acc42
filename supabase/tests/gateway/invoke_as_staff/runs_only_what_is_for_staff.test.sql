select plan(5);

select tests.sign_in_as_staff('cookie', tests.staff_identity('ada@opine.example'));
set local session authorization opine_gateway;
select throws_ok(format('select tests.as_staff(%L, %L)', operation, 'cookie'), 'PT403', 'FORBIDDEN', 'staff cannot run ' || operation)
from unnest(array['create_post', 'get_home_feed', 'request_otp', 'start_staff_session']) as operation;
select throws_ok(
  $$ select tests.as_staff('"; drop table app.posts; --', 'cookie') $$, '42883', null, 'nor what is no operation'
);

select * from finish();
