select plan(5);

select tests.person(name, 4) from unnest(array['maya', 'jonas']) as name;
select tests.asset('her document', 'maya', 'document');
select tests.asset('her photo', 'maya', 'profile_photo');
select tests.article('his', 'jonas');

select tests.act_as('jonas');
select throws_ok(
  $$ select tests.illustrate('his', 'her document') $$, '42501', null, 'nobody shows another''s document in an article of their own'
);
select throws_ok(
  $$ update app.profiles set photo_asset_id = tests.id('her photo') where user_id = tests.id('jonas') $$, '42501', null,
  'nor another''s photo in their profile'
);
select throws_ok(
  $$ insert into app.hub_profiles (user_id, photo_asset_id) values (tests.id('jonas'), tests.id('her photo')) $$, '42501', null,
  'nor in their Hub profile'
);
insert into app.hub_profiles (user_id) values (tests.id('jonas'));
select throws_ok(
  $$ update app.hub_profiles set photo_asset_id = tests.id('her photo') where user_id = tests.id('jonas') $$, '42501', null,
  'which they cannot change to it either'
);
select is_empty('select from app.assets', 'and so sees nothing of them');

select * from finish();
