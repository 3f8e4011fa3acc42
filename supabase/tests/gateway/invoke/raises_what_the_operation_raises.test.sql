select plan(2);

select tests.person('maya', 2);
select tests.session('maya');
set local session authorization opine_gateway;
select throws_ok(
  $$ select gateway.invoke('get_post', null, tests.arguments('unknown')) $$,
  'PT404', 'POST_NOT_FOUND', 'a refusal keeps its status and code'
);
select is(
  tests.error_of($$ select gateway.invoke('create_post', tests.claims('maya'), '{"visibility": "public"}') $$),
  '{"state": "PT403", "code": "FORBIDDEN", "details": {"level": 2, "requiredLevel": 3, "nextStep": "media"}}',
  'and its details'
);

select * from finish();
