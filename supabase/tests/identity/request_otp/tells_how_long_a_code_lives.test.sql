select plan(1);

select is(
  tests.request_code('maya', '1234'),
  jsonb_build_object(
    'phoneNumber', tests.phone_of('maya'), 'resendAfterSeconds', 60, 'expiresAt', app.iso(app.now() + interval '5 minutes')
  ),
  'a code lives five minutes and may be sent anew after one'
);

select * from finish();
