begin;
select plan(63);
savepoint empty;

-- begin_completion finds only open uploads of the caller.
select tests.person('maya', 1);
select tests.person('jonas', 1);
select tests.open_upload(name, 'maya') from unnest(array['open', 'done']) as name;
select tests.asset('picture', 'maya');
update app.uploads set asset_id = tests.id('picture') where id = tests.id('done');

create function pg_temp.find(p_caller text, p_name text, p_change jsonb default '{}')
returns jsonb
language sql
return tests.complete_upload(p_caller, tests.completion_args(p_name, p_change)) -> 'upload';

select is(pg_temp.find(caller, upload, change), 'null', title)
from (
  values
    ('jonas', 'open', '{}'::jsonb, 'begin_completion does not find an upload of another user'),
    ('maya', 'nothing', '{}', 'begin_completion does not find an unknown upload'),
    ('maya', 'done', '{}', 'begin_completion does not find a completed upload'),
    ('maya', 'open', '{"purpose": "document"}', 'begin_completion does not find an upload for another purpose')
) as c (caller, upload, change, title);
update app.uploads set expires_at = app.now() + interval '1 microsecond';
select isnt(pg_temp.find('maya', 'open'), 'null', 'begin_completion finds an upload until it expires');
update app.uploads set expires_at = app.now();
select is(pg_temp.find('maya', 'open'), 'null', 'begin_completion does not find an expired upload');
select is(count(*)::integer, 1, 'begin_completion creates no stored object without an open upload')
from app.stored_objects where expires_at is not null;

rollback to empty;

-- begin_completion returns what to check and where to store it.
select tests.person('maya', 1);
select tests.open_upload(purpose::text, 'maya', purpose) from unnest(enum_range(null::app.upload_purpose)) as purpose;

create function pg_temp.begin(p_name text, p_purpose text)
returns jsonb
language sql
return tests.complete_upload(
  'maya', tests.completion_args(p_name, jsonb_build_object('purpose', p_purpose))
) -> 'upload';

create temporary table answers as
select pg_temp.begin('post_image', 'post_image') as first, pg_temp.begin('post_image', 'post_image') as second;
select results_eq(
  $$
    select owner_id, bucket, expires_at
    from app.stored_objects
    where id = (select (first ->> 'assetId')::uuid from answers)
  $$,
  $$ values (tests.id('maya'), 'media', app.now() + interval '1 hour') $$,
  'begin_completion creates a stored object that expires in an hour'
);
select isnt(
  first ->> 'assetId', second ->> 'assetId', 'begin_completion answers another asset id for each try'
) from answers;
select is(
  pg_temp.begin(purpose, purpose) - 'assetId', expected,
  'begin_completion answers type, size and bucket of a ' || purpose
)
from (
  values
    ('document', '{"contentType": "application/pdf", "sizeBytes": 1000, "bucket": "media"}'::jsonb),
    ('profile_photo', '{"contentType": "image/png", "sizeBytes": 1000, "bucket": "photos"}'),
    ('hub_photo', '{"contentType": "image/png", "sizeBytes": 1000, "bucket": "photos"}'),
    ('post_image', '{"contentType": "image/png", "sizeBytes": 1000, "bucket": "media"}')
) as c (purpose, expected);
select is_empty('select from app.assets', 'begin_completion does not create an asset');

rollback to empty;

-- complete_upload requires a live session.
select tests.person('maya', 1);
select tests.open_upload('hers', 'maya');
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
select throws_ok(
  $$ select api.complete_upload(tests.completion_args('hers')) $$, 'PT401', 'UNAUTHORIZED',
  'complete_upload refuses an ended session'
);

rollback to empty;

-- finish_upload releases the object of a second try.
select tests.person('maya', 1);
select tests.open_upload('picture', 'maya');
create temporary table tries as
select n, tests.complete_upload('maya', tests.completion_args('picture')) #>> '{upload,assetId}' as asset_id
from generate_series(1, 2) as n;
create temporary table answers as
select tests.complete_upload(
  'maya', tests.completion_args('picture') || tests.inspection_args(asset_id)
) as answer from tries where n = 1;
insert into answers
select tests.complete_upload(
  'maya', tests.completion_args('picture') || tests.inspection_args(asset_id)
) from tries where n = 2;
select is(count(distinct answer)::integer, 1, 'finish_upload answers two tries of an upload alike') from answers;
select results_eq(
  'select id from app.claim_expired_objects(10)', 'select asset_id::uuid from tries where n = 2',
  'finish_upload makes the object of the second try due for removal'
);
select results_eq(
  'select id from app.assets', 'select asset_id::uuid from tries where n = 1',
  'finish_upload makes an asset of the first try alone'
);

rollback to empty;

-- finish_upload makes an asset of an upload.
select tests.person('maya', 1);
select tests.open_upload('paper', 'maya', 'document');
select tests.open_upload('picture', 'maya');

create temporary table answers as
select tests.inspect_and_complete_upload('maya', tests.completion_args('picture')) as picture;
select is(
  picture, (
    select jsonb_build_object(
      'assetId', u.asset_id, 'purpose', 'post_image', 'contentType', 'image/png', 'sizeBytes', 1000,
      'checksum', tests.hash_hex('file of picture'), 'width', 640, 'height', 480, 'blurhash', 'blur'
    )
    from app.uploads as u
    where u.id = tests.id('picture')
  ),
  'finish_upload answers what the upload announced and the service found'
)
from answers;
select results_eq(
  $$ select owner_id, purpose::text, file_name, checksum, has_thumbnail, created_at from app.assets $$,
  $$ values (tests.id('maya'), 'post_image', 'picture.file', tests.hash('file of picture'), true, app.now()) $$,
  'finish_upload makes an asset of the uploader'
);
select results_eq(
  'select owner_id, expires_at from app.stored_objects', $$ values (tests.id('maya'), null::timestamptz) $$,
  'finish_upload keeps the stored object of the asset'
);
select app.set_clock_offset('5 minutes');
update app.uploads set expires_at = app.now();
select is(
  tests.inspect_and_complete_upload('maya', tests.completion_args('picture')), picture,
  'a completion repeated after the expiry answers the same asset'
)
from answers;
select is(count(*)::integer, 1, 'a repeated completion makes no second asset') from app.assets;
update app.uploads set expires_at = 'infinity';
create temporary table papers as
select tests.complete_upload(
  'maya', tests.completion_args('paper', '{"purpose": "document"}')
) #>> '{upload,assetId}' as id;
select is(
  tests.complete_upload('maya', tests.completion_args('paper', '{"purpose": "document"}') || jsonb_build_object(
    'content', jsonb_build_object('assetId', id, 'width', null, 'height', null, 'blurhash', null)
  )) - 'assetId' - 'checksum',
  '{"purpose": "document", "contentType": "application/pdf", "sizeBytes": 1000, "width": null, "height": null, '
  '"blurhash": null}',
  'finish_upload answers no width, height and blurhash of a document'
)
from papers;
select is(count(*)::integer, 2, 'finish_upload makes one asset of each upload') from app.assets;

rollback to empty;

-- finish_upload refuses an upload for what the service found (docs/product.md M5).
select tests.person('maya', 1);
select tests.open_upload('picture', 'maya');
select tests.complete_upload('maya', tests.completion_args('picture'));

create function pg_temp.refuse(p_reason text)
returns jsonb
language sql
return tests.complete_upload(
  'maya', tests.completion_args('picture') || jsonb_build_object('content', jsonb_build_object('refusal', p_reason))
);

select is(
  tests.error_of(format('select pg_temp.refuse(%L)', reason)),
  jsonb_build_object('state', 'PT409', 'code', 'UPLOAD_CONFLICT', 'details', jsonb_build_object('reason', reason)),
  format('finish_upload refuses an upload with the reason %s of the service', reason)
)
from unnest(array['object_missing', 'content_mismatch']) as reason;
select isnt(
  tests.inspect_and_complete_upload('maya', tests.completion_args('picture')), null,
  'a refused upload stays open for another file'
);
select lives_ok(
  $$ select pg_temp.refuse('object_missing') $$, 'a refusal of the service does not change a completed upload'
);

rollback to empty;

-- finish_upload names the reason of a conflict (docs/product.md M5).
select tests.person('maya', 1);
select tests.person('jonas', 1);
select tests.open_upload(name, 'maya') from unnest(array['open', 'late', 'done', 'done late']) as name;
update app.uploads set expires_at = app.now() where id = tests.id('late');
select tests.asset('done', 'maya');
update app.uploads set asset_id = tests.id('done') where id = tests.id('done');
select tests.asset('done late', 'maya');
update app.uploads set asset_id = tests.id('done late'), expires_at = app.now() where id = tests.id('done late');

-- The service calls finish_upload with null content where begin_completion has found no upload.
create function pg_temp.refusal(p_caller text, p_upload text, p_change jsonb default '{}')
returns jsonb
language sql
return tests.error_of(format(
  'select tests.complete_upload(%L, tests.completion_args(%L, %L) || tests.inspection_args(null))', p_caller, p_upload,
  p_change
));

select is(pg_temp.refusal(caller, upload, change) #>> '{details,reason}', expected, title)
from (
  values
    ('maya', 'nothing', '{}'::jsonb, 'unknown', 'finish_upload reports an upload that is not there as unknown'),
    ('jonas', 'open', '{}', 'unknown', 'finish_upload reports an upload of another user as unknown'),
    ('jonas', 'late', '{"purpose": "document"}', 'unknown', 'finish_upload reports unknown before any other reason'),
    ('maya', 'late', '{}', 'expired', 'finish_upload reports an upload after its expiry as expired'),
    ('maya', 'late', '{"purpose": "document"}', 'expired', 'finish_upload reports expired before purpose_mismatch'),
    (
      'maya', 'open', '{"purpose": "document"}', 'purpose_mismatch',
      'finish_upload reports another purpose of an open upload'
    ),
    (
      'maya', 'done', '{"purpose": "document"}', 'purpose_mismatch',
      'finish_upload reports another purpose of a completed upload'
    ),
    (
      'maya', 'done late', jsonb_build_object('purpose', 'document', 'checksum', tests.hash_hex('another file')),
      'purpose_mismatch',
      'finish_upload reports purpose_mismatch before checksum_mismatch, and no expiry of a completed upload'
    ),
    (
      'maya', 'done late', jsonb_build_object('checksum', tests.hash_hex('another file')),
      'checksum_mismatch', 'finish_upload reports another checksum of a completed upload'
    ),
    ('maya', 'done late', '{}', null, 'finish_upload accepts the same file for a completed upload')
) as c (caller, upload, change, expected, title);
select is(
  pg_temp.refusal('maya', 'late') - 'details', '{"state": "PT409", "code": "UPLOAD_CONFLICT"}',
  'finish_upload raises UPLOAD_CONFLICT for every reason'
);
delete from app.assets;
select is(
  pg_temp.refusal('maya', 'done') #>> '{details,reason}', 'unknown',
  'finish_upload reports an upload as unknown after a delete of its asset'
);

rollback to empty;

-- finish_upload accepts an upload that begin_completion found in time.
select tests.person('maya', 1);
select tests.open_upload('picture', 'maya');
create temporary table tries as
select tests.complete_upload('maya', tests.completion_args('picture')) #>> '{upload,assetId}' as asset_id;
update app.uploads set expires_at = app.now();
select is(
  tests.complete_upload('maya', tests.completion_args('picture') || tests.inspection_args(asset_id)) ->> 'assetId',
  asset_id,
  'finish_upload completes an expired upload that begin_completion found in time'
)
from tries;
select tests.open_upload('other', 'maya');
select is(
  tests.error_of(
    $$ select tests.complete_upload('maya', tests.completion_args('other') || tests.inspection_args(null)) $$
  ) #>> '{details,reason}',
  'expired', 'finish_upload reports an upload without content as expired, even if the clock lags'
);
select is(count(*)::integer, 1, 'finish_upload makes no asset of an upload without content') from app.assets;

rollback to empty;

-- limit_uploads has a rate limit of 600 an hour for each user (docs/product.md W26).
select tests.person('maya', 1);
select tests.person('jonas', 1);
select tests.open_upload('hers', 'maya');

create function pg_temp.announce()
returns jsonb
language sql
return api.presign_upload('{"purpose": "document", "contentType": "application/pdf", "sizeBytes": 1}');

select tests.authenticate_as('maya');
select app.limit_uploads() from generate_series(1, 598);
select lives_ok('select pg_temp.announce()', 'presign_upload accepts upload 599 of an hour');
reset role;
select lives_ok(
  $$ select tests.complete_upload('maya', tests.completion_args('hers')) $$,
  'complete_upload accepts upload 600 of an hour'
);
select is(tests.refusal_as(caller, statement), expected, title)
from (
  values
    ('maya', 'select pg_temp.announce()', 'PT429 RATE_LIMITED', 'presign_upload refuses more than 600 uploads an hour'),
    ('jonas', 'select app.limit_uploads()', null, 'the rate limit of a user does not limit uploads of other users')
) as c (caller, statement, expected, title);
select is(
  tests.error_of($$ select tests.complete_upload('maya', tests.completion_args('hers')) $$) ->> 'state', 'PT429',
  'complete_upload refuses more than 600 uploads an hour'
);
select app.set_clock_offset('6 seconds');
select tests.authenticate_as('maya');
select lives_ok('select app.limit_uploads()', 'limit_uploads accepts another upload after 6 seconds');

rollback to empty;

-- open_upload_json shows an upload until it expires.
select tests.person('maya');
select tests.open_upload('upload', 'maya');
create function pg_temp.refusal_if_expiring(p_in interval)
returns jsonb
language plpgsql
as $$
begin
  update app.uploads set expires_at = app.now() + p_in;
  return tests.error_of($call$ select app.open_upload_json(tests.id('upload')) $call$) -> 'details';
end
$$;
select is(pg_temp.refusal_if_expiring(expiry), refusal::jsonb, title)
from (
  values
    (interval '1 microsecond', null, 'open_upload_json shows an upload just before it expires'),
    ('0', '{"reason": "expired"}', 'open_upload_json refuses an upload as expired when it expires')
) as c (expiry, refusal, title);
select tests.open_upload('next', 'maya');
select is(
  expires_at - app.now(), interval '15 minutes', 'an upload expires after 15 minutes'
) from app.uploads where id = tests.id('next');

rollback to empty;

-- insert_asset needs a stored object that has not expired.
select tests.person('maya', 1);
select tests.open_upload('picture', 'maya');
select tests.open_upload('other', 'maya');
create temporary table tries as
select tests.complete_upload('maya', tests.completion_args('picture')) #>> '{upload,assetId}' as asset_id;

create function pg_temp.finish()
returns jsonb
language sql
return tests.error_of(format(
  'select tests.complete_upload(%L, tests.completion_args(%L) || tests.inspection_args(%L))', 'maya', 'picture',
  (select asset_id from tries)
));

select tests.inspect_and_complete_upload('maya', tests.completion_args('other'));
select isnt(o.expires_at, null, 'insert_asset does not keep the stored object of another upload')
from app.stored_objects as o join tries on o.id = asset_id::uuid;

update app.stored_objects as o set expires_at = app.now() from tries where o.id = asset_id::uuid;
select is(
  pg_temp.finish(), '{"state": "PT503", "code": "SERVICE_UNAVAILABLE", "details": null}',
  'insert_asset refuses an expired stored object'
);
delete from app.stored_objects as o using tries where o.id = asset_id::uuid;
select is(pg_temp.finish() ->> 'state', 'PT503', 'insert_asset refuses a stored object that is gone');
select is_empty(
  format('select from app.assets where id = %L', asset_id), 'a refused insert_asset creates no asset'
) from tries;
select is(
  asset_id, null, 'a refused insert_asset leaves the upload open'
) from app.uploads where id = tests.id('picture');

rollback to empty;

-- presign_upload announces an upload.
select tests.person('maya', 1);
select tests.authenticate_as('maya');
create temporary table answers as
select api.presign_upload(
  '{"purpose": "document", "contentType": "application/pdf", "sizeBytes": 2000, "fileName": "minutes.pdf"}'
) as answer;
select results_eq(
  'select owner_id, purpose::text, content_type, size_bytes, file_name, asset_id from app.uploads',
  $$ values (tests.id('maya'), 'document', 'application/pdf', 2000, 'minutes.pdf', null::uuid) $$,
  'presign_upload records what the caller announces'
);
select is(
  answer, (
    select jsonb_build_object('uploadId', u.id, 'expiresAt', app.iso(app.now() + interval '15 minutes'))
    from app.uploads as u
  ),
  'presign_upload answers the id and the expiry of the upload'
)
from answers;
select is(
  tests.violation_of(
    $$ select api.presign_upload('{"purpose": "document", "contentType": "image/png", "sizeBytes": 1}') $$
  ),
  'uploads_content_type_fits', 'presign_upload refuses a content type that does not fit the purpose'
);
select lives_ok(
  $$ select api.presign_upload('{"purpose": "hub_photo", "contentType": "image/png", "sizeBytes": 1}') $$,
  'presign_upload accepts an upload without a file name'
);
reset role;
delete from app.sessions;
set local role authenticated;
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
select throws_ok(
  $$ select api.presign_upload('{}') $$, 'PT401', 'UNAUTHORIZED', 'presign_upload refuses an ended session'
);

select * from finish();
rollback;
