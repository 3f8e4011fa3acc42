select plan(4);

select tests.request_code('maya', '1234');
select is(
  tests.error_of($$ select tests.request_code('maya', '5678') $$),
  '{"state": "PT429", "code": "RATE_LIMITED", "details": {"retryAfterSeconds": 60}}',
  'a second code has to wait'
);
select lives_ok($$ select tests.request_code('jonas', '5678') $$, 'other phones do not wait');
select app.set_clock_offset('59.5 seconds');
select is(
  tests.error_of($$ select tests.request_code('maya', '5678') $$) -> 'details', '{"retryAfterSeconds": 1}',
  'the rest of a second counts as one'
);
select app.set_clock_offset('60 seconds');
select lives_ok($$ select tests.request_code('maya', '5678') $$, 'after a minute it is sent');

select * from finish();
