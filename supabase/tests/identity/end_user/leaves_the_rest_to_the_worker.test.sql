select plan(4);

select tests.person('maya', 3);
select tests.post('trams', 'maya');
select tests.stored_object('photo', 'maya');
select app.end_user(tests.id('maya'));
select results_eq(
  'select user_id, merged_into_id, departed_at, due_at, attempt_count from app.departures',
  $$ values (tests.id('maya'), null::uuid, app.now(), app.now(), 0) $$,
  'what is left is due now'
);
select isnt_empty('select from app.posts', 'posts are the worker''s to remove');
select isnt_empty('select from app.stored_objects', 'and so are stored objects');
select is_empty($$ select tests.who_may('select app.end_user(null)') $$, 'no role ends the account of somebody else');

select * from finish();
