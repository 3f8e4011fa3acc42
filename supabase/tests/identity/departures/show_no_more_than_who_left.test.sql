select plan(6);

select tests.person('maya', 3);
select app.end_user(tests.id('maya'));

select set_eq(
  $$ select tests.who_may('select user_id from app.departures') $$, array['anon', 'authenticated'], 'the policy on posts asks who left'
);
select is_empty($$ select tests.who_may('select merged_into_id from app.departures') $$, 'nobody sees whom they became');
select is_empty($$ select tests.who_may('select departed_at from app.departures') $$, 'nor when');
select is_empty($$ select tests.who_may('insert into app.departures (user_id) values (tests.id(''maya''))') $$, 'nobody makes anybody leave');
select is_empty($$ select tests.who_may('update app.departures set due_at = app.now()') $$, 'nor hurries it');
select is_empty($$ select tests.who_may('delete from app.departures') $$, 'nor brings anybody back');

select * from finish();
