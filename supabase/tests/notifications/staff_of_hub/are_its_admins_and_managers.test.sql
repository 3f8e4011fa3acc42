select plan(4);

select tests.elm();
select tests.hub('oak', 'jonas');

select set_eq(
  $$ select app.staff_of_hub(tests.event('hub_join_request_created', 'lena', p_hub => 'elm'), '00000000-0000-0000-0000-000000000000', 10) $$, tests.ids('amara', 'maya'),
  'members are not told who asks to join'
);
-- An index gives them in their order by itself.
set local enable_indexscan = off;
set local enable_indexonlyscan = off;
set local enable_bitmapscan = off;
insert into app.hub_mutes (hub_id, user_id) select hub_id, user_id from app.memberships where user_id = least(tests.id('amara'), tests.id('maya'));
select results_eq(
  $$ select app.staff_of_hub(tests.event('hub_join_request_created', 'lena', p_hub => 'elm'), '00000000-0000-0000-0000-000000000000', 1) $$,
  array[least(tests.id('amara'), tests.id('maya'))], 'in the order of their ids'
);
select results_eq(
  $$ select app.staff_of_hub(tests.event('hub_join_request_created', 'lena', p_hub => 'elm'), least(tests.id('amara'), tests.id('maya')), 1) $$,
  array[greatest(tests.id('amara'), tests.id('maya'))], 'each once'
);
select is_empty($$ select tests.who_may('select app.staff_of_hub(null, null, null)') $$, 'no role asks');

select * from finish();
