select plan(4);

select tests.person('maya', 1);
select tests.session('maya');
select tests.session('elsewhere', 'maya');

create function pg_temp.refresh(p_from text, p_to text) returns jsonb language sql as $$
  select api.refresh_session(jsonb_build_object('refreshTokenHash', tests.hex(p_from), 'successorHash', tests.hex(p_to)));
$$;

select pg_temp.refresh('token of maya', '1');
select pg_temp.refresh(n::text, (n + 1)::text) from generate_series(1, 299) as n;
select is(
  tests.error_of($$ select pg_temp.refresh('300', '301') $$),
  '{"state": "PT429", "code": "RATE_LIMITED", "details": {"retryAfterSeconds": 12}}'::jsonb,
  'the three hundred and first refresh within an hour is refused'
);
select isnt(pg_temp.refresh('299', '300') -> 'sessionId', null, 'an answer that was lost is given again all the same');
select isnt(pg_temp.refresh('token of elsewhere', 'next') -> 'sessionId', null, 'another session has its own limit');
select app.set_clock_offset('12 seconds');
select isnt(pg_temp.refresh('300', '301') -> 'sessionId', null, 'and the token that was refused is good when the time has come');

select * from finish();
