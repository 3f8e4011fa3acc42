select plan(4);

select tests.person('maya');
select tests.stored_object('removed', 'maya', app.now());
select tests.stored_object('failed', 'maya', app.now());
select tests.stored_object('asset since', 'maya');
select app.forget_objects(array[tests.id('removed'), tests.id('asset since'), tests.id('nothing')]);
select set_eq(
  'select id from app.stored_objects', array[tests.id('failed'), tests.id('asset since')],
  'what the worker names, unless it was never to be removed'
);
select lives_ok($$ select app.forget_objects('{}') $$, 'it may be nothing');
select is(count(*)::integer, 2, 'then all is remembered') from app.stored_objects;
select set_eq($$ select tests.who_may('select app.forget_objects(null)') $$, array['opine_worker'], 'nobody but the worker forgets');

select * from finish();
