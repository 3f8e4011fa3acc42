select plan(3);

select tests.person('maya');
select tests.asset('photo', 'maya', 'profile_photo');
update app.profiles set photo_asset_id = tests.id('photo');
select is(
  tests.violation_of($$ delete from app.assets $$), 'profiles_photo_asset_id_fkey', 'no photo goes as long as a profile shows it'
);
select is(
  tests.violation_of($$ update app.profiles set photo_asset_id = tests.id('nothing') $$), 'profiles_photo_asset_id_fkey', 'nor is shown where there is none'
);
select tests.act_as('maya');
select throws_ok(
  $$ insert into app.profiles (user_id, username, full_name, photo_asset_id) values (tests.id('maya'), 'maya', 'Maya', tests.id('photo')) $$,
  '42501', null, 'a profile begins without one'
);

select * from finish();
