select plan(24);

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
