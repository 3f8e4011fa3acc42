select plan(1);

select is_empty(
  $$
    select c.conname
    from pg_constraint as c
    where c.contype = 'f' and c.connamespace::regnamespace::text = any (tests.our_schemas())
      and not exists (
        select from pg_index as i
        join pg_attribute as a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
        where i.indrelid = c.conrelid
          and coalesce(pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', a.attname), true)
          and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey
      )
  $$,
  'every foreign key has an index that begins with its columns, of all rows or of all that refer to something'
);

select * from finish();
