begin;
select plan(83);
savepoint empty;

-- admin_hubs: are in the order of joining
select tests.person('maya', 4);
select tests.hub('hub ' || n, 'maya') from generate_series(1, 6) as n;
select tests.without_indexes();

create function pg_temp.hubs()
returns uuid[]
language sql
return tests.listed(jsonb_build_object('items', app.admin_hubs(tests.id('maya'))));

create temporary table by_id as select array(select h.id from app.hubs as h order by h.id) as ids;
select is(pg_temp.hubs(), ids, 'those of one moment in the order of their ids') from by_id;
update app.memberships set joined_at = app.now() - interval '1 day' from by_id where hub_id = ids[6];
select is(pg_temp.hubs(), ids[6] || ids[:5], 'the first first') from by_id;

rollback to empty;

-- admin_hubs: are public
select tests.elm();
select tests.hub('ash', 'lena');
select tests.asset('photo', 'lena', 'hub_photo');
update app.hubs set photo_asset_id = tests.id('photo') where id = tests.id('ash');

create function pg_temp.expected(p_name text, p_photo text)
returns jsonb
language sql
return jsonb_build_object('id', tests.id(p_name), 'name', p_name, 'profilePhotoUrl', '/storage/v1/object/public/photos/' || tests.id(p_photo));

select tests.authenticate_as_guest();
select is(app.admin_hubs(tests.id('lena')), jsonb_build_array(pg_temp.expected('ash', 'photo')), 'with their photos');
select is(app.admin_hubs(tests.id('amara')), jsonb_build_array(pg_temp.expected('elm', null)), 'each their own');
select is(app.admin_hubs(tests.id('maya')), '[]', 'a manager''s are not');
select is(app.admin_hubs(tests.id('jonas')), '[]', 'nor a member''s');
select is(api.get_profile(tests.user('amara')) -> 'adminHubs', app.admin_hubs(tests.id('amara')), 'profiles show them');

rollback to empty;

-- comment_count: is of those that are there
select tests.person(name, 3) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.post('trams', 'lena');
select tests.comment('root', 'jonas', 'trams');
select tests.comment('reply', 'jonas', 'trams', 'root');
select tests.comment('hers', 'maya', 'trams', 'root');
select tests.comment('deleted', 'maya', 'trams', 'root');
select app.erase_comment(tests.id('deleted'));
select tests.block('lena', 'maya');

select tests.authenticate_as('maya');
select is(app.comment_count(tests.id('jonas')), 2::bigint, 'comments and replies, wherever they are');
select tests.authenticate_as_guest();
select is(app.comment_count(tests.id('maya')), 1::bigint, 'but for those that are gone');
select is(app.comment_count(tests.id('lena')), 0::bigint, 'who has said nothing has none');
reset role;
select set_eq($$ select tests.who_may('select app.comment_count(null)') $$, array['anon', 'authenticated'], 'profiles tell it to everybody');

rollback to empty;

-- get_own_profile: is for who has a session
select tests.person('guest', 1);
select tests.authenticate_as('guest');
select is(api.get_own_profile('{}') ->> 'id', tests.id('guest')::text, 'who has no profile has an own one');
reset role;
delete from app.sessions;
set local role authenticated;
select throws_ok($$ select api.get_own_profile('{}') $$, 'PT401', 'UNAUTHORIZED', 'a dead session has none');

rollback to empty;

-- get_profile: is of whom the caller sees
select tests.person('maya');
select tests.person('jonas');
select tests.person('nameless', 1);
select tests.block('maya', 'jonas');

create function pg_temp.code(p_name text)
returns text[]
language sql
return array[
  tests.error_of(format('select api.get_profile(tests.user(%L))', p_name)) ->> 'code',
  tests.error_of(format('select api.get_profile_by_username(%L)', jsonb_build_object('username', p_name))) ->> 'code'
];

select tests.authenticate_as_guest();
select is(api.get_profile(tests.user('maya')) ->> 'username', 'maya', 'a guest sees a person by id');
select is(api.get_profile_by_username('{"username": "maya"}') ->> 'id', tests.id('maya')::text, 'and by username');
select is(pg_temp.code('nobody'), '{USER_NOT_FOUND,USER_NOT_FOUND}', 'nobody is not found');
select is(pg_temp.code('nameless'), '{USER_NOT_FOUND,USER_NOT_FOUND}', 'nor who has no profile');
select tests.authenticate_as('jonas');
select is(pg_temp.code('maya'), '{USER_NOT_FOUND,USER_NOT_FOUND}', 'nor who has blocked the caller');
select tests.authenticate_as('maya');
select is(api.get_profile(tests.user('jonas')) #> '{viewer,blocking}', 'true', 'who has blocked sees whom');
select is(api.get_profile_by_username('{"username": "jonas"}') #> '{viewer,blocking}', 'true', 'by username, too');
select is(api.get_profile(tests.user('maya')) -> 'viewer' -> 'blocking', 'false', 'and oneself');

rollback to empty;

-- own_profile: is the callers
select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.slider('trams', 'maya');
select tests.vote('jonas', 'trams', 'left');

select tests.authenticate_as('maya');
create temporary table profiles as select app.own_profile() as profile;
select is(profile ->> 'username', 'maya', 'one sees one''s own profile') from profiles;
select is(profile ->> 'phoneNumber', tests.phone_of('maya'), 'with the phone number') from profiles;
select is(
  profile -> 'editable', '{"fullName": "Maya", "username": "maya", "bio": null, "profileAssetId": null}', 'and what one may edit'
)
from profiles;
select is(
  (profile -> 'activity') - 'reposts' - 'comments', '{"posts": 1, "votes": 0}', 'and counts what one did oneself'
)
from profiles;
select set_eq(
  'select jsonb_object_keys(profile) from profiles',
  $$
    select jsonb_object_keys(app.public_profile(tests.id('maya')))
    union
    select unnest(array['fullName', 'phoneNumber', 'level', 'createdAt', 'editable'])
  $$,
  'besides what others see'
);
select is(
  profile -> 'level' || jsonb_build_array(profile -> 'fullName', profile -> 'createdAt'),
  jsonb_build_array(3, 'Maya', app.iso(app.now())), 'with how far one has come, and since when'
)
from profiles;

rollback to empty;

-- own_profile: of an anonymous user
select tests.person('guest', 1);
select tests.authenticate_as('guest');
select is(
  app.own_profile() #> '{editable}' || jsonb_build_object('isAnonymous', app.own_profile() -> 'isAnonymous'),
  '{"fullName": null, "username": null, "bio": null, "profileAssetId": null, "isAnonymous": true}',
  'who has not registered has a profile without values'
);

rollback to empty;

-- photo_or: is the one that is chosen
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

select tests.authenticate_as('maya');
select is(app.photo_or(tests.id('present'), '{"bio": null}'), tests.id('present'), 'who does not speak of it keeps it');
select is(app.photo_or(null, '{}'), null, 'or goes without');
select is(app.photo_or(tests.id('present'), '{"profileAssetId": null}'), null, 'null removes it');
select is(pg_temp.choose('photo'), tests.id('photo'), 'a profile photo of the caller''s is theirs to choose');
select is(
  tests.error_of($$ select pg_temp.choose('picture') $$) #> '{details,issues,0,path}', '["profileAssetId"]', 'another upload of theirs is none'
);
select is(tests.error_of($$ select pg_temp.choose('his') $$) ->> 'state', 'PT422', 'nor is what they see of somebody else');
select is(tests.error_of($$ select pg_temp.choose('nothing') $$) ->> 'state', 'PT422', 'nor what is not there');

rollback to empty;

-- photo_url: is below where storage is
select is(
  app.photo_url(tests.id('photo')), '/storage/v1/object/public/photos/' || tests.id('photo'), 'callers of the Data API get the path'
);
select is(app.photo_url(null), null, 'without a photo there is no URL');
select set_config('opine.photos_url', 'https://storage.example/photos/', true);
select is(app.photo_url(tests.id('photo')), 'https://storage.example/photos/' || tests.id('photo'), 'the service says where storage is');
select set_config('opine.photos_url', '', true);
select is(app.photo_url(tests.id('photo')), '/storage/v1/object/public/photos/' || tests.id('photo'), 'or nothing, and the path remains');

rollback to empty;

-- public_profile: counts followers
select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ann']) as name;
select tests.follow('jonas', 'maya');
select tests.follow('lena', 'maya');
select tests.follow('maya', 'lena');
select tests.authenticate_as_guest();
select is(app.public_profile(tests.id('maya')) -> 'counts', '{"followers": 2, "following": 1}', 'those who follow, and those followed');
select is(app.public_profile(tests.id('jonas')) -> 'counts', '{"followers": 0, "following": 1}', 'each on their side');
select is(app.public_profile(tests.id('ann')) -> 'counts', '{"followers": 0, "following": 0}', 'nobody is none');

rollback to empty;

-- public_profile: shows a person
select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.asset('photo', 'maya', 'profile_photo');
update app.profiles set bio = 'Trams', photo_asset_id = tests.id('photo') where user_id = tests.id('maya');
select tests.follow('maya', 'jonas');
select tests.post('public', 'maya');
select tests.post('locked', 'maya', 'private_locked_hub');
select tests.post('his', 'jonas');
select tests.repost('again', 'maya', 'his');
select tests.repost('privately', 'maya', 'his', 'private_locked_hub');
select tests.comment('hello', 'maya', 'his');
select tests.comment('hello too', 'jonas', 'public');

create function pg_temp.expected(p_posts integer, p_reposts integer, p_viewer jsonb)
returns jsonb
language sql
return jsonb_build_object(
  'id', tests.id('maya'), 'name', 'Maya', 'username', 'maya', 'bio', 'Trams',
  'profilePhotoUrl', '/storage/v1/object/public/photos/' || tests.id('photo'), 'isAnonymous', false,
  'counts', jsonb_build_object('followers', 0, 'following', 1),
  'activity', jsonb_build_object('posts', p_posts, 'reposts', p_reposts, 'comments', 1, 'votes', 0),
  'adminHubs', jsonb_build_array(), 'viewer', p_viewer
);

select tests.authenticate_as_guest();
select is(app.public_profile(tests.id('maya')), pg_temp.expected(1, 1, null), 'a guest sees this and no more, with the posts that are theirs to see');
select tests.authenticate_as('jonas');
select is(
  app.public_profile(tests.id('maya')),
  pg_temp.expected(1, 1, '{"follows": false, "followedBy": true, "blocking": false, "publicPostsMuted": false}'),
  'a member sees what is between the two as well'
);
select tests.authenticate_as('maya');
select is(
  app.public_profile(tests.id('maya')),
  pg_temp.expected(2, 2, '{"follows": false, "followedBy": false, "blocking": false, "publicPostsMuted": false}'),
  'and the person all of their posts'
);

rollback to empty;

-- update_hub_profile: changes what is given
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

select tests.authenticate_as('maya');
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

rollback to empty;

-- update_hub_profile: is for who may enter hubs
select tests.person('maya', 3);
select tests.person('lena', 4);
select tests.person('jonas', 4);
select tests.asset('his photo', 'jonas', 'profile_photo');

select tests.authenticate_as('maya');
select is(
  tests.error_of($$ select api.update_hub_profile('{"displayName": "May"}') $$) #>> '{details,requiredLevel}', '4', 'below level 4 nobody has one to change'
);
select is(tests.error_of($$ select api.get_hub_profile('{}') $$) #>> '{details,requiredLevel}', '4', 'or to see');
select tests.authenticate_as('lena');
select is(
  tests.error_of($$ select api.update_hub_profile(jsonb_build_object('profileAssetId', tests.id('his photo'))) $$) #> '{details,issues,0,path}',
  '["profileAssetId"]', 'the photo of somebody else is refused'
);
select is_empty('select from app.hub_profiles', 'and nothing is made');
select tests.authenticate_as_guest();
select throws_ok($$ select api.update_hub_profile('{}') $$, '42501', null, 'a guest has none to change');
select throws_ok($$ select api.get_hub_profile('{}') $$, '42501', null, 'or to see');

rollback to empty;

-- update_own_profile: changes what is given
select tests.person('maya', 2);
select tests.person('jonas', 2);
select tests.asset('photo', 'maya', 'profile_photo');

create function pg_temp.change(p_args jsonb)
returns jsonb
language sql
return api.update_own_profile(p_args) -> 'editable';

select tests.authenticate_as('maya');
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

rollback to empty;

-- update_own_profile: refuses
select tests.person('guest', 1);
select tests.person('maya', 2);
select tests.person('jonas', 2);
select tests.asset('his photo', 'jonas', 'profile_photo');

create function pg_temp.error(p_args jsonb)
returns jsonb
language sql
return tests.error_of(format('select api.update_own_profile(%L)', p_args));

select tests.authenticate_as('maya');
select is(tests.violation_of($$ select api.update_own_profile('{"username": "jonas"}') $$), 'profiles_username_key', 'the handle of somebody else');
select is(tests.violation_of($$ select api.update_own_profile('{"username": "admin"}') $$), 'profiles_username_is_not_reserved', 'a reserved one');
select is(
  pg_temp.error(jsonb_build_object('profileAssetId', tests.id('his photo'))) #>> '{details,issues,0,code}', 'unknown_asset', 'the photo of somebody else'
);
select is(
  pg_temp.error(jsonb_build_object('bio', repeat('b', 161))) ->> 'state', '23514', 'a long bio'
);
select is(bio, null, 'and what is refused changes nothing') from app.profiles where user_id = tests.id('maya');
select tests.authenticate_as('guest');
select is(pg_temp.error('{"bio": "Hello"}') #>> '{details,requiredLevel}', '2', 'who has no profile has nothing to change');
select tests.authenticate_as_guest();
select throws_ok($$ select api.update_own_profile('{}') $$, '42501', null, 'nor has a guest');

rollback to empty;

-- user_lite: shows a person
select tests.person('maya');
select is(
  app.user_lite(p),
  jsonb_build_object('id', tests.id('maya'), 'username', 'maya', 'name', 'Maya', 'profilePhotoUrl', null, 'isAnonymous', false),
  'a registered person by handle and name'
)
from app.profiles as p;
select is(
  app.user_lite(null), '{"id": "", "username": "", "name": "", "profilePhotoUrl": null, "isAnonymous": true}',
  'an ended account by nothing'
);

rollback to empty;

-- vote_count: tells others half an hour later
select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
-- A whole half hour of the clock, so that the test means the same at any time of the day.
select app.set_clock_offset(date_bin('30 minutes', now(), 'epoch') + interval '1 hour' - now());
create temporary table begun as select app.now() as half_hour;
grant select on begun to public;

create function pg_temp.seen_at(p_later interval)
returns bigint
language plpgsql
as $$
begin
  perform set_config('role', 'none', true);
  perform app.set_clock_offset((select half_hour from begun) - now() + p_later);
  perform tests.authenticate_as_guest();
  return app.vote_count(tests.id('jonas'));
end
$$;

insert into app.vote_receipts (post_id, user_id, voted_at)
select tests.id('trams'), tests.id('jonas'), half_hour from begun
union all
select tests.id('bikes'), tests.id('jonas'), half_hour + interval '29 minutes' from begun;
insert into app.vote_receipts (post_id, user_id, voted_at) select tests.id('bikes'), tests.id('maya'), 'epoch';

select is(pg_temp.seen_at('0'), 0::bigint, 'at once nobody learns of a vote');
select is(pg_temp.seen_at('59 minutes 59 seconds'), 0::bigint, 'nor later, as long as others may have come in its half hour');
select is(pg_temp.seen_at('1 hour'), 2::bigint, 'half an hour after that they count, all at once');
reset role;
select app.set_clock_offset(half_hour - now()) from begun;
select tests.authenticate_as('jonas');
select is(app.vote_count(tests.id('jonas')), 2::bigint, 'the voter counts along');
select is(app.vote_count(tests.id('maya')), 1::bigint, 'what is old counts for everybody');
select is(app.vote_count(tests.id('nobody')), 0::bigint, 'who has not voted has none');
reset role;
select set_eq(
  $$ select tests.who_may('select app.vote_count(null)') $$, array['anon', 'authenticated'], 'profiles tell it to everybody'
);

select * from finish();
rollback;
