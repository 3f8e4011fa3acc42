select plan(8);

select tests.elm();
select tests.slider('trams', 'lena');
select tests.slider('bikes', 'lena');
select tests.slider('locked', 'amara', 'private_locked_hub');
select tests.placed('locked', 'elm');
delete from app.feed_events;
delete from app.events;
select tests.vote('jonas', name, 'left', '10 minutes') from unnest(array['trams', 'locked']) as name;
select results_eq(
  'select post_id, kind::text, actor_id, hub_id, occurred_at from app.feed_events',
  $$ values (tests.id('trams'), 'voted', tests.id('jonas'), null::uuid, app.now() + interval '10 minutes') $$,
  'in the voter''s own stream, if the post is not private'
);
select tests.vote('jonas', 'bikes', 'left');
select set_eq(
  $$ select kind::text, actor_id, hub_id, occurred_at from app.feed_events where post_id = tests.id('bikes') $$,
  $$ select 'voted', tests.id('jonas'), hub, app.now() from unnest(array[null, tests.id('elm')]) as hub $$,
  'without a delay at once, and in those of their Hubs'
);
select tests.vote('maya', 'locked', 'left');
select is_empty($$ select from app.feed_events where post_id = tests.id('locked') $$, 'on a private post in none');
select bag_eq(
  'select post_id, user_id, cast_at from app.fresh_votes',
  $$
    values
      (tests.id('trams'), tests.id('jonas'), app.now()), (tests.id('bikes'), tests.id('jonas'), app.now()),
      (tests.id('locked'), tests.id('jonas'), app.now()), (tests.id('locked'), tests.id('maya'), app.now())
  $$,
  'the rest is for the fold'
);
select is_empty('select from app.trending_scores', 'a vote adds nothing to trending scores before the fold');
select is_empty('select from app.posts where vote_count > 0', 'or counted to the post');
select is_empty('select from app.events union all select from app.milestones', 'and nobody is told');
select is(
  (select count(*) from information_schema.columns where table_schema = 'app' and table_name = 'feed_events' and data_type = 'USER-DEFINED'), 1::bigint, 'an act knows no position'
);

select * from finish();
