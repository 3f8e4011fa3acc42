select plan(2);

select is_empty(
  $$ select name from tests.our_tables where kind in ('m', 'f') $$, 'nothing but tables and views: no policy holds for anything else'
);
select is_empty(
  $$
    select t.name
    from tests.our_tables as t
    join pg_class as c on c.oid = t.name::regclass
    where t.kind = 'v' and not coalesce('security_invoker=true' = any (c.reloptions), false)
  $$,
  'and no view reads past the policies, as its owner'
);

select * from finish();
