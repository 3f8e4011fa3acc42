select plan(6);

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

select * from finish();
