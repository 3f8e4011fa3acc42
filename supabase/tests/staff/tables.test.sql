begin;
select plan(21);
savepoint empty;

-- actor: is nobody else
select set_config('request.jwt.claims', '{"email": "ada@opine.example"}', true);
set local session authorization opine_gateway;
set local role staff_support;
select is(staff.actor(), 'ada@opine.example', 'behind a request of the staff page it is who signed in');
reset role;
reset session authorization;
select tests.log_in_as('nina', 'staff_support');
select is(staff.actor(), 'nina', 'who logs in for themselves is nobody else, whatever they claim');
reset session authorization;
select bag_eq($$ select tests.who_may('select staff.actor()') $$, array['staff_support', 'staff_moderator', 'staff_admin'], 'staff asks');

rollback to empty;

-- allowed_emails: are in lower case
select is(
  tests.violation_of($$ insert into staff.allowed_emails (email) values ('Ada@opine.example') $$), 'allowed_emails_email_is_lower_case',
  'an e-mail is listed as it is compared'
);
select is(tests.violation_of($$ insert into staff.allowed_emails (email) values ('ada@opine.example') $$), null, 'in lower case');
select is(tests.violation_of($$ insert into staff.allowed_emails (email) values ('ada@opine.example') $$), 'allowed_emails_pkey', 'once');

rollback to empty;

-- audit: is written by operations alone
select is_empty($$ select tests.who_may($s$ select staff.audit('ada@opine.example', 'sign_in') $s$) $$, 'no role writes what it likes');
select is_empty($$ select tests.who_may($s$ select staff.role_of('ada@opine.example', '{}') $s$) $$, 'nor asks who is staff');

rollback to empty;

-- sessions: are hashes
select is(
  tests.violation_of($$ insert into staff.sessions (token_hash, email, expires_at) values ('a cookie', 'ada@opine.example', app.now()) $$),
  'sessions_token_hash_is_sha256', 'a cookie is stored as its SHA-256 alone'
);

rollback to empty;

-- tables: are reached by no role
select is_empty(format('select tests.who_may(%L)', format(verb, name)), 'no role may: ' || format(verb, name))
from unnest(array['staff.allowed_emails', 'staff.audit_log', 'staff.sessions', 'staff.claims']) as name
cross join unnest(array['insert into %s default values', 'delete from %s']) as verb;
select is_empty(format('select tests.who_may(%L)', 'select from ' || name), 'nor look into ' || name) from unnest(array['staff.sessions', 'staff.claims']) as name;
select set_eq(format('select tests.who_may(%L)', 'select from ' || name), array['staff_admin'], 'admins read ' || name)
from unnest(array['staff.allowed_emails', 'staff.audit_log']) as name;

select * from finish();
rollback;
