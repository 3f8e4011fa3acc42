select plan(2);

select tests.person('maya');
select tests.device_token('stale', 'maya', app.now() - interval '60 days');
select tests.device_token('fresh', 'maya', app.now() - interval '60 days' + interval '1 microsecond');
set local session authorization opine_worker;
select app.prune_device_tokens();
reset session authorization;
select results_eq('select token_hash from app.device_tokens', array[tests.hash('fresh')], 'a token that nobody refreshed for 60 days goes');
select set_eq($$ select tests.who_may('select app.prune_device_tokens()') $$, array['opine_worker'], 'the worker sees to it');

select * from finish();
