select plan(3);

select is_empty(
  $$ select name from tests.our_tables where kind in ('m', 'f') $$, 'nothing but tables and views: no policy holds for anything else'
);
create temporary table views_of_the_owner as
select t.name
from tests.our_tables as t
join pg_class as c on c.oid = t.name::regclass
where t.kind = 'v' and not coalesce('security_invoker=true' = any (c.reloptions), false);
-- What functions that run as their owner share. Whoever adds one says why in its review.
select bag_eq(
  'select name from views_of_the_owner',
  array[
    'app.due_notifications', 'app.event_details', 'app.inbox_scopes', 'app.judged_notifications', 'app.visible_notifications', 'app.withheld_notifications'
  ],
  'these views, and no others, read past the policies, as their owner'
);
select is_empty(
  $$ select name, tests.who_may('select from ' || name) from views_of_the_owner $$, 'and no role reads them'
);

select * from finish();
