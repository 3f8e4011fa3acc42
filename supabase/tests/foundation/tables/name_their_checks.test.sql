select plan(1);

select is_empty(
  $$
    select conname from pg_constraint
    where connamespace::regnamespace::text = any (tests.our_schemas()) and contype = 'c' and conname ~ '_check\d*$'
  $$,
  'every check has a name that says its rule'
);

select * from finish();
