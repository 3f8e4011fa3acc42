select plan(3);

select tests.person('maya');
select tests.session('maya');
select tests.act_as('maya');
select tests.register_device('phone', 'android');
reset role;
update app.device_tokens set session_id = null, sealed_token = tests.sealed('before');
select app.set_clock_offset('1 minute');
select tests.act_as('maya');
select is(tests.register_device('phone', 'ios'), '{"registered": true}', 'a device may register again');
reset role;
select results_eq(
  'select session_id, platform, sealed_token from app.device_tokens',
  $$ values (tests.id('session of maya'), 'ios'::app.device_platform, tests.sealed('phone')) $$,
  'what it says now holds'
);
select is(refreshed_at, app.now(), 'and its time is this') from app.device_tokens;

select * from finish();
