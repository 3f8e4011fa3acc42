select plan(1);

select tests.person('maya');
select tests.person('jonas');
select is(
  tests.violation_of($$ update app.profiles set username = 'maya' where user_id = tests.id('jonas') $$), 'profiles_username_key',
  'a handle is of one person'
);

select * from finish();
