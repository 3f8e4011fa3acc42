select plan(6);

select tests.elm();
select tests.asset('photo', 'lena', 'hub_photo');
select tests.asset('other photo', 'amara', 'hub_photo');
select tests.asset('face', 'lena', 'profile_photo');

create function pg_temp.asset(p_name text)
returns jsonb
language sql
return jsonb_build_object('name', 'Ash', 'profileAssetId', tests.id(p_name));

select tests.act_as('lena');
select is(
  api.create_hub('{"name": "Ash", "description": "Trees", "customLink": "ash-1"}' || pg_temp.asset('photo')) - 'id',
  jsonb_build_object(
    'name', 'Ash', 'description', 'Trees', 'profilePhotoUrl', '/storage/v1/object/public/photos/' || tests.id('photo'), 'memberCount', 1,
    'viewerStatus', 'member', 'viewerRole', 'admin', 'customLink', 'ash-1', 'activeUsers24h', 1
  ),
  'whose admin the caller is'
);
select is(
  api.create_hub('{"name": "Bay"}') - 'id' - 'memberCount' - 'viewerStatus' - 'viewerRole' - 'activeUsers24h',
  '{"name": "Bay", "description": "", "profilePhotoUrl": null, "customLink": null}', 'of which a name is enough'
);
select is(
  tests.violation_of($$ select api.create_hub('{"name": "Cob", "customLink": "ash-1"}') $$), 'hubs_custom_link_key', 'no link is of two'
);
select is(tests.refusal('create_hub', pg_temp.asset('other photo')), 'VALIDATION_FAILED', 'the photo is one''s own');
select is(tests.refusal('create_hub', pg_temp.asset('face')), 'VALIDATION_FAILED', 'and a Hub''s');
reset role;
select is(tests.refusals('create_hub', '{"name": "Fir"}'), tests.below_level_4(), 'the Hub-ready found Hubs');

select * from finish();
