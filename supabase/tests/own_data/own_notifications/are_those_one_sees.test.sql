select plan(3);

select tests.elm();
select tests.notification('of maya', 'jonas', p_actor => 'maya');
select tests.notification('of lena', 'jonas', p_actor => 'lena');
select tests.notification('of others', 'maya', p_actor => 'lena');
select tests.act_as('jonas');
select bag_eq(
  $$ select item ->> 'id' as id, item ->> 'actorId' as actor from app.own_notifications() as item $$,
  $$ select tests.id('of ' || name)::text as id, tests.id(name)::text as actor from unnest(array['maya', 'lena']) as name $$, 'one''s own'
);
reset role;
select tests.block('lena', 'jonas');
select tests.act_as('jonas');
select results_eq(
  $$ select item ->> 'id' from app.own_notifications() as item $$, array[tests.id('of maya')::text], 'without those of who blocks one'
);
select is(
  array(select (item ->> 'id')::uuid from app.own_notifications() as item), tests.listed(api.list_notifications('{}')), 'as the inbox has them'
);

select * from finish();
