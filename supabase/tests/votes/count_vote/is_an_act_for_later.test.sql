select plan(4);

select tests.elm();
select tests.slider('trams', 'lena');
select tests.discussion('locked', 'amara', 'elm');
delete from app.feed_events;
update app.posts set trending_at = app.now() - interval '1 day';
create temporary table before as select id, trending_at from app.posts;
select set_config('request.jwt.claims', tests.claims('jonas')::text, true);
select app.count_vote(tests.id('trams'), 'left', '10 minutes'), app.count_vote(tests.id('locked'), 'left', '10 minutes');
select set_eq(
  'select post_id, kind::text, actor_id, hub_id, occurred_at from app.feed_events',
  $$ select tests.id('trams') as post, 'voted', tests.id('jonas') as actor, hub, app.now() + interval '10 minutes' as at from unnest(array[null, tests.id('elm')]) as hub $$,
  'in the voter''s stream and those of their Hubs, if the post is not private'
);
select is_empty('select from app.posts join before using (id) where posts.trending_at <> before.trending_at', 'nothing is warmer before it is folded');
select is_empty('select from app.events where type::text ~ ''vote''', 'and nobody is told');
select is(
  (select count(*) from information_schema.columns where table_schema = 'app' and table_name = 'feed_events' and data_type = 'USER-DEFINED'), 1::bigint, 'an act knows no position'
);

select * from finish();
