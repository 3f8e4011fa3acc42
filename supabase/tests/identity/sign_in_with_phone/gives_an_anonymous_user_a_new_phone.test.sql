select plan(4);

select tests.person('guest', 2);
update app.users set device_hash = tests.hash('install');
select results_eq(
  $$ select * from app.sign_in_with_phone(tests.phone_of('guest'), tests.id('guest')) $$,
  $$ values (tests.id('guest'), true, true) $$,
  'the anonymous user becomes the phone''s, with the same id'
);
select is(phone, tests.phone_of('guest'), 'the phone is theirs') from app.users;
select is(device_hash, null, 'the install opens the account no more') from app.users;
select is(username, 'guest', 'the profile stays') from app.profiles;

select * from finish();
