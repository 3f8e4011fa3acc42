begin;
select plan(53);
savepoint empty;

-- admin_hubs shows everybody of which Hubs a user is an admin (docs/product.md P6).
select tests.elm();
select tests.hub('ash', 'lena');
select tests.asset('photo', 'lena', 'hub_photo');
update app.hubs set photo_asset_id = tests.id('photo') where id = tests.id('ash');

create function pg_temp.expected(p_name text, p_photo text)
returns jsonb
language sql
return jsonb_build_array(jsonb_build_object(
  'id', tests.id(p_name), 'name', p_name, 'profilePhotoUrl', '/storage/v1/object/public/photos/' || tests.id(p_photo)
));

select tests.authenticate_as_guest();
select is(app.admin_hubs(tests.id(name)), expected, title)
from (
  values
    ('lena', pg_temp.expected('ash', 'photo'), 'admin_hubs shows a guest a Hub with its photo'),
    ('amara', pg_temp.expected('elm', null), 'admin_hubs shows only Hubs of this admin'),
    ('maya', '[]', 'admin_hubs omits Hubs of which the user is a manager'),
    ('jonas', '[]', 'admin_hubs omits Hubs of which the user is a member')
) as c (name, expected, title);
reset role;
select tests.hub('hub ' || n, 'lena') from generate_series(1, 4) as n;
select tests.disable_index_scans();
create temporary table by_id as
select array_agg(m.hub_id order by m.hub_id) as ids from app.memberships as m where m.user_id = tests.id('lena');
update app.memberships set joined_at = app.now() - interval '1 day' from by_id where hub_id = ids[5];
select is(
  tests.item_ids(jsonb_build_object('items', api.get_profile(tests.user_args('lena')) -> 'adminHubs')),
  ids[5] || ids[:4],
  'get_profile lists admin_hubs by the time of joining, then by id'
)
from by_id;

rollback to empty;

-- comment_count counts comments that are not deleted.
select tests.person(name, 3) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.post('trams', 'lena');
select tests.comment('root', 'jonas', 'trams');
select tests.comment('reply', 'jonas', 'trams', 'root');
select tests.comment('hers', 'maya', 'trams', 'root');
select tests.comment('deleted', 'maya', 'trams', 'root');
select app.delete_comment(tests.id('deleted'));
select tests.block('lena', 'maya');

select tests.authenticate_as('maya');
select is(
  app.comment_count(tests.id('jonas')), 2::bigint,
  'comment_count counts comments and replies, even under the post of a hidden user'
);
select tests.authenticate_as_guest();
select is(app.comment_count(tests.id('maya')), 1::bigint, 'comment_count omits comments that are deleted');
select is(app.comment_count(tests.id('lena')), 0::bigint, 'comment_count is 0 for a user without comments');

rollback to empty;

-- get_profile and get_profile_by_username find users whom the caller sees (docs/product.md P8, P18).
select tests.person('maya');
select tests.person('jonas');
select tests.person('nameless', 1);
select tests.block('maya', 'jonas');

create function pg_temp.refusals(p_caller text, p_user text)
returns text[]
language sql
return array[
  tests.refusal_as(p_caller, format('select api.get_profile(tests.user_args(%L))', p_user)),
  tests.refusal_as(p_caller, format('select api.get_profile_by_username(%L)', jsonb_build_object('username', p_user)))
];

select tests.authenticate_as_guest();
select is(
  api.get_profile_by_username('{"username": "maya"}'), api.get_profile(tests.user_args('maya')),
  'a guest finds a user by username and by id'
);
reset role;
select is(pg_temp.refusals(caller, person), array['PT404 USER_NOT_FOUND', 'PT404 USER_NOT_FOUND'], title)
from (
  values
    (null, 'nobody', 'a guest cannot find the profile of an unknown user'),
    (null, 'nameless', 'a guest cannot find the profile of a user who has none'),
    ('jonas', 'maya', 'a blocked user cannot find the profile of the blocker')
) as c (caller, person, title);
select tests.authenticate_as('maya');
select is(
  array[
    api.get_profile(tests.user_args('jonas')) #> '{viewer,blocking}',
    api.get_profile_by_username('{"username": "jonas"}') #> '{viewer,blocking}',
    api.get_profile(tests.user_args('maya')) #> '{viewer,blocking}'
  ],
  array['true', 'true', 'false']::jsonb[], 'a caller finds a user whom they block, and themselves'
);

rollback to empty;

-- own_profile adds to the public profile what only its owner sees (docs/product.md P9).
select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.slider('trams', 'maya');
select tests.vote('jonas', 'trams', 'left');

select tests.authenticate_as('maya');
select is(
  app.own_profile(),
  app.public_profile(tests.id('maya')) || jsonb_build_object(
    'fullName', 'Maya', 'phoneNumber', tests.phone_of('maya'), 'level', 3, 'createdAt', app.iso(app.now()),
    'editable', '{"fullName": "Maya", "username": "maya", "bio": null, "profileAssetId": null}'::jsonb
  ),
  'own_profile adds name, phone, level, time of registration and editable values to public_profile'
);
select is(
  app.own_profile() -> 'activity', '{"posts": 1, "votes": 0, "reposts": 0, "comments": 0}',
  'own_profile counts the activity of the caller alone'
);

rollback to empty;

-- get_own_profile accepts an anonymous user.
select tests.person('nameless', 1);
select tests.authenticate_as('nameless');
select is(
  api.get_own_profile('{}') @> jsonb_build_object(
    'id', tests.id('nameless'), 'isAnonymous', true,
    'editable', '{"fullName": null, "username": null, "bio": null, "profileAssetId": null}'::jsonb
  ),
  true,
  'get_own_profile accepts a user without a profile, whose values are null'
);

rollback to empty;

-- photo_url prefixes an asset with the URL of the storage, or with a path for callers of the Data API.
select is(
  set_config('opine.photos_url', setting, true) || app.photo_url(tests.id('photo')),
  setting || prefix || tests.id('photo'), title
)
from (
  values
    (
      'https://storage.example/photos/', 'https://storage.example/photos/',
      'photo_url uses the storage URL of the service'
    ),
    ('', '/storage/v1/object/public/photos/', 'photo_url returns a path where the storage URL is empty')
) as c (setting, prefix, title);

rollback to empty;

-- public_profile shows what the caller may see of a user (docs/product.md P6).
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
select is(
  app.public_profile(tests.id('maya')), pg_temp.expected(1, 1, null),
  'public_profile shows a guest public fields and counts public posts'
);
select tests.authenticate_as('jonas');
select is(
  app.public_profile(tests.id('maya')),
  pg_temp.expected(1, 1, '{"follows": false, "followedBy": true, "blocking": false, "publicPostsMuted": false}'),
  'public_profile shows a member their relation to the user as well'
);
select tests.authenticate_as('maya');
select is(
  app.public_profile(tests.id('maya')),
  pg_temp.expected(2, 2, '{"follows": false, "followedBy": false, "blocking": false, "publicPostsMuted": false}'),
  'public_profile counts private posts for their author'
);

rollback to empty;

-- update_hub_profile changes the fields that a request names (docs/product.md P12).
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
select is(
  api.get_hub_profile('{}'), pg_temp.expected('{}'),
  'get_hub_profile shows the public name and no photo before the user chooses'
);
select is(
  api.update_hub_profile(jsonb_build_object('profileAssetId', tests.id('photo'))),
  pg_temp.expected(pg_temp.with_photo()),
  'update_hub_profile sets a photo without a name'
);
select is(
  api.update_hub_profile('{"displayName": "May"}'), pg_temp.expected(pg_temp.with_photo() || '{"displayName": "May"}'),
  'update_hub_profile sets a name and keeps the photo'
);
select is(
  api.update_hub_profile('{"profileAssetId": null}'), pg_temp.expected('{"displayName": "May"}'),
  'update_hub_profile removes the photo for null and keeps the name'
);
select api.update_hub_profile('{"displayName": "Em"}');
select is(
  api.get_hub_profile('{}'), pg_temp.expected('{"displayName": "Em"}'),
  'update_hub_profile changes a name that the user chose'
);
update app.profiles set photo_asset_id = tests.id('public photo');
select is(api.get_hub_profile('{}') -> 'profilePhotoUrl', 'null', 'get_hub_profile does not show the public photo');
select results_eq(
  'select full_name, photo_asset_id from app.profiles', $$ values ('Maya', tests.id('public photo')) $$,
  'update_hub_profile leaves the public profile as it is'
);

rollback to empty;

-- get_hub_profile and update_hub_profile require level 4.
select tests.person('maya', 3);
select tests.person('lena', 4);
select tests.person('jonas', 4);
select tests.asset('his photo', 'jonas', 'profile_photo');

select is(tests.refusal_as(caller, format('select api.%I(%L)', operation, '{"displayName": "May"}')), expected, title)
from (
  values
    ('maya', 'update_hub_profile', 'PT403 FORBIDDEN', 'a user of level 3 cannot call update_hub_profile'),
    ('maya', 'get_hub_profile', 'PT403 FORBIDDEN', 'a user of level 3 cannot call get_hub_profile')
) as c (caller, operation, expected, title);
select tests.authenticate_as('lena');
select is(
  tests.error_of($$ select api.update_hub_profile(jsonb_build_object('profileAssetId', tests.id('his photo'))) $$)
    #> '{details,issues,0,path}',
  '["profileAssetId"]', 'update_hub_profile refuses the photo of another user'
);
reset role;
select is_empty('select from app.hub_profiles', 'a refused update_hub_profile creates no Hub profile');

rollback to empty;

-- update_own_profile changes the fields that a request names (docs/product.md P9).
select tests.person('maya', 2);
select tests.person('jonas', 2);
select tests.asset('photo', 'maya', 'profile_photo');

create function pg_temp.change(p_args jsonb)
returns jsonb
language sql
return (
  select jsonb_build_array(e -> 'fullName', e -> 'username', e -> 'bio', e -> 'profileAssetId')
  from (select api.update_own_profile(p_args) -> 'editable' as e) as answer
);

select tests.authenticate_as('maya');
select is(pg_temp.change(args), expected, title)
from (
  values
    (
      '{"fullName": "Maya L"}'::jsonb, '["Maya L", "maya", null, null]'::jsonb,
      'update_own_profile changes the full name alone'
    ),
    ('{"username": "maya_l"}', '["Maya L", "maya_l", null, null]', 'update_own_profile changes the username alone'),
    ('{"bio": "Trams"}', '["Maya L", "maya_l", "Trams", null]', 'update_own_profile changes the bio alone'),
    (
      jsonb_build_object('profileAssetId', tests.id('photo')),
      jsonb_build_array('Maya L', 'maya_l', 'Trams', tests.id('photo')),
      'update_own_profile changes the photo alone'
    ),
    (
      '{"bio": null}', jsonb_build_array('Maya L', 'maya_l', null, tests.id('photo')),
      'update_own_profile clears the bio for null'
    ),
    (
      '{"bio": "Bikes", "profileAssetId": null}', '["Maya L", "maya_l", "Bikes", null]',
      'update_own_profile removes the photo for null'
    ),
    ('{"bio": ""}', '["Maya L", "maya_l", null, null]', 'update_own_profile clears the bio for an empty text')
) as c (args, expected, title);
select results_eq(
  $$ select username collate "default", full_name, bio from app.profiles where user_id = tests.id('jonas') $$,
  $$ values ('jonas', 'Jonas', null::text) $$, 'update_own_profile leaves the profiles of other users'
);

rollback to empty;

-- update_own_profile refuses values that the caller cannot have.
select tests.person('nameless', 1);
select tests.person('maya', 2);
select tests.person('jonas', 2);
select tests.asset('his photo', 'jonas', 'profile_photo');

create function pg_temp.error(p_args jsonb)
returns jsonb
language sql
return tests.error_of(format('select api.update_own_profile(%L)', p_args));

select tests.authenticate_as('maya');
select is(tests.violation_of(format('select api.update_own_profile(%L)', args)), violated, title)
from (
  values
    ('{"username": "jonas"}', 'profiles_username_key', 'update_own_profile refuses the username of another user'),
    ('{"username": "admin"}', 'profiles_username_is_not_reserved', 'update_own_profile refuses a reserved username')
) as c (args, violated, title);
select is(
  pg_temp.error(jsonb_build_object('profileAssetId', tests.id('his photo'))) #>> '{details,issues,0,code}',
  'unknown_asset',
  'update_own_profile refuses the photo of another user'
);
select is(bio, null, 'a refused update_own_profile changes nothing') from app.profiles where user_id = tests.id('maya');
select tests.authenticate_as('nameless');
select is(
  pg_temp.error('{"bio": "Hello"}') #>> '{details,requiredLevel}', '2',
  'a user without a profile cannot call update_own_profile'
);

rollback to empty;

-- user_lite shows a user in a list (docs/product.md P5).
select tests.person('maya');
select is(
  app.user_lite(p),
  jsonb_build_object(
    'id', tests.id('maya'), 'username', 'maya', 'name', 'Maya', 'profilePhotoUrl', null, 'isAnonymous', false
  ),
  'user_lite shows the username and the name of a registered user'
)
from app.profiles as p;
select is(
  app.user_lite(null), '{"id": "", "username": "", "name": "", "profilePhotoUrl": null, "isAnonymous": true}',
  'user_lite shows empty texts for a deleted account'
);

rollback to empty;

-- vote_count shows other users a vote 30 minutes after the half hour of the vote (docs/product.md P7, V15).
select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
-- The clock starts at a whole half hour, so that the test does not depend on the time of day.
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

select is(pg_temp.seen_at('0'), 0::bigint, 'vote_count hides a vote from a guest at first');
select is(
  pg_temp.seen_at('59 minutes 59 seconds'), 0::bigint, 'vote_count hides a vote until 30 minutes after its half hour'
);
select is(pg_temp.seen_at('1 hour'), 2::bigint, 'vote_count shows all votes of a half hour 30 minutes after it');
reset role;
select app.set_clock_offset(half_hour - now()) from begun;
select tests.authenticate_as('jonas');
select is(app.vote_count(tests.id(voter)), expected, title)
from (
  values
    ('jonas', 2::bigint, 'vote_count shows voters their own votes at once'),
    ('maya', 1, 'vote_count shows old votes of another user'),
    ('nobody', 0, 'vote_count is 0 for a user without votes')
) as c (voter, expected, title);

select * from finish();
rollback;
