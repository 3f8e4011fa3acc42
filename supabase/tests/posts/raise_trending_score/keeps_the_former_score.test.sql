select plan(6);

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

select * from finish();
