select plan(3);

select tests.elm();

select results_eq(
  $$ select app.members_of_hub(tests.event('hub_post_created', p_hub => 'elm'), '00000000-0000-0000-0000-000000000000', 2) $$,
  $$ select id from unnest(tests.ids('amara', 'maya', 'jonas')) as id order by id limit 2 $$, 'the first two'
);
select results_eq(
  $$
    select app.members_of_hub(tests.event('hub_post_created', p_hub => 'elm'), (select id from unnest(tests.ids('amara', 'maya', 'jonas')) as id order by id offset 1 limit 1), 2)
  $$,
  $$ select id from unnest(tests.ids('amara', 'maya', 'jonas')) as id order by id offset 2 $$, 'then whoever is left'
);
select is_empty($$ select tests.who_may('select app.members_of_hub(null, null, null)') $$, 'no role asks');

select * from finish();
