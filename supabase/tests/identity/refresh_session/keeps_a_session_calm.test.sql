select plan(3);

select tests.person('maya', 1);
select tests.session('maya');
insert into app.refresh_tokens (token_hash, session_id, expires_at, replaced_at)
select tests.hash('token ' || n), tests.id('session of maya'), app.now() + interval '60 days' - interval '20 minutes', app.now()
from generate_series(1, 299) as n;

create function pg_temp.refresh() returns jsonb language sql as $$
  select api.refresh_session(jsonb_build_object(
    'refreshTokenHash', tests.hex('token of maya'), 'successorHash', tests.hex('next')
  ));
$$;

select is(
  tests.error_of('select pg_temp.refresh()'),
  '{"state": "PT429", "code": "RATE_LIMITED", "details": {"retryAfterSeconds": 2400}}'::jsonb,
  'the three hundred and first token within an hour is refused, until the first is an hour old'
);
select is(
  (select count(*) from app.refresh_tokens where replaced_at is null), 1::bigint, 'and the token that asked can ask again'
);
update app.refresh_tokens set expires_at = expires_at - interval '40 minutes' where replaced_at is not null;
select isnt(pg_temp.refresh() -> 'sessionId', null, 'then it goes on');

select * from finish();
