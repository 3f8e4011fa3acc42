select plan(4);

select tests.person('maya', 1);
select tests.person('jonas', 1);
select tests.act_as('maya');
select throws_ok(
  $$ insert into app.profiles (user_id, username, full_name) values (tests.id('jonas'), 'jonas', 'Jonas') $$,
  '42501', 'new row violates row-level security policy for table "profiles"', 'nobody registers somebody else'
);
select lives_ok(
  $$ insert into app.profiles (user_id, username, full_name) values (tests.id('maya'), 'maya', 'Maya') $$, 'one''s own profile is one''s to make'
);
select throws_ok(
  $$ insert into app.profiles (user_id, username, full_name, created_at) values (tests.id('maya'), 'maya', 'Maya', 'epoch') $$,
  '42501', null, 'but not its date'
);
select tests.act_as_guest();
select throws_ok(
  $$ insert into app.profiles (user_id, username, full_name) values (tests.id('jonas'), 'jonas', 'Jonas') $$,
  '42501', null, 'a guest makes none'
);

select * from finish();
