select plan(2);

select tests.person('maya', 3);
insert into app.users (device_hash) values (tests.hash('phone of a guest'));
select is(
  tests.violation_of($$ insert into app.users (phone, phone_verified_at) values (tests.phone_of('maya'), app.now()) $$),
  'users_phone_key', 'a phone is of one account'
);
select is(
  tests.violation_of($$ insert into app.users (device_hash) values (tests.hash('phone of a guest')) $$),
  'users_device_hash_key', 'and so is an install'
);

select * from finish();
