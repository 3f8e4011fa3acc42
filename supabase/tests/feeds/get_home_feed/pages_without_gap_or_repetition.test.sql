select plan(5);

select tests.person('maya', 3);
insert into app.default_feed_users (user_id) values (tests.id('maya'));
insert into app.posts (author_id, thought_text, visibility, created_at)
select tests.id('maya'), n, 'public', app.now() - interval '1 microsecond' * (n / 2) from generate_series(1, 5) as n;

create function pg_temp.page(p_cursor text)
returns jsonb
language sql
return api.get_home_feed(jsonb_build_object('limit', 2, 'cursor', p_cursor));

select tests.act_as_guest();
create temporary table pages as select 1 as page, pg_temp.page(null) as feed;
insert into pages select 2, pg_temp.page(feed ->> 'nextCursor') from pages where page = 1;
insert into pages select 3, pg_temp.page(feed ->> 'nextCursor') from pages where page = 2;

select results_eq(
  $$ select jsonb_array_length(feed -> 'items') from pages order by page $$, array[2, 2, 1], 'pages are full but for the last'
);
select results_eq(
  $$ select (item ->> 'id')::uuid from pages, jsonb_array_elements(feed -> 'items') with ordinality as i (item, place) order by page, place $$,
  $$ select id from app.posts order by created_at desc, id desc $$,
  'each post comes once and in order, also of those of one moment'
);
select results_eq($$ select feed -> 'nextCursor' = 'null' from pages order by page $$, array[false, false, true], 'the last has no next');

reset role;
insert into app.posts (author_id, thought_text, visibility, created_at) values (tests.id('maya'), 'new', 'public', app.now());
delete from app.posts where id = (select (feed #>> '{items,1,id}')::uuid from pages where page = 1);
select tests.act_as_guest();
select is(pg_temp.page(p1.feed ->> 'nextCursor'), p2.feed, 'a new post and a deleted one move no page')
from pages as p1, pages as p2
where p1.page = 1 and p2.page = 2;
select is(
  api.get_home_feed('{"limit": 5}') -> 'nextCursor', 'null', 'a page that is just full is the last where no more follows'
);

select * from finish();
