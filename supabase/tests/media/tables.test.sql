begin;
select plan(63);
savepoint empty;

-- assets: are seen in hubs
select tests.elm();
select tests.asset('photo', 'amara', 'hub_photo');
select tests.asset('picture', 'jonas');
select tests.asset('loose', 'amara');
select tests.discussion('trams', 'jonas', 'elm');
select tests.message('message', 'jonas', 'trams in elm');
update app.messages set asset_id = tests.id('picture');
update app.hubs set photo_asset_id = tests.id('photo');

select tests.authenticate_as('maya');
select set_eq('select id from app.assets', tests.ids('photo', 'picture'), 'by members: its photo and what is said in it');
select tests.authenticate_as('lena');
select set_eq('select id from app.assets', tests.ids('photo'), 'by an outsider: its photo');
select tests.authenticate_as_guest();
select set_eq('select id from app.assets', tests.ids('photo'), 'which guests see as well');
reset role;
select tests.close_hub('elm');
select tests.authenticate_as_guest();
select is_empty('select id from app.assets', 'as long as the Hub is there');
reset role;
select tests.authenticate_as('maya');
select is_empty('select id from app.assets', 'and the membership');

rollback to empty;

-- assets: are seen with what they are attached to
select tests.person(name, 4) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.asset('loose', 'maya');
select tests.asset('face', 'maya', 'profile_photo');
select tests.asset('hub face', 'maya', 'profile_photo');
select tests.asset('in public', 'maya');
select tests.asset('locked', 'maya');
select tests.asset('in a draft', 'maya');
update app.profiles set photo_asset_id = tests.id('face') where user_id = tests.id('maya');
insert into app.hub_profiles (user_id, photo_asset_id) values (tests.id('maya'), tests.id('hub face'));
select tests.illustrated_post('public post', 'maya', 'in public');
select tests.illustrated_post('locked post', 'maya', 'locked');
update app.posts set visibility = 'private_locked_hub' where id = tests.id('locked post');
select tests.article('draft', 'maya');
select tests.illustrate('draft', 'in a draft');

create function pg_temp.seen()
returns setof text
language sql
as $$
  select name from unnest(array['loose', 'face', 'hub face', 'in public', 'locked', 'in a draft']) as name
  join app.assets as a on a.id = tests.id(name)
$$;

select tests.authenticate_as_guest();
select set_eq('select pg_temp.seen()', array['face', 'in public'], 'everybody sees what a public post or a profile shows');
select tests.authenticate_as('jonas');
select set_eq('select pg_temp.seen()', array['face', 'in public'], 'a member no more');
select tests.authenticate_as('maya');
select set_eq('select pg_temp.seen()', array['loose', 'face', 'hub face', 'in public', 'locked', 'in a draft'], 'their owner sees all');
reset role;
select tests.block('maya', 'jonas');
select tests.block('lena', 'maya');
select tests.authenticate_as('jonas');
select is_empty('select pg_temp.seen()', 'whoever is blocked sees none');
select tests.authenticate_as('lena');
select set_eq('select pg_temp.seen()', array['face'], 'who has blocked the owner sees the profile''s, and no post''s');
select tests.authenticate_as_guest();
select set_eq('select pg_temp.seen()', array['face', 'in public'], 'others see them as before');
reset role;
delete from app.posts;
update app.profiles set photo_asset_id = null;
select tests.authenticate_as_guest();
select is_empty('select pg_temp.seen()', 'what is not shown any more nobody sees');
reset role;
select tests.post('trams', 'lena');
select tests.comment('hello', 'maya', 'trams');
update app.comments set asset_id = tests.id('loose');
select tests.authenticate_as_guest();
select set_eq('select pg_temp.seen()', array['loose'], 'what a comment shows everybody sees who sees the comment');
reset role;
select is_empty($$ select tests.who_may('update app.assets set owner_id = owner_id') $$, 'no role changes one');
select is_empty($$ select tests.who_may('delete from app.assets') $$, 'or deletes one');

rollback to empty;

-- assets: hold to their rules
select tests.person('maya', 1);
select tests.person('jonas', 1);
select tests.stored_object('object', 'maya');

create function pg_temp.violation(p_id text, p_checksum bytea, p_width integer, p_height integer)
returns text
language sql
return tests.violation_of(format(
  'insert into app.assets (id, owner_id, purpose, content_type, size_bytes, checksum, width, height) values (%L, %L, %L, %L, 1, %L, %L, %L)',
  tests.id(p_id), tests.id('maya'), 'post_image', 'image/png', p_checksum, p_width, p_height
));

select is(pg_temp.violation('nothing', tests.hash('file'), 1, 1), 'assets_id_fkey', 'an asset lies in storage');
select is(pg_temp.violation('object', '\x00', 1, 1), 'assets_checksum_is_sha256', 'a checksum is SHA-256');
select is(pg_temp.violation('object', tests.hash('file'), 1, null), 'assets_have_both_sides', 'where there is a width there is a height');
select is(pg_temp.violation('object', tests.hash('file'), null, 1), 'assets_have_both_sides', 'and the other way round');
select is(pg_temp.violation('object', tests.hash('file'), null, null), null, 'or neither');
select is_empty($$ select tests.who_may('insert into app.assets default values') $$, 'no role makes one');

rollback to empty;

-- stored_objects: are reached by no role
select is_empty($$ select tests.who_may('select from app.stored_objects') $$, 'no role sees what is whose in storage');
select is_empty($$ select tests.who_may('update app.stored_objects set owner_id = owner_id') $$, 'nor gives it to anybody');
select is_empty($$ select tests.who_may('delete from app.stored_objects') $$, 'nor forgets it');

rollback to empty;

-- stored_objects: hold to their rules
select tests.person('maya');
select tests.asset('photo', 'maya', 'profile_photo');
select is(
  tests.violation_of($$ insert into app.stored_objects (id, owner_id, bucket) values (tests.id('photo'), tests.id('maya'), 'media') $$),
  'stored_objects_pkey', 'a key means one object in both buckets'
);
select throws_ok(
  $$ insert into app.stored_objects (owner_id, bucket) values (tests.id('maya'), 'uploads') $$,
  '23514', null, 'what is not completed yet is none'
);
select is(
  tests.violation_of($$ delete from app.users where id = tests.id('maya') $$), 'stored_objects_owner_id_fkey',
  'no account is deleted while anything of it lies in storage'
);
select is(
  tests.violation_of($$ delete from app.stored_objects $$), 'assets_id_fkey', 'and no object is forgotten while it is an asset'
);

rollback to empty;

-- uploads: are their owners alone
select tests.person('maya', 1);
select tests.person('jonas', 1);
select tests.open_upload('hers', 'maya');

create function pg_temp.announce(p_owner text)
returns void
language sql
as $$
  insert into app.uploads (owner_id, purpose, content_type, size_bytes) values (tests.id(p_owner), 'document', 'application/pdf', 1)
$$;

select tests.authenticate_as('jonas');
select is_empty('select from app.uploads', 'nobody sees what others upload');
select lives_ok($$ select pg_temp.announce('jonas') $$, 'one announces one''s own');
select throws_ok($$ select pg_temp.announce('maya') $$, '42501', null, 'and none in the name of another');
select results_eq('select owner_id from app.uploads', array[tests.id('jonas')], 'one sees one''s own');
select throws_ok(
  $$
    insert into app.uploads (owner_id, purpose, content_type, size_bytes, expires_at)
    values (tests.id('jonas'), 'document', 'application/pdf', 1, 'infinity')
  $$,
  '42501', null, 'how long it is open is not the owner''s to say'
);
select throws_ok($$ update app.uploads set asset_id = tests.id('hers') $$, '42501', null, 'nor what became of it');
select throws_ok('delete from app.uploads', '42501', null, 'nor that there was one');
select tests.authenticate_as_guest();
select throws_ok('select from app.uploads', '42501', null, 'a guest sees none');
select throws_ok($$ select pg_temp.announce('jonas') $$, '42501', null, 'and announces none');

rollback to empty;

-- uploads: become one asset
select tests.person('maya', 1);
select tests.open_upload(name, 'maya') from unnest(array['one', 'other']) as name;
select tests.asset('picture', 'maya');
select is(
  tests.violation_of($$ update app.uploads set asset_id = tests.id('picture') $$), 'uploads_asset_id_key', 'of one upload an asset is made'
);
update app.uploads set asset_id = tests.id('picture') where id = tests.id('one');
delete from app.assets;
select results_eq('select id from app.uploads', array[tests.id('other')], 'with which it goes');

rollback to empty;

-- uploads: hold to their rules
select tests.person('maya', 1);

create function pg_temp.announce(p_purpose text, p_content_type text, p_size integer default 1, p_file_name text default null)
returns text
language sql
return tests.violation_of(format(
  'insert into app.uploads (owner_id, purpose, content_type, size_bytes, file_name) values (tests.id(%L), %L, %L, %L, %L)',
  'maya', p_purpose, p_content_type, p_size, p_file_name
));

select is(pg_temp.announce(purpose, type), null, purpose || ' may be ' || type)
from unnest(array['profile_photo', 'hub_photo', 'post_image']) as purpose, unnest(array['image/jpeg', 'image/png', 'image/webp']) as type;
select is(pg_temp.announce('document', 'application/pdf'), null, 'a document is a PDF');
select is(pg_temp.announce(purpose, type), 'uploads_content_type_fits', format('%s is no %s', type, purpose))
from (values
  ('document', 'image/png'), ('post_image', 'application/pdf'), ('profile_photo', 'image/gif'), ('hub_photo', 'image/svg+xml')
) as bad (purpose, type);
select is(pg_temp.announce('post_image', 'image/png', 0), 'uploads_size_is_within_limit', 'nothing is no file');
select is(pg_temp.announce('post_image', 'image/png', 10485760), null, 'an image has 10 MiB');
select is(pg_temp.announce('post_image', 'image/png', 10485761), 'uploads_size_is_within_limit', 'at most');
select is(pg_temp.announce('document', 'application/pdf', 20971520), null, 'a document 20');
select is(pg_temp.announce('document', 'application/pdf', 20971521), 'uploads_size_is_within_limit', 'at most');
select is(pg_temp.announce('document', 'application/pdf', 1, ''), 'uploads_file_name_length', 'a file without a name has none');
select is(pg_temp.announce('document', 'application/pdf', 1, 'a'), null, 'a name has a character');
select is(pg_temp.announce('document', 'application/pdf', 1, repeat('é', 255)), null, '255');
select is(pg_temp.announce('document', 'application/pdf', 1, repeat('é', 256)), 'uploads_file_name_length', 'at most');
select set_eq('select expires_at from app.uploads', $$ values (app.now() + interval '15 minutes') $$, 'an upload is open for 15 minutes');

select * from finish();
rollback;
