select plan(9);

select bag_eq(
  $$ select tests.executable_by('opine_staff', 'api') $$,
  array['api.end_staff_session(jsonb)', 'api.get_staff_session(jsonb)'],
  'operations that any member of staff may run'
);
select is_empty($$ select tests.executable_by('opine_staff', 'app') $$, 'they need nothing of schema app');
select is_empty($$ select tests.executable_by('opine_staff', 'staff') $$, 'nothing of schema staff, where no operation is');
select is_empty($$ select tests.executable_by('opine_staff', 'gateway') $$, 'and nothing of the gateway');
select bag_eq(
  $$ select tests.executable_by('staff_support', 'api') except select tests.executable_by('opine_staff', 'api') $$,
  array['api.find_accounts(jsonb)', 'api.get_staff_health(jsonb)', 'api.unmask_phone(jsonb)'],
  'those of support'
);
select bag_eq(
  $$ select tests.executable_by('staff_moderator', 'api') except select tests.executable_by('staff_support', 'api') $$,
  array[
    'api.list_reports(jsonb)', 'api.claim_report(jsonb)', 'api.release_report(jsonb)', 'api.dismiss_report(jsonb)', 'api.remove_content(jsonb)',
    'api.suspend_user(jsonb)', 'api.restore_user(jsonb)', 'api.suspend_hub(jsonb)', 'api.restore_hub(jsonb)',
    'api.why_visible(jsonb)'
  ],
  'those of moderators beside them'
);
select bag_eq(
  $$ select tests.executable_by('staff_admin', 'api') except select tests.executable_by('staff_moderator', 'api') $$,
  array['api.list_dead_letters(jsonb)', 'api.requeue_dead_letter(jsonb)'],
  'and those of admins beside those'
);
select bag_eq(
  $$ select tests.executable_by('staff_admin', 'app') $$,
  array['app.encode_cursor(timestamptz,uuid)'::regprocedure::text, 'app.iso(timestamptz)'::regprocedure::text],
  'of schema app they need how answers write times and cursors'
);
select is_empty($$ select tests.executable_by('staff_admin', 'gateway') $$, 'and nothing of the gateway');

select * from finish();
