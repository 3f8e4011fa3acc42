select plan(4);

select tests.person('maya', 3);
select tests.session('maya');
select tests.session('maya at home', 'maya');
select tests.refresh('token of maya', 'successor');
select app.set_clock_offset('60 seconds');
select is(
  tests.refresh('token of maya', 'successor'), '{"refusal": {"code": "UNAUTHORIZED", "details": {}}}',
  'a later reuse is refused'
);
select is(
  tests.refresh('successor', 'next'), '{"refusal": {"code": "UNAUTHORIZED", "details": {}}}', 'and the successor with it'
);
select ok(not gateway.session_is_live(tests.claims('maya')), 'access tokens of the session are dead at once');
select ok(tests.refresh('token of maya at home', 'other') ? 'sessionId', 'another session of the same person goes on');

select * from finish();
