select plan(3);

select tests.person('maya', 2);
select tests.person('jonas', 1);
select tests.act_as('jonas');
select is(
  tests.violation_of($$ select api.save_profile_basics('{"termsAccepted": true, "username": "maya", "fullName": "Jonas", "termsVersion": "1"}') $$),
  'profiles_username_key', 'a handle has one owner'
);
select is(app.level_of(tests.id('jonas')), 1, 'nothing is saved');
reset role;
select app.end_user(tests.id('maya'));
select tests.act_as('jonas');
select lives_ok(
  $$ select api.save_profile_basics('{"termsAccepted": true, "username": "maya", "fullName": "Jonas", "termsVersion": "1"}') $$,
  'the handle of an ended account is free at once'
);

select * from finish();
