select plan(7);

select tests.person('maya', 3);
select tests.person('lena', 2);
select app.merge_user(tests.id('lena'), tests.id('maya'));
select set_eq(
  'select user_id, merged_into_id from app.departures', $$ values (tests.id('lena'), tests.id('maya')) $$, 'a merged account leaves too'
);

-- What a request that began before the merge may write.
select tests.slider('late', 'lena');
select tests.stored_object('photo', 'lena');
select tests.session('lena');
select app.claim_departure();
select app.finish_departure(tests.id('lena'));
select results_eq('select author_id from app.posts', array[tests.id('maya')], 'a late post is moved');
select results_eq('select owner_id from app.stored_objects', array[tests.id('maya')], 'and no object is lost');
select is_empty('select from app.sessions', 'a late session ends');
select isnt_empty('select from app.departures', 'it is looked at once more');
select app.set_clock_offset('1 minute');
select app.finish_departure(tests.id('lena'));
select is_empty('select from app.departures', 'and then over');
select is(ended_at, null, 'whom it was merged into lives on') from app.users where id = tests.id('maya');

select * from finish();
