select plan(3);

select tests.person('maya');
select tests.act_as('maya');
select throws_ok($$ select api.check_handle('{}') $$, 'PT422', 'VALIDATION_FAILED', 'a missing username is refused');
select is(api.check_handle('{"username": ""}') ->> 'reason', 'invalid', 'an empty text is no username');
select throws_ok(
  $$ select api.check_handle(jsonb_build_object('username', repeat('é', 201))) $$, 'PT422', 'VALIDATION_FAILED',
  'a username of more than 200 characters is refused'
);

select * from finish();
