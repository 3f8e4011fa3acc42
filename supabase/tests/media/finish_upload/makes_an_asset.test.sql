select plan(8);

select tests.person('maya', 1);
select tests.open_upload('paper', 'maya', 'document');
select tests.open_upload('picture', 'maya');

create temporary table answers as
select tests.complete_whole('maya', tests.completion('picture')) as picture;
select is(
  picture, (
    select jsonb_build_object(
      'assetId', u.asset_id, 'purpose', 'post_image', 'contentType', 'image/png', 'sizeBytes', 1000,
      'checksum', tests.hex('file of picture'), 'width', 640, 'height', 480, 'blurhash', 'blur'
    )
    from app.uploads as u
    where u.id = tests.id('picture')
  ),
  'as it was announced, and found'
)
from answers;
select results_eq(
  $$ select owner_id, purpose::text, file_name, checksum, created_at from app.assets $$,
  $$ values (tests.id('maya'), 'post_image', 'picture.file', tests.hash('file of picture'), app.now()) $$, 'it is the uploader''s'
);
select results_eq('select owner_id, expires_at from app.stored_objects', $$ values (tests.id('maya'), null::timestamptz) $$, 'and stays in storage');
select is(
  tests.complete_whole('maya', tests.completion('picture')), picture, 'completed again it is the same'
)
from answers;
select app.set_clock_offset('5 minutes');
update app.uploads set expires_at = app.now();
select is(tests.complete_whole('maya', tests.completion('picture')), picture, 'even later') from answers;
select is(count(*)::integer, 1, 'and once') from app.assets;
update app.uploads set expires_at = 'infinity';
create temporary table papers as
select tests.complete('maya', tests.completion('paper', '{"purpose": "document"}')) #>> '{upload,assetId}' as id;
select is(
  tests.complete('maya', tests.completion('paper', '{"purpose": "document"}') || jsonb_build_object(
    'content', jsonb_build_object('assetId', id, 'width', null, 'height', null, 'blurhash', null)
  )) - 'assetId' - 'checksum',
  '{"purpose": "document", "contentType": "application/pdf", "sizeBytes": 1000, "width": null, "height": null, "blurhash": null}',
  'a document has no sides'
)
from papers;
select is(count(*)::integer, 2, 'each upload becomes one') from app.assets;

select * from finish();
