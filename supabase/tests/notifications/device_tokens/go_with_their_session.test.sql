select plan(3);

select tests.person('maya', 3);
select tests.session('maya');
select tests.device_token('hers', 'maya');
select tests.person('jonas', 3);
select tests.session('jonas');
select tests.device_token('his', 'jonas');
insert into app.device_tokens (token_hash, user_id, platform, sealed_token)
values (tests.hash('without one'), tests.id('maya'), 'ios', tests.sealed('without one'));

select tests.refresh('token of maya', 'successor');
select app.set_clock_offset('60 seconds');
select isnt_empty($$ select from app.device_tokens where token_hash = tests.hash('hers') $$, 'a refresh leaves the device token');
select tests.refresh('token of maya', 'successor');
select set_eq(
  'select token_hash from app.device_tokens', array[tests.hash('his'), tests.hash('without one')],
  'a session that a stolen token ends takes it along'
);
select app.set_clock_offset('60 days');
select app.prune_identity();
select set_eq('select token_hash from app.device_tokens', array[tests.hash('without one')], 'and so does one that expires');

select * from finish();
