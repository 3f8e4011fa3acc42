select plan(4);

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

select * from finish();
