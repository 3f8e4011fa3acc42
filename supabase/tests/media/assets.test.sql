begin;
select plan(48);
savepoint empty;

-- get_download_url requires a session and an asset that the caller sees.
select tests.person('maya', 3);
select tests.person('jonas', 1);
select tests.asset('paper', 'maya', 'document');
select tests.asset('face', 'maya', 'profile_photo');
update app.assets set file_name = 'minutes.pdf';

create function pg_temp.download(p_name text)
returns jsonb
language sql
return api.get_download_url(jsonb_build_object('assetId', tests.id(p_name)));

select tests.authenticate_as('maya');
select is(
  pg_temp.download('paper'), jsonb_build_object(
    'bucket', 'media', 'fileName', 'minutes.pdf', 'expiresAt', app.iso(app.now() + interval '5 minutes')
  ),
  'get_download_url answers the owner with an expiry in five minutes'
);
select is(
  pg_temp.download('face') - 'expiresAt', '{"bucket": "photos", "fileName": null}',
  'get_download_url names the file of documents alone'
);
reset role;
select is(tests.refusal_as(caller, format('select pg_temp.download(%L)', asset)), expected, title)
from (
  values
    (null, 'paper', '42501', 'a guest cannot call get_download_url'),
    ('jonas', 'paper', 'PT404 ASSET_NOT_FOUND', 'get_download_url does not find a document that nothing shows the caller'),
    ('jonas', 'nothing', 'PT404 ASSET_NOT_FOUND', 'get_download_url does not find an unknown asset')
) as c (caller, asset, expected, title);
select tests.post_with_media('minutes', 'maya', 'paper');
select tests.authenticate_as('jonas');
select is(pg_temp.download('paper') ->> 'fileName', 'minutes.pdf', 'get_download_url finds a document in a public post');
reset role;
select tests.block('maya', 'jonas');
select is(
  tests.refusal_as('jonas', $$ select pg_temp.download('paper') $$), 'PT404 ASSET_NOT_FOUND',
  'get_download_url does not find a document of a user who blocks the caller'
);
delete from app.sessions;
set local role authenticated;
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
select throws_ok($$ select pg_temp.download('paper') $$, 'PT401', 'UNAUTHORIZED', 'get_download_url refuses an ended session');

rollback to empty;

-- owns_asset lets only the owner of an asset show it.
select tests.person(name, 4) from unnest(array['maya', 'jonas']) as name;
select tests.asset('her document', 'maya', 'document');
select tests.asset('her photo', 'maya', 'profile_photo');
select tests.article('his', 'jonas');

select tests.authenticate_as('jonas');
select throws_ok(
  $$ select tests.add_article_media('his', 'her document') $$, '42501', null, 'an article cannot show a document of another user'
);
select throws_ok(
  $$ update app.profiles set photo_asset_id = tests.id('her photo') where user_id = tests.id('jonas') $$, '42501', null,
  'a profile cannot show a photo of another user'
);
select throws_ok(
  $$ insert into app.hub_profiles (user_id, photo_asset_id) values (tests.id('jonas'), tests.id('her photo')) $$, '42501', null,
  'a new Hub profile cannot show a photo of another user'
);
insert into app.hub_profiles (user_id) values (tests.id('jonas'));
select throws_ok(
  $$ update app.hub_profiles set photo_asset_id = tests.id('her photo') where user_id = tests.id('jonas') $$, '42501', null,
  'an existing Hub profile cannot show a photo of another user'
);
select is_empty('select from app.assets', 'a refused use of assets does not make them visible');

rollback to empty;

-- release_assets deletes the media of a deleted article.
select tests.person('maya', 3);
select tests.asset(name, 'maya') from unnest(array['shared', 'one''s', 'other''s', 'face too', 'loose']) as name;
select tests.asset('paper', 'maya', 'document');
update app.profiles set photo_asset_id = tests.id('face too');
select tests.post_with_media('one', 'maya', 'shared', 'one''s', 'paper', 'face too');
select tests.post_with_media('other', 'maya', 'other''s', 'shared');

select tests.authenticate_as('maya');
select api.delete_post(tests.post_args('one'));
reset role;
select set_eq(
  'select tests.expired_objects()', array[tests.id('one''s'), tests.id('paper')],
  'a deleted post releases media that no other post and no profile shows'
);
select set_eq(
  'select id from app.assets', array[tests.id('shared'), tests.id('other''s'), tests.id('face too'), tests.id('loose')],
  'a deleted post keeps media that another post or a profile shows'
);
update app.profiles set photo_asset_id = null;
select set_eq(
  'select id from app.assets', array[tests.id('shared'), tests.id('other''s'), tests.id('loose')],
  'a profile releases a photo that the deleted post showed as well'
);
update app.profiles set photo_asset_id = tests.id('other''s');
update app.profiles set photo_asset_id = null;
select set_eq(
  'select id from app.assets', array[tests.id('shared'), tests.id('other''s'), tests.id('loose')],
  'a profile keeps a photo that an article shows'
);
delete from app.posts;
select is(count(*)::integer, 3, 'an article that no post shows keeps its media') from app.assets;
delete from app.articles;
select set_eq('select id from app.assets', array[tests.id('loose')], 'a delete of several articles releases the media of all');

rollback to empty;

-- release_assets keeps a photo that the other profile of the user shows.
select tests.person('maya', 4);
select tests.asset('face', 'maya', 'profile_photo');
select tests.asset('next', 'maya', 'profile_photo');

create function pg_temp.show(p_in_public text, p_in_hubs text)
returns void
language sql
as $$
  insert into app.hub_profiles (user_id) values (tests.id('maya')) on conflict do nothing;
  update app.hub_profiles set photo_asset_id = tests.id(p_in_hubs);
  update app.profiles set photo_asset_id = tests.id(p_in_public);
$$;

select pg_temp.show('face', 'face');
update app.profiles set photo_asset_id = null;
select is_empty('select tests.expired_objects()', 'the public profile keeps a photo that the Hub profile shows');
select pg_temp.show('face', 'face');
update app.hub_profiles set photo_asset_id = null;
select is_empty('select tests.expired_objects()', 'the Hub profile keeps a photo that the public profile shows');
select pg_temp.show('next', 'next');
select set_eq(
  'select tests.expired_objects()', array[tests.id('face')], 'two profiles release a photo that neither shows any more'
);
delete from app.profiles;
select set_eq(
  'select tests.expired_objects()', array[tests.id('face')], 'a deleted public profile keeps a photo that the Hub profile shows'
);
delete from app.hub_profiles;
select set_eq(
  'select tests.expired_objects()', array[tests.id('face'), tests.id('next')],
  'a deleted Hub profile releases a photo that only it shows'
);
select is_empty('select from app.assets', 'released photos are no assets any more');

rollback to empty;

-- release_assets keeps what Hubs and messages show.
select tests.elm();
select tests.hub('ash', 'amara');
select tests.asset('photo', 'amara', 'hub_photo');
select tests.discussion('trams', 'amara', 'elm');
select tests.message('message', 'amara', 'trams in elm');

create function pg_temp.show(p_elm text, p_ash text, p_message text, p_face text)
returns void
language sql
as $$
  update app.hubs set photo_asset_id = tests.id(case id when tests.id('elm') then p_elm else p_ash end);
  update app.profiles set photo_asset_id = tests.id(p_face) where user_id = tests.id('amara');
  update app.messages set asset_id = tests.id(p_message);
$$;

select pg_temp.show('photo', 'photo', null, null);
select pg_temp.show(null, 'photo', null, null);
select is_empty('select tests.expired_objects()', 'a Hub keeps a photo that another Hub shows');
select pg_temp.show(null, 'photo', 'photo', null);
update app.hubs set photo_asset_id = null;
select is_empty('select tests.expired_objects()', 'a Hub keeps a photo that a message shows');
select pg_temp.show('photo', null, 'photo', 'photo');
update app.messages set asset_id = null;
update app.profiles set photo_asset_id = null;
select is_empty('select tests.expired_objects()', 'a message and a profile keep a photo that a Hub shows');
update app.hubs set photo_asset_id = null;
select set_eq('select tests.expired_objects()', tests.ids('photo'), 'a Hub releases a photo that nothing else shows');

rollback to empty;

-- release_assets releases a Hub profile photo that the user replaces or removes.
select tests.person('maya', 4);
select tests.asset(name, 'maya', 'profile_photo') from unnest(array['first', 'second']) as name;

create function pg_temp.choose(p_name text)
returns void
language plpgsql
as $$
begin
  perform tests.authenticate_as('maya');
  perform api.update_hub_profile(jsonb_build_object('profileAssetId', case when p_name is not null then tests.id(p_name) end));
  perform set_config('role', 'none', true);
end
$$;

select pg_temp.choose('first');
select pg_temp.choose('first');
select is_empty('select tests.expired_objects()', 'update_hub_profile keeps a photo that the user chooses again');
select pg_temp.choose('second');
select set_eq(
  'select tests.expired_objects()', array[tests.id('first')], 'update_hub_profile releases a photo that the user replaces'
);
select pg_temp.choose(null);
select set_eq(
  'select tests.expired_objects()', array[tests.id('first'), tests.id('second')],
  'update_hub_profile releases a photo that the user removes'
);

rollback to empty;

-- release_assets releases a profile photo that the user replaces or removes.
select tests.person('maya', 4);
select tests.person('jonas', 4);
select tests.asset(name, 'maya', 'profile_photo') from unnest(array['first', 'second', 'unused']) as name;
select tests.asset('his', 'jonas', 'profile_photo');
select tests.open_upload('of the first', 'maya', 'profile_photo');
update app.uploads set asset_id = tests.id('first');
update app.profiles set photo_asset_id = tests.id('his') where user_id = tests.id('jonas');

create function pg_temp.choose(p_name text)
returns void
language plpgsql
as $$
begin
  perform tests.authenticate_as('maya');
  perform api.update_own_profile(jsonb_build_object('profileAssetId', case when p_name is not null then tests.id(p_name) end));
  perform set_config('role', 'none', true);
end
$$;

select pg_temp.choose('first');
select is_empty('select tests.expired_objects()', 'update_own_profile releases nothing where there was no photo');
select pg_temp.choose('first');
select is_empty('select tests.expired_objects()', 'update_own_profile keeps a photo that the user chooses again');
select pg_temp.choose('second');
select set_eq(
  'select tests.expired_objects()', array[tests.id('first')], 'update_own_profile releases a photo that the user replaces'
);
select is_empty('select from app.uploads', 'a released photo is deleted with its upload');
select set_eq(
  'select id from app.assets', array[tests.id('second'), tests.id('unused'), tests.id('his')],
  'a replaced photo leaves unused photos and photos of other users'
);
select pg_temp.choose(null);
select set_eq(
  'select tests.expired_objects()', array[tests.id('first'), tests.id('second')],
  'update_own_profile releases a photo that the user removes'
);
update app.profiles set bio = 'New';
select set_eq('select id from app.assets', array[tests.id('unused'), tests.id('his')], 'a change of the bio releases no photo');

rollback to empty;

-- release_assets looks at every row of a statement.
select tests.person(name) from unnest(array['maya', 'jonas']) as name;
select tests.asset('hers', 'maya', 'profile_photo');
select tests.asset('his', 'jonas', 'profile_photo');
update app.profiles set photo_asset_id = tests.id(case username when 'maya' then 'hers' else 'his' end);
update app.profiles set photo_asset_id = null;
select set_eq(
  'select tests.expired_objects()', array[tests.id('hers'), tests.id('his')],
  'an update of several profiles releases the photos of all'
);

rollback to empty;

-- require_asset accepts an asset of the caller for one of the purposes.
select tests.person('maya');
select tests.person('jonas');
select tests.asset('picture', 'maya');
select tests.asset('paper', 'maya', 'document');
select tests.asset('his face', 'jonas', 'profile_photo');
update app.profiles set photo_asset_id = tests.id('his face') where user_id = tests.id('jonas');

create function pg_temp.refusal(p_caller text, p_asset text, p_purposes app.upload_purpose[])
returns text
language sql
return tests.refusal_as(
  p_caller, format('select app.require_asset(%L, %L, %L)', tests.id(p_asset), p_purposes, '["assetIds", 3]')
);

select is(pg_temp.refusal(caller, asset, purposes::app.upload_purpose[]), expected, title)
from (
  values
    ('maya', 'picture', '{post_image}', null, 'require_asset accepts an asset of the caller for this purpose'),
    ('maya', 'paper', '{post_image,document}', null, 'require_asset accepts an asset of the caller for one of two purposes'),
    ('jonas', 'his face', '{profile_photo}', null, 'require_asset accepts a profile photo of the caller'),
    ('jonas', 'picture', '{post_image}', 'PT422 VALIDATION_FAILED', 'require_asset refuses a hidden asset of another user'),
    ('maya', 'his face', '{profile_photo}', 'PT422 VALIDATION_FAILED', 'require_asset refuses a visible asset of another user'),
    ('maya', 'nothing', '{post_image}', 'PT422 VALIDATION_FAILED', 'require_asset refuses an unknown asset'),
    ('maya', null, '{post_image}', 'PT422 VALIDATION_FAILED', 'require_asset refuses a null asset')
) as c (caller, asset, purposes, expected, title);
select tests.authenticate_as('maya');
select is(
  tests.error_of(format('select app.require_asset(%L, %L, %L)', tests.id('paper'), '{post_image}', '["assetIds", 3]')), '{
    "state": "PT422", "code": "VALIDATION_FAILED", "details": {"issues": [
      {"path": ["assetIds", 3], "code": "unknown_asset", "message": "Not a completed upload of yours for this purpose."}
    ]}
  }',
  'require_asset refuses an asset for another purpose and names the argument'
);

select * from finish();
rollback;
