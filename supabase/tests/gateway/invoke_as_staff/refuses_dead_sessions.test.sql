select plan(4);

select tests.sign_in_as_staff('cookie', tests.staff_identity('ada@opine.example'));
prepare of_ada as select tests.as_staff('get_staff_session', 'cookie');
set local session authorization opine_gateway;
select throws_ok($$ select tests.as_staff('get_staff_session', 'forged') $$, 'PT401', 'UNAUTHORIZED', 'a forged cookie opens nothing');
select throws_ok($$ select tests.as_staff('get_staff_session', null) $$, 'PT401', 'UNAUTHORIZED', 'nor does none');
select throws_ok(
  $$ select gateway.invoke_as_staff('get_staff_session', tests.hex('cookie'), '{"allowedEmails": ["ben@opine.example"]}', '{}') $$,
  'PT401', 'UNAUTHORIZED', 'nor that of somebody who is off the list'
);
reset session authorization;
select app.set_clock_offset('8 hours');
set local session authorization opine_gateway;
select throws_ok('of_ada', 'PT401', 'UNAUTHORIZED', 'nor does one that has expired');

select * from finish();
