select plan(4);

select tests.person('maya', 3);
select tests.session('maya');
select app.set_clock_offset('10 days');
select is(
  tests.refresh('token of maya', 'successor') ->> 'sessionId', tests.id('session of maya')::text, 'the same session goes on'
);
select results_eq(
  $$ select expires_at from app.refresh_tokens where token_hash = tests.hash('successor') $$,
  $$ values (app.now() + interval '60 days') $$,
  'its successor lives 60 days from now'
);
select isnt(replaced_at, null, 'the token is replaced') from app.refresh_tokens where token_hash = tests.hash('token of maya');
select ok(tests.refresh('successor', 'next') ? 'sessionId', 'the successor refreshes in turn');

select * from finish();
