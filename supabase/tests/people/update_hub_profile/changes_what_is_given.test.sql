select plan(8);

select tests.person('maya', 4);
select tests.asset('photo', 'maya', 'profile_photo');
select tests.asset('public photo', 'maya', 'profile_photo');

create function pg_temp.expected(p_change jsonb)
returns jsonb
language sql
return jsonb_build_object(
  'displayName', 'Maya', 'profilePhotoUrl', null, 'phoneNumber', tests.phone_of('maya'), 'profileAssetId', null
) || p_change;

create function pg_temp.with_photo()
returns jsonb
language sql
return jsonb_build_object(
  'profileAssetId', tests.id('photo'), 'profilePhotoUrl', '/storage/v1/object/public/photos/' || tests.id('photo')
);

select tests.act_as('maya');
select is(api.get_hub_profile('{}'), pg_temp.expected('{}'), 'until it is chosen the name is the public one, and there is no photo');
select is(
  api.update_hub_profile(jsonb_build_object('profileAssetId', tests.id('photo'))), pg_temp.expected(pg_temp.with_photo()), 'a photo may come first'
);
select is(
  api.update_hub_profile('{"displayName": "May"}'), pg_temp.expected(pg_temp.with_photo() || '{"displayName": "May"}'), 'then a name'
);
select is(
  api.update_hub_profile('{"profileAssetId": null}'), pg_temp.expected('{"displayName": "May"}'), 'null removes the photo'
);
select is(api.update_hub_profile('{"displayName": "Em"}') ->> 'displayName', 'Em', 'a name may change');
select is(api.get_hub_profile('{}') ->> 'displayName', 'Em', 'and is kept');
select results_eq(
  'select full_name, photo_asset_id from app.profiles', $$ values ('Maya', null::uuid) $$, 'the public profile stays as it is'
);
update app.profiles set photo_asset_id = tests.id('public photo');
select is(api.get_hub_profile('{}') -> 'profilePhotoUrl', 'null', 'and lends no photo');

select * from finish();
