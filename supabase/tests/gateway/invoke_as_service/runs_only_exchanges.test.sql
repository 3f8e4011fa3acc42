select plan(3);

select tests.person('maya', 3);
select tests.session('maya');
select tests.post('trams', 'maya');
set local session authorization opine_gateway;
select throws_ok(
  $$ select gateway.invoke_as_service('create_post', tests.claims('maya'), '{"thoughtText": "Trams", "visibility": "public"}') $$,
  '42501', null, 'it publishes nothing'
);
select throws_ok(
  $$ select gateway.invoke_as_service('get_post', null, tests.arguments('trams')) $$, '42501', null, 'it reads nothing'
);
select throws_ok(
  $$ select gateway.invoke_as_service('"; drop table app.posts; --', null, '{}') $$, '42883', null, 'and no forged name'
);

select * from finish();
