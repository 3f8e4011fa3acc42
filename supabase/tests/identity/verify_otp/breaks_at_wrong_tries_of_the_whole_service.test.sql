select plan(7);

select tests.request_code(name, '1234') from unnest(array['ann', 'ben', 'cleo', 'tester']) as name;

create function pg_temp.enter(p_name text, p_code text, p_tries_per_day integer default 2)
returns jsonb
language sql
return tests.enter_code(p_name, p_code, jsonb_build_object('wrongTriesPerDay', p_tries_per_day));

select is(
  pg_temp.enter('tester', '0000', null) -> 'refusal' ->> 'code', 'OTP_INVALID', 'a wrong code of a test number is told'
);
select is_empty('select from app.rate_meters', 'and counts for nothing');
select pg_temp.enter('ann', '0000');
select ok(pg_temp.enter('ann', '1234') ? 'sessionId', 'a right code is no wrong try');
select is(pg_temp.enter('ben', '0000') -> 'refusal' ->> 'code', 'OTP_INVALID', 'so that the next wrong one is only the second');
select is(
  pg_temp.enter('cleo', '1234'), '{"refusal": {"code": "RATE_LIMITED", "details": {"retryAfterSeconds": 43200}}}',
  'who guesses across many phones is stopped on all of them'
);
select ok(pg_temp.enter('tester', '1234', null) ? 'sessionId', 'a test number signs in all the same');
select is(
  pg_temp.enter('nobody', '0000') -> 'refusal' ->> 'code', 'RATE_LIMITED', 'whether a phone asked for a code shows no more'
);

select * from finish();
