select plan(3);

select bag_eq(
  $$ select tests.executable_by('authenticated', 'api') $$,
  array[
    'api.cast_vote(jsonb)',
    'api.cast_vote_answer(jsonb)',
    'api.check_handle(jsonb)',
    'api.complete_media(jsonb)',
    'api.create_post(jsonb)',
    'api.delete_account(jsonb)',
    'api.delete_post(jsonb)',
    'api.get_home_feed(jsonb)',
    'api.get_my_vote(jsonb)',
    'api.get_onboarding_status(jsonb)',
    'api.get_post(jsonb)',
    'api.get_vote_distribution(jsonb)',
    'api.get_vote_summary(jsonb)',
    'api.log_out(jsonb)',
    'api.register_device_token(jsonb)',
    'api.remove_device_token(jsonb)',
    'api.save_profile_basics(jsonb)',
    'api.store_contacts(jsonb)',
    'api.sync_contacts(jsonb)'
  ],
  'operations that a signed-in person may run'
);
select is_empty($$ select tests.executable_by('authenticated', 'gateway') $$, 'a signed-in person does not reach the gateway');
select is_empty($$ select tests.executable_by('authenticated', 'staff') $$, 'nor what is for staff');

select * from finish();
