select plan(10);

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
