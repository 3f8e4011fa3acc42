select plan(1);

select tests.person('guest', 1);
select app.end_user(tests.id('guest'));
select results_eq(
  $$ select user_id = tests.id('guest'), is_merged from app.sign_in_with_phone(tests.phone_of('maya'), tests.id('guest')) $$,
  'values (false, false)',
  'an ended user does not become a phone''s'
);

select * from finish();
