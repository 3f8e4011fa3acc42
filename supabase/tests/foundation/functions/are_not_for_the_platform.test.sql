select plan(1);

select is_empty(
  $$
    select signature from tests.our_functions
    where has_function_privilege('service_role', oid, 'execute') or has_function_privilege('authenticator', oid, 'execute')
  $$,
  'the platform''s secret key and the Data API''s login execute nothing of ours'
);

select * from finish();
