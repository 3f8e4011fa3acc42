select plan(4);

-- Without profiles, whose references would hold them as well.
select tests.person(name, 1) from unnest(array['maya', 'jonas', 'lena']) as name;

-- A row that is locked has the transaction in its xmax.
create function pg_temp.held()
returns setof uuid
language sql
as $$ select u.id from app.users as u where u.xmax::text <> '0' $$;

select is_empty('select pg_temp.held()', 'nobody is held');
select app.lock_pair(tests.id('maya'), tests.id('jonas'));
select set_eq(
  'select pg_temp.held()', array[tests.id('maya'), tests.id('jonas')], 'then both, until a merge of one of them is there to be seen'
);
select lives_ok($$ select app.lock_pair(tests.id('maya'), tests.id('nobody')) $$, 'who is not there is not held');
select set_eq($$ select tests.who_may('select app.lock_pair(null, null)') $$, array['authenticated'], 'operations of members hold');

select * from finish();
