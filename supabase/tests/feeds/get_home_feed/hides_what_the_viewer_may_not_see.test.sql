select plan(2);

select tests.person('maya', 4);
insert into app.default_feed_users (user_id) values (tests.id('maya'));
insert into app.posts (author_id, thought_text, visibility, created_at)
values
  (tests.id('maya'), 'older', 'public', app.now() - interval '2 hours'),
  (tests.id('maya'), 'locked', 'private_locked_hub', app.now() - interval '1 hour'),
  (tests.id('maya'), 'newer', 'public', app.now());

select tests.act_as_guest();
create temporary table feeds as select api.get_home_feed('{"limit": 2}') as feed;
select is(jsonb_path_query_array(feed, '$.items[*].thoughtText'), '["newer", "older"]', 'a hidden post leaves no gap in the page') from feeds;
select is(feed -> 'nextCursor', 'null', 'and is no reason for another') from feeds;

select * from finish();
