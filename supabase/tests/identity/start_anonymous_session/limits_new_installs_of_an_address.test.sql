select plan(4);

create function pg_temp.start(p_device text, p_address text default 'here') returns jsonb language sql as $$
  select api.start_anonymous_session(jsonb_build_object(
    'deviceHash', tests.hex(p_device), 'refreshTokenHash', tests.hex(gen_random_uuid()::text), 'deviceKind', 'ios',
    'addressHash', p_address, 'devicesPerAddress', 2
  ));
$$;

select pg_temp.start('one');
select pg_temp.start('two');
select is(
  tests.error_of($$ select pg_temp.start('three') $$),
  '{"state": "PT429", "code": "RATE_LIMITED", "details": {"retryAfterSeconds": 1800}}'::jsonb,
  'a third new install within the hour waits'
);
select isnt(pg_temp.start('one') -> 'sessionId', null, 'a known one is restored all the same');
select isnt(pg_temp.start('three', 'elsewhere') -> 'sessionId', null, 'another address has its own limit');
select isnt(pg_temp.start('four', null) -> 'sessionId', null, 'no address has none');

select * from finish();
