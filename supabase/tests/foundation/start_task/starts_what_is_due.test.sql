select plan(6);

select ok(app.start_task('prune', '5 minutes'), 'a task that never ran is due');
select ok(not app.start_task('prune', '5 minutes'), 'a task that just started is not due');
select ok(app.start_task('sweep', '5 minutes'), 'another task is due by itself');
select app.set_clock_offset('4 minutes');
select ok(not app.start_task('prune', '5 minutes'), 'a task is not due before its interval has passed');
select app.set_clock_offset('5 minutes');
select ok(app.start_task('prune', '5 minutes'), 'a task is due when its interval has passed');
select set_eq($$ select tests.who_may('select app.start_task(null, null)') $$, array['opine_worker'], 'only the worker starts tasks');

select * from finish();
