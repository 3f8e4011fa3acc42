select plan(6);

select tests.request_code('maya', '1234');
select is(tests.enter_code('maya', '0000'), '{"refusal": {"code": "OTP_INVALID", "details": {}}}', 'the first wrong try is told');
select is(tests.enter_code('maya', '0001'), '{"refusal": {"code": "OTP_INVALID", "details": {}}}', 'the second too');
select is(
  tests.enter_code('maya', '0002'), '{"refusal": {"code": "RATE_LIMITED", "details": {"retryAfterSeconds": 60}}}',
  'the third ends the code'
);
select is(
  tests.enter_code('maya', '1234') -> 'refusal' ->> 'code', 'RATE_LIMITED', 'then even the right code is refused'
);
select app.set_clock_offset('1 minute');
select is(
  tests.enter_code('maya', '1234'), '{"refusal": {"code": "RATE_LIMITED", "details": {"retryAfterSeconds": 1}}}',
  'and stays refused'
);
select tests.request_code('maya', '5678');
select ok(tests.enter_code('maya', '5678') ? 'sessionId', 'a new code has tries of its own');

select * from finish();
