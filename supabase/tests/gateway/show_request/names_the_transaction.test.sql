select plan(6);

select tests.person('maya');
select tests.session('maya');
set local session authorization opine_gateway;
set local application_name = 'opine-api';

select gateway.enter(null, false, 'a1b2');
select is(current_setting('application_name'), 'opine-api a1b2', 'a request is shown by its id');
set local role none;
select gateway.enter(tests.claims('maya'), false, repeat('x', 128));
select is(current_setting('application_name'), 'opine-api ' || repeat('x', 53), 'a long one by as much as Postgres shows');
set local role none;
select is(
  (select current_setting('application_name') from gateway.invoke_once('get_onboarding_status', tests.claims('maya'), '{}', 'key', 'print', p_request_id => 'once')),
  'opine-api once', 'one with a key as well'
);
set local role none;
select is(
  (select current_setting('application_name') from gateway.invoke('get_onboarding_status', tests.claims('maya'), '{}', p_request_id => 'plain')),
  'opine-api plain', 'and one without'
);
set local role none;
reset session authorization;
select is(
  (
    select array_agg(p.proname::text order by p.proname)
    from pg_proc as p
    where p.pronamespace = 'gateway'::regnamespace and p.proname like 'invoke%' and not 'p_request_id' = any (p.proargnames)
  ), null, 'there is no other way in'
);
select set_eq($$ select tests.who_may($s$ select gateway.show_request('x') $s$) $$, array['opine_gateway', 'opine_serializable'], 'nobody else names requests');

select * from finish();
