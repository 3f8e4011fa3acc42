select plan(1);

select is_empty(
  $$ select name from tests.our_tables where kind <> 'v' and not has_policies $$,
  'every table has row-level security'
);

select * from finish();
