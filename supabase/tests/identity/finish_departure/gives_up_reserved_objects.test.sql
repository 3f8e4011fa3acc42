select plan(4);

select tests.person('maya', 3);
select tests.person('jonas', 3);
-- What app.begin_completion reserves for an hour, and what the worker has failed to remove.
select tests.stored_object(name, 'maya', app.now() + interval '50 minutes') from unnest(array['reserved', 'failed']) as name;
update app.stored_objects set attempt_count = 1 where id = tests.id('failed');
select tests.stored_object('his', 'jonas', app.now() + interval '50 minutes');
select app.end_user(tests.id('maya'));
select app.finish_departure(tests.id('maya'));
select is_empty('select tests.to_be_removed()', 'as long as a request of before may store it, it is left alone');
select app.set_clock_offset('1 minute');
select app.finish_departure(tests.id('maya'));
select results_eq('select tests.to_be_removed()', array[tests.id('reserved')], 'then it is removed now, and what failed in its own time');
select isnt_empty('select from app.departures', 'which is waited for');
select app.forget_objects(array[tests.id('reserved'), tests.id('failed')]);
select app.finish_departure(tests.id('maya'));
select is_empty('select from app.departures', 'and no longer');

select * from finish();
