select plan(7);

select tests.elm();
select tests.post('trams', 'lena');
select tests.post('bikes', 'lena');
delete from app.feed_events;
delete from app.events;
insert into app.trending_scores (post_id, score, active_at) select p.id, app.now() - interval '1 day', app.now() - interval '1 day' from app.posts as p;
select tests.comment('root', 'jonas', 'trams', null, app.now() - interval '1 hour');
select set_eq(
  'select post_id, kind::text, actor_id, hub_id, occurred_at from app.feed_events',
  $$ select tests.id('trams') as post, 'commented', tests.id('jonas') as actor, hub, app.now() - interval '1 hour' as at from unnest(array[null, tests.id('elm')]) as hub $$,
  'the post is in the stream of who comments, and in those of their Hubs'
);
select results_eq(
  'select type::text, actor_id, subject_id, hub_id, post_id, comment_id from app.events',
  $$ select 'post_commented', tests.id('jonas') as actor, null::uuid as subject, null::uuid, tests.id('trams') as post, tests.id('root') $$, 'its author is told'
);
select results_eq(
  'select p.id, p.comment_count, s.score from app.posts as p join app.trending_scores as s on s.post_id = p.id order by p.comment_count desc',
  $$
    values
      (tests.id('trams'), 1, app.raised_score(app.now() - interval '1 day', 2)), (tests.id('bikes'), 0, app.now() - interval '1 day')
  $$,
  'a comment is counted and adds 2 to the trending score of its post'
);
select tests.comment('other root', 'maya', 'trams');
select tests.comment('reply', 'lena', 'trams', 'root', app.now());
select tests.comment('another', 'jonas', 'trams', 'root', app.now());
select results_eq(
  'select id, reply_count from app.comments where reply_count > 0', $$ values (tests.id('root'), 2) $$, 'a root counts its replies'
);
select is(comment_count, 4, 'the post all of them') from app.posts where id = tests.id('trams');
select set_eq(
  $$ select hub_id, occurred_at from app.feed_events where actor_id = tests.id('jonas') $$, $$ select hub, app.now() from unnest(array[null, tests.id('elm')]) as hub $$,
  'who comments again brings it up again'
);
select is(count(*), 4::bigint, 'and is told of again') from app.events;

select * from finish();
