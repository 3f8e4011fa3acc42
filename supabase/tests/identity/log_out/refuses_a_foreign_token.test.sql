select plan(3);

select tests.person('maya');
select tests.session('maya');
select tests.person('jonas');
select tests.session('jonas');

create function pg_temp.log_out(p_token text, p_everywhere boolean)
returns jsonb
language sql
return api.log_out(jsonb_build_object('refreshTokenHash', tests.hex(p_token), 'logoutFromAllDevices', p_everywhere));

select tests.act_as('maya');
select throws_ok($$ select pg_temp.log_out('token of jonas', false) $$, 'PT401', 'UNAUTHORIZED', 'the token of somebody else is refused');
select throws_ok($$ select pg_temp.log_out('forged', true) $$, 'PT401', 'UNAUTHORIZED', 'and so is one that never was');
reset role;
select is(count(*)::integer, 2, 'no session ends') from app.sessions;

select * from finish();
