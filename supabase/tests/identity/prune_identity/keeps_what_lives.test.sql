select plan(3);

select tests.person('maya', 3);
select tests.session('maya long ago', 'maya');
select tests.request_code('maya', '1234');
select app.set_clock_offset('23 hours 59 minutes');
select tests.session('maya', 'maya');
select tests.request_code('jonas', '1234');

select app.set_clock_offset('24 hours');
set local session authorization opine_worker;
select app.prune_identity();
reset session authorization;
select results_eq(
  'select phone_hash from app.otp_codes', array[tests.hash(tests.phone_of('jonas'))], 'a code is forgotten after the day that limits count'
);
select is(count(*)::integer, 2, 'sessions that a token can renew stay') from app.sessions;

select app.set_clock_offset('60 days');
set local session authorization opine_worker;
select app.prune_identity();
reset session authorization;
select results_eq(
  'select id from app.sessions', array[tests.id('session of maya')], 'a session goes with its last refresh token'
);

select * from finish();
