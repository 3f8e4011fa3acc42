select plan(8);

select tests.person('maya');
select tests.person('jonas');
select tests.asset('picture', 'maya');
select tests.asset('paper', 'maya', 'document');
select tests.asset('his face', 'jonas', 'profile_photo');
update app.profiles set photo_asset_id = tests.id('his face') where user_id = tests.id('jonas');

create function pg_temp.error(p_name text, variadic p_purposes app.upload_purpose[])
returns jsonb
language sql
return tests.error_of(format('select app.require_asset(%L, %L, %L)', tests.id(p_name), p_purposes, '["assetIds", 3]'));

select tests.act_as('maya');
select is(pg_temp.error('picture', 'post_image'), null, 'one''s own may pass');
select is(pg_temp.error('paper', 'post_image', 'document'), null, 'for any of the purposes');
select is(
  pg_temp.error('paper', 'post_image'), '{
    "state": "PT422", "code": "VALIDATION_FAILED", "details": {"issues": [
      {"path": ["assetIds", 3], "code": "unknown_asset", "message": "Not a completed upload of yours for this purpose."}
    ]}
  }',
  'for no other, and the field that named it is told'
);
select is(pg_temp.error('his face', 'profile_photo') ->> 'code', 'VALIDATION_FAILED', 'nobody else''s passes, not even where one sees it');
select is(pg_temp.error('nothing', 'post_image') ->> 'code', 'VALIDATION_FAILED', 'nor what is not there');
select is(
  tests.error_of($$ select app.require_asset(null, array['post_image']::app.upload_purpose[], '[]') $$) ->> 'code', 'VALIDATION_FAILED', 'nor nothing'
);
select tests.act_as('jonas');
select is(pg_temp.error('his face', 'profile_photo'), null, 'its owner may use it');
select is(pg_temp.error('picture', 'post_image') ->> 'code', 'VALIDATION_FAILED', 'and none of others');

select * from finish();
