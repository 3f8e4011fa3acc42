select plan(4);

select tests.person('lena', 2);
update app.users set device_hash = tests.hash('install');
select results_eq(
  $$ select * from app.sign_in_with_phone(tests.phone_of('lena'), tests.id('lena')) $$,
  $$ values (tests.id('lena'), true, true) $$,
  'the anonymous user becomes the phone''s, with the same id'
);
select is(phone::text, tests.phone_of('lena'), 'the phone is theirs') from app.users;
select is(device_hash, null, 'the install opens the account no more') from app.users;
select is(username, 'lena', 'the profile stays') from app.profiles;

select * from finish();
