select plan(2);

select tests.person('maya');
select tests.session('maya');
select is(
  tests.violation_of($$ update app.refresh_tokens set token_hash = 'a token' $$), 'refresh_tokens_hash_is_sha256',
  'a token is stored as its SHA-256 alone'
);
delete from app.sessions;
select is_empty('select from app.refresh_tokens', 'tokens go with their session');

select * from finish();
