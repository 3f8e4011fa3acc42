begin;
select plan(36);
savepoint empty;

-- admit and dismiss change the allow-list (docs/product.md S16).
select tests.log_in_as('nina', 'staff_admin');
select staff.admit(' Otto@Opine.example ', 'support', 'has joined us');
select results_eq(
  'select email, role from staff.allowed_emails', $$ values ('otto@opine.example', 'support'::staff.role) $$,
  'admit adds a trimmed lower-case e-mail to the allow-list'
);
select staff.admit('otto@opine.example', 'moderator', 'has learned it');
select results_eq(
  'select role from staff.allowed_emails', array['moderator'::staff.role], 'admit changes the role of a listed e-mail'
);
reset session authorization;
select tests.sign_in_as_staff('cookie', tests.staff_identity('otto@opine.example'));
set local session authorization nina;
select throws_ok(
  $$ select staff.dismiss('otto@opine.example', null) $$, 'PT422', 'REASON_MISSING',
  'dismiss raises REASON_MISSING without a reason'
);
select staff.dismiss('otto@opine.example', 'has left us');
select throws_ok(
  $$ select staff.dismiss('otto@opine.example', 'has left us') $$, 'PT404', 'USER_NOT_FOUND',
  'dismiss finds no e-mail off the allow-list'
);
reset session authorization;
select is_empty('select from staff.allowed_emails', 'dismiss takes an e-mail off the allow-list');
select is_empty('select from staff.sessions', 'dismiss ends the sessions of an e-mail');
select is(count(*), 3::bigint, 'the audit log has every change of the allow-list')
from staff.audit_log where action in ('admit', 'dismiss') and actor_email = 'nina';

rollback to empty;

-- get_staff_session describes the session of its cookie, and end_staff_session ends that session alone.
select tests.sign_in_as_staff('cookie', tests.staff_identity('ada@opine.example'));
select tests.sign_in_as_staff('other', tests.staff_identity('ada@opine.example'));
update staff.sessions set expires_at = app.now() + interval '1 hour' where token_hash = tests.hash('other');
delete from staff.audit_log;
set local session authorization opine_gateway;
create temporary table answers as select tests.call_as_staff('get_staff_session', 'cookie') as answer;
reset session authorization;
select is(
  answer, jsonb_build_object(
    'email', 'ada@opine.example', 'expiresAt', app.iso(app.now() + interval '8 hours'), 'role', 'admin'
  ),
  'get_staff_session answers e-mail, expiry and role of its own session'
)
from answers;
set local session authorization opine_gateway;
select is(tests.call_as_staff('end_staff_session', 'cookie'), '{}', 'end_staff_session answers an empty object');
set local role none;
select throws_ok(
  $$ select tests.call_as_staff('end_staff_session', 'cookie') $$, 'PT401', 'UNAUTHORIZED',
  'an ended staff session is unauthorized at once'
);
reset session authorization;
select results_eq(
  'select token_hash from staff.sessions', array[tests.hash('other')],
  'end_staff_session keeps another session of the same person'
);
select results_eq(
  'select actor_email, action, details from staff.audit_log',
  $$ values ('ada@opine.example', 'sign_out', '{}'::jsonb) $$,
  'the audit log has the end of a staff session'
);

rollback to empty;

-- prune_sessions deletes expired sessions alone.
select tests.sign_in_as_staff('older', tests.staff_identity('ada@opine.example'));
select app.set_clock_offset('1 second');
select tests.sign_in_as_staff('newer', tests.staff_identity('ada@opine.example'));
select app.set_clock_offset('8 hours');
set local session authorization opine_worker;
select staff.prune_sessions();
reset session authorization;
select results_eq(
  'select token_hash from staff.sessions', array[tests.hash('newer')],
  'the worker prunes a staff session at its expiry and not before'
);

rollback to empty;

-- A refused sign-in answers no reason, and leaves the first reason in the audit log (docs/product.md S2, S4).
insert into staff.allowed_emails (email, role)
values ('dan@opine.example', 'support'), ('eve@other.example', 'support');
insert into staff.allowed_emails (email) values ('ben@opine.example');
create function pg_temp.refusal(p_identity jsonb, p_policy jsonb default tests.staff_policy())
returns text
language plpgsql
as $$
declare
  v_answer jsonb;
begin
  delete from staff.audit_log;
  delete from staff.sessions;
  v_answer := api.start_staff_session(
    jsonb_build_object('identity', p_identity, 'policy', p_policy, 'tokenHash', tests.hash_hex('cookie'))
  );
  return (
    select concat_ws(
      ' ', a.action, a.details ->> 'reason', 'by ' || a.actor_email,
      case when v_answer <> '{"refusal": {"code": "FORBIDDEN", "details": {}}}' then 'with an answer' end,
      case when exists (select from staff.sessions) then 'with a session' end
    )
    from staff.audit_log as a
  );
end
$$;

select is(pg_temp.refusal(identity), expected, title)
from (
  values
    ('null'::jsonb, 'sign_in_refused token_invalid', 'an invalid ID token is refused as token_invalid'),
    (
      tests.staff_identity('ada@opine.example'), 'sign_in by ada@opine.example with an answer with a session',
      'a configured e-mail of the domain may sign in'
    ),
    (
      tests.staff_identity('dan@opine.example'), 'sign_in by dan@opine.example with an answer with a session',
      'a listed e-mail of the domain may sign in'
    ),
    (
      tests.staff_identity('ada@opine.example') - 'isEmailVerified',
      'sign_in_refused email_unverified by ada@opine.example',
      'a token without isEmailVerified is refused as email_unverified'
    ),
    (
      tests.staff_identity('ada@opine.example', '{"isEmailVerified": false, "hostedDomain": null}'),
      'sign_in_refused email_unverified by ada@opine.example',
      'an unverified e-mail is refused as email_unverified first'
    ),
    (
      tests.staff_identity('ada@opine.example', '{"isEmailVerified": null}'),
      'sign_in_refused email_unverified by ada@opine.example', 'isEmailVerified of null is refused as email_unverified'
    ),
    (
      tests.staff_identity('ada@opine.example', '{"isEmailVerified": "true"}'),
      'sign_in_refused email_unverified by ada@opine.example',
      'isEmailVerified as a string is refused as email_unverified'
    ),
    (
      tests.staff_identity('eve@other.example', '{"hostedDomain": "other.example"}'),
      'sign_in_refused wrong_domain by eve@other.example',
      'a listed e-mail of another workspace is refused as wrong_domain'
    ),
    (
      tests.staff_identity('ada@opine.example', '{"hostedDomain": null}'),
      'sign_in_refused wrong_domain by ada@opine.example',
      'a private account is refused as wrong_domain'
    ),
    (
      tests.staff_identity('cleo@opine.example'), 'sign_in_refused not_listed by cleo@opine.example',
      'an e-mail off the allow-list is refused as not_listed'
    ),
    (
      tests.staff_identity('Ada@Opine.Example'), 'sign_in_refused not_listed by Ada@Opine.Example',
      'an e-mail in capitals is refused as not_listed'
    )
) as c (identity, expected, title);
select is(staff.role_of(email, policy), role::staff.role, title)
from (
  values
    ('ada@opine.example', tests.staff_policy(), 'admin', 'a configured e-mail is an admin'),
    ('ben@opine.example', tests.staff_policy(), 'moderator', 'a listed e-mail is a moderator by default'),
    ('dan@opine.example', '{}', 'support', 'a listed e-mail has its role without any configuration'),
    (null, tests.staff_policy(), null, 'a missing e-mail has no role')
) as c (email, policy, role, title);
insert into staff.allowed_emails (email, role) values ('ada@opine.example', 'support');
select is(
  staff.role_of('ada@opine.example', tests.staff_policy()), 'admin',
  'a configured e-mail is an admin, whatever the allow-list says'
);

rollback to empty;

-- start_staff_session has a rate limit by address (docs/product.md W26).
create function pg_temp.error(p_token text, p_address text)
returns jsonb
language sql
return tests.error_of(format('select tests.sign_in_as_staff(%L, null, %L)', p_token, p_address));

select is_empty(
  $$ select from generate_series(1, 60) as n where pg_temp.error('a' || n, 'office') is not null $$,
  'an address may try to sign in sixty times an hour'
);
select is(
  pg_temp.error('b', 'office'), '{"state": "PT429", "code": "RATE_LIMITED", "details": {"retryAfterSeconds": 60}}',
  'the rate limit refuses the next try of an address for a minute'
);
select is(pg_temp.error('c', 'home'), null, 'the rate limit of one address leaves another address its tries');
select lives_ok(
  $$
    select tests.sign_in_as_staff(n::text, tests.staff_identity('ada@opine.example')) from generate_series(1, 5) as n
  $$,
  'a sign-in without an address has no rate limit'
);

rollback to empty;

-- start_staff_session opens a session of eight hours (docs/product.md S3).
set local role opine_service;
create temporary table answers as select tests.sign_in_as_staff(
  'cookie', tests.staff_identity('ada@opine.example')
) as answer;
reset role;
select is(
  answer,
  jsonb_build_object(
    'email', 'ada@opine.example', 'expiresAt', app.iso(app.now() + interval '8 hours'), 'expiresIn', 28800
  ),
  'start_staff_session answers e-mail and expiry of the session'
)
from answers;
select results_eq(
  'select token_hash, email, expires_at from staff.sessions',
  $$ values (tests.hash('cookie'), 'ada@opine.example', app.now() + interval '8 hours') $$,
  'start_staff_session stores the session for eight hours'
);
select results_eq(
  'select occurred_at, actor_email, action, details from staff.audit_log',
  $$ values (app.now(), 'ada@opine.example', 'sign_in', '{}'::jsonb) $$, 'the audit log has a staff sign-in'
);

select * from finish();
rollback;
