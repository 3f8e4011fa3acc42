select plan(2);

select tests.request_code('maya', '1234');
select app.set_clock_offset('1 minute');
select tests.request_code('maya', '5678');
select is(
  tests.enter_code('maya', '1234'), '{"refusal": {"code": "OTP_INVALID", "details": {}}}', 'the older code is void'
);
select ok(tests.enter_code('maya', '5678') ? 'sessionId', 'the newer one signs in');

select * from finish();
