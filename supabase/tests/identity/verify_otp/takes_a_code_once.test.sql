select plan(3);

select tests.request_code('maya', '1234');
select ok(tests.enter_code('maya', '1234') ? 'sessionId', 'the right code signs in');
select is(
  tests.enter_code('maya', '1234'), '{"refusal": {"code": "OTP_INVALID", "details": {}}}', 'the same code does so once'
);
select is(count(*)::integer, 1, 'one session is open') from app.sessions;

select * from finish();
