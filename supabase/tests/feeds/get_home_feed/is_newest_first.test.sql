select plan(3);

select tests.person('maya', 3);
select tests.person('amara', 3);
select tests.person('jonas', 3);
insert into app.default_feed_users (user_id) values (tests.id('maya')), (tests.id('amara'));
insert into app.posts (author_id, thought_text, visibility, created_at)
values
  (tests.id('maya'), 'oldest', 'public', app.now() - interval '3 hours'),
  (tests.id('amara'), 'middle', 'public', app.now() - interval '2 hours'),
  (tests.id('jonas'), 'of no default feed user', 'public', app.now() - interval '90 minutes'),
  (tests.id('maya'), 'newest', 'public', app.now() - interval '1 hour');

select tests.act_as_guest();
create temporary table feeds as select api.get_home_feed('{"limit": 20}') as feed;
select is(
  jsonb_path_query_array(feed, '$.items[*].thoughtText'), '["newest", "middle", "oldest"]', 'posts of the default feed users, newest first'
)
from feeds;
select is(
  jsonb_path_query_array(feed, '$.items[*].feedContext') - 'default_feed_user', '[]', 'each card says why it is there'
)
from feeds;
select is(feed -> 'nextCursor', 'null', 'there is no more') from feeds;

select * from finish();
