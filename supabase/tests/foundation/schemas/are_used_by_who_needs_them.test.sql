select plan(2);

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

select * from finish();
