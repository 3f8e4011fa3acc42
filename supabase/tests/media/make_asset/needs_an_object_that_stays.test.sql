select plan(6);

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

select * from finish();
