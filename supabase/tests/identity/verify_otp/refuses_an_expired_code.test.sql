select plan(2);

select tests.request_code('maya', '1234');
select tests.request_code('jonas', '1234');
select app.set_clock_offset('4 minutes 59 seconds');
select ok(tests.enter_code('maya', '1234') ? 'sessionId', 'a code lives nearly five minutes');
select app.set_clock_offset('5 minutes');
select is(
  tests.enter_code('jonas', '1234'), '{"refusal": {"code": "OTP_EXPIRED", "details": {}}}', 'and not a moment longer'
);

select * from finish();
