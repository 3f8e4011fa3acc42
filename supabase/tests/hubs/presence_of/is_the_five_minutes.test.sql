select plan(3);

select is(app.presence_of('2026-01-01 12:05+00'), '2026-01-01 12:05+00', 'five minutes begin with their first moment');
select is(app.presence_of('2026-01-01 12:09:59.999999+00'), '2026-01-01 12:05+00', 'and end before the next');
select is_empty($$ select tests.who_may('select app.presence_of(null)') $$, 'the triggers alone ask');

select * from finish();
