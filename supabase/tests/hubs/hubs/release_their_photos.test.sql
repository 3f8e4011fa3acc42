select plan(4);

select tests.elm();
select tests.hub('oak', 'amara');
select tests.asset(name, 'amara', 'hub_photo') from unnest(array['leaves', 'bark']) as name;
update app.hubs set photo_asset_id = tests.id('leaves');

select is(tests.violation_of('delete from app.assets'), 'hubs_photo_asset_id_fkey', 'no photo goes as long as a Hub shows it');
update app.hubs set photo_asset_id = tests.id('bark') where id = tests.id('elm');
select is_empty('select tests.to_be_removed()', 'one that another Hub shows stays');
delete from app.hubs where id = tests.id('oak');
select set_eq('select tests.to_be_removed()', array[tests.id('leaves')], 'then it goes with that Hub');
update app.hubs set photo_asset_id = null;
select set_eq('select tests.to_be_removed()', array[tests.id('leaves'), tests.id('bark')], 'or where there is none any more');

select * from finish();
