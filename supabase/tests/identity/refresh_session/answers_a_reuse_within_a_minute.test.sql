select plan(4);

select tests.person('maya', 3);
select tests.session('maya');
select tests.refresh('token of maya', 'successor');
select is(
  tests.refresh('token of maya', 'successor') ->> 'sessionId', tests.id('session of maya')::text, 'a refresh at the same moment succeeds'
);
select app.set_clock_offset('59 seconds');
select ok(tests.refresh('token of maya', 'successor') ? 'sessionId', 'and so does one whose answer was lost');
select is(count(*)::integer, 2, 'there is one successor') from app.refresh_tokens;
select ok(tests.refresh('successor', 'next') ? 'sessionId', 'which refreshes in turn');

select * from finish();
