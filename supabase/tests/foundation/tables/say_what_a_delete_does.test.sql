select plan(1);

select is_empty(
  $$
    select conname from pg_constraint
    where contype = 'f' and connamespace::regnamespace::text = any (tests.our_schemas()) and confdeltype = 'a'
  $$,
  'every foreign key names its on delete'
);

select * from finish();
