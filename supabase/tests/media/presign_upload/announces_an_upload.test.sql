select plan(6);

select tests.person('maya', 1);
select tests.act_as('maya');
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
select tests.act_as_guest();
select throws_ok($$ select api.presign_upload('{}') $$, '42501', null, 'a guest announces none');
reset role;
delete from app.sessions;
set local role authenticated;
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
select throws_ok($$ select api.presign_upload('{}') $$, 'PT401', 'UNAUTHORIZED', 'nor does a dead session');

select * from finish();
