begin;
select plan(16);
savepoint empty;

-- raise_trending_score: keeps the former score
select tests.person('maya');
select tests.post('trams', 'maya');
select tests.post('bikes', 'maya');
select app.raise_trending_score(tests.id('trams'), 2);
select results_eq(
  'select post_id, score, active_at from app.trending_scores', $$ values (tests.id('trams'), app.raised_score(null, 2), app.now()) $$, 'the first activity makes a score'
);
select results_eq(
  'select post_id, changed_at, former_score, former_active_at from app.score_changes',
  $$ values (tests.id('trams'), app.now(), null::timestamptz, null::timestamptz) $$, 'before the first activity there was none'
);
create temporary table before as table app.trending_scores;
select app.set_clock_offset('1 hour');
select app.raise_trending_score(tests.id('trams'), 3);
select results_eq(
  'select score, active_at from app.trending_scores', 'select app.raised_score(score, 3), app.now() from before', 'later activity raises the score'
);
select results_eq(
  'select changed_at, former_score, former_active_at from app.score_changes where former_score is not null', 'select app.now(), score, active_at from before',
  'a change keeps the former score and the former activity'
);
select app.raise_trending_score(tests.id('unknown'), 3);
select is(count(*), 1::bigint, 'a deleted post has no score') from app.trending_scores;
select is_empty($$ select tests.who_may('select app.raise_trending_score(null, 1)') $$, 'no role raises a score past the operations');

rollback to empty;

-- raised_score: halves in twelve hours
create function pg_temp.hours_later(p_gap interval, p_weight double precision)
returns numeric
language sql
as $$ select round(extract(epoch from app.raised_score(app.now() + p_gap, p_weight) - app.now()) / 3600, 3) $$;

select is(pg_temp.hours_later('0', 1), 12.000, 'twice the score is twelve hours later');
select is(pg_temp.hours_later('0', 3), 24.000, 'four times the score is twenty-four hours later');
select is(pg_temp.hours_later('-12 hours', 1), round(12 * log(2, 1.5), 3), 'activity of twelve hours ago counts half');
select is(pg_temp.hours_later('-12 hours', 2), round(12 * log(2, 2.5), 3), 'whatever the weight of the new activity');
select is(pg_temp.hours_later('12 hours', 1), round(12 * log(2, 3), 3), 'a higher score moves less');
select is(pg_temp.hours_later('-10 years', 2), 12.000, 'activity of long ago adds nothing');
select is(pg_temp.hours_later('3000 days', 2), 72000.000, 'to a score far ahead activity adds nothing');
select ok(app.raised_score(app.now() + gap, 1) > app.now() + gap, 'a score only rises: ' || gap)
from unnest(array['-29 days', '2 days']::interval[]) as gap;
select is(app.raised_score(null, 2), app.now() + interval '12 hours', 'without a score activity is the score');

select * from finish();
rollback;
