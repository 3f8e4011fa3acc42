select plan(5);

select tests.sign_in_as_staff('cookie', tests.staff_identity('ada@opine.example'));
create function api.look_around(p_args jsonb)
returns jsonb
language sql
return p_args || jsonb_build_object('role', current_user, 'claims', current_setting('request.jwt.claims')::jsonb);
grant execute on function api.look_around(jsonb) to opine_staff;
revoke execute on function api.look_around(jsonb) from public;

set local session authorization opine_gateway;
create temporary table answers as
select tests.as_staff('look_around', 'cookie', jsonb_build_object('q', 'trams', 'staffTokenHash', tests.hex('of somebody else'))) as answer;
reset session authorization;
select is(answer ->> 'role', 'staff_admin', 'who has a live session goes on as what they are') from answers;
select is(
  answer -> 'claims', '{"role": "staff_admin", "email": "ada@opine.example"}', 'as themselves, and as no user of the service'
)
from answers;
select is(answer ->> 'q', 'trams', 'with what they asked') from answers;
select is(answer ->> 'staffTokenHash', tests.hex('cookie'), 'and with the token that was looked up, whatever the request says') from answers;
select set_eq(
  $$ select tests.who_may($s$ select gateway.invoke_as_staff('look_around', '', '{}', '{}') $s$) $$, array['opine_gateway'],
  'the gateway''s login alone lets staff in'
);

select * from finish();
