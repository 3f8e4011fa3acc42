select plan(7);

select tests.person('maya', 3);
select tests.asset('picture', 'maya');
select tests.asset('document', 'maya', 'document');
select tests.person('jonas', 3);
select tests.asset('his', 'jonas');
select app.end_user(tests.id('maya'));
select app.claim_departure();
select app.set_clock_offset('1 minute');

select app.finish_departure(tests.id('maya'));
select results_eq('select id from app.assets', array[tests.id('his')], 'assets go, and only one''s own');
select set_eq(
  'select id from app.claim_expired_objects(10)', array[tests.id('picture'), tests.id('document')], 'their objects are to be removed now'
);
update app.departures set due_at = app.now() + interval '40 seconds';
select app.finish_departure(tests.id('maya'));
select results_eq(
  'select due_at from app.departures', $$ values (app.now() + interval '40 seconds') $$, 'and are waited for, for as long as the lease runs'
);
select app.forget_objects(array[tests.id('picture')]);
select results_eq('select due_at from app.departures', 'values (app.now())', 'unless one is gone: then there may be nothing to wait for');
select app.finish_departure(tests.id('maya'));
select isnt_empty('select from app.departures', 'as long as another is in storage there is');
select app.forget_objects(array[tests.id('document')]);
select app.finish_departure(tests.id('maya'));
select is_empty('select from app.departures', 'then it is over');
select results_eq('select id from app.stored_objects', array[tests.id('his')], 'and what others have stored is there');

select * from finish();
