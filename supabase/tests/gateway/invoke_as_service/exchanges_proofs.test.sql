select plan(1);

set local session authorization opine_gateway;
select is(
  gateway.invoke_as_service('request_otp', null, jsonb_build_object(
    'phoneNumber', '+12025550101', 'phoneHash', tests.hex('phone'), 'codeHash', tests.hex('code'), 'codesPerDay', 5
  ))::jsonb ->> 'phoneNumber',
  '+12025550101',
  'the gateway may ask for a code in nobody''s name'
);

select * from finish();
