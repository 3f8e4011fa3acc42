select plan(3);

select tests.person(name, 3) from unnest(array['maya', 'jonas']) as name;
select tests.stored_object('hers', 'maya', app.now());
select tests.stored_object('his', 'jonas', app.now());
select app.end_user(tests.id(name)) from unnest(array['maya', 'jonas']) as name;
update app.departures set due_at = app.now() + interval '1 hour';
select app.forget_objects(array[tests.id('hers')]);
select is(app.claim_departure(), tests.id('maya'), 'whose objects are gone may be done');
select is(app.claim_departure(), null, 'others wait on');
update app.departures set due_at = app.now() - interval '1 hour' where user_id = tests.id('jonas');
select app.forget_objects(array[tests.id('his')]);
select is(due_at, app.now() - interval '1 hour', 'and nobody waits longer for it') from app.departures where user_id = tests.id('jonas');

select * from finish();
