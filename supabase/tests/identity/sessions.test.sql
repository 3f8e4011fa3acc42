begin;
select plan(48);
savepoint empty;

-- insert_session grants 15 minutes of access and 60 days of refresh (docs/product.md I2, I3, I5).
select tests.person('maya', 3);
create temporary table grants as select app.insert_session(tests.id('maya'), tests.session_args('token')) as g;

select is(
  g - 'sessionId',
  jsonb_build_object(
    'issuedAt', app.iso(date_trunc('second', app.now())),
    'expiresAt', app.iso(date_trunc('second', app.now()) + interval '15 minutes'),
    'expiresIn', 900,
    'user', jsonb_build_object(
      'id', tests.id('maya'), 'username', 'maya', 'fullName', 'Maya', 'isAnonymous', false, 'level', 3
    )
  ),
  'opening a session answers 15 minutes of access and the user'
)
from grants;
select is(s.user_id, tests.id('maya'), 'opening a session creates it for the user')
from grants
join app.sessions as s on s.id = (g ->> 'sessionId')::uuid;
select results_eq(
  'select token_hash, expires_at from app.refresh_tokens',
  $$ values (tests.hash('token'), app.now() + interval '60 days') $$,
  'the refresh token of a new session expires after 60 days'
);

rollback to empty;

-- list_sessions answers the caller's own sessions, last used first (docs/product.md I7).
select tests.person('maya');
select tests.session('maya');
select tests.session('maya at home', 'maya');
update app.sessions set last_used_at = last_used_at - interval '1 day', device_kind = 'ios'
where id = tests.id('session of maya');
select tests.person('jonas');
select tests.session('jonas');

select tests.authenticate_as('maya');
select is(
  api.list_sessions('{}'),
  (
    select jsonb_build_object('nextCursor', null, 'items', jsonb_agg(jsonb_build_object(
      'id', s.id, 'kind', s.device_kind, 'createdAt', app.iso(s.created_at), 'lastUsedAt', app.iso(s.last_used_at),
      'isCurrent', s.device_kind = 'ios'
    ) order by s.last_used_at desc))
    from app.sessions as s
  ),
  'the list of sessions answers kind and times and marks the current session'
);
select is(
  tests.item_ids(api.list_sessions('{}')), tests.ids('session of maya at home', 'session of maya'),
  'the list of sessions begins with the last used session'
);

rollback to empty;

-- end_session ends one session of the caller (docs/product.md I7).
select tests.person('maya');
select tests.session('maya');
select tests.session('maya at home', 'maya');
select tests.device_token('hers', 'maya');
select tests.person('jonas');
select tests.session('jonas');
select tests.device_token('his', 'jonas');

create function pg_temp.args(p_name text)
returns jsonb
language sql
return jsonb_build_object('sessionId', tests.id('session of ' || p_name));

select tests.authenticate_as('maya at home');
select set_config('request.jwt.claims', tests.claims('maya at home', 'maya')::text, true);
select is(
  tests.refusal('end_session', pg_temp.args('jonas')), 'SESSION_NOT_FOUND',
  'a user cannot end the session of another user'
);
select is(api.end_session(pg_temp.args('maya')), '{}', 'a user can end another session of their own');
select is(tests.refusal('end_session', pg_temp.args('maya')), 'SESSION_NOT_FOUND', 'a session cannot be ended twice');
reset role;
select bag_eq(
  'select id from app.sessions', tests.ids('session of maya at home', 'session of jonas'),
  'ending a session leaves all other sessions'
);
select bag_eq(
  'select session_id from app.refresh_tokens', tests.ids('session of maya at home', 'session of jonas'),
  'ending a session removes its refresh token alone'
);
select results_eq(
  'select token_hash from app.device_tokens', array[tests.hash('his')],
  'ending a session removes its device token alone'
);

rollback to empty;

-- log_out requires a refresh token of the caller and ends what it names (docs/product.md I6).
select tests.person('maya');
select tests.session('maya');
select tests.device_token('hers', 'maya');
insert into app.device_tokens (token_hash, user_id, platform, sealed_token)
select tests.hash(name), tests.id('maya'), 'android',
  tests.sealed_token(name) from unnest(array['named', 'unnamed']) as name;
select tests.session(name, 'maya') from unnest(array['home', 'work']) as name;
select tests.person('jonas');
select tests.session('jonas');
select tests.device_token('his', 'jonas');

create function pg_temp.log_out(p_token text, p_device_token text, p_everywhere boolean)
returns jsonb
language sql
return api.log_out(jsonb_build_object(
  'refreshTokenHash', tests.hash_hex(p_token), 'deviceTokenHash', tests.hash_hex(p_device_token),
  'logoutFromAllDevices',
  p_everywhere
));

-- Answers the names of the sessions and device tokens that remain, and undoes the logout.
create function pg_temp.remaining(p_token text, p_device_token text, p_everywhere boolean)
returns text
language plpgsql
as $$
declare
  v_remaining text;
begin
  perform tests.authenticate_as('maya');
  perform pg_temp.log_out(p_token, p_device_token, p_everywhere);
  perform set_config('role', 'none', true);
  select concat_ws(
    '; ',
    string_agg(name, ', ') filter (
      where exists (select from app.sessions as s where s.id = tests.id('session of ' || name))
    ),
    string_agg(name, ', ') filter (
      where exists (select from app.device_tokens as t where t.token_hash = tests.hash(name))
    )
  )
  into v_remaining
  from unnest(array['maya', 'home', 'work', 'jonas', 'hers', 'named', 'unnamed', 'his']) as name;
  raise exception 'undo the logout';
exception when raise_exception then
  return v_remaining;
end
$$;

select is(pg_temp.remaining(token, device_token, everywhere), remaining, title)
from (
  values
    (
      'token of maya', null, false, 'home, work, jonas; named, unnamed, his',
      'logging out ends the session of the caller with its device token'
    ),
    (
      'token of home', null, false, 'work, jonas; named, unnamed, his',
      'logging out ends the session of the refresh token and that of the caller'
    ),
    (
      'token of maya', 'named', false, 'home, work, jonas; unnamed, his',
      'logging out removes the device token that is named'
    ),
    (
      'token of maya', 'his', false, 'home, work, jonas; named, unnamed, his',
      'logging out cannot remove the device token of another user'
    ),
    (
      'token of maya', null, true, 'jonas; his',
      'logging out everywhere ends all sessions and device tokens of the caller alone'
    )
) as logouts (token, device_token, everywhere, remaining, title);
select tests.authenticate_as('maya');
select throws_ok(
  $$ select pg_temp.log_out('token of jonas', null, false) $$, 'PT401', 'UNAUTHORIZED',
  'a user cannot log out with the refresh token of another user'
);
select throws_ok(
  $$ select pg_temp.log_out('forged', null, true) $$, 'PT401', 'UNAUTHORIZED',
  'a user cannot log out with an unknown refresh token'
);
select is(pg_temp.log_out('token of maya', null, false), '{}', 'logging out answers an empty object');

rollback to empty;

-- refresh_session rotates the refresh token and accepts a reuse for 60 seconds (docs/product.md I5).
select tests.person('maya', 1);
select tests.session('maya');
select is(last_used_at, app.now(), 'a new session counts as used when it begins') from app.sessions;
insert into app.profiles (user_id, username, full_name) values (tests.id('maya'), 'maya', 'Maya');
select app.set_clock_offset('10 days');
create temporary table answers as select tests.refresh_session('token of maya', 'successor') as answer;
select is(
  answer ->> 'sessionId', tests.id('session of maya')::text, 'a refresh continues the same session'
) from answers;
select is(answer -> 'user' -> 'level', '2', 'a refresh answers the current level of the user') from answers;
select results_eq(
  $$ select expires_at from app.refresh_tokens where token_hash = tests.hash('successor') $$,
  $$ values (app.now() + interval '60 days') $$,
  'a successor token expires 60 days after the refresh'
);
select isnt(replaced_at, null, 'a refresh marks the refresh token as replaced')
from app.refresh_tokens where token_hash = tests.hash('token of maya');
select is(last_used_at, app.now(), 'a refresh counts as use of the session') from app.sessions;
select is(
  tests.refresh_session('token of maya', 'successor'), answer, 'an immediate reuse answers the same session'
) from answers;
select app.set_clock_offset('10 days 59 seconds');
select ok(
  tests.refresh_session('token of maya', 'successor') ? 'sessionId', 'a reuse after 59 seconds answers a session'
);
select is(
  last_used_at, app.now() - interval '59 seconds', 'a reuse does not count as use of the session'
) from app.sessions;
select is(count(*)::integer, 2, 'a reuse creates no second successor token') from app.refresh_tokens;
select ok(tests.refresh_session('successor', 'next') ? 'sessionId', 'a successor token refreshes the session');

rollback to empty;

-- refresh_session ends the session of a token that is reused after 60 seconds (docs/product.md I5).
select tests.person('maya', 3);
select tests.session('maya');
select tests.session('maya at home', 'maya');
select tests.refresh_session('token of maya', 'successor');
select app.set_clock_offset('60 seconds');
select is(
  tests.refresh_session('token of maya', 'successor'), '{"refusal": {"code": "UNAUTHORIZED", "details": {}}}',
  'a reuse after 60 seconds is refused'
);
select is(
  tests.refresh_session('successor', 'next'), '{"refusal": {"code": "UNAUTHORIZED", "details": {}}}',
  'a late reuse invalidates the successor token'
);
select ok(
  not app.session_is_live(tests.claims('maya')), 'a late reuse invalidates access tokens of the session at once'
);
select ok(
  tests.refresh_session('token of maya at home', 'other') ? 'sessionId',
  'a late reuse leaves other sessions of the user'
);

rollback to empty;

-- refresh_session refuses unknown and expired tokens.
select tests.person('maya', 3);
select tests.session('maya');
select app.set_clock_offset('60 days');
select is(tests.refresh_session(token, 'successor'), '{"refusal": {"code": "UNAUTHORIZED", "details": {}}}', title)
from (
  values ('forged', 'an unknown refresh token is refused'), ('token of maya', 'a refresh token of 60 days is refused')
) as refused (token, title);
select is(count(*)::integer, 1, 'a refused refresh creates no successor token') from app.refresh_tokens;
select app.set_clock_offset('59 days');
select ok(
  tests.refresh_session('token of maya', 'successor') ? 'sessionId', 'a refresh token of 59 days refreshes the session'
);

rollback to empty;

-- refresh_session limits a session to 300 refreshes an hour (docs/product.md W26).
select tests.person('maya', 1);
select tests.session('maya');
select tests.session('elsewhere', 'maya');
select tests.refresh_session('token of maya', '1');
select tests.refresh_session(n::text, (n + 1)::text) from generate_series(1, 299) as n;
select is(
  tests.error_of($$ select tests.refresh_session('300', '301') $$),
  '{"state": "PT429", "code": "RATE_LIMITED", "details": {"retryAfterSeconds": 12}}',
  'the 301st refresh of a session within an hour exceeds the rate limit'
);
select ok(tests.refresh_session('299', '300') ? 'sessionId', 'the refresh rate limit lets a reuse pass');
select ok(
  tests.refresh_session('token of elsewhere', 'next') ? 'sessionId',
  'the refresh rate limit counts each session by itself'
);
select app.set_clock_offset('12 seconds');
select ok(
  tests.refresh_session('300', '301') ? 'sessionId', 'a rate-limited refresh token stays valid for a later try'
);

rollback to empty;

-- prune_identity removes what has expired and keeps what is still of use.
select tests.person('maya', 3);
select tests.session('maya');
select tests.session('maya long ago', 'maya');
select tests.request_code('maya', '1234');
select app.set_clock_offset('1 minute');
select tests.request_code('jonas', '1234');
select app.set_clock_offset('23 hours 59 minutes');
select tests.refresh_session('token of maya', 'successor');

select app.set_clock_offset('24 hours');
set local session authorization opine_worker;
select app.prune_identity();
reset session authorization;
select results_eq(
  'select phone_hash from app.otp_codes', array[tests.hash(tests.phone_of('jonas'))],
  'pruning removes a one-time code after a day and no minute before'
);
select is(count(*)::integer, 2, 'pruning keeps sessions that a refresh token can renew') from app.sessions;

select app.set_clock_offset('60 days');
set local session authorization opine_worker;
select app.prune_identity();
reset session authorization;
select results_eq(
  'select id from app.sessions', array[tests.id('session of maya')],
  'pruning removes a session whose refresh tokens have expired'
);
select results_eq(
  'select token_hash from app.refresh_tokens', array[tests.hash('successor')],
  'pruning removes expired refresh tokens of live sessions'
);

rollback to empty;

-- prune_identity keeps replaced tokens, so that a late reuse is noticed.
select tests.person('maya', 3);
select tests.session('maya');
select tests.refresh_session('token of maya', 'successor');
select app.set_clock_offset('59 days');
select app.prune_identity();
select is(
  tests.refresh_session('token of maya', 'successor') -> 'refusal' ->> 'code', 'UNAUTHORIZED',
  'a reuse after pruning is refused until the refresh token expires'
);
select is_empty('select from app.sessions', 'a late reuse after pruning ends the session');

select * from finish();
rollback;
