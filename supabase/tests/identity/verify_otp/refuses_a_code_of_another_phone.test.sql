select plan(2);

select tests.request_code('maya', '1234');
select tests.request_code('jonas', '5678');
select is(
  tests.enter_code('jonas', '1234'), '{"refusal": {"code": "OTP_INVALID", "details": {}}}', 'a code is for its phone alone'
);
select is(
  tests.enter_code('nobody', '1234'), '{"refusal": {"code": "OTP_INVALID", "details": {}}}',
  'a phone that asked for none is answered alike'
);

select * from finish();
