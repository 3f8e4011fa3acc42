select plan(6);

select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
insert into app.follows (follower_id, followee_id, created_at)
values
  (tests.id('jonas'), tests.id('maya'), app.now() - interval '1 hour'),
  (tests.id('lena'), tests.id('maya'), app.now() - interval '1 year');

create function pg_temp.page(p_args jsonb)
returns jsonb
language sql
return app.people_page(jsonb_build_object('userId', tests.id('maya')) || p_args, 'followers');

select tests.act_as('maya');
select is(tests.usernames(pg_temp.page('{}')), '{jonas,lena}', 'the newest first');
select is(pg_temp.page('{"limit": 2}') ->> 'nextCursor', null, 'without a next one where nothing is left');
select is(
  pg_temp.page('{"limit": 1}') ->> 'nextCursor', app.encode_cursor(app.now() - interval '1 hour', tests.id('jonas')),
  'else with where it ended'
);
reset role;

insert into app.users (id) select tests.id(n::text) from generate_series(1, 9999) as n;
insert into app.follows (follower_id, followee_id) select tests.id(n::text), tests.id('maya') from generate_series(1, 9999) as n;
select tests.act_as('maya');
create temporary table pages as select pg_temp.page('{"q": "lena"}') as first;
select is(first -> 'items', '[]', 'a request for a name looks at 10,000') from pages;
select is(
  tests.usernames(pg_temp.page(jsonb_build_object('q', 'lena', 'cursor', first ->> 'nextCursor'))), '{lena}',
  'and the next one goes on behind them'
)
from pages;
select is(tests.usernames(pg_temp.page('{}')), '{jonas,lena}', 'a page of everybody is filled, however many have left');

select * from finish();
