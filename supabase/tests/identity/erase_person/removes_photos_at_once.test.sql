select plan(5);

select tests.person('maya', 4);
select tests.person('jonas', 4);
select tests.asset(name, 'maya', 'profile_photo') from unnest(array['face', 'hub face', 'loose']) as name;
select tests.asset('his', 'jonas', 'profile_photo');
update app.profiles set photo_asset_id = tests.id(case username when 'maya' then 'face' else 'his' end);
insert into app.hub_profiles (user_id, photo_asset_id) values (tests.id('maya'), tests.id('hub face')), (tests.id('jonas'), tests.id('his'));
select tests.open_upload('open', 'maya');
select tests.open_upload('done', 'maya');
select tests.open_upload('his next', 'jonas');
update app.uploads set asset_id = tests.id('loose') where id = tests.id('done');
select app.erase_person(tests.id('maya'));
select set_eq('select tests.to_be_removed()', array[tests.id('face'), tests.id('hub face')], 'the photos that people knew them by');
select set_eq('select id from app.assets', array[tests.id('loose'), tests.id('his')], 'what they showed nobody is removed with the rest');
select set_eq('select id from app.uploads', array[tests.id('done'), tests.id('his next')], 'nothing more is uploaded');
select results_eq('select user_id from app.hub_profiles', array[tests.id('jonas')], 'their Hub identity is gone');
select results_eq('select user_id from app.profiles', array[tests.id('jonas')], 'as is their profile, and nobody else''s');

select * from finish();
