select plan(2);

select is(app.most_attempts(), 10, 'then staff has to look');
select is_empty($$ select tests.who_may('select app.most_attempts()') $$, 'no role asks');

select * from finish();
