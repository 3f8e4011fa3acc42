select plan(3);

select tests.person('maya');
select tests.session('maya');
select tests.act_as('maya');
select is(tests.register_device('phone', 'android'), '{"registered": true}', 'the device is registered');
reset role;
select results_eq(
  'select token_hash, user_id, session_id, platform, sealed_token, refreshed_at from app.device_tokens',
  $$
    values (
      tests.hash('phone'), tests.id('maya'), tests.id('session of maya'), 'android'::app.device_platform,
      tests.sealed('phone'), app.now()
    )
  $$,
  'for the caller and their session'
);
delete from app.sessions;
select is_empty('select from app.device_tokens', 'and goes with it');

select * from finish();
