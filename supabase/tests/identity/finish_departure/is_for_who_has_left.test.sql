select plan(2);

select tests.person('maya', 3);
select tests.person('jonas');
select tests.post('trams', 'maya');
select tests.asset('photo', 'maya');
select tests.open_upload('next', 'maya');
select tests.follow('maya', 'jonas');
select tests.block('jonas', 'maya');
select app.finish_departure(tests.id('maya'));
select is(ended_at, null, 'who has not left is not erased') from app.users where id = tests.id('maya');
select results_eq(
  $$
    select (select count(*) from app.posts), (select count(*) from app.follows), (select count(*) from app.blocks), (select count(*) from app.uploads),
      (select count(*) from app.stored_objects where expires_at is null)
  $$,
  'values (1::bigint, 1::bigint, 1::bigint, 1::bigint, 1::bigint)', 'and loses nothing'
);

select * from finish();
