select plan(4);

set local timezone = 'Asia/Tokyo';
select is(app.iso('2026-01-02 03:04:05.678901+02'), '2026-01-02T01:04:05.678Z', 'a time is told in UTC, whatever zone it came from');
select is(app.iso('2026-01-02 00:00:00+00'), '2026-01-02T00:00:00.000Z', 'a whole second has its milliseconds too');
select is(app.iso('2026-12-31 23:59:59.9999+00'), '2026-12-31T23:59:59.999Z', 'the year does not turn before its time');
select is(app.iso(null), null, 'no time stays null');

select * from finish();
