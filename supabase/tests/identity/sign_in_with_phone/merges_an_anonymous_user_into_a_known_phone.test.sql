select plan(3);

select tests.person('maya', 3);
select tests.person('lena', 2);
select tests.session('lena');
select results_eq(
  $$ select * from app.sign_in_with_phone(tests.phone_of('maya'), tests.id('lena')) $$,
  $$ values (tests.id('maya'), false, true) $$,
  'the phone''s user signs in and takes over what the anonymous one did'
);
select isnt(ended_at, null, 'the anonymous user has ended') from app.users where id = tests.id('lena');
select is_empty('select from app.sessions', 'and so have their sessions');

select * from finish();
