select plan(3);

select tests.person('maya');
select tests.post('trams', 'maya');
select tests.repost(n::text, 'maya', 'trams') from generate_series(1, 21) as n;
select tests.without_indexes();
select tests.act_as_guest();
select is(
  tests.listed(api.list_frames(tests.arguments('trams') || '{"limit": 50}')), array(select p.id from app.posts as p order by p.id), 'in the order of their ids'
);
select is(cardinality(tests.listed(api.list_frames(tests.arguments('trams')))), 20, 'twenty on a page');
select is(
  tests.listed(api.list_frames(tests.arguments('trams') || jsonb_build_object('cursor', api.list_frames(tests.arguments('trams')) -> 'nextCursor'))),
  (array(select p.id from app.posts as p order by p.id))[21:], 'the next goes on, wherever the original is'
);

select * from finish();
