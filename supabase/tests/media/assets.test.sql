begin;
select plan(49);
savepoint empty;

-- get_download_url: is for whoever sees the asset
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
  'its owner gets it for five minutes'
);
select is(pg_temp.download('face') - 'expiresAt', '{"bucket": "photos", "fileName": null}', 'a picture is no file with a name');
select tests.authenticate_as('jonas');
select is(
  tests.error_of($$ select pg_temp.download('paper') $$), '{"state": "PT404", "code": "ASSET_NOT_FOUND", "details": null}',
  'for others it is not there'
);
select is(tests.error_of($$ select pg_temp.download('nothing') $$) ->> 'code', 'ASSET_NOT_FOUND', 'as what is not');
reset role;
select tests.illustrated_post('minutes', 'maya', 'paper');
select tests.authenticate_as('jonas');
select is(pg_temp.download('paper') ->> 'fileName', 'minutes.pdf', 'unless a post shows it to them');
reset role;
select tests.block('maya', 'jonas');
select tests.authenticate_as('jonas');
select is(tests.error_of($$ select pg_temp.download('paper') $$) ->> 'code', 'ASSET_NOT_FOUND', 'which ends with a block');
select tests.authenticate_as_guest();
select throws_ok($$ select api.get_download_url('{}') $$, '42501', null, 'a guest gets none');
reset role;
delete from app.sessions;
set local role authenticated;
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
select throws_ok($$ select pg_temp.download('paper') $$, 'PT401', 'UNAUTHORIZED', 'nor does a dead session');

rollback to empty;

-- owns_asset: keeps others assets from use
select tests.person(name, 4) from unnest(array['maya', 'jonas']) as name;
select tests.asset('her document', 'maya', 'document');
select tests.asset('her photo', 'maya', 'profile_photo');
select tests.article('his', 'jonas');

select tests.authenticate_as('jonas');
select throws_ok(
  $$ select tests.illustrate('his', 'her document') $$, '42501', null, 'nobody shows another''s document in an article of their own'
);
select throws_ok(
  $$ update app.profiles set photo_asset_id = tests.id('her photo') where user_id = tests.id('jonas') $$, '42501', null,
  'nor another''s photo in their profile'
);
select throws_ok(
  $$ insert into app.hub_profiles (user_id, photo_asset_id) values (tests.id('jonas'), tests.id('her photo')) $$, '42501', null,
  'nor in their Hub profile'
);
insert into app.hub_profiles (user_id) values (tests.id('jonas'));
select throws_ok(
  $$ update app.hub_profiles set photo_asset_id = tests.id('her photo') where user_id = tests.id('jonas') $$, '42501', null,
  'which they cannot change to it either'
);
select is_empty('select from app.assets', 'and so sees nothing of them');

rollback to empty;

-- release_assets: goes with the last article
select tests.person('maya', 3);
select tests.asset(name, 'maya') from unnest(array['shared', 'one''s', 'other''s', 'face too', 'loose']) as name;
select tests.asset('paper', 'maya', 'document');
update app.profiles set photo_asset_id = tests.id('face too');
select tests.illustrated_post('one', 'maya', 'shared', 'one''s', 'paper', 'face too');
select tests.illustrated_post('other', 'maya', 'other''s', 'shared');

select tests.authenticate_as('maya');
select api.delete_post(tests.arguments('one'));
reset role;
select set_eq(
  'select tests.to_be_removed()', array[tests.id('one''s'), tests.id('paper')], 'media of a deleted post go, but for what another post or a profile shows'
);
select set_eq(
  'select id from app.assets', array[tests.id('shared'), tests.id('other''s'), tests.id('face too'), tests.id('loose')], 'and nothing else'
);
update app.profiles set photo_asset_id = null;
select set_eq(
  'select id from app.assets', array[tests.id('shared'), tests.id('other''s'), tests.id('loose')], 'the photo goes when no profile shows it either'
);
update app.profiles set photo_asset_id = tests.id('other''s');
update app.profiles set photo_asset_id = null;
select set_eq(
  'select id from app.assets', array[tests.id('shared'), tests.id('other''s'), tests.id('loose')], 'and stays as long as an article does'
);
delete from app.posts;
select is(count(*)::integer, 3, 'an article that no post shows keeps its media') from app.assets;
delete from app.articles;
select set_eq('select id from app.assets', array[tests.id('loose')], 'with the last article all of them go');

rollback to empty;

-- release_assets: keeps a photo that is shown elsewhere
select tests.person('maya', 4);
select tests.asset('face', 'maya', 'profile_photo');
select tests.asset('next', 'maya', 'profile_photo');

create function pg_temp.wear(p_public text, p_in_hubs text)
returns void
language sql
as $$
  insert into app.hub_profiles (user_id) values (tests.id('maya')) on conflict do nothing;
  update app.hub_profiles set photo_asset_id = tests.id(p_in_hubs);
  update app.profiles set photo_asset_id = tests.id(p_public);
$$;

select pg_temp.wear('face', 'face');
update app.profiles set photo_asset_id = null;
select is_empty('select tests.to_be_removed()', 'the public profile lets go of a photo that the Hub profile shows');
select pg_temp.wear('face', 'face');
update app.hub_profiles set photo_asset_id = null;
select is_empty('select tests.to_be_removed()', 'and the other way round');
select pg_temp.wear('next', 'next');
select set_eq('select tests.to_be_removed()', array[tests.id('face')], 'what neither shows any more goes');
delete from app.profiles;
select set_eq('select tests.to_be_removed()', array[tests.id('face')], 'a profile that goes leaves what the other shows');
delete from app.hub_profiles;
select set_eq('select tests.to_be_removed()', array[tests.id('face'), tests.id('next')], 'and the other takes it along');
select is_empty('select from app.assets', 'then there is none');

rollback to empty;

-- release_assets: keeps what hubs show
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
select is_empty('select tests.to_be_removed()', 'what one Hub lets go of and another shows stays');
select pg_temp.show(null, 'photo', 'photo', null);
update app.hubs set photo_asset_id = null;
select is_empty('select tests.to_be_removed()', 'as does what a message shows');
select pg_temp.show('photo', null, 'photo', 'photo');
update app.messages set asset_id = null;
update app.profiles set photo_asset_id = null;
select is_empty('select tests.to_be_removed()', 'and what a Hub shows that others let go of');
update app.hubs set photo_asset_id = null;
select set_eq('select tests.to_be_removed()', tests.ids('photo'), 'at last it goes');

rollback to empty;

-- release_assets: lets a hub photo go
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
select is_empty('select tests.to_be_removed()', 'chosen again it stays');
select pg_temp.choose('second');
select set_eq('select tests.to_be_removed()', array[tests.id('first')], 'replaced it goes');
select pg_temp.choose(null);
select set_eq('select tests.to_be_removed()', array[tests.id('first'), tests.id('second')], 'as it does when it is removed');

rollback to empty;

-- release_assets: lets a replaced photo go
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
select is_empty('select tests.to_be_removed()', 'where there was none, none goes');
select pg_temp.choose('first');
select is_empty('select tests.to_be_removed()', 'nor where it is the same again');
select pg_temp.choose('second');
select set_eq('select tests.to_be_removed()', array[tests.id('first')], 'one that is replaced goes, by the worker');
select is_empty('select from app.uploads', 'with what it came by');
select set_eq(
  'select id from app.assets', array[tests.id('second'), tests.id('unused'), tests.id('his')], 'the others stay, used or not'
);
select pg_temp.choose(null);
select set_eq('select tests.to_be_removed()', array[tests.id('first'), tests.id('second')], 'one that is removed goes');
update app.profiles set bio = 'New';
select set_eq('select id from app.assets', array[tests.id('unused'), tests.id('his')], 'other changes let none go');

rollback to empty;

-- release_assets: looks at every row
select tests.person(name) from unnest(array['maya', 'jonas']) as name;
select tests.asset('hers', 'maya', 'profile_photo');
select tests.asset('his', 'jonas', 'profile_photo');
update app.profiles set photo_asset_id = tests.id(case username when 'maya' then 'hers' else 'his' end);
update app.profiles set photo_asset_id = null;
select set_eq('select tests.to_be_removed()', array[tests.id('hers'), tests.id('his')], 'many rows in one statement let go of each of theirs');
select is_empty($$ select tests.who_may('select app.release_assets()') $$, 'no role calls it');

rollback to empty;

-- require_asset: is ones own for the purpose
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

select tests.authenticate_as('maya');
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
select tests.authenticate_as('jonas');
select is(pg_temp.error('his face', 'profile_photo'), null, 'its owner may use it');
select is(pg_temp.error('picture', 'post_image') ->> 'code', 'VALIDATION_FAILED', 'and none of others');

select * from finish();
rollback;
