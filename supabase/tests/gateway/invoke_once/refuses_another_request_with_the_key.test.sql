select plan(2);

select tests.person('maya', 3);
select tests.session('maya');
set local session authorization opine_gateway;
select gateway.invoke_once('create_post', tests.claims('maya'), '{"thoughtText": "Trams", "visibility": "public"}', 'key', 'trams');
select throws_ok(
  $$ select gateway.invoke_once('create_post', tests.claims('maya'), '{"thoughtText": "Bikes", "visibility": "public"}', 'key', 'bikes') $$,
  'PT409', 'IDEMPOTENCY_KEY_CONFLICT', 'a key stands for one request'
);
reset session authorization;
select is(count(*)::integer, 1, 'the other request did nothing') from app.posts;

select * from finish();
