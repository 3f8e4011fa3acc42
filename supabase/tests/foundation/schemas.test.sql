begin;
select plan(7);
savepoint empty;

-- schemas: are ours or the platforms
select is_empty(
  $$
    select nspname::text
    from pg_namespace
    where nspname !~ '^pg_' and nspname <> all (tests.our_schemas())
      and nspname <> all (array['information_schema', 'public', 'extensions', 'auth', 'storage', 'realtime', 'embedded', 'supabase_migrations', 'tests'])
  $$,
  'a schema of ours is named in tests.our_schemas(), so that every rule here holds for it'
);

rollback to empty;

-- schemas: are used by who needs them
select bag_eq(
  $$
    select format('%s by %s', nspname, acl.grantee::regrole)
    from pg_namespace
    cross join lateral aclexplode(nspacl) as acl
    where nspname = any (tests.our_schemas()) and acl.privilege_type = 'USAGE' and acl.grantee <> nspowner
  $$,
  array[
    'api by anon', 'api by authenticated', 'api by opine_service', 'api by opine_staff',
    'app by anon', 'app by authenticated', 'app by opine_worker',
    'gateway by opine_gateway', 'gateway by opine_serializable', 'gateway by opine_worker',
    'staff by opine_worker', 'staff by staff_support'
  ],
  'each schema may be used by these roles and no other'
);
select is_empty(
  $$
    select nspname
    from pg_namespace
    cross join lateral aclexplode(nspacl) as acl
    where nspname = any (tests.our_schemas()) and acl.privilege_type = 'CREATE' and acl.grantee <> nspowner
  $$,
  'nobody but its owner creates anything in a schema of ours'
);

rollback to empty;

-- schemas: have comments
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

rollback to empty;

-- schemas: public holds nothing
select is_empty(
  $$ select relname from pg_class where relnamespace = 'public'::regnamespace $$,
  'no table, view or sequence is in public'
);
select is_empty(
  $$ select proname from pg_proc where pronamespace = 'public'::regnamespace $$,
  'no function is in public'
);

select * from finish();
rollback;
