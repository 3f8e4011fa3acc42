select plan(4);

select tests.person('maya', 3);
select tests.session('maya');
select is(
  tests.refresh('forged', 'successor'), '{"refusal": {"code": "UNAUTHORIZED", "details": {}}}', 'an unknown token is refused'
);
select app.set_clock_offset('60 days');
select is(
  tests.refresh('token of maya', 'successor'), '{"refusal": {"code": "UNAUTHORIZED", "details": {}}}', 'a token ends after 60 days'
);
select is(count(*)::integer, 1, 'neither has a successor') from app.refresh_tokens;
select app.set_clock_offset('59 days');
select ok(tests.refresh('token of maya', 'successor') ? 'sessionId', 'until then it refreshes');

select * from finish();
