select plan(2);

select app.use_meter('knocks', 'door', 60, interval '1 minute');
select app.use_meter('knocks', 'window', 60, interval '1 minute') from generate_series(1, 2);
select app.set_clock_offset('1 second');
set local session authorization opine_worker;
select app.prune_rate_meters();
reset session authorization;
select results_eq('select subject from app.rate_meters', array['window'], 'a meter goes when time has emptied it, and not before');
select set_eq($$ select tests.who_may('select app.prune_rate_meters()') $$, array['opine_worker'], 'the worker sees to it alone');

select * from finish();
