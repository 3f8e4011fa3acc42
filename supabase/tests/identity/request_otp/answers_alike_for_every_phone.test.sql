select plan(1);

select tests.person('maya', 3);
select is(
  tests.request_code('maya', '1234') - 'phoneNumber',
  tests.request_code('nobody yet', '1234') - 'phoneNumber',
  'whether a phone has an account is not told'
);

select * from finish();
