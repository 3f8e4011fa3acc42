select plan(2);

select tests.person('maya', 1);
select tests.open_upload(name, 'maya') from unnest(array['one', 'other']) as name;
select tests.asset('picture', 'maya');
select is(
  tests.violation_of($$ update app.uploads set asset_id = tests.id('picture') $$), 'uploads_asset_id_key', 'of one upload an asset is made'
);
update app.uploads set asset_id = tests.id('picture') where id = tests.id('one');
delete from app.assets;
select results_eq('select id from app.uploads', array[tests.id('other')], 'with which it goes');

select * from finish();
