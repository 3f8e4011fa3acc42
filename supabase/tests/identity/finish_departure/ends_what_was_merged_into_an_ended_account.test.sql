select plan(5);

select tests.person('maya', 3);
select tests.person('lena', 2);
select app.merge_user(tests.id('lena'), tests.id('maya'));
select app.end_user(tests.id('maya'));
select tests.post('late', 'lena');
select tests.asset('photo', 'lena');
update app.departures set due_at = app.now() - interval '1 second' where user_id = tests.id('lena');
select is(app.claim_departure(), tests.id('lena'), 'what was merged is due');
select is(merged_into_id, null, 'whose target has ended is treated as ended itself')
from app.departures where user_id = tests.id('lena');
select app.finish_departure(tests.id('lena')) from generate_series(1, 2);
select is_empty('select from app.posts', 'its posts go');
select is_empty('select from app.assets', 'and its assets');
select results_eq(
  'select owner_id, expires_at from app.stored_objects', $$ values (tests.id('lena'), app.now()) $$, 'whose objects are to be removed'
);

select * from finish();
