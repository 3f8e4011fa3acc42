select plan(1);

select tests.person('maya', 2);
select tests.act_as('maya');
select set_config('request.jwt.claims', jsonb_build_object('sub', tests.id('maya'), 'level', 4, 'role', 'service_role')::text, true);
select is(app.level_of(app.user_id()), 2, 'what a token claims lifts nobody');

select * from finish();
