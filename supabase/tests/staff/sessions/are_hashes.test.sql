select plan(1);

select is(
  tests.violation_of($$ insert into staff.sessions (token_hash, email, expires_at) values ('a cookie', 'ada@opine.example', app.now()) $$),
  'sessions_token_hash_is_sha256', 'a cookie is stored as its SHA-256 alone'
);

select * from finish();
