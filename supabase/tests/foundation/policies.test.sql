begin;
select plan(5);
savepoint empty;

-- policies: ask once who calls
select is_empty(
  $$
    select polname
    from pg_policy
    where polrelid in (select oid from tests.our_tables)
      and regexp_replace(
        concat(pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)), 'SELECT app\.user_id\(\)', '', 'g'
      ) ~ 'app\.user_id'
  $$,
  'every policy writes (select app.user_id()), which runs once a statement'
);

rollback to empty;

-- policies: do not open storage
-- What other projects' policies open is theirs to say; ours restrict alone.
select is_empty(
  $$ select polname::text from pg_policy where polrelid = 'storage.objects'::regclass and polpermissive $$, 'no policy of ours opens storage'
);

rollback to empty;

-- policies: name their roles
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
rollback;
