select plan(12);

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

select * from finish();
