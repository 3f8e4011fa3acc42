select plan(8);

select tests.person('maya', 2);
select tests.person('jonas', 2);
select tests.asset('photo', 'maya', 'profile_photo');

create function pg_temp.change(p_args jsonb)
returns jsonb
language sql
return api.update_own_profile(p_args) -> 'editable';

select tests.act_as('maya');
select is(
  pg_temp.change('{"fullName": "Maya L"}'),
  '{"fullName": "Maya L", "username": "maya", "bio": null, "profileAssetId": null}', 'the name'
);
select is(
  pg_temp.change('{"username": "maya_l"}'),
  '{"fullName": "Maya L", "username": "maya_l", "bio": null, "profileAssetId": null}', 'the handle'
);
select is(
  pg_temp.change('{"bio": "Trams"}'),
  '{"fullName": "Maya L", "username": "maya_l", "bio": "Trams", "profileAssetId": null}', 'the bio'
);
select is(
  pg_temp.change(jsonb_build_object('profileAssetId', tests.id('photo'))), jsonb_build_object(
    'fullName', 'Maya L', 'username', 'maya_l', 'bio', 'Trams', 'profileAssetId', tests.id('photo')
  ),
  'the photo'
);
select is(pg_temp.change('{"bio": null}') -> 'bio', 'null', 'null clears the bio');
select pg_temp.change('{"bio": "Bikes"}');
select is(pg_temp.change('{"bio": ""}') -> 'bio', 'null', 'and an empty one is none');
select is(pg_temp.change('{"profileAssetId": null}') -> 'profileAssetId', 'null', 'null removes the photo');
select results_eq(
  $$ select username collate "default" from app.profiles where user_id = tests.id('jonas') and full_name = 'Jonas' and bio is null $$,
  array['jonas'], 'and nobody else is changed'
);

select * from finish();
