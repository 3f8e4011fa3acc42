select plan(6);

select tests.person('maya');
select tests.person('jonas');
select tests.person('lena');
select tests.person('jonathan', 1);
select tests.asset('photo', 'jonas', 'profile_photo');
update app.profiles set bio = 'Bikes', photo_asset_id = tests.id('photo') where user_id = tests.id('jonas');
select tests.follow('maya', 'jonas');

create function pg_temp.person(p_change jsonb default '{}')
returns jsonb
language sql
return jsonb_build_object('items', jsonb_build_array(jsonb_build_object(
  'id', tests.id('jonas'), 'name', 'Jonas', 'username', 'jonas', 'bio', 'Bikes',
  'profilePhotoUrl', '/storage/v1/object/public/photos/' || tests.id('photo')
) || p_change), 'nextCursor', null);

select tests.act_as_guest();
select is(api.search_users('{"q": "jon"}'), pg_temp.person(), 'a guest finds public fields alone, and who has a profile alone');
select tests.act_as('maya');
select is(api.search_users('{"q": "jon"}'), pg_temp.person('{"viewerFollows": true}'), 'a member sees whether they follow');
select tests.act_as('lena');
select is(api.search_users('{"q": "jon"}'), pg_temp.person('{"viewerFollows": false}'), 'each for themselves');
select is(api.search_users('{"q": "@"}'), '{"items": [], "nextCursor": null}', 'who types nothing finds nobody');
select is(tests.search('on'), '{}', 'the inside of a word is no beginning');
select is(
  tests.error_of($$ select api.search_users('{"q": "jon", "limit": 101}') $$) #> '{details,issues,0,path}', '["limit"]', 'no page is longer than 100'
);

select * from finish();
