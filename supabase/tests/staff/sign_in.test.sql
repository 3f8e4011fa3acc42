begin;
select plan(46);
savepoint empty;

-- admit: says who is staff
select tests.log_in_as('nina', 'staff_admin');
select staff.admit(' Otto@Opine.example ', 'support', 'has joined us');
select results_eq('select email, role from staff.allowed_emails', $$ values ('otto@opine.example', 'support'::staff.role) $$, 'otto is staff');
select staff.admit('otto@opine.example', 'moderator', 'has learned it');
select results_eq('select role from staff.allowed_emails', array['moderator'::staff.role], 'and more');
reset session authorization;
select tests.sign_in_as_staff('cookie', tests.staff_identity('otto@opine.example'));
set local session authorization nina;
select throws_ok($$ select staff.dismiss('otto@opine.example', null) $$, 'PT422', 'REASON_MISSING', 'nobody goes without a reason');
select staff.dismiss('otto@opine.example', 'has left us');
select throws_ok($$ select staff.dismiss('otto@opine.example', 'has left us') $$, 'PT404', 'USER_NOT_FOUND', 'who is no staff cannot go');
reset session authorization;
select is_empty('select from staff.allowed_emails', 'then he is not');
select is_empty('select from staff.sessions', 'and his session has ended');
select is(count(*), 3::bigint, 'all of that is written down') from staff.audit_log where action in ('admit', 'dismiss') and actor_email = 'nina';

rollback to empty;

-- end_staff_session: ends the one of the cookie
select tests.sign_in_as_staff('cookie', tests.staff_identity('ada@opine.example'));
select tests.sign_in_as_staff('other', tests.staff_identity('ada@opine.example'));
delete from staff.audit_log;
set local session authorization opine_gateway;
select is(tests.as_staff('end_staff_session', 'cookie'), '{}', 'signing out answers nothing');
set local role none;
select throws_ok($$ select tests.as_staff('end_staff_session', 'cookie') $$, 'PT401', 'UNAUTHORIZED', 'the cookie is dead at once');
reset session authorization;
select results_eq('select token_hash from staff.sessions', array[tests.hash('other')], 'another session of the same person goes on');
select results_eq(
  'select actor_email, action, details from staff.audit_log', $$ values ('ada@opine.example', 'sign_out', '{}'::jsonb) $$, 'it is written down'
);
select set_eq($$ select tests.who_may($s$ select api.end_staff_session('{}') $s$) $$, array['opine_staff', 'staff_support', 'staff_moderator', 'staff_admin'], 'for staff alone');

rollback to empty;

-- get_staff_session: tells whose it is
select tests.sign_in_as_staff('cookie', tests.staff_identity('ada@opine.example'));
select tests.sign_in_as_staff('other', tests.staff_identity('ada@opine.example'));
update staff.sessions set expires_at = app.now() + interval '1 hour' where token_hash = tests.hash('other');
set local session authorization opine_gateway;
create temporary table answers as select tests.as_staff('get_staff_session', 'cookie') as answer;
reset session authorization;
select is(
  answer, jsonb_build_object('email', 'ada@opine.example', 'expiresAt', app.iso(app.now() + interval '8 hours'), 'role', 'admin'),
  'the session of the cookie, until when, and as what'
)
from answers;
select set_eq($$ select tests.who_may($s$ select api.get_staff_session('{}') $s$) $$, array['opine_staff', 'staff_support', 'staff_moderator', 'staff_admin'], 'for staff alone');

rollback to empty;

-- prune_sessions: forgets expired ones
select tests.sign_in_as_staff('older', tests.staff_identity('ada@opine.example'));
select app.set_clock_offset('1 second');
select tests.sign_in_as_staff('newer', tests.staff_identity('ada@opine.example'));
select app.set_clock_offset('8 hours');
set local session authorization opine_worker;
select staff.prune_sessions();
reset session authorization;
select results_eq('select token_hash from staff.sessions', array[tests.hash('newer')], 'a session goes when it has expired, and not before');
select set_eq($$ select tests.who_may('select staff.prune_sessions()') $$, array['opine_worker'], 'the worker sees to it');

rollback to empty;

-- role_of: reads both lists
insert into staff.allowed_emails (email) values ('ben@opine.example');
insert into staff.allowed_emails (email, role) values ('ada@opine.example', 'support'), ('dan@opine.example', 'support');

select is(staff.role_of('ada@opine.example', tests.staff_policy()), 'admin', 'whom the configuration names may do everything');
select is(staff.role_of('ben@opine.example', tests.staff_policy()), 'moderator', 'who is in the table is a moderator');
select is(staff.role_of('dan@opine.example', '{}'), 'support', 'or what it says; either list may be empty');
select is(staff.role_of(email, tests.staff_policy()), null, format('%s is on neither', email))
from unnest(array['cleo@opine.example', 'Ada@Opine.Example', null]) as email;

rollback to empty;

-- sign_in_refusal: names the reason
create function pg_temp.refusal(p_change jsonb, p_email text default 'ada@opine.example')
returns text
language sql
return staff.sign_in_refusal(tests.staff_identity(p_email, p_change), tests.staff_policy());

select is(pg_temp.refusal('{}'), null, 'a verified e-mail of the domain on the list is let in');
select is(staff.sign_in_refusal(null, tests.staff_policy()), 'token_invalid', 'nobody without a good token is');
select is(pg_temp.refusal('{"isEmailVerified": false}'), 'email_unverified', 'nor an e-mail that nobody verified');
select is(pg_temp.refusal('{"isEmailVerified": null}'), 'email_unverified', 'or of which that is not said');
select is(pg_temp.refusal('{"isEmailVerified": "true"}'), 'email_unverified', 'or said in other words');
select is(
  staff.sign_in_refusal('{"email": "ada@opine.example", "hostedDomain": "opine.example"}', tests.staff_policy()), 'email_unverified',
  'or not at all'
);
select is(pg_temp.refusal('{"hostedDomain": "other.example"}'), 'wrong_domain', 'nor another workspace');
select is(pg_temp.refusal('{"hostedDomain": null}'), 'wrong_domain', 'nor a private account, whatever its e-mail');
select is(pg_temp.refusal('{}', 'cleo@opine.example'), 'not_listed', 'nor who is not on the list');
insert into staff.allowed_emails (email) values ('cleo@opine.example'), ('dan@other.example');
select is(pg_temp.refusal('{}', 'cleo@opine.example'), null, 'until they are');
select is(pg_temp.refusal('{"hostedDomain": "other.example"}', 'dan@other.example'), 'wrong_domain', 'the list opens no other domain');
select is_empty($$ select tests.who_may('select staff.sign_in_refusal(null, null)') $$, 'no role asks for itself');

rollback to empty;

-- start_staff_session: limits an address
create function pg_temp.try(p_token text, p_address text)
returns jsonb
language sql
return tests.error_of(format('select tests.sign_in_as_staff(%L, null, %L)', p_token, p_address));

select is(pg_temp.try('a', 'office'), null, 'a refused try is answered');
select is_empty(
  $$ select from generate_series(2, 60) as n where pg_temp.try('b' || n, 'office') is not null $$, 'up to sixty an hour'
);
select is(
  pg_temp.try('c', 'office'), '{"state": "PT429", "code": "RATE_LIMITED", "details": {"retryAfterSeconds": 60}}',
  'then the address waits for its share of the hour'
);
select is(pg_temp.try('d', 'home'), null, 'others do not');
select lives_ok(
  $$ select tests.sign_in_as_staff(n::text, tests.staff_identity('ada@opine.example')) from generate_series(1, 5) as n $$,
  'nor does what has no address to count by'
);

rollback to empty;

-- start_staff_session: opens one for eight hours
set local role opine_service;
create temporary table answers as select tests.sign_in_as_staff('cookie', tests.staff_identity('ada@opine.example')) as answer;
reset role;
select is(
  answer, jsonb_build_object('email', 'ada@opine.example', 'expiresAt', app.iso(app.now() + interval '8 hours'), 'expiresIn', 28800),
  'whoever is staff gets a session'
)
from answers;
select results_eq(
  'select token_hash, email, expires_at from staff.sessions',
  $$ values (tests.hash('cookie'), 'ada@opine.example', app.now() + interval '8 hours') $$,
  'for eight hours'
);
select results_eq(
  'select occurred_at, actor_email, action, details from staff.audit_log',
  $$ values (app.now(), 'ada@opine.example', 'sign_in', '{}'::jsonb) $$,
  'which is written down'
);
select set_eq(
  $$ select tests.who_may($s$ select api.start_staff_session('{}') $s$) $$, array['opine_service'],
  'the role that exchanges proofs does it alone'
);

rollback to empty;

-- start_staff_session: refuses alike and writes down why
create temporary table refusals as
select n, tests.sign_in_as_staff('cookie', identity) as answer
from (
  values
    (1, 'null'::jsonb),
    (2, tests.staff_identity('ada@opine.example', '{"isEmailVerified": false}')),
    (3, tests.staff_identity('ada@opine.example', '{"hostedDomain": "other.example"}')),
    (4, tests.staff_identity('cleo@opine.example'))
) as tried (n, identity);

select results_eq(
  'select distinct answer from refusals', $$ values ('{"refusal": {"code": "FORBIDDEN", "details": {}}}'::jsonb) $$,
  'who is refused is not told why'
);
select is_empty('select from staff.sessions', 'and gets no session');
select set_eq(
  'select actor_email, action, details from staff.audit_log',
  $$
    values
      (null, 'sign_in_refused', '{"reason": "token_invalid"}'::jsonb),
      ('ada@opine.example', 'sign_in_refused', '{"reason": "email_unverified"}'),
      ('ada@opine.example', 'sign_in_refused', '{"reason": "wrong_domain"}'),
      ('cleo@opine.example', 'sign_in_refused', '{"reason": "not_listed"}')
  $$,
  'it is written down, with whoever the token named'
);

select * from finish();
rollback;
