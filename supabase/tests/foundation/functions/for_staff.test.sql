select plan(4);

select bag_eq(
  $$ select tests.executable_by('opine_staff', 'api') $$,
  array['api.end_staff_session(jsonb)', 'api.get_staff_session(jsonb)'],
  'operations that a member of staff may run'
);
select is_empty($$ select tests.executable_by('opine_staff', 'app') $$, 'they need nothing of schema app');
select is_empty($$ select tests.executable_by('opine_staff', 'staff') $$, 'nothing of schema staff, where no operation is');
select is_empty($$ select tests.executable_by('opine_staff', 'gateway') $$, 'and nothing of the gateway');

select * from finish();
