select plan(6);

select tests.person('maya', 1);
select tests.person('jonas', 1);
select tests.device_token('hers', 'maya');
select tests.device_token('his', 'jonas');

create function pg_temp.remove(p_token text)
returns jsonb
language sql
return api.remove_device_token(jsonb_build_object('tokenHash', tests.hex(p_token)));

select tests.act_as('maya');
select is(pg_temp.remove('hers'), '{"removed": true}', 'one''s own device token is removed');
select is(pg_temp.remove('hers'), '{"removed": false}', 'once');
select is(pg_temp.remove('his'), '{"removed": false}', 'that of somebody else is answered alike');
reset role;
select results_eq('select token_hash from app.device_tokens', array[tests.hash('his')], 'and stays');
select set_eq($$ select tests.who_may($s$ select api.remove_device_token('{}') $s$) $$, array['authenticated'], 'it is for signed-in people');
delete from app.sessions;
set local role authenticated;
select throws_ok($$ select pg_temp.remove('his') $$, 'PT401', 'UNAUTHORIZED', 'with a live session');

select * from finish();
