select plan(1);

select tests.person('maya');
select tests.session('maya');
select tests.session('maya at home', 'maya');
select tests.person('jonas');
select tests.session('jonas');
select tests.act_as('maya');
select api.log_out(jsonb_build_object('refreshTokenHash', tests.hex('token of maya'), 'logoutFromAllDevices', true));
reset role;
select results_eq('select user_id from app.sessions', array[tests.id('jonas')], 'all of the caller''s sessions end, and nobody else''s');

select * from finish();
