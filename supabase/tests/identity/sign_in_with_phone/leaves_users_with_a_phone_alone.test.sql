select plan(3);

select tests.person('maya', 3);
select tests.person('jonas', 3);
select results_eq(
  $$ select * from app.sign_in_with_phone(tests.phone_of('maya'), tests.id('jonas')) $$,
  $$ values (tests.id('maya'), false, false) $$,
  'who has a phone is not merged into another phone''s user'
);
select results_eq(
  $$ select is_new, is_merged from app.sign_in_with_phone(tests.phone_of('new'), tests.id('jonas')) $$,
  'values (true, false)',
  'nor given a second phone'
);
select is(phone::text, tests.phone_of('jonas'), 'and keeps their own') from app.users where id = tests.id('jonas');

select * from finish();
