select plan(4);

select bag_eq(
  $$ select tests.executable_by('opine_serializable', 'gateway') $$,
  array[
    'gateway.enter(jsonb,boolean,text)',
    'gateway.invoke(text,jsonb,jsonb,boolean,text,text)',
    'gateway.invoke_then_read(text,jsonb,jsonb,text,text)',
    'gateway.is_ready()',
    'gateway.run_operation(text,text,jsonb)',
    'gateway.session_is_live(jsonb)',
    'gateway.show_request(text)'
  ],
  'what the login for serializable requests may execute'
);
select is_empty($$ select tests.executable_by('opine_serializable', 'api') $$, 'it runs no operation as itself');
select is_empty($$ select tests.executable_by('opine_serializable', 'app') $$, 'and no rule');
select is_empty($$ select tests.executable_by('opine_serializable', 'staff') $$, 'nor one about staff');

select * from finish();
