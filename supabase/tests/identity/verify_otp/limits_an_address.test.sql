select plan(4);

select tests.request_code(name, '1234') from unnest(array['ann', 'ben', 'cleo']) as name;

create function pg_temp.enter(p_name text, p_code text, p_address text default 'office')
returns jsonb
language sql
return tests.enter_code(p_name, p_code, jsonb_build_object('addressHash', tests.hex(p_address), 'triesPerAddress', 2));

select pg_temp.enter('ann', '0000');
select ok(pg_temp.enter('ann', '1234') ? 'sessionId', 'tries within the limit are tries');
select is(
  pg_temp.enter('ben', '1234'), '{"refusal": {"code": "RATE_LIMITED", "details": {"retryAfterSeconds": 1800}}}',
  'beyond it even the right code is refused'
);
select is(wrong_try_count, 0::smallint, 'and costs the phone no try') from app.otp_codes where phone_hash = tests.hash(tests.phone_of('ben'));
select ok(pg_temp.enter('ben', '1234', 'home') ? 'sessionId', 'another address has its own limit');

select * from finish();
