select plan(1);

set local session authorization opine_gateway;
select throws_ok(
  $$ select gateway.invoke_once('create_post', null, '{"thoughtText": "Trams", "visibility": "public"}', 'key', 'f') $$,
  'PT401', 'UNAUTHORIZED', 'a guest has no keys'
);

select * from finish();
