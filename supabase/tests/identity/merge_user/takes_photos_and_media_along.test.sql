select plan(5);

select tests.person('maya', 3);
select tests.person('lena', 2);
select tests.asset('her face', 'maya', 'profile_photo');
select tests.asset('the other face', 'lena', 'profile_photo');
select tests.asset('picture', 'lena');
select tests.asset('loose', 'lena');
select tests.open_upload('next', 'lena');
update app.profiles set photo_asset_id = tests.id(case username when 'maya' then 'her face' else 'the other face' end);
select tests.illustrated_post('trams', 'lena', 'picture');
select app.merge_user(tests.id('lena'), tests.id('maya'));
select set_eq(
  'select id, owner_id from app.assets',
  $$ select tests.id(name), tests.id('maya') as owner from unnest(array['her face', 'picture', 'loose']) as name $$,
  'what was uploaded is the one person''s'
);
select set_eq('select tests.to_be_removed()', array[tests.id('the other face')], 'the photo of the profile that goes, goes with it');
select results_eq('select owner_id from app.uploads', array[tests.id('maya')], 'an upload under way is completed by them');
select tests.act_as_guest();
select is(jsonb_array_length(app.article_media(tests.id('article of trams'))), 1, 'posts keep their media');
reset role;
update app.users set phone = null, phone_verified_at = null;
delete from app.profiles;
select tests.person('ann', 2);
select tests.asset('third face', 'ann', 'profile_photo');
update app.profiles set photo_asset_id = tests.id('third face');
select app.merge_user(tests.id('ann'), tests.id('maya'));
select results_eq(
  'select user_id, photo_asset_id from app.profiles', $$ values (tests.id('maya'), tests.id('third face')) $$, 'a profile that moves keeps its photo'
);

select * from finish();
