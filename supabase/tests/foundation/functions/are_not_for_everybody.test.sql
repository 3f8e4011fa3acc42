select plan(1);

select is_empty(
  $$
    select f.signature
    from tests.our_functions as f
    join pg_proc as p on p.oid = f.oid
    where p.proacl is null or exists (select from aclexplode(p.proacl) as acl where acl.grantee = 0)
  $$,
  'no function is executable by PUBLIC'
);

select * from finish();
