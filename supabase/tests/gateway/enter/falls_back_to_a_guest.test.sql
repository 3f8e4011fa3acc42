select plan(3);

select tests.person('maya');
select tests.session('maya');
select app.end_user(tests.id('maya'));
set local session authorization opine_gateway;
select is(gateway.enter(tests.claims('maya'), true), 'anon', 'where a bearer is optional, a dead session is a guest''s');
reset session authorization;
select is(app.user_id(), null, 'who is nobody');
select is(
  current_setting('request.jwt.claims')::jsonb, '{"role": "anon"}', 'and nothing of the dead session is left in the claims'
);

select * from finish();
