select plan(9);

create function pg_temp.hours_later(p_gap interval, p_weight double precision)
returns numeric
language sql
as $$ select round(extract(epoch from app.warmed(app.now() + p_gap, p_weight) - app.now()) / 3600, 3) $$;

select is(pg_temp.hours_later('0', 1), 12.000, 'as warm again is twelve hours later');
select is(pg_temp.hours_later('0', 3), 24.000, 'four times as warm twice that');
select is(pg_temp.hours_later('-12 hours', 1), round(12 * log(2, 1.5), 3), 'what was done twelve hours ago is half of it');
select is(pg_temp.hours_later('-12 hours', 2), round(12 * log(2, 2.5), 3), 'whatever is done now');
select is(pg_temp.hours_later('12 hours', 1), round(12 * log(2, 3), 3), 'who is warm gains less');
select is(pg_temp.hours_later('-10 years', 2), 12.000, 'what is long past is nothing');
select is(pg_temp.hours_later('3000 days', 2), 72000.000, 'nor does anything count then');
select ok(app.warmed(app.now() + gap, 1) > app.now() + gap, 'it only gets warmer: ' || gap)
from unnest(array['-29 days', '2 days']::interval[]) as gap;

select * from finish();
