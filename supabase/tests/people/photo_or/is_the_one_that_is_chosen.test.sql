select plan(7);

select tests.person('maya');
select tests.person('jonas');
select tests.asset('photo', 'maya', 'profile_photo');
select tests.asset('picture', 'maya', 'post_image');
select tests.asset('his', 'jonas', 'profile_photo');
update app.profiles set photo_asset_id = tests.id('his') where user_id = tests.id('jonas');

create function pg_temp.choose(p_name text)
returns uuid
language sql
return app.photo_or(tests.id('present'), jsonb_build_object('profileAssetId', tests.id(p_name)));

select tests.act_as('maya');
select is(app.photo_or(tests.id('present'), '{"bio": null}'), tests.id('present'), 'who does not speak of it keeps it');
select is(app.photo_or(null, '{}'), null, 'or goes without');
select is(app.photo_or(tests.id('present'), '{"profileAssetId": null}'), null, 'null removes it');
select is(pg_temp.choose('photo'), tests.id('photo'), 'a profile photo of the caller''s is theirs to choose');
select is(
  tests.error_of($$ select pg_temp.choose('picture') $$) #> '{details,issues,0,path}', '["profileAssetId"]', 'another upload of theirs is none'
);
select is(tests.error_of($$ select pg_temp.choose('his') $$) ->> 'state', 'PT422', 'nor is what they see of somebody else');
select is(tests.error_of($$ select pg_temp.choose('nothing') $$) ->> 'state', 'PT422', 'nor what is not there');

select * from finish();
