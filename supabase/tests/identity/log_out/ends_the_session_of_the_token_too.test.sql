select plan(1);

select tests.person('maya');
select tests.session('maya');
select tests.session('maya at home', 'maya');
select tests.session('maya at work', 'maya');
select tests.act_as('maya');
select api.log_out(jsonb_build_object('refreshTokenHash', tests.hex('token of maya at home'), 'logoutFromAllDevices', false));
reset role;
select results_eq(
  'select id from app.sessions', array[tests.id('session of maya at work')],
  'a refresh token of another own session ends that and the caller''s'
);

select * from finish();
