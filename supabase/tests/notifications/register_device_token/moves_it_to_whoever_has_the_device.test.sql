select plan(3);

select tests.person('maya');
select tests.person('jonas');
select tests.act_as('maya');
select tests.register_device('shared');
select tests.register_device('hers');
reset role;
select app.set_clock_offset('1 minute');
select tests.act_as('jonas');
select tests.register_device('shared');
reset role;
select results_eq(
  $$ select user_id, session_id, refreshed_at from app.device_tokens where token_hash = tests.hash('shared') $$,
  $$ values (tests.id('jonas'), tests.id('session of jonas'), app.now()) $$,
  'the device is of whoever registered it last'
);
select results_eq(
  $$ select user_id from app.device_tokens where token_hash = tests.hash('hers') $$, array[tests.id('maya')], 'others stay where they are'
);
delete from app.sessions where user_id = tests.id('maya');
select results_eq('select token_hash from app.device_tokens', array[tests.hash('shared')], 'and it goes with no session of before');

select * from finish();
