select plan(5);

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

select * from finish();
