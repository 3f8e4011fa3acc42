begin;
select plan(52);
savepoint empty;

-- end_session: takes what is of it
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

select is(tests.refusal_of(null, format('select api.end_session(%L)', pg_temp.args('maya'))), '42501', 'guests end nothing');
select tests.authenticate_as('maya at home');
select set_config('request.jwt.claims', tests.claims('maya at home', 'maya')::text, true);
select is(tests.refusal('end_session', pg_temp.args('jonas')), 'SESSION_NOT_FOUND', 'somebody else''s is none');
select is(api.end_session(pg_temp.args('maya')), '{}', 'one''s own ends');
select is(tests.refusal('end_session', pg_temp.args('maya')), 'SESSION_NOT_FOUND', 'once');
reset role;
select bag_eq('select id from app.sessions', tests.ids('session of maya at home', 'session of jonas'), 'and no other');
select bag_eq('select session_id from app.refresh_tokens', tests.ids('session of maya at home', 'session of jonas'), 'with its refresh token');
select results_eq('select token_hash from app.device_tokens', array[tests.hash('his')], 'and its device token');

rollback to empty;

-- list_sessions: is last used first
select tests.person('maya');
select tests.session('maya');
select tests.session('maya at home', 'maya');
update app.sessions set last_used_at = last_used_at - interval '1 day', device_kind = 'ios' where id = tests.id('session of maya');
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
  'what is known of each, and which of them asks'
);
select is(tests.listed(api.list_sessions('{}')), tests.ids('session of maya at home', 'session of maya'), 'the last used first');
reset role;
select is(tests.refusal_of(null, $$ select api.list_sessions('{}') $$), '42501', 'guests have none');

rollback to empty;

-- log_out: ends all on request
select tests.person('maya');
select tests.session('maya');
select tests.session('maya at home', 'maya');
select tests.person('jonas');
select tests.session('jonas');
select tests.authenticate_as('maya');
select api.log_out(jsonb_build_object('refreshTokenHash', tests.hex('token of maya'), 'logoutFromAllDevices', true));
reset role;
select results_eq('select user_id from app.sessions', array[tests.id('jonas')], 'all of the caller''s sessions end, and nobody else''s');

rollback to empty;

-- log_out: ends the callers session
select tests.person('maya');
select tests.session('maya');
select tests.session('maya at home', 'maya');
select tests.authenticate_as('maya');
select is(
  api.log_out(jsonb_build_object('refreshTokenHash', tests.hex('token of maya'), 'logoutFromAllDevices', false)), '{}',
  'logging out answers nothing'
);
reset role;
select results_eq('select id from app.sessions', array[tests.id('session of maya at home')], 'and ends this session alone');

rollback to empty;

-- log_out: ends the session of the token too
select tests.person('maya');
select tests.session('maya');
select tests.session('maya at home', 'maya');
select tests.session('maya at work', 'maya');
select tests.authenticate_as('maya');
select api.log_out(jsonb_build_object('refreshTokenHash', tests.hex('token of maya at home'), 'logoutFromAllDevices', false));
reset role;
select results_eq(
  'select id from app.sessions', array[tests.id('session of maya at work')],
  'a refresh token of another own session ends that and the caller''s'
);

rollback to empty;

-- log_out: refuses a foreign token
select tests.person('maya');
select tests.session('maya');
select tests.person('jonas');
select tests.session('jonas');

create function pg_temp.log_out(p_token text, p_everywhere boolean)
returns jsonb
language sql
return api.log_out(jsonb_build_object('refreshTokenHash', tests.hex(p_token), 'logoutFromAllDevices', p_everywhere));

select tests.authenticate_as('maya');
select throws_ok($$ select pg_temp.log_out('token of jonas', false) $$, 'PT401', 'UNAUTHORIZED', 'the token of somebody else is refused');
select throws_ok($$ select pg_temp.log_out('forged', true) $$, 'PT401', 'UNAUTHORIZED', 'and so is one that never was');
reset role;
select is(count(*)::integer, 2, 'no session ends') from app.sessions;

rollback to empty;

-- log_out: takes device tokens along
select tests.person('maya');
select tests.session('maya');
select tests.device_token('hers', 'maya');
select tests.person('jonas');
select tests.session('jonas');
select tests.device_token('his', 'jonas');
insert into app.device_tokens (token_hash, user_id, platform, sealed_token)
select tests.hash(name), tests.id('maya'), 'android', tests.sealed(name) from unnest(array['named', 'unnamed']) as name;
select tests.session('maya at home', 'maya');

create function pg_temp.device_tokens()
returns setof bytea
language sql
begin atomic
  select token_hash from app.device_tokens;
end;

create function pg_temp.log_out(p_token text, p_device_token text, p_everywhere boolean default false)
returns void
language plpgsql
as $$
begin
  perform tests.authenticate_as('maya');
  perform api.log_out(jsonb_build_object(
    'refreshTokenHash', tests.hex(p_token), 'logoutFromAllDevices', p_everywhere, 'deviceTokenHash', tests.hex(p_device_token)
  ));
  perform set_config('role', 'none', true);
end
$$;

select pg_temp.log_out('token of maya', 'named');
select set_eq(
  'select pg_temp.device_tokens()', array[tests.hash('his'), tests.hash('unnamed')],
  'the device token of the session goes, and the one that was named'
);
select pg_temp.log_out('token of maya at home', 'his');
select set_eq('select pg_temp.device_tokens()', array[tests.hash('his'), tests.hash('unnamed')], 'nobody removes the token of somebody else');
select tests.session('maya at work', 'maya');
select pg_temp.log_out('token of maya at work', null, p_everywhere => true);
select set_eq('select pg_temp.device_tokens()', array[tests.hash('his')], 'everywhere means every device token of the person');

rollback to empty;

-- open_session: grants fifteen minutes
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

rollback to empty;

-- prune_identity: keeps what lives
select tests.person('maya', 3);
select tests.session('maya long ago', 'maya');
select tests.request_code('maya', '1234');
select app.set_clock_offset('23 hours 59 minutes');
select tests.session('maya', 'maya');
select tests.request_code('jonas', '1234');

select app.set_clock_offset('24 hours');
set local session authorization opine_worker;
select app.prune_identity();
reset session authorization;
select results_eq(
  'select phone_hash from app.otp_codes', array[tests.hash(tests.phone_of('jonas'))], 'a code is forgotten after the day that limits count'
);
select is(count(*)::integer, 2, 'sessions that a token can renew stay') from app.sessions;

select app.set_clock_offset('60 days');
set local session authorization opine_worker;
select app.prune_identity();
reset session authorization;
select results_eq(
  'select id from app.sessions', array[tests.id('session of maya')], 'a session goes with its last refresh token'
);

rollback to empty;

-- prune_identity: remembers replaced tokens
select tests.person('maya', 3);
select tests.session('maya');
select tests.refresh('token of maya', 'successor');
select app.set_clock_offset('59 days');
select app.prune_identity();
select is(
  tests.refresh('token of maya', 'successor') -> 'refusal' ->> 'code', 'UNAUTHORIZED',
  'a replaced token is known for what it is until it expires'
);
select is_empty('select from app.sessions', 'so that its late reuse ends the session');

rollback to empty;

-- refresh_session: answers a reuse within a minute
select tests.person('maya', 3);
select tests.session('maya');
select tests.refresh('token of maya', 'successor');
select is(
  tests.refresh('token of maya', 'successor') ->> 'sessionId', tests.id('session of maya')::text, 'a refresh at the same moment succeeds'
);
select app.set_clock_offset('59 seconds');
select ok(tests.refresh('token of maya', 'successor') ? 'sessionId', 'and so does one whose answer was lost');
select is(count(*)::integer, 2, 'there is one successor') from app.refresh_tokens;
select ok(tests.refresh('successor', 'next') ? 'sessionId', 'which refreshes in turn');

rollback to empty;

-- refresh_session: ends the session of a stolen token
select tests.person('maya', 3);
select tests.session('maya');
select tests.session('maya at home', 'maya');
select tests.refresh('token of maya', 'successor');
select app.set_clock_offset('60 seconds');
select is(
  tests.refresh('token of maya', 'successor'), '{"refusal": {"code": "UNAUTHORIZED", "details": {}}}',
  'a later reuse is refused'
);
select is(
  tests.refresh('successor', 'next'), '{"refusal": {"code": "UNAUTHORIZED", "details": {}}}', 'and the successor with it'
);
select ok(not gateway.session_is_live(tests.claims('maya')), 'access tokens of the session are dead at once');
select ok(tests.refresh('token of maya at home', 'other') ? 'sessionId', 'another session of the same person goes on');

rollback to empty;

-- refresh_session: keeps a session calm
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

rollback to empty;

-- refresh_session: refuses unknown and expired tokens
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

rollback to empty;

-- refresh_session: rotates the token
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

rollback to empty;

-- refresh_session: tells the level of now
select tests.person('maya', 1);
select tests.session('maya');
insert into app.profiles (user_id, username, full_name) values (tests.id('maya'), 'maya', 'Maya');
select is(
  tests.refresh('token of maya', 'successor') -> 'user' -> 'level', '2', 'a refresh answers the user as they are now'
);

rollback to empty;

-- refresh_session: tells when the session was used
select tests.person('maya', 3);
select tests.session('maya');
select is(last_used_at, app.now(), 'a session is used when it begins') from app.sessions;
select app.set_clock_offset('10 days');
select tests.refresh('token of maya', 'successor');
select is(last_used_at, app.now(), 'and with each refresh') from app.sessions;
select app.set_clock_offset('10 days 30 seconds');
select tests.refresh('token of maya', 'successor');
select is(last_used_at, app.now() - interval '30 seconds', 'an answer given twice is one use') from app.sessions;

select * from finish();
rollback;
