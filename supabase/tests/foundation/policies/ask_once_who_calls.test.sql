select plan(1);

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

select * from finish();
