select plan(6);

select tests.person('maya', 3);
select tests.person('lena', 4);
select tests.person('jonas', 4);
select tests.asset('his photo', 'jonas', 'profile_photo');

select tests.act_as('maya');
select is(
  tests.error_of($$ select api.update_hub_profile('{"displayName": "May"}') $$) #>> '{details,requiredLevel}', '4', 'below level 4 nobody has one to change'
);
select is(tests.error_of($$ select api.get_hub_profile('{}') $$) #>> '{details,requiredLevel}', '4', 'or to see');
select tests.act_as('lena');
select is(
  tests.error_of($$ select api.update_hub_profile(jsonb_build_object('profileAssetId', tests.id('his photo'))) $$) #> '{details,issues,0,path}',
  '["profileAssetId"]', 'the photo of somebody else is refused'
);
select is_empty('select from app.hub_profiles', 'and nothing is made');
select tests.act_as_guest();
select throws_ok($$ select api.update_hub_profile('{}') $$, '42501', null, 'a guest has none to change');
select throws_ok($$ select api.get_hub_profile('{}') $$, '42501', null, 'or to see');

select * from finish();
