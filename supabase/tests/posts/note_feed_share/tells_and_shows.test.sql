select plan(6);

select tests.elm();
select tests.post('trams', 'lena');
select tests.discussion('locked', 'amara', 'elm');
delete from app.feed_events;
delete from app.events;
insert into app.trending_scores (post_id, score, active_at) select p.id, app.now() - interval '1 day', app.now() - interval '1 day' from app.posts as p;
select tests.feed_share('jonas', name, app.now() - interval '1 hour') from unnest(array['trams', 'locked']) as name;
select set_eq(
  'select post_id, kind::text, actor_id, hub_id, occurred_at from app.feed_events',
  $$ select tests.id('trams') as post, 'shared_to_feed', tests.id('jonas') as actor, hub, app.now() - interval '1 hour' as at from unnest(array[null, tests.id('elm')]) as hub $$,
  'it is in the sharer''s stream and those of their Hubs, if it is not private'
);
select set_eq(
  'select tests.news()', array['post_shared_to_feed by jonas of trams', 'post_shared_to_feed by jonas of locked'], 'its author is told, of any'
);
select results_eq(
  'select distinct score, active_at from app.trending_scores',
  $$ values (app.raised_score(app.now() - interval '1 day', 2), app.now()) $$, 'a share to a feed adds 2 to the trending score'
);
update app.feed_shares set id = tests.id('again') where post_id = tests.id('trams');
select set_eq(
  'select hub_id, occurred_at from app.feed_events', $$ select hub, app.now() from unnest(array[null, tests.id('elm')]) as hub $$, 'again it is up at the later time'
);
select is(count(*), 3::bigint, 'and told of again') from app.events;
update app.feed_shares set user_id = user_id;
select is(count(*), 3::bigint, 'if it is shared again') from app.events;

select * from finish();
