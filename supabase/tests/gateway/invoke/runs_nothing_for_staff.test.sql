select plan(2);

select tests.person('maya', 4);
select tests.session('maya');
select tests.sign_in_as_staff('cookie', tests.staff_identity('ada@opine.example'));
set local session authorization opine_gateway;
select throws_ok(
  $$ select gateway.invoke('end_staff_session', tests.claims('maya'), jsonb_build_object('staffTokenHash', tests.hex('cookie'))) $$,
  '42501', null, 'a member does nothing of staff''s, though they know the cookie'
);
select throws_ok(
  $$ select gateway.invoke_as_service('end_staff_session', null, jsonb_build_object('staffTokenHash', tests.hex('cookie'))) $$,
  '42501', null, 'nor does an exchange of proofs'
);

select * from finish();
