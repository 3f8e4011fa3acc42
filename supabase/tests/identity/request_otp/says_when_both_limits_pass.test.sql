select plan(3);

create function pg_temp.request() returns void language sql as $$
  select api.request_otp(jsonb_build_object(
    'phoneNumber', tests.phone_of('maya'), 'phoneHash', tests.hex('maya'), 'codeHash', tests.hex('code'), 'codesPerDay', 2
  ));
$$;

select pg_temp.request();
update app.otp_codes set requested_at = requested_at - interval '1 hour', sent_at = array[app.now() - interval '1 hour'];
select pg_temp.request();
select is(
  tests.error_of('select pg_temp.request()') -> 'details', jsonb_build_object('retryAfterSeconds', 23 * 3600),
  'right after the last code of the day the wait is for the next day, not for a minute'
);
select is(
  (select app.next_code_at(c, 3) from app.otp_codes as c), app.now() + interval '1 minute', 'within the limit it is a minute'
);
select is(
  (select app.next_code_at(c, null) from app.otp_codes as c), app.now() + interval '1 minute', 'as it is without one'
);

select * from finish();
