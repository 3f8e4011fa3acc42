select plan(5);

select tests.person('maya');
select tests.device_token('hers', 'maya');
select is(
  tests.violation_of($$ update app.device_tokens set token_hash = 'a token' $$), 'device_tokens_token_hash_is_sha256',
  'a token is known by its SHA-256 alone'
);
select is(
  tests.violation_of($$ insert into app.device_tokens select * from app.device_tokens $$), 'device_tokens_pkey', 'and is of one person'
);
select is(
  tests.violation_of($$ update app.device_tokens set sealed_token = 'a token' $$), 'device_tokens_sealed_token_length',
  'what is kept is sealed'
);
select is(
  tests.violation_of($$ update app.device_tokens set sealed_token = convert_to(repeat('x', 20001), 'UTF8') $$),
  'device_tokens_sealed_token_length', 'and no more than a token can be'
);
select throws_ok($$ update app.device_tokens set platform = 'web' $$, '22P02', null, 'there are two platforms');

select * from finish();
