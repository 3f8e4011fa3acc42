select plan(2);

select tests.person('maya');
select tests.post('trams', 'maya');
select tests.session('maya');
set local session authorization opine_gateway;
select is(
  gateway.invoke('get_post', null, tests.arguments('trams'))::jsonb ->> 'thoughtText', 'trams', 'a guest reads a public post'
);
set local role none;
select is(
  gateway.invoke('get_post', tests.claims('unknown'), tests.arguments('trams'), true)::jsonb ->> 'thoughtText',
  'trams',
  'and so does a dead session where the bearer is optional'
);

select * from finish();
