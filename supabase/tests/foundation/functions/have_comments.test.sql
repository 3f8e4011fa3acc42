select plan(1);

select is_empty(
  $$ select signature from tests.our_functions where obj_description(oid, 'pg_proc') is null $$,
  'every function says what it does'
);

select * from finish();
