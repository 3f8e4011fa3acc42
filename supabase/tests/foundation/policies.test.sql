begin;
select plan(5);

select is_empty(
  $$
    select polname
    from pg_policy
    where polrelid in (select oid from tests.our_tables)
      and regexp_replace(
        concat(pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)), 'SELECT app\.user_id\(\)', '', 'g'
      ) ~ 'app\.user_id'
  $$,
  'every policy calls app.user_id in a subquery, which runs once a statement'
);

-- Other projects may open storage by policies of their own; ours only restrict.
select is_empty(
  $$ select polname::text from pg_policy where polrelid = 'storage.objects'::regclass and polpermissive $$,
  'no policy of ours opens storage'
);

select is_empty(
  $$
    select polname from pg_policy
    where polrelid in (select oid from tests.our_tables) and (0 = any (polroles) or polcmd = '*')
  $$,
  'every policy names its roles and one command'
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
  'a table has at most one policy for each command and role'
);
select is_empty(
  $$
    select polname from pg_policy
    where polrelid in (select oid from tests.our_tables) and polcmd in ('a', 'w') and polwithcheck is null
  $$,
  'every policy for insert or update checks the new row'
);

select * from finish();
rollback;
