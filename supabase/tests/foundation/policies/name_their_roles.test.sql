select plan(3);

select is_empty(
  $$
    select polname from pg_policy
    where polrelid in (select oid from tests.our_tables) and (0 = any (polroles) or polcmd = '*')
  $$,
  'every policy is for named roles and one verb'
);
select is_empty(
  $$
    select polrelid::regclass, polcmd, role
    from pg_policy
    cross join lateral unnest(polroles) as role
    where polrelid in (select oid from tests.our_tables)
    group by polrelid, polcmd, role
    having count(*) > 1
  $$,
  'a table has one policy for each verb and role'
);
select is_empty(
  $$
    select polname from pg_policy
    where polrelid in (select oid from tests.our_tables) and polcmd in ('a', 'w') and polwithcheck is null
  $$,
  'a policy for writing says which rows may be written'
);

select * from finish();
