select plan(4);

select tests.person('maya', 3);
select tests.stored_object(name, 'maya') from unnest(array['photo', 'document']) as name;
select tests.person('jonas', 3);
select tests.stored_object('his', 'jonas');
select app.end_user(tests.id('maya'));
select app.set_clock_offset('1 hour');
select app.claim_departure();

select app.finish_departure(tests.id('maya'), array[tests.id('photo'), tests.id('his')]);
select set_eq(
  'select object_key from app.stored_objects', array['document', 'his'], 'a row goes once its object is removed, and only an own one'
);
select results_eq('select due_at from app.departures', 'values (app.now())', 'the rest is due at once');
select app.finish_departure(tests.id('maya'), array[tests.id('document')]);
select set_eq('select object_key from app.stored_objects', array['his'], 'until none is left');
select is_empty('select from app.departures', 'and it is over');

select * from finish();
