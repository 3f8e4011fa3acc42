select plan(3);

select tests.person('maya', 3);
select tests.post('trams', 'maya');
select tests.session('maya');
set local session authorization opine_worker;
select gateway.beat();
reset session authorization;
update gateway.heartbeat set beaten_at = beaten_at - interval '3 seconds';

set local session authorization opine_gateway;
select is(
  gateway.invoke_as_guest('get_post', tests.arguments('trams'), 'https://photos.example/', '3 seconds')::jsonb ->> 'thoughtText',
  'trams', 'a guest reads what is as old as it may be'
);
set local role none;
select throws_ok(
  $$ select gateway.invoke_as_guest('get_post', tests.arguments('trams'), null, '2.9 seconds') $$,
  'PT503', 'SERVICE_UNAVAILABLE', 'and is given nothing older'
);
select throws_ok(
  $$ select gateway.invoke_as_guest('create_post', '{"thoughtText": "Trams", "visibility": "public"}', null, '1 hour') $$,
  '42501', 'permission denied for function create_post', 'nobody is more than a guest'
);
select * from finish();
