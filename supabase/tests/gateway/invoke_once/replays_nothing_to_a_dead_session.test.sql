select plan(1);

select tests.person('maya', 3);
select tests.session('maya');
set local session authorization opine_gateway;
select gateway.invoke_once('create_post', tests.claims('maya'), '{"thoughtText": "Trams", "visibility": "public"}', 'key', 'f');
reset session authorization;
delete from app.sessions;
set local session authorization opine_gateway;
select throws_ok(
  $$ select gateway.invoke_once('create_post', tests.claims('maya'), '{"thoughtText": "Trams", "visibility": "public"}', 'key', 'f') $$,
  'PT401', 'UNAUTHORIZED', 'a stored answer is for its caller alone, as long as they are signed in'
);

select * from finish();
