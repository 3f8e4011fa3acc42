select plan(3);

select tests.elm();
select tests.hub('oak', 'lena');
select tests.person('ann', 4);
select tests.membership('elm', 'ann', 'member', app.now() + interval '1 microsecond');

select set_eq(
  $$ select app.members_of_hub(tests.event('hub_post_created', p_hub => 'elm'), '00000000-0000-0000-0000-000000000000', 10) $$, tests.ids('amara', 'maya', 'jonas'),
  'who was a member when it happened; whoever came later is not told'
);
select set_eq(
  $$ select app.members_of_hub(tests.event('hub_post_created', p_hub => 'elm', p_occurred_at => app.now() + interval '1 second'), '00000000-0000-0000-0000-000000000000', 10) $$,
  tests.ids('amara', 'maya', 'jonas', 'ann'), 'of what happens then they are'
);
select is_empty(
  $$ select app.members_of_hub(tests.event('hub_post_created', p_hub => 'elm', p_occurred_at => app.now() - interval '1 microsecond'), '00000000-0000-0000-0000-000000000000', 10) $$,
  'to the microsecond'
);

select * from finish();
