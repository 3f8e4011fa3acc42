select plan(2);

select tests.person('lena', 1);
select tests.session('here', 'lena');
select tests.session('elsewhere', 'lena');
select set_config('request.jwt.claims', tests.claims('here', 'lena')::text, true);
select app.sign_in_with_phone(tests.phone_of('lena'), tests.id('lena'));
select bag_eq(
  'select id from app.sessions', array[tests.id('session of here')],
  'of the sessions that a device id opened only the one that verifies the phone goes on'
);
select is_empty(
  $$ select from app.refresh_tokens where session_id <> tests.id('session of here') $$, 'and no refresh token brings one back'
);

select * from finish();
