select plan(5);

select tests.person('amara', 4);
select tests.asset('leaves', 'amara', 'hub_photo');
select tests.act_as('amara');
create temporary table founded as select app.found_hub('Elm', 'A street', 'elm', tests.id('leaves')) as id;
reset role;
select results_eq(
  'select id, name, description, custom_link collate "default", photo_asset_id, member_count from app.hubs',
  $$ select id, 'Elm', 'A street', 'elm', tests.id('leaves'), 1 from founded $$, 'a Hub is as its founder says'
);
select results_eq(
  'select hub_id, user_id, role from app.memberships',
  $$ select id, tests.id('amara'), 'admin'::app.hub_role from founded $$, 'who is its admin and only member'
);
select is_empty('select from app.events', 'of which nobody is told');
select is(tests.refusal_of('amara', $$ select app.found_hub('Oak', null, null, null) $$), null, 'a name is enough');
select results_eq(
  $$ select description, custom_link collate "default", photo_asset_id from app.hubs where name = 'Oak' $$,
  $$ values ('', null, null::uuid) $$, 'the rest may come later'
);

select * from finish();
