select plan(4);

select tests.person('maya');
select tests.post(n::text, 'maya') from generate_series(1, 21) as n;
insert into app.saved_posts (user_id, post_id) select tests.id('maya'), p.id from app.posts as p;
select tests.without_indexes();
select tests.act_as('maya');
select is(
  tests.listed(api.list_saved_posts('{"limit": 50}')), array(select p.id from app.posts as p order by p.id desc), 'in the order of their ids, backwards'
);
select is(cardinality(tests.listed(api.list_saved_posts('{}'))), 20, 'twenty on a page');
select is(
  tests.listed(api.list_saved_posts(jsonb_build_object('cursor', api.list_saved_posts('{}') -> 'nextCursor'))),
  array(select p.id from app.posts as p order by p.id limit 1), 'the next goes on'
);
select is(
  (tests.listed_in_parts('list_saved_posts', '{}'))[:15], array(select p.id from app.posts as p order by p.id desc limit 15), 'on pages as on one'
);

select * from finish();
