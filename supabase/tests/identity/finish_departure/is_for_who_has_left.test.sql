select plan(2);

select tests.person('maya', 3);
select tests.post('trams', 'maya');
select tests.stored_object('photo', 'maya');
select app.finish_departure(tests.id('maya'), array[tests.id('photo')]);
select is(ended_at, null, 'who has not left is not erased') from app.users;
select results_eq(
  'select (select count(*) from app.posts), (select count(*) from app.stored_objects)', 'values (1::bigint, 1::bigint)', 'and loses nothing'
);

select * from finish();
