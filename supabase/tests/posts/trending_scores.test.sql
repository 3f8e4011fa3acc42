begin;
select plan(35);
savepoint empty;

-- raise_trending_score raises the score of a post and keeps the former score for pagination under way.
select tests.person('maya');
select tests.post('trams', 'maya');
select tests.post('bikes', 'maya');
select app.raise_trending_score(tests.id('trams'), 2, app.now());
select results_eq(
  'select post_id, score, active_at from app.trending_scores',
  $$ values (tests.id('trams'), app.now() + interval '12 hours', app.now()) $$,
  'the first activity on a post creates its score'
);
select results_eq(
  'select post_id, changed_at, former_score, former_active_at from app.score_changes',
  $$ values (tests.id('trams'), app.now(), null::timestamptz, null::timestamptz) $$,
  'the first change of a score has no former score'
);
create temporary table before as table app.trending_scores;
select app.set_clock_offset('1 hour');
select app.raise_trending_score(tests.id('trams'), 3, app.now());
select results_eq(
  'select score, active_at from app.trending_scores',
  'select app.sum_of_scores(score, app.activity_score(3, app.now())), app.now() from before',
  'later activity on a post raises its score'
);
select results_eq(
  'select changed_at, former_score, former_active_at from app.score_changes where former_score is not null',
  'select app.now(), score, active_at from before', 'a change of a score keeps the former score and the former activity'
);
select app.raise_trending_score(tests.id('trams'), 1, app.now() - interval '30 minutes');
select results_eq(
  'select active_at from app.trending_scores', array[app.now()],
  'activity that is counted late leaves the time of the last activity'
);
select app.raise_trending_score(tests.id('unknown'), 3, app.now());
select is(count(*), 1::bigint, 'activity on a deleted post creates no score') from app.trending_scores;

rollback to empty;

-- sum_of_scores halves earlier activity every twelve hours (docs/product.md F14).
select is(
  round(
    extract(epoch from app.sum_of_scores(app.now() + gap, app.activity_score(weight, app.now())) - app.now()) / 3600, 3
  ), hours, title
)
from (
  values
    (interval '0', 1, 12.000, 'doubling the activity raises a score by twelve hours'),
    ('0', 3, 24.000, 'quadrupling the activity raises a score by twenty-four hours'),
    ('-12 hours', 1, round(12 * log(2, 1.5), 3), 'activity of twelve hours ago counts half against weight 1'),
    ('-12 hours', 2, round(12 * log(2, 2.5), 3), 'activity of twelve hours ago counts half against weight 2'),
    ('12 hours', 1, round(12 * log(2, 3), 3), 'new activity counts half against a score twelve hours ahead'),
    ('-10 years', 2, 12.000, 'activity of ten years ago adds nothing to new activity'),
    ('3000 days', 2, 72000.000, 'new activity adds nothing to a score far ahead')
) as c (gap, weight, hours, title);
select ok(
  app.sum_of_scores(app.now() + gap, app.activity_score(1, app.now())) > app.now() + gap,
  format('new activity raises a score at a gap of %s', gap)
)
from unnest(array['-29 days', '2 days']::interval[]) as gap;
select is(app.sum_of_scores(one, other), app.now(), 'the sum with no score is the other score')
from (values (null, app.now()), (app.now(), null)) as c (one, other);

rollback to empty;

-- firsts_of_weeks leaves out activity of the seven days after other activity.
select is(
  cardinality(app.firsts_of_weeks(array[app.now() - distance, app.now()])), expected,
  format('of two activities %s apart %s count', distance, expected)
)
from (
  values (interval '1 microsecond', 1), ('6 days 23:59:59.999999', 1), ('7 days', 1), ('7 days 0.000001 seconds', 2),
  ('30 days', 2)
) as c (distance, expected);
select is(
  app.firsts_of_weeks(array(select app.now() - n * interval '5 days' from generate_series(0, 3) as n)),
  array[app.now() - interval '15 days'],
  'activity counts again only after seven days of silence'
);

rollback to empty;

-- count_trending counts each person once for a post and kind within seven days, and what is left after a deletion.
-- docs/product.md F16
select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ann']) as name;
select tests.post('trams', 'lena');
create function pg_temp.comment(p_name text, p_author text, p_days numeric)
returns void
language sql
as $$ select tests.comment(p_name, p_author, 'trams', null, app.now() - p_days * interval '1 day') $$;
create function pg_temp.counted()
returns text
language sql
return (
  select string_agg(
    format('%s %s %s', u.username, a.kind, round(extract(epoch from app.now() - a.at) / 86400, 1)), ', ' order by a.at,
    a.kind
  )
  from app.trending_activities as a
  join app.profiles as u on u.user_id = a.actor_id
);
-- The score and the last activity as the activity that counts gives them.
create function pg_temp.is_score_right()
returns boolean
language sql
return not exists (
  select
  from (
    select
      ln(sum(case kind when 'reposted' then 3 else 2 end * power(2, extract(epoch from at - app.now()) / 43200)))
        / ln(2) * interval '12 hours' + app.now() as score,
      max(at) as active_at
    from app.trending_activities
  ) as expected
  left join app.trending_scores as s on true
  where (
    (expected.score is null and s.score is null)
    or (abs(extract(epoch from expected.score - s.score)) < 0.001 and expected.active_at = s.active_at)
  ) is not true
);

select pg_temp.comment('first', 'jonas', 16);
select pg_temp.comment('own', 'lena', 12);
select pg_temp.comment('second', 'jonas', 8.9);
select pg_temp.comment('third', 'jonas', 1.8);
select pg_temp.comment('fourth', 'jonas', 0);
select pg_temp.comment('of ann', 'ann', 1);
select is(
  pg_temp.counted(), 'jonas commented 16.0, jonas commented 8.9, jonas commented 1.8, ann commented 1.0',
  'comments count once within seven days, after seven days of silence again, and those of the post''s author never'
);
select ok(pg_temp.is_score_right(), 'the score is the sum of the comments that count');
select tests.feed_share('jonas', 'trams', app.now() - interval '2 days');
update app.feed_shares set id = tests.id('again');
select tests.feed_share('lena', 'trams');
select tests.repost('repost', 'jonas', 'trams'), tests.repost('other repost', 'jonas', 'trams');
select is(
  pg_temp.counted(),
  'jonas commented 16.0, jonas commented 8.9, jonas shared_to_feed 2.0, jonas commented 1.8, ann commented 1.0, '
  'jonas reposted 0.0',
  'shares and reposts count once for each person too'
);
select ok(pg_temp.is_score_right(), 'the score is the sum of all kinds of activity');
select app.delete_comment(tests.id('third'));
select is(
  pg_temp.counted(),
  'jonas commented 16.0, jonas commented 8.9, jonas shared_to_feed 2.0, ann commented 1.0, '
  'jonas commented 0.0, jonas reposted 0.0',
  'after the deletion of the comment that counted, the next one counts'
);
select ok(pg_temp.is_score_right(), 'a deleted comment counts no more in the score');
select app.delete_comment(tests.id(name)) from unnest(array['fourth', 'of ann']) as name;
delete from app.feed_shares;
select app.hide_post(tests.id(name)) from unnest(array['repost', 'other repost']) as name;
select is(
  pg_temp.counted(), 'jonas commented 16.0, jonas commented 8.9',
  'deleted comments and shares and removed reposts count no more'
);
select ok(pg_temp.is_score_right(), 'the score and the last activity fall with what was deleted');
select app.restore_post(tests.id('repost'));
select is(
  pg_temp.counted(), 'jonas commented 16.0, jonas commented 8.9, jonas reposted 0.0', 'a restored repost counts again'
);
delete from app.posts where id = tests.id('repost');
select app.delete_comment(tests.id(name)) from unnest(array['first', 'second']) as name;
select is_empty('select from app.trending_scores', 'a post without activity that is left has no score');
select is(
  (select c.former_active_at from app.score_changes as c order by c.id desc limit 1), app.now() - interval '8.9 days',
  'the change keeps the former activity'
);
select app.count_trending_votes(tests.id('trams'), 3);
select pg_temp.comment('fifth', 'jonas', 0);
select app.delete_comment(tests.id('fifth'));
select results_eq(
  'select score, active_at from app.trending_scores', 'select app.activity_score(3, app.now()), app.now()',
  'votes stay in the score when all other activity was deleted'
);

select * from finish();
rollback;
