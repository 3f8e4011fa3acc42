select plan(6);

select tests.person('author', 3);
select tests.person('one', 1);
select tests.person('two', 2);
select tests.person('four', 4);
select tests.slider('trams', 'author');

create function pg_temp.permissions()
returns text[]
language sql
return array(
  select permission.key
  from jsonb_each(api.get_post(tests.arguments('trams')) -> 'permissions') as permission
  where permission.value = 'true'
  order by permission.key
);

select tests.act_as_guest();
select is(pg_temp.permissions(), '{}', 'a guest may read');
select is_empty(
  $$ select key from jsonb_each(api.get_post(tests.arguments('trams')) -> 'permissions') where value <> 'false' $$, 'all else they may not'
);
select tests.act_as('one');
select is(pg_temp.permissions(), '{}', 'and so may an anonymous user');
select tests.act_as('two');
select is(pg_temp.permissions(), '{canComment,canShareToFeed,canVote}', 'a registered person votes, comments and shares');
select tests.act_as('author');
select is(
  pg_temp.permissions(), '{canComment,canDelete,canRepost,canShareToFeed,canVote}', 'a phone-confirmed one reposts, the author deletes'
);
select tests.act_as('four');
select is(
  pg_temp.permissions(), '{canComment,canRepost,canShareToFeed,canShareToHubs,canVote}', 'a Hub-ready one shares to Hubs'
);

select * from finish();
