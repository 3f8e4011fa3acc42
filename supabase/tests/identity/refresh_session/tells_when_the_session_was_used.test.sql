select plan(3);

select tests.person('maya', 3);
select tests.session('maya');
select is(last_used_at, app.now(), 'a session is used when it begins') from app.sessions;
select app.set_clock_offset('10 days');
select tests.refresh('token of maya', 'successor');
select is(last_used_at, app.now(), 'and with each refresh') from app.sessions;
select app.set_clock_offset('10 days 30 seconds');
select tests.refresh('token of maya', 'successor');
select is(last_used_at, app.now() - interval '30 seconds', 'an answer given twice is one use') from app.sessions;

select * from finish();
