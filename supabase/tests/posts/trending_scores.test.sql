begin;
select plan(15);
savepoint empty;

-- raise_trending_score raises the score of a post and keeps the former score for pagination under way.
select tests.person('maya');
select tests.post('trams', 'maya');
select tests.post('bikes', 'maya');
select app.raise_trending_score(tests.id('trams'), 2);
select results_eq(
  'select post_id, score, active_at from app.trending_scores',
  $$ values (tests.id('trams'), app.raised_score(null, 2), app.now()) $$, 'the first activity on a post creates its score'
);
select results_eq(
  'select post_id, changed_at, former_score, former_active_at from app.score_changes',
  $$ values (tests.id('trams'), app.now(), null::timestamptz, null::timestamptz) $$,
  'the first change of a score has no former score'
);
create temporary table before as table app.trending_scores;
select app.set_clock_offset('1 hour');
select app.raise_trending_score(tests.id('trams'), 3);
select results_eq(
  'select score, active_at from app.trending_scores', 'select app.raised_score(score, 3), app.now() from before',
  'later activity on a post raises its score'
);
select results_eq(
  'select changed_at, former_score, former_active_at from app.score_changes where former_score is not null',
  'select app.now(), score, active_at from before', 'a change of a score keeps the former score and the former activity'
);
select app.raise_trending_score(tests.id('unknown'), 3);
select is(count(*), 1::bigint, 'activity on a deleted post creates no score') from app.trending_scores;

rollback to empty;

-- raised_score halves earlier activity every twelve hours.
select is(
  round(extract(epoch from app.raised_score(app.now() + gap, weight) - app.now()) / 3600, 3), hours, title
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
select ok(app.raised_score(app.now() + gap, 1) > app.now() + gap, format('new activity raises a score at a gap of %s', gap))
from unnest(array['-29 days', '2 days']::interval[]) as gap;
select is(app.raised_score(null, 2), app.now() + interval '12 hours', 'the first activity alone makes the score');

select * from finish();
rollback;
