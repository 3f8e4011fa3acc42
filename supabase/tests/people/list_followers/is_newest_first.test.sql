select plan(6);

select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ann', 'ben']) as name;
select tests.follow('jonas', 'maya', app.now() - interval '3 days');
select tests.follow('lena', 'maya', app.now() - interval '1 day');
select tests.follow('ann', 'maya', app.now() - interval '2 days');
select tests.follow('ben', 'ann');
-- The other side of the list, which is no part of it.
select tests.follow('maya', 'ben');

create function pg_temp.list(p_args jsonb default '{}')
returns jsonb
language sql
return api.list_followers(tests.user('maya') || p_args);

select tests.act_as('ben');
select is(tests.usernames(pg_temp.list()), '{lena,ann,jonas}', 'newest first');
select is(
  pg_temp.list() #> '{items,1}', jsonb_build_object(
    'id', tests.id('ann'), 'username', 'ann', 'name', 'Ann', 'profilePhotoUrl', null, 'isAnonymous', false, 'viewerFollows', true
  ),
  'with whether the caller follows'
);
select is(pg_temp.list() #> '{items,0,viewerFollows}', 'false', 'or does not');
select is(tests.usernames(pg_temp.list('{"limit": 2}')), '{lena,ann}', 'a part at a time');
select is(
  tests.usernames(pg_temp.list(jsonb_build_object('limit', 2, 'cursor', pg_temp.list('{"limit": 2}') ->> 'nextCursor'))), '{jonas}', 'and then the rest'
);
select is(pg_temp.list('{"limit": 3}') ->> 'nextCursor', null, 'where nobody is left there is no next page');

select * from finish();
