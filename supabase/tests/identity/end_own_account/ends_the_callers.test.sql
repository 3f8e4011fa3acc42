select plan(3);

select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.act_as('maya');
select app.end_own_account();
reset role;
select results_eq('select id from app.users where ended_at is not null', array[tests.id('maya')], 'the caller''s account ends');
select results_eq('select user_id from app.departures', array[tests.id('maya')], 'and leaves');
select set_eq($$ select tests.who_may('select app.end_own_account()') $$, array['authenticated'], 'for signed-in people');

select * from finish();
