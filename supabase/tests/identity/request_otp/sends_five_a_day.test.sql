select plan(6);

create function pg_temp.request_at(p_offset interval, p_name text, p_is_test_number boolean default false)
returns jsonb
language plpgsql
as $$
begin
  perform app.set_clock_offset(p_offset);
  return tests.error_of(format('select tests.request_code(%L, %L, %L)', p_name, '1234', p_is_test_number));
end
$$;

select pg_temp.request_at(n * interval '1 hour', 'maya') from generate_series(0, 4) as n;
select pg_temp.request_at(n * interval '1 hour', 'tester', true) from generate_series(0, 4) as n;

select is(
  pg_temp.request_at('5 hours', 'maya'),
  '{"state": "PT429", "code": "RATE_LIMITED", "details": {"retryAfterSeconds": 68400}}',
  'a sixth code waits until the first is a day old'
);
select is(pg_temp.request_at('5 hours', 'tester', true), null, 'a test number has no daily limit');
select is(
  pg_temp.request_at('5 hours', 'tester', true) ->> 'code', 'RATE_LIMITED', 'but waits its minute like any other'
);
select is(
  sent_at, '{}', 'and is counted nowhere, should it become a number like any other'
)
from app.otp_codes where phone_hash = tests.hash(tests.phone_of('tester'));
select is(pg_temp.request_at('24 hours', 'maya'), null, 'then it is sent');
select is(
  pg_temp.request_at('24 hours 1 minute', 'maya') -> 'details', '{"retryAfterSeconds": 3540}',
  'and the next waits for the second'
);

select * from finish();
