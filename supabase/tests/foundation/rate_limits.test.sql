begin;
select plan(74);

-- Uses a limit of p_limit a minute at this time. Returns how long the next use has to wait, and null if this
-- one passes.
create function pg_temp.wait_at(p_at interval, p_limit integer)
returns interval
language plpgsql
as $$
declare
  v_now timestamptz := app.set_clock_offset(p_at);
begin
  return app.consume_rate_limit('knocks', 'door', p_limit, interval '1 minute') - v_now;
end
$$;
savepoint empty;

-- rate_limit_opens_at returns when the next use passes, and consumes nothing.
create function pg_temp.wait()
returns interval
language sql
return app.rate_limit_opens_at('knocks', 'door', 2, interval '1 minute') - app.now();

select is(pg_temp.wait(), null, 'an unused rate limit is open now');
select app.consume_rate_limit('knocks', 'door', 2, interval '1 minute') from generate_series(1, 2);
select is(pg_temp.wait(), interval '30 seconds', 'a used-up limit of two a minute opens after half a minute');
select is(pg_temp.wait(), interval '30 seconds', 'rate_limit_opens_at consumes nothing of the limit');
select is(app.rate_limit_opens_at('knocks', 'door', null, interval '1 minute'), null, 'a null limit is always open');

rollback to empty;

-- return_use gives a use back.
select app.consume_rate_limit('knocks', 'door', 2, interval '1 minute') from generate_series(1, 2);
select app.return_use('knocks', 'door', 2, interval '1 minute');
select is(
  app.consume_rate_limit('knocks', 'door', 2, interval '1 minute'), null, 'a use that was given back is free again'
);
select isnt(app.consume_rate_limit('knocks', 'door', 2, interval '1 minute'), null, 'return_use gives back one use');
select app.consume_rate_limit(kind, subject, 2, interval '1 minute')
from (values ('knocks', 'window'), ('rings', 'door')) as c (kind, subject)
cross join generate_series(1, 2);
select app.return_use('knocks', 'door', 2, interval '1 minute');
select isnt(
  app.consume_rate_limit(kind, subject, 2, interval '1 minute'), null,
  format('return_use gives back no %s at the %s', kind, subject)
)
from (values ('knocks', 'window'), ('rings', 'door')) as c (kind, subject);

rollback to empty;

-- use_limit counts what a person does (docs/product.md A1).
select tests.person('maya');
select tests.person('jonas');
select app.set_clock_offset('1 day');

create function pg_temp.use(p_kind text, p_times integer default 1)
returns jsonb
language sql
return tests.error_of(format('select app.use_limit(%L, %s)', p_kind, p_times));

select set_config('opine.limits', '', true);
select tests.authenticate_as('maya');
select is(pg_temp.use(kind, uses), null, 'use_limit allows by default ' || uses || ' ' || kind)
from (
  values
    ('posts', 60), ('comments', 240), ('follows', 240), ('shares', 120), ('hubs', 20), ('reports', 60),
    ('votes', 1200), ('searches', 1200), ('joinRequests', 20), ('roleChanges', 60)
) as c (kind, uses);
select is(
  pg_temp.use(kind), jsonb_build_object(
    'state', 'PT429', 'code', 'RATE_LIMITED', 'details', jsonb_build_object('retryAfterSeconds', wait)
  ),
  'use_limit refuses more ' || kind || ' and says when one more passes'
)
from (
  values
    ('posts', 60), ('comments', 15), ('follows', 15), ('shares', 30), ('hubs', 4320), ('reports', 1440),
    ('searches', 3), ('joinRequests', 4320), ('roleChanges', 60)
) as c (kind, wait);
select ok(
  (pg_temp.use('votes') #>> '{details,retryAfterSeconds}')::integer between 1 and 60,
  'use_limit refuses more votes until the next minute'
);
select tests.authenticate_as('jonas');
select is(pg_temp.use('posts'), null, 'the limit of a person does not limit others');
select set_config('opine.limits', '{"posts": 2, "hubs": null}', true);
select is(
  pg_temp.use('posts', 2) ->> 'code', 'RATE_LIMITED', 'use_limit takes a limit from the configuration of the service'
);
select is(pg_temp.use('hubs', 20), null, 'use_limit takes the default for a limit that is not configured');
select set_config('opine.limits', '{"reports": 2, "factor": 100}', true);
select is(pg_temp.use('roleChanges', 6000), null, 'use_limit allows the default times the configured factor');
select is(pg_temp.use('reports', 3) ->> 'code', 'RATE_LIMITED', 'the factor changes no configured limit');
select is(
  tests.error_of($$ select app.use_limit('comments', 0) from generate_series(1, 300) $$), null, 'no use costs nothing'
);

rollback to empty;

-- use_limit gives a new account its share (docs/product.md A2).
select tests.person('maya');
select set_config('opine.limits', '', true);
select tests.authenticate_as('maya');
select is(
  tests.error_of($$ select app.use_limit('posts', 15) $$), null, 'a new account has a quarter of a limit by default'
);
select is(
  tests.error_of($$ select app.use_limit('posts') $$) ->> 'code', 'RATE_LIMITED',
  'a new account has no more than a quarter of a limit'
);
select set_config('opine.limits', '{"follows": 60, "newAccountShare": 0.5}', true);
select is(
  tests.error_of($$ select app.use_limit('follows', 30) $$), null, 'a new account has the configured share of a limit'
);
select set_config('opine.limits', '{"hubs": 1, "newAccountShare": 0.1}', true);
select is(tests.error_of($$ select app.use_limit('hubs') $$), null, 'a new account has at least one use of a limit');
reset role;
select app.set_clock_offset('23 hours 59 minutes');
select set_config('opine.limits', '', true);
select tests.authenticate_as('maya');
select is(
  tests.error_of($$ select app.use_limit('comments', 61) $$) ->> 'code', 'RATE_LIMITED',
  'an account has a quarter of a limit until just before 24 hours have passed'
);
reset role;
select app.set_clock_offset('24 hours');
select tests.authenticate_as('maya');
select is(
  tests.error_of($$ select app.use_limit('posts', 60) $$), null, 'an account has all of a limit after 24 hours'
);

rollback to empty;

-- use_limit dates votes to the minute.
select tests.person('maya');
select tests.authenticate_as('maya');
select app.use_limit('votes');
reset role;
select is(
  used_at, date_trunc('minute', app.now()), 'the limit of votes has the minute of the last vote'
) from app.rate_limits;
select tests.authenticate_as_guest();
select is(tests.error_of($$ select app.use_limit('searches', 2000) $$), null, 'a guest has no limit of their own');
reset role;

rollback to empty;

-- Each operation with a limit of its own takes one share of the window.
select tests.elm();
select tests.session('amara');
select app.remember_places(tests.id('jonas'), jsonb_build_object(
  'phoneHash', tests.hash_hex('known phone'), 'deviceHash', tests.hash_hex('known device')
));
create function pg_temp.code_args(p_phone text, p_device text)
returns jsonb
language sql
return tests.session_args('token of ' || p_phone) || jsonb_build_object(
  'phoneNumber', tests.phone_of(p_phone), 'phoneHash', tests.hash_hex(p_phone), 'codeHash', tests.hash_hex('1234'),
  'deviceHash', tests.hash_hex(p_device), 'addressHash', tests.hash_hex('the address'), 'prefixHash',
  tests.hash_hex('prefix'),
  'codesPerDay', 5, 'requestsPerAddress', 60, 'triesPerAddress', 30, 'codesPerPrefix', 100, 'wrongTriesPerDay', 5000,
  'devicesPerAddress', 600
);
select set_config('request.jwt.claims', tests.claims('amara')::text, true);
select api.request_otp(pg_temp.code_args('known phone', 'known device'));
select api.request_phone_change(pg_temp.code_args('unknown phone', 'unknown device'));
select api.verify_otp(
  pg_temp.code_args('unknown phone', 'unknown device') || jsonb_build_object('codeHash', tests.hash_hex('0000'))
);
select api.start_anonymous_session(pg_temp.code_args('no phone', 'new device'));
select tests.refresh_session('token of amara', 'successor');
select app.limit_exports(), app.limit_uploads(), app.limit_handle_checks();
select app.put_invitation(tests.id('elm'), tests.phone_of('nobody'), tests.hash('invitation'));
select app.insert_invite_link(tests.id('elm'), tests.hash('link'), null, interval '1 day');
select staff.suspend_user(tests.id('maya'), 'spam', 'She sells pills.');
select api.appeal_suspension(app.suspension_of(tests.id('maya')) || jsonb_build_object(
  'text', 'I do not.', 'addressHash', tests.hash_hex('the address')
));
select tests.sign_in_as_staff('cookie', tests.staff_identity('ada@opine.example'), 'the address');
select results_eq(
  'select kind, count(*), min(empty_at - used_at) from app.rate_limits group by kind order by kind',
  $$
    values
      ('appeals', 1::bigint, interval '1 minute'),
      ('code requests', 1, '2 minutes'),
      ('code tries', 1, '2 minutes'),
      ('codes of a device', 1, '4 hours 48 minutes'),
      ('codes of a prefix', 1, '36 seconds'),
      ('exports', 1, '8 hours'),
      ('handle checks', 1, '1 second'),
      ('invitations of a user', 1, '4 minutes 48 seconds'),
      ('invitations to a hub', 1, '86.4 seconds'),
      ('invite links', 1, '14 minutes 24 seconds'),
      ('new devices', 1, '6 seconds'),
      ('phone changes', 1, '4 hours 48 minutes'),
      ('refreshes', 1, '12 seconds'),
      ('staff sign-ins', 1, '1 minute'),
      ('uploads', 1, '6 seconds'),
      ('wrong codes', 1, '17.28 seconds')
  $$,
  'each operation with a rate limit takes its share of the window of this limit'
);
select api.verify_otp(pg_temp.code_args('unknown phone', 'unknown device'));
select is(
  empty_at, used_at, 'the right code gives its whole share of the limit of a block of numbers back'
)
from app.rate_limits where kind = 'codes of a prefix';
select api.verify_otp(pg_temp.code_args('known phone', 'known device'));
select is(
  empty_at, used_at, 'the right code of a known device, which counts in no block of numbers, gives nothing back'
)
from app.rate_limits where kind = 'codes of a prefix';

rollback to empty;

-- prune_rate_limits deletes limits that are wholly free again.
select app.consume_rate_limit('knocks', 'door', 60, interval '1 minute');
select app.consume_rate_limit('knocks', 'window', 60, interval '1 minute') from generate_series(1, 2);
select app.set_clock_offset('1 second');
set local session authorization opine_worker;
select app.prune_rate_limits();
reset session authorization;
select results_eq(
  'select subject from app.rate_limits', array['window'],
  'prune_rate_limits deletes only limits that are wholly free again'
);

rollback to empty;

-- require_rate_limit raises RATE_LIMITED for a used-up limit.
create function pg_temp.knock()
returns jsonb
language sql
return tests.error_of($$ select app.require_rate_limit('knocks', 'door', 2, interval '5 minutes') $$);

select is(pg_temp.knock(), null, 'require_rate_limit passes a use within the limit');
select pg_temp.knock();
select is(
  pg_temp.knock(), '{"state": "PT429", "code": "RATE_LIMITED", "details": {"retryAfterSeconds": 150}}',
  'require_rate_limit refuses a use beyond the limit, with the seconds to wait'
);
select app.set_clock_offset('150 seconds');
select is(pg_temp.knock(), null, 'require_rate_limit passes a use after the seconds to wait');

rollback to empty;

-- retry_after returns whole seconds, at least one.
select is(app.retry_after(app.now() + delay), jsonb_build_object('retryAfterSeconds', expected), title)
from (
  values
    (interval '1.2 seconds', 2, 'retry_after rounds up to whole seconds'),
    ('0', 1, 'retry_after returns at least one second'),
    ('-1 hour', 1, 'retry_after returns one second for a time in the past')
) as c (delay, expected, title);

-- consume_rate_limit lets the limit pass at once, for any limit (docs/product.md W26).
create function pg_temp.uses_at_once(p_limit integer, p_tries integer, p_window interval)
returns bigint
language sql
return (
  select count(*) from generate_series(1, p_tries)
  where app.consume_rate_limit('knocks', format('%s in %s', p_limit, p_window), p_limit, p_window) is null
);

select is(
  pg_temp.uses_at_once(uses, tries, '1 hour'
), uses::bigint, format('a limit of %s passes exactly %1$s uses at once', uses))
from (values (1, 3), (5, 7), (60, 70)) as c (uses, tries);
-- A minute divided by most of these limits is no whole number of microseconds.
select is_empty(
  'select n from generate_series(1, 100) as n where pg_temp.uses_at_once(n, n + 1, ''1 minute'') <> n',
  'every limit from 1 to 100 passes exactly its uses at once'
);

rollback to empty;

-- consume_rate_limit returns when the next use is free.
select pg_temp.wait_at('0', 2);
select is(pg_temp.wait_at(at, 2), expected, title)
from (
  values
    (interval '10 seconds', null::interval, 'a use within the limit has nothing to wait for'),
    ('10 seconds', '20 seconds', 'a use beyond the limit learns the time to wait'),
    ('29.999999 seconds', '0.000001 seconds', 'a use one microsecond early is refused'),
    ('30 seconds', null, 'a use at the end of the wait passes')
) as c (at, expected, title);

rollback to empty;

-- consume_rate_limit frees one use each share of the window (docs/product.md W26, A1).
select pg_temp.wait_at('0', 4) from generate_series(1, 4);
select is(pg_temp.wait_at(at, 4) is null, passes, title)
from (
  values
    (interval '14.999999 seconds', false, 'a used-up limit of four a minute refuses a use before 15 seconds'),
    ('15 seconds', true, 'a used-up limit of four a minute passes one use at 15 seconds'),
    ('15 seconds', false, 'a used-up limit of four a minute refuses a second use at 15 seconds'),
    ('30 seconds', true, 'a used-up limit of four a minute passes another use at 30 seconds')
) as c (at, passes, title);

rollback to empty;

-- consume_rate_limit frees no more than the limit, however long nothing is used.
create function pg_temp.uses_at(p_at interval)
returns bigint
language sql
return (select count(*) from generate_series(1, 10) where pg_temp.wait_at(p_at, 4) is null);

select is(pg_temp.uses_at(at), 4::bigint, title)
from (
  values
    (interval '0', 'an unused limit of four passes four uses'),
    ('1 minute', 'a limit of four passes four uses again after its window'),
    ('1 day', 'a limit of four passes no more than four uses after a day')
) as c (at, title);

rollback to empty;

-- consume_rate_limit counts a use that waited for the row as of the latest use.
select pg_temp.wait_at('0', 2);
select pg_temp.wait_at('30 seconds', 2);
select is(pg_temp.wait_at('29 seconds', 2) is null, passes, title)
from (
  values
    (true, 'a delayed use passes if one is free at the latest time'),
    (false, 'a delayed use is refused if none is free at the latest time')
) as c (passes, title);

rollback to empty;

-- consume_rate_limit keeps a limit for each kind and subject.
create function pg_temp.knock(p_kind text, p_subject text)
returns boolean
language sql
return app.consume_rate_limit(p_kind, p_subject, 1, interval '1 minute') is null;

select pg_temp.knock('knocks', 'door');
select is(pg_temp.knock(kind, subject), passes, title)
from (
  values
    ('knocks', 'door', false, 'a second use of one kind by one subject is refused'),
    ('knocks', 'window', true, 'another subject has a rate limit of its own'),
    ('rings', 'door', true, 'another kind has a rate limit of its own')
) as c (kind, subject, passes, title);

rollback to empty;

-- consume_rate_limit consumes nothing for a refused use.
select pg_temp.wait_at('0', 2) from generate_series(1, 2);
create temporary table before_refusals as select empty_at from app.rate_limits;
select is(
  count(pg_temp.wait_at('0', 2))::integer, 50, 'fifty uses beyond the limit are refused'
) from generate_series(1, 50);
select results_eq(
  'select empty_at from app.rate_limits', 'select empty_at from before_refusals',
  'a refused use does not prolong the wait'
);

select * from finish();
rollback;
