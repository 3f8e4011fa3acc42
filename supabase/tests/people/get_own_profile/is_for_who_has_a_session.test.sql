select plan(2);

select tests.person('guest', 1);
select tests.act_as('guest');
select is(api.get_own_profile('{}') ->> 'id', tests.id('guest')::text, 'who has no profile has an own one');
reset role;
delete from app.sessions;
set local role authenticated;
select throws_ok($$ select api.get_own_profile('{}') $$, 'PT401', 'UNAUTHORIZED', 'a dead session has none');

select * from finish();
