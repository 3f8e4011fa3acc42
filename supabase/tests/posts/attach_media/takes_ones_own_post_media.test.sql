select plan(7);

select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.asset('picture', 'maya');
select tests.asset('face', 'maya', 'profile_photo');
select tests.asset('hub', 'maya', 'hub_photo');
select tests.asset('his', 'jonas');
select tests.illustrated_post('his post', 'jonas', 'his');
select tests.article('hers', 'maya');

create function pg_temp.refused(variadic p_names text[])
returns jsonb
language sql
return tests.error_of(format(
  'select app.attach_media(%L, %L)', tests.id('hers'), (select array_agg(tests.id(name) order by place) from unnest(p_names) with ordinality as given (name, place))
));

select tests.act_as('maya');
select is(
  pg_temp.refused('picture', 'face') #> '{details,issues}',
  '[{"path": ["article", "assetIds", 1], "code": "unknown_asset", "message": "Not a completed upload of yours for this purpose."}]',
  'a profile photo is none, and it is told which it was'
);
select is(pg_temp.refused('hub') #> '{details,issues,0,path}', '["article", "assetIds", 0]', 'nor is the photo of a Hub');
select is(pg_temp.refused('his', 'picture') #> '{details,issues,0,path}', '["article", "assetIds", 0]', 'nor what is another''s, even where one sees it');
select is(pg_temp.refused('picture', 'picture', 'nothing') #> '{details,issues,0,path}', '["article", "assetIds", 2]', 'nor what is not there');
select is(pg_temp.refused('nothing') - 'details', '{"state": "PT422", "code": "VALIDATION_FAILED"}', 'each as a bad argument');
select is(count(*)::integer, 1, 'and nothing is attached') from app.article_assets;
select is(pg_temp.refused('picture'), null, 'an own picture is taken');

select * from finish();
