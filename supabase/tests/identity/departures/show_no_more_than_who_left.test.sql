select plan(6);

select tests.person('maya', 3);
select app.end_user(tests.id('maya'));

select set_eq(
  $$ select tests.who_may('select user_id, departed_at from app.departures') $$, array['anon', 'authenticated'],
  'policies ask who left, and walks through feeds since when'
);
select is_empty($$ select tests.who_may('select merged_into_id from app.departures') $$, 'nobody sees whom they became');
select is_empty($$ select tests.who_may('select due_at from app.departures') $$, 'nor how far that is');
select is_empty($$ select tests.who_may('insert into app.departures (user_id) values (tests.id(''maya''))') $$, 'nobody makes anybody leave');
select is_empty($$ select tests.who_may('update app.departures set due_at = app.now()') $$, 'nor hurries it');
select is_empty($$ select tests.who_may('delete from app.departures') $$, 'nor brings anybody back');

select * from finish();
