select plan(2);

set local session authorization opine_gateway;
select throws_ok(
  $$ select gateway.invoke('create_post', null, '{"thoughtText": "Trams", "visibility": "public"}') $$,
  '42501', 'permission denied for function create_post', 'a guest publishes nothing'
);
select throws_ok(
  $$ select gateway.invoke('get_onboarding_status', tests.claims('unknown'), '{}', true) $$,
  '42501', 'permission denied for function get_onboarding_status', 'nor does a dead session that counts as a guest act'
);

select * from finish();
