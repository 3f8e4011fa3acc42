select plan(2);

select tests.person('maya');
select tests.session('maya');
select tests.session('maya at home', 'maya');
select tests.act_as('maya');
select is(
  api.log_out(jsonb_build_object('refreshTokenHash', tests.hex('token of maya'), 'logoutFromAllDevices', false)), '{}',
  'logging out answers nothing'
);
reset role;
select results_eq('select id from app.sessions', array[tests.id('session of maya at home')], 'and ends this session alone');

select * from finish();
