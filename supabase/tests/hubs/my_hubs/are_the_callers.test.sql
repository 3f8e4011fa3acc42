select plan(5);

select tests.elm();
select tests.hub('oak', 'jonas');
select tests.hub('ash', 'lena');

select tests.act_as('jonas');
select set_eq(
  'select hub_id, role from app.my_hubs',
  $$ values (tests.id('elm'), 'member'::app.hub_role), (tests.id('oak'), 'admin') $$, 'those of which one is a member, and as what'
);
select set_eq('select app.my_hub_ids()', array[tests.id('elm'), tests.id('oak')], 'for the policy of memberships as well');
select tests.act_as_guest();
select throws_ok('select from app.my_hubs', '42501', null, 'a guest has none');
reset role;
select set_eq($$ select tests.who_may('select app.my_hub_ids()') $$, array['authenticated'], 'and asks for none');
select throws_ok($$ set local role authenticated; insert into app.my_hubs values (tests.id('ash'), 'admin') $$, '42501', null, 'nobody gets one by it');

select * from finish();
