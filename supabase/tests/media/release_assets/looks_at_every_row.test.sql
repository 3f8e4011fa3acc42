select plan(2);

select tests.person(name) from unnest(array['maya', 'jonas']) as name;
select tests.asset('hers', 'maya', 'profile_photo');
select tests.asset('his', 'jonas', 'profile_photo');
update app.profiles set photo_asset_id = tests.id(case username when 'maya' then 'hers' else 'his' end);
update app.profiles set photo_asset_id = null;
select set_eq('select tests.to_be_removed()', array[tests.id('hers'), tests.id('his')], 'many rows in one statement let go of each of theirs');
select is_empty($$ select tests.who_may('select app.release_assets()') $$, 'no role calls it');

select * from finish();
