begin;
select plan(52);
savepoint empty;

-- The policy on app.assets: what Hubs and messages show (docs/product.md M9, M13).
select tests.elm();
select tests.asset('photo', 'amara', 'hub_photo');
select tests.asset('picture', 'jonas');
select tests.asset('loose', 'amara');
select tests.discussion('trams', 'jonas', 'elm');
select tests.message('message', 'jonas', 'trams in elm');
update app.messages set asset_id = tests.id('picture');
update app.hubs set photo_asset_id = tests.id('photo');

create function pg_temp.seen(p_caller text)
returns jsonb
language sql
return tests.value_as(p_caller, $$
  array(
    select name from unnest(array['loose', 'photo', 'picture']) as name join app.assets as a on a.id = tests.id(name)
  )
$$);

select is(pg_temp.seen(caller), expected::jsonb, title)
from (
  values
    ('maya', '["photo", "picture"]', 'a member of a Hub reads its photo and assets of its messages'),
    ('lena', '["photo"]', 'a non-member reads only the photo of a Hub'),
    (null, '["photo"]', 'a guest reads only the photo of a Hub')
) as c (caller, expected, title);
select tests.close_hub('elm');
select is(pg_temp.seen(caller), '[]', title)
from (
  values
    (null, 'a guest cannot read the photo of a closed Hub'),
    ('maya', 'a former member cannot read assets of a closed Hub')
) as c (caller, title);

rollback to empty;

-- The policy on app.assets: what profiles, posts and comments show (docs/product.md M9, M13).
select tests.person(name, 4) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.asset('loose', 'maya');
select tests.asset('face', 'maya', 'profile_photo');
select tests.asset('hub face', 'maya', 'profile_photo');
select tests.asset('in public', 'maya');
select tests.asset('locked', 'maya');
select tests.asset('in a draft', 'maya');
update app.profiles set photo_asset_id = tests.id('face') where user_id = tests.id('maya');
insert into app.hub_profiles (user_id, photo_asset_id) values (tests.id('maya'), tests.id('hub face'));
select tests.post_with_media('public post', 'maya', 'in public');
select tests.post_with_media('locked post', 'maya', 'locked');
update app.posts set visibility = 'private_locked_hub' where id = tests.id('locked post');
select tests.article('draft', 'maya');
select tests.add_article_media('draft', 'in a draft');

create function pg_temp.seen(p_caller text)
returns text[]
language sql
return array(select jsonb_array_elements_text(tests.value_as(p_caller, $$
  array(
    select name
    from unnest(
      array['loose', 'face', 'hub face', 'in public', 'locked', 'in a draft']
    ) with ordinality as asset (name, place)
    join app.assets as a on a.id = tests.id(name)
    order by place
  )
$$)));

select is(pg_temp.seen(caller), expected, title)
from (
  values
    (null, '{face,in public}'::text[], 'a guest reads assets that a public post or a profile shows'),
    ('jonas', '{face,in public}', 'a member reads assets that a public post or a profile shows'),
    ('maya', '{loose,face,hub face,in public,locked,in a draft}', 'an owner reads all of their assets')
) as c (caller, expected, title);
select tests.block('maya', 'jonas');
select tests.block('lena', 'maya');
select is(pg_temp.seen(caller), expected, title)
from (
  values
    ('jonas', '{}'::text[], 'a blocked user cannot read assets of the blocker'),
    ('lena', '{face}', 'a blocker reads the profile photo of the blocked user and no asset of a post'),
    (null, '{face,in public}', 'a block does not hide assets from a guest')
) as c (caller, expected, title);
delete from app.posts;
update app.profiles set photo_asset_id = null;
select is(pg_temp.seen(null), '{}', 'a guest cannot read assets that nothing shows any more');
select tests.post('trams', 'lena');
select tests.comment('hello', 'maya', 'trams');
update app.comments set asset_id = tests.id('loose');
select is(pg_temp.seen(null), '{loose}', 'a guest reads an asset of a comment on a public post');

rollback to empty;

-- Constraints on app.assets.
select tests.person('maya', 1);
select tests.stored_object('object', 'maya');

create function pg_temp.violation(p_id text, p_checksum bytea, p_width integer, p_height integer)
returns text
language sql
return tests.violation_of(format(
  'insert into app.assets (id, owner_id, purpose, content_type, size_bytes, checksum, width, height)
  values (%L, %L, %L, %L, 1, %L, %L, %L)',
  tests.id(p_id), tests.id('maya'), 'post_image', 'image/png', p_checksum, p_width, p_height
));

select is(pg_temp.violation(id, checksum, width, height), violated, title)
from (
  values
    ('nothing', tests.hash('file'), 1, 1, 'assets_id_fkey', 'an asset has a stored object'),
    ('object', '\x00', 1, 1, 'assets_checksum_is_sha256', 'the checksum of an asset has the length of SHA-256'),
    ('object', tests.hash('file'), 1, null, 'assets_have_both_sides', 'an asset with a width has a height'),
    ('object', tests.hash('file'), null, 1, 'assets_have_both_sides', 'an asset with a height has a width'),
    ('object', tests.hash('file'), null, null, null, 'an asset can have neither width nor height')
) as c (id, checksum, width, height, violated, title);

rollback to empty;

-- Constraints on app.stored_objects.
select tests.person('maya');
select tests.asset('photo', 'maya', 'profile_photo');
select is(tests.violation_of(statement), violated, title)
from (
  values
    (
      $$ insert into app.stored_objects (id, owner_id, bucket) values (tests.id('photo'), tests.id('maya'), 'media') $$,
      'stored_objects_pkey', 'two objects cannot have the same key, even in different buckets'
    ),
    (
      $$ insert into app.stored_objects (owner_id, bucket) values (tests.id('maya'), 'uploads') $$,
      'stored_objects_bucket_is_known', 'a stored object cannot be in the bucket uploads'
    ),
    (
      'delete from app.users', 'stored_objects_owner_id_fkey', 'a user cannot be deleted while they own a stored object'
    ),
    ('delete from app.stored_objects', 'assets_id_fkey', 'the stored object of an asset cannot be deleted')
) as c (statement, violated, title);

rollback to empty;

-- Policies on app.uploads.
select tests.person('maya', 1);
select tests.person('jonas', 1);
select tests.open_upload('hers', 'maya');

create function pg_temp.insert_upload(p_owner text)
returns void
language sql
as $$
  insert into app.uploads (owner_id, purpose, content_type, size_bytes)
  values (tests.id(p_owner), 'document', 'application/pdf', 1)
$$;

select tests.authenticate_as('jonas');
select is_empty('select from app.uploads', 'a user cannot read uploads of other users');
select lives_ok($$ select pg_temp.insert_upload('jonas') $$, 'a user can insert an upload of their own');
select throws_ok(
  $$ select pg_temp.insert_upload('maya') $$, '42501', null, 'a user cannot insert an upload of another user'
);
select results_eq('select owner_id from app.uploads', array[tests.id('jonas')], 'a user reads only their own uploads');

rollback to empty;

-- An upload becomes one asset.
select tests.person('maya', 1);
select tests.open_upload(name, 'maya') from unnest(array['one', 'other']) as name;
select tests.asset('picture', 'maya');
select is(
  tests.violation_of($$ update app.uploads set asset_id = tests.id('picture') $$), 'uploads_asset_id_key',
  'two uploads cannot become the same asset'
);
update app.uploads set asset_id = tests.id('picture') where id = tests.id('one');
delete from app.assets;
select results_eq('select id from app.uploads', array[tests.id('other')], 'a delete of an asset deletes its upload');

rollback to empty;

-- Constraints and defaults on app.uploads (docs/product.md M2, M3).
select tests.person('maya', 1);

create function pg_temp.violation(
  p_purpose text, p_content_type text, p_size integer default 1, p_file_name text default null
)
returns text
language sql
return tests.violation_of(format(
  'insert into app.uploads (owner_id, purpose, content_type, size_bytes, file_name) values (tests.id(%L), %L, %L, '
  '%L, %L)',
  'maya', p_purpose, p_content_type, p_size, p_file_name
));

select is(pg_temp.violation(purpose, type), null, format('an upload of purpose %s can be %s', purpose, type))
from unnest(array['profile_photo', 'hub_photo', 'post_image']) as purpose,
  unnest(array['image/jpeg', 'image/png', 'image/webp']) as type;
select is(
  pg_temp.violation('document', 'application/pdf'), null, 'an upload of purpose document can be application/pdf'
);
select is(
  pg_temp.violation(purpose, type), 'uploads_content_type_fits',
  format('an upload of purpose %s cannot be %s', purpose, type)
)
from (
  values
    ('document', 'image/png'), ('post_image', 'application/pdf'), ('profile_photo', 'image/gif'),
    ('hub_photo', 'image/svg+xml')
) as c (purpose, type);
select is(pg_temp.violation(purpose, type, size, file_name), violated, title)
from (
  values
    ('post_image', 'image/png', 0, null, 'uploads_size_is_within_limit', 'an upload cannot have 0 bytes'),
    ('post_image', 'image/png', 10485760, null, null, 'an image can have 10 MiB'),
    (
      'post_image', 'image/png', 10485761, null, 'uploads_size_is_within_limit', 'an image cannot have more than 10 MiB'
    ),
    ('document', 'application/pdf', 20971520, null, null, 'a document can have 20 MiB'),
    (
      'document', 'application/pdf', 20971521, null, 'uploads_size_is_within_limit',
      'a document cannot have more than 20 MiB'
    ),
    ('document', 'application/pdf', 1, '', 'uploads_file_name_length', 'a file name cannot be empty'),
    ('document', 'application/pdf', 1, 'a', null, 'a file name can have 1 character'),
    ('document', 'application/pdf', 1, repeat('é', 255), null, 'a file name can have 255 characters'),
    (
      'document', 'application/pdf', 1, repeat('é', 256), 'uploads_file_name_length',
      'a file name cannot have 256 characters'
    )
) as c (purpose, type, size, file_name, violated, title);
select set_eq(
  'select expires_at from app.uploads', $$ values (app.now() + interval '15 minutes') $$,
  'an upload expires after 15 minutes'
);

select * from finish();
rollback;
