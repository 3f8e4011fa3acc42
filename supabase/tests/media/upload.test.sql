begin;
select plan(69);
savepoint empty;

-- begin_completion: looks at open uploads of the caller
select tests.person('maya', 1);
select tests.person('jonas', 1);
select tests.open_upload(name, 'maya') from unnest(array['open', 'done']) as name;
select tests.asset('picture', 'maya');
update app.uploads set asset_id = tests.id('picture') where id = tests.id('done');

create function pg_temp.look_at(p_caller text, p_name text, p_change jsonb default '{}')
returns jsonb
language sql
return tests.complete(p_caller, tests.completion(p_name, p_change)) -> 'upload';

select is(pg_temp.look_at('jonas', 'open'), 'null', 'nobody completes what is another''s');
select is(pg_temp.look_at('maya', 'nothing'), 'null', 'nor what is not there');
select is(pg_temp.look_at('maya', 'done'), 'null', 'nor what is done');
select is(pg_temp.look_at('maya', 'open', '{"purpose": "document"}'), 'null', 'nor for another purpose');
update app.uploads set expires_at = app.now() + interval '1 microsecond';
select isnt(pg_temp.look_at('maya', 'open'), 'null', 'until it expires');
update app.uploads set expires_at = app.now();
select is(pg_temp.look_at('maya', 'open'), 'null', 'it does');
select is(count(*)::integer, 1, 'where there is nothing to look at nothing is to be stored') from app.stored_objects where expires_at is not null;

rollback to empty;

-- begin_completion: tells what to look at
select tests.person('maya', 1);
select tests.open_upload('picture', 'maya');
select tests.open_upload('paper', 'maya', 'document');
select tests.open_upload('face', 'maya', 'profile_photo');

create function pg_temp.look_at(p_name text, p_purpose text)
returns jsonb
language sql
return tests.complete('maya', tests.completion(p_name, jsonb_build_object('purpose', p_purpose))) -> 'upload';

create temporary table answers as select pg_temp.look_at('picture', 'post_image') as first, pg_temp.look_at('picture', 'post_image') as second;
select is(
  first - 'assetId', '{"contentType": "image/png", "sizeBytes": 1000, "bucket": "media"}', 'what was announced, and where it is to go'
)
from answers;
select results_eq(
  $$ select owner_id, bucket, expires_at from app.stored_objects where id = (select (first ->> 'assetId')::uuid from answers) $$,
  $$ values (tests.id('maya'), 'media', app.now() + interval '1 hour') $$, 'under an id that is on the worker''s list unless it is used'
);
select isnt(first ->> 'assetId', second ->> 'assetId', 'each try has its own') from answers;
select is(
  pg_temp.look_at('paper', 'document') - 'assetId', '{"contentType": "application/pdf", "sizeBytes": 1000, "bucket": "media"}', 'a document'
);
select is(pg_temp.look_at('face', 'profile_photo') ->> 'bucket', 'photos', 'a photo goes where everybody reads it');
select is(count(*)::integer, 3, 'nothing is completed by it') from app.uploads where asset_id is null;
select is_empty('select from app.assets', 'and there is no asset');

rollback to empty;

-- bucket_of: is public for photos
select set_eq(
  'select purpose, app.bucket_of(purpose) from unnest(enum_range(null::app.upload_purpose)) as purpose',
  $$
    values ('profile_photo'::app.upload_purpose, 'photos'), ('hub_photo', 'photos'), ('post_image', 'media'), ('document', 'media')
  $$,
  'photos everybody may read, media whoever has a signed URL'
);

rollback to empty;

-- complete_upload: is vouched for by the service
select tests.person('maya', 1);
select tests.open_upload('hers', 'maya');
select set_eq(
  $$ select tests.who_may('select api.complete_upload(null)') $$, array['opine_service'], 'only the service says what lies in storage'
);
select is_empty($$ select tests.who_may('select app.begin_completion(null)') $$, 'and it by the operation alone');
select is_empty($$ select tests.who_may('select app.finish_upload(null)') $$, 'as it finishes');
select throws_ok(
  $$ select api.complete_upload(tests.completion('hers')) $$, 'PT401', 'UNAUTHORIZED', 'in nobody''s name it completes nothing'
) from (select set_config('request.jwt.claims', '{"role": "anon"}', true)) as claims;
select throws_ok(
  $$ select api.complete_upload(tests.completion('hers')) $$, 'PT401', 'UNAUTHORIZED', 'nor for a dead session'
) from (select set_config('request.jwt.claims', tests.claims('maya')::text, true)) as claims;

rollback to empty;

-- finish_upload: gives up what another try was quicker with
select tests.person('maya', 1);
select tests.open_upload('picture', 'maya');
create temporary table tries as
select n, tests.complete('maya', tests.completion('picture')) #>> '{upload,assetId}' as asset_id from generate_series(1, 2) as n;
create temporary table answers as
select tests.complete('maya', tests.completion('picture') || tests.found(asset_id)) as answer from tries where n = 1;
insert into answers
select tests.complete('maya', tests.completion('picture') || tests.found(asset_id)) from tries where n = 2;
select is(count(distinct answer)::integer, 1, 'two tries at once have one answer') from answers;
select results_eq(
  'select id from app.claim_expired_objects(10)', 'select asset_id::uuid from tries where n = 2', 'what the second stored is removed'
);
select results_eq('select id from app.assets', 'select asset_id::uuid from tries where n = 1', 'the asset is of the first');

rollback to empty;

-- finish_upload: makes an asset
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

rollback to empty;

-- finish_upload: refuses for what was found
select tests.person('maya', 1);
select tests.open_upload('picture', 'maya');
select tests.complete('maya', tests.completion('picture'));

create function pg_temp.refuse(p_reason text)
returns jsonb
language sql
return tests.complete('maya', tests.completion('picture') || jsonb_build_object('content', jsonb_build_object('refusal', p_reason)));

select is(
  tests.error_of(format('select pg_temp.refuse(%L)', reason)), tests.error_of(format(
    'do $do$ begin raise exception using errcode = %L, message = %L, detail = %L; end $do$',
    'PT409', 'UPLOAD_CONFLICT', jsonb_build_object('reason', reason)
  )), 'for ' || reason
)
from unnest(array['object_missing', 'content_mismatch']) as reason;
select isnt(tests.complete_whole('maya', tests.completion('picture')), null, 'the upload stays open for a better file');
select lives_ok($$ select pg_temp.refuse('object_missing') $$, 'and once it is completed, what a late try finds changes nothing');

rollback to empty;

-- finish_upload: says why not
select tests.person('maya', 1);
select tests.person('jonas', 1);
select tests.open_upload(name, 'maya') from unnest(array['open', 'late', 'done', 'done late']) as name;
update app.uploads set expires_at = app.now() where id = tests.id('late');
select tests.asset('done', 'maya');
update app.uploads set asset_id = tests.id('done') where id = tests.id('done');
select tests.asset('done late', 'maya');
update app.uploads set asset_id = tests.id('done late'), expires_at = app.now() where id = tests.id('done late');

-- As the service does where there is nothing to look at.
create function pg_temp.refusal(p_caller text, p_upload text, p_change jsonb default '{}')
returns jsonb
language sql
return tests.error_of(format(
  'select tests.complete(%L, tests.completion(%L, %L) || tests.found(null))', p_caller, p_upload, p_change
));

create function pg_temp.reason(p_caller text, p_upload text, p_change jsonb default '{}')
returns text
language sql
return pg_temp.refusal(p_caller, p_upload, p_change) #>> '{details,reason}';

select is(pg_temp.reason('maya', 'nothing'), 'unknown', 'what is not there');
select is(pg_temp.reason('jonas', 'open'), 'unknown', 'or another''s, is unknown');
select is(pg_temp.reason('jonas', 'late', '{"purpose": "document"}'), 'unknown', 'whatever else is wrong');
select is(pg_temp.reason('maya', 'late'), 'expired', 'what was not completed in time has expired');
select is(pg_temp.reason('maya', 'late', '{"purpose": "document"}'), 'expired', 'also for another purpose');
select is(pg_temp.reason('maya', 'open', '{"purpose": "document"}'), 'purpose_mismatch', 'what is open is for its purpose');
select is(pg_temp.reason('maya', 'done', '{"purpose": "document"}'), 'purpose_mismatch', 'as is what is done');
select is(
  pg_temp.reason('maya', 'done late', jsonb_build_object('purpose', 'document', 'checksum', tests.hex('another file'))),
  'purpose_mismatch', 'which never expires, whatever else is wrong'
);
select is(
  pg_temp.reason('maya', 'done late', jsonb_build_object('checksum', tests.hex('another file'))), 'checksum_mismatch',
  'what is done is this file'
);
select is(pg_temp.reason('maya', 'done late'), null, 'which is told again');
select is(pg_temp.refusal('maya', 'late') - 'details', '{"state": "PT409", "code": "UPLOAD_CONFLICT"}', 'each is a conflict');
delete from app.assets;
select is(pg_temp.reason('maya', 'done'), 'unknown', 'of what has been deleted nothing is known');

rollback to empty;

-- finish_upload: takes what came in time
select tests.person('maya', 1);
select tests.open_upload('picture', 'maya');
create temporary table tries as select tests.complete('maya', tests.completion('picture')) #>> '{upload,assetId}' as asset_id;
update app.uploads set expires_at = app.now();
select is(
  tests.complete('maya', tests.completion('picture') || tests.found(asset_id)) ->> 'assetId', asset_id, 'what was looked at in time is completed'
)
from tries;
select tests.open_upload('other', 'maya');
select is(
  tests.error_of($$ select tests.complete('maya', tests.completion('other') || tests.found(null)) $$) #>> '{details,reason}',
  'expired', 'what was too late to be looked at has expired, even by a clock that is behind'
);
select is(count(*)::integer, 1, 'and is no asset') from app.assets;

rollback to empty;

-- limit_uploads: counts six hundred an hour
select tests.person('maya', 1);
select tests.person('jonas', 1);
select tests.open_upload('hers', 'maya');
select tests.authenticate_as('maya');
select app.limit_uploads() from generate_series(1, 598);
select lives_ok(
  $$ select api.presign_upload('{"purpose": "document", "contentType": "application/pdf", "sizeBytes": 1}') $$, 'announcing an upload counts'
);
reset role;
select tests.complete('maya', tests.completion('hers'));
select tests.authenticate_as('maya');
select is(tests.error_of('select app.limit_uploads()') ->> 'code', 'RATE_LIMITED', 'and so does completing one: 600 an hour are enough');
select is(
  tests.error_of($$ select api.presign_upload('{"purpose": "document", "contentType": "application/pdf", "sizeBytes": 1}') $$) ->> 'state',
  'PT429', 'no other is announced'
);
reset role;
select is(
  tests.error_of($$ select tests.complete('maya', tests.completion('hers')) $$) ->> 'state', 'PT429', 'nor completed'
);
select tests.authenticate_as('jonas');
select lives_ok('select app.limit_uploads()', 'others are not counted with them');
reset role;
select app.set_clock_offset('6 seconds');
select tests.authenticate_as('maya');
select lives_ok('select app.limit_uploads()', 'another is free a six hundredth of an hour later');
reset role;
select set_eq($$ select tests.who_may('select app.limit_uploads()') $$, array['authenticated'], 'operations of members count');

rollback to empty;

-- make_asset: needs an object that stays
select tests.person('maya', 1);
select tests.open_upload('picture', 'maya');
select tests.open_upload('other', 'maya');
create temporary table tries as
select tests.complete('maya', tests.completion('picture')) #>> '{upload,assetId}' as asset_id;

create function pg_temp.finish()
returns jsonb
language sql
return tests.error_of(format('select tests.complete(%L, tests.completion(%L) || tests.found(%L))', 'maya', 'picture', (select asset_id from tries)));

select tests.complete_whole('maya', tests.completion('other'));
select isnt(o.expires_at, null, 'what is made of one upload keeps nothing that was stored for another')
from app.stored_objects as o join tries on o.id = asset_id::uuid;

update app.stored_objects as o set expires_at = app.now() from tries where o.id = asset_id::uuid;
select is(
  pg_temp.finish(), '{"state": "PT503", "code": "SERVICE_UNAVAILABLE", "details": null}', 'the worker may be about to remove what took too long'
);
delete from app.stored_objects as o using tries where o.id = asset_id::uuid;
select is(pg_temp.finish() ->> 'state', 'PT503', 'or have removed it');
select is_empty(format('select from app.assets where id = %L', asset_id), 'it becomes no asset') from tries;
select is(asset_id, null, 'and the upload is open for another try') from app.uploads where id = tests.id('picture');
select is_empty($$ select tests.who_may('select app.make_asset(null, null, null)') $$, 'no role makes one by itself');

rollback to empty;

-- presign_upload: announces an upload
select tests.person('maya', 1);
select tests.authenticate_as('maya');
create temporary table answers as
select api.presign_upload(
  '{"purpose": "document", "contentType": "application/pdf", "sizeBytes": 2000, "fileName": "minutes.pdf"}'
) as answer;
select results_eq(
  'select owner_id, purpose::text, content_type, size_bytes, file_name, asset_id from app.uploads',
  $$ values (tests.id('maya'), 'document', 'application/pdf', 2000, 'minutes.pdf', null::uuid) $$, 'what was announced is kept'
);
select is(
  answer, (select jsonb_build_object('uploadId', u.id, 'expiresAt', app.iso(app.now() + interval '15 minutes')) from app.uploads as u),
  'and answered with its time'
)
from answers;
select is(
  tests.violation_of($$ select api.presign_upload('{"purpose": "document", "contentType": "image/png", "sizeBytes": 1}') $$),
  'uploads_content_type_fits', 'what does not fit is refused'
);
select lives_ok(
  $$ select api.presign_upload('{"purpose": "hub_photo", "contentType": "image/png", "sizeBytes": 1}') $$, 'a name is not needed'
);
select tests.authenticate_as_guest();
select throws_ok($$ select api.presign_upload('{}') $$, '42501', null, 'a guest announces none');
reset role;
delete from app.sessions;
set local role authenticated;
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
select throws_ok($$ select api.presign_upload('{}') $$, 'PT401', 'UNAUTHORIZED', 'nor does a dead session');

select * from finish();
rollback;
