select plan(3);

select tests.request_code('maya', '1234');
select is(
  tests.violation_of($$ update app.otp_codes set phone_hash = '+12025550101' $$), 'otp_codes_phone_hash_is_sha256',
  'a phone is stored as its hash'
);
select is(
  tests.violation_of($$ update app.otp_codes set code_hash = '1234' $$), 'otp_codes_code_hash_is_sha256',
  'and so is a code'
);
select is(
  tests.violation_of('update app.otp_codes set wrong_try_count = 4'), 'otp_codes_tries_are_bounded', 'no code has a fourth try'
);

select * from finish();
