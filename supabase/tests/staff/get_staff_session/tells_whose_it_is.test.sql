select plan(2);

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

select * from finish();
