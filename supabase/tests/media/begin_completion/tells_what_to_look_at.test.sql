select plan(7);

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

select * from finish();
