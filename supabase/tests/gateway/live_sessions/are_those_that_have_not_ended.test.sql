select plan(2);

select tests.person('maya'), tests.person('jonas');
select tests.session('maya'), tests.session('tablet', 'maya'), tests.session('jonas');
delete from app.sessions where id = tests.id('session of tablet');
select bag_eq(
  $$ select gateway.live_sessions(array(select tests.id('session of ' || name) from unnest(array['maya', 'tablet', 'nobody']) as name)) $$,
  array[tests.id('session of maya')], 'of those that are asked for'
);
select set_eq($$ select tests.who_may('select gateway.live_sessions(null)') $$, array['opine_gateway'], 'the gateway asks');

select * from finish();
