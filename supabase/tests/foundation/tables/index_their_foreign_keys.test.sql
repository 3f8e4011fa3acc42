select plan(1);

select is_empty(
  $$
    select c.conname
    from pg_constraint as c
    where c.contype = 'f' and c.connamespace::regnamespace::text = any (tests.our_schemas())
      and not exists (
        select from pg_index as i
        where i.indrelid = c.conrelid and i.indpred is null
          and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey
      )
  $$,
  'every foreign key has a whole index that begins with its columns'
);

select * from finish();
