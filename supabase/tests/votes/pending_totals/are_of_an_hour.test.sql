select plan(3);

select tests.elm();
select tests.slider('trams', 'maya');
set local timezone = 'Asia/Kolkata';
create function pg_temp.violation(p_hour timestamptz)
returns text
language sql
return tests.violation_of(format('insert into app.pending_totals values (%L, %L, %L, %L, %L)', tests.id('trams'), tests.id('elm'), p_hour, '', ''));

select is(pg_temp.violation('2026-01-01 12:00:00+00'), null, 'that begins on the hour');
select is(pg_temp.violation('2026-01-01 12:00:00+00'), 'pending_totals_pkey', 'one a post, Hub, hour and key');
select is(pg_temp.violation('2026-01-01 12:30:00+00'), 'pending_totals_cast_hour_is_one', 'and not within it');

select * from finish();
