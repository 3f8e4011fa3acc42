select plan(1);

select tests.person('maya', 1);
select tests.session('maya');
insert into app.profiles (user_id, username, full_name) values (tests.id('maya'), 'maya', 'Maya');
select is(
  tests.refresh('token of maya', 'successor') -> 'user' -> 'level', '2', 'a refresh answers the user as they are now'
);

select * from finish();
