select plan(4);

select bag_eq(
  $$ select tests.executable_by('opine_gateway', 'gateway') $$,
  array[
    'gateway.enter(jsonb,boolean,text)',
    'gateway.invoke(text,jsonb,jsonb,boolean,text,text)',
    'gateway.invoke_as_guest(text,jsonb,text,interval,text)',
    'gateway.invoke_as_service(text,jsonb,jsonb,boolean,text)',
    'gateway.invoke_as_staff(text,text,jsonb,jsonb,text)',
    'gateway.invoke_once(text,jsonb,jsonb,text,text,boolean,text,text)',
    'gateway.is_ready()',
    'gateway.live_sessions(uuid[])',
    'gateway.open_hints(uuid[],uuid[])',
    'gateway.recall(jsonb,text,text)',
    'gateway.remember(jsonb,text,jsonb)',
    'gateway.run_operation(text,text,jsonb)',
    'gateway.session_is_live(jsonb)',
    'gateway.show_request(text)',
    'gateway.staff_member(text,jsonb)',
    'gateway.staleness()'
  ],
  'what the login for requests may execute'
);
select is_empty($$ select tests.executable_by('opine_gateway', 'api') $$, 'it runs no operation as itself');
select is_empty($$ select tests.executable_by('opine_gateway', 'app') $$, 'and no rule');
select is_empty($$ select tests.executable_by('opine_gateway', 'staff') $$, 'nor one about staff');

select * from finish();
