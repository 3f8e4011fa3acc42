select plan(3);

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

select * from finish();
