select plan(3);

select tests.person('maya', 3);
create temporary table grants as select app.open_session(tests.id('maya'), tests.sign_in('token')) as g;

select is(
  g - 'sessionId',
  jsonb_build_object(
    'issuedAt', app.iso(date_trunc('second', app.now())),
    'expiresAt', app.iso(date_trunc('second', app.now()) + interval '15 minutes'),
    'expiresIn', 900,
    'user', jsonb_build_object('id', tests.id('maya'), 'username', 'maya', 'fullName', 'Maya', 'isAnonymous', false, 'level', 3)
  ),
  'what the service signs: times and the user'
)
from grants;
select is(s.user_id, tests.id('maya'), 'the session is the user''s') from grants join app.sessions as s on s.id = (g ->> 'sessionId')::uuid;
select results_eq(
  'select token_hash, expires_at from app.refresh_tokens',
  $$ values (tests.hash('token'), app.now() + interval '60 days') $$,
  'its refresh token lives 60 days'
);

select * from finish();
