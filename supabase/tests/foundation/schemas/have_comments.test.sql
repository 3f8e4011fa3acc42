select plan(2);

select is_empty(
  $$
    select nspname from pg_namespace
    where nspname = any (tests.our_schemas()) and obj_description(oid, 'pg_namespace') is null
  $$,
  'every schema says what it is for'
);
select is_empty(
  $$
    select typname from pg_type
    where typnamespace::regnamespace::text = any (tests.our_schemas()) and typtype in ('e', 'd')
      and obj_description(oid, 'pg_type') is null
    union all
    select relname from pg_class
    where relnamespace::regnamespace::text = any (tests.our_schemas()) and relkind = 'c'
      and obj_description(reltype, 'pg_type') is null
  $$,
  'every type says what it is for'
);

select * from finish();
