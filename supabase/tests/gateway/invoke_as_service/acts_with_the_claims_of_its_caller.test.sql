select plan(5);

select tests.person('maya', 1);
select tests.session('maya');
select tests.open_upload('picture', 'maya');
set local session authorization opine_gateway;
select is(
  gateway.invoke_as_service('complete_upload', tests.claims('maya'), tests.completion('picture'))::jsonb #>> '{upload,bucket}', 'media',
  'what the caller uploaded is looked at'
);
select is(current_user::text, 'opine_service', 'the rest of the transaction is the service''s');
set local role none;
select throws_ok(
  $$ select gateway.invoke_as_service('complete_upload', null, tests.completion('picture')) $$, 'PT401', 'UNAUTHORIZED', 'in nobody''s name nothing is'
);
set local role none;
select throws_ok(
  $$ select gateway.invoke_as_service('complete_upload', tests.claims('other', 'maya'), tests.completion('picture')) $$,
  'PT401', 'UNAUTHORIZED', 'nor for a session that is no more'
);
set local role none;
select throws_ok(
  $$ select gateway.invoke_as_service('complete_upload', tests.claims('other', 'maya'), tests.completion('picture'), true) $$,
  'PT401', 'UNAUTHORIZED', 'which counts as nobody where a bearer is optional'
);

select * from finish();
