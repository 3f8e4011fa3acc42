select plan(3);

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

select * from finish();
