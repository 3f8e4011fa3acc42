select plan(2);

select tests.elm();
select tests.hub('oak', 'lena');
select tests.asset('leaves', 'amara', 'hub_photo');
select tests.act_as('amara');
select is(
  tests.error_of($$ select app.put_hub_photo(tests.id('elm'), tests.id('nothing')) $$) #> '{details,issues,0,path}', '["profileAssetId"]',
  'a refusal names the field'
);
select app.put_hub_photo(tests.id('elm'), tests.id('leaves'));
reset role;
select results_eq('select name from app.hubs where photo_asset_id is not null', array['elm'], 'one Hub has the photo');

select * from finish();
