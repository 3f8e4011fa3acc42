select plan(2);

select tests.person('maya', 3);
select results_eq(
  'select * from app.sign_in_with_phone(tests.phone_of(''maya''), null)',
  $$ values (tests.id('maya'), false, false) $$,
  'the phone''s user signs in'
);
select is(count(*)::integer, 1, 'and no other is made') from app.users;

select * from finish();
