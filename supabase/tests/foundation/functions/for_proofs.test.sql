select plan(4);

select bag_eq(
  $$ select tests.executable_by('opine_service', 'api') $$,
  array[
    'api.complete_upload(jsonb)',
    'api.exchange_id_token(jsonb)',
    'api.refresh_session(jsonb)',
    'api.request_otp(jsonb)',
    'api.start_anonymous_session(jsonb)',
    'api.start_staff_session(jsonb)',
    'api.verify_otp(jsonb)'
  ],
  'operations whose arguments the service vouches for: proofs, and what lies in storage'
);
select is_empty($$ select tests.executable_by('opine_service', 'app') $$, 'they need nothing of schema app');
select is_empty($$ select tests.executable_by('opine_service', 'gateway') $$, 'and nothing of the gateway');
select is_empty($$ select tests.executable_by('opine_service', 'staff') $$, 'nor of what is for staff');

select * from finish();
