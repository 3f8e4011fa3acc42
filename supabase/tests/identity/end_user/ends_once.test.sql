select plan(2);

select tests.person('maya', 3);
select app.end_user(tests.id('maya'));
update app.departures set attempt_count = 3;
select app.set_clock_offset('1 hour');
select app.end_user(tests.id('maya'));
select is(ended_at, now(), 'an account ends once') from app.users;
select results_eq('select departed_at, attempt_count from app.departures', 'values (now(), 3)', 'and departs once');

select * from finish();
