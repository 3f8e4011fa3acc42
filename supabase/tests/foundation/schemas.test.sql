begin;
select plan(7);

select is_empty(
  $$
    select nspname::text
    from pg_namespace
    where nspname !~ '^pg_' and nspname <> all (tests.our_schemas())
      and nspname <> all (array[
        'information_schema', 'public', 'extensions', 'auth', 'storage', 'realtime', 'embedded', 'supabase_migrations',
        'tests'
      ])
  $$,
  'tests.our_schemas lists every schema that is neither the platform''s nor the tests'''
);
select bag_eq(
  $$
    select nspname::text, acl.grantee::regrole::text
    from pg_namespace
    cross join lateral aclexplode(nspacl) as acl
    where nspname = any (tests.our_schemas()) and acl.privilege_type = 'USAGE' and acl.grantee <> nspowner
  $$,
  $$
    values
      ('api', 'anon'), ('api', 'authenticated'), ('api', 'opine_gateway'), ('api', 'opine_serializable'),
      ('api', 'opine_service'), ('api', 'opine_staff'),
      ('app', 'anon'), ('app', 'authenticated'), ('app', 'opine_worker'),
      ('gateway', 'opine_gateway'), ('gateway', 'opine_serializable'), ('gateway', 'opine_worker'),
      ('staff', 'opine_worker'), ('staff', 'staff_support')
  $$,
  'exactly these roles may use each of our schemas'
);
select is_empty(
  $$
    select nspname
    from pg_namespace
    cross join lateral aclexplode(nspacl) as acl
    where nspname = any (tests.our_schemas()) and acl.privilege_type = 'CREATE' and acl.grantee <> nspowner
  $$,
  'only the owner may create objects in our schemas'
);
select is_empty(
  $$
    select nspname from pg_namespace
    where nspname = any (tests.our_schemas()) and obj_description(oid, 'pg_namespace') is null
  $$,
  'every schema of ours has a comment'
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
  'every enum, domain and composite type of ours has a comment'
);
select is_empty(
  $$ select relname from pg_class where relnamespace = 'public'::regnamespace $$,
  'schema public holds no table, view or sequence'
);
select is_empty(
  $$ select proname from pg_proc where pronamespace = 'public'::regnamespace $$,
  'schema public holds no function'
);

select * from finish();
rollback;
