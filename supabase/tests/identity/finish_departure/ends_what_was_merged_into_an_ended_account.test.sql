select plan(5);

select tests.person('maya', 3);
select tests.person('lena', 2);
select app.merge_user(tests.id('lena'), tests.id('maya'));
select app.end_user(tests.id('maya'));
select tests.post('late', 'lena');
select tests.stored_object('photo', 'lena');
update app.departures set due_at = app.now() - interval '1 second' where user_id = tests.id('lena');
select is(objects -> 0 ->> 'objectKey', 'photo', 'its objects are removed') from app.claim_departure() where user_id = tests.id('lena');
select is(merged_into_id, null, 'whose target has ended is treated as ended itself')
from app.departures where user_id = tests.id('lena');
select lives_ok($$ select app.finish_departure(tests.id('lena'), array[tests.id('photo')]) $$, 'it finishes');
select is_empty('select from app.posts', 'its posts go');
select is_empty('select from app.stored_objects', 'and its objects');

select * from finish();
