select plan(3);

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
