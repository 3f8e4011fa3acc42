select plan(1);

select is_empty(
  $$ select name from tests.our_tables where obj_description(oid, 'pg_class') is null $$,
  'every table says what it holds'
);

select * from finish();
