select plan(3);

select bag_eq(
  $$ select tests.executable_by('authenticated', 'api') $$,
  array[
    'api.block_user(jsonb)',
    'api.cast_vote(jsonb)',
    'api.cast_vote_answer(jsonb)',
    'api.check_handle(jsonb)',
    'api.complete_media(jsonb)',
    'api.create_post(jsonb)',
    'api.delete_account(jsonb)',
    'api.delete_post(jsonb)',
    'api.follow_user(jsonb)',
    'api.get_download_url(jsonb)',
    'api.get_home_feed(jsonb)',
    'api.get_hub_profile(jsonb)',
    'api.get_my_vote(jsonb)',
    'api.get_onboarding_status(jsonb)',
    'api.get_own_profile(jsonb)',
    'api.get_post(jsonb)',
    'api.get_profile(jsonb)',
    'api.get_profile_by_username(jsonb)',
    'api.get_vote_distribution(jsonb)',
    'api.get_vote_summary(jsonb)',
    'api.list_followers(jsonb)',
    'api.list_following(jsonb)',
    'api.log_out(jsonb)',
    'api.presign_upload(jsonb)',
    'api.register_device_token(jsonb)',
    'api.remove_device_token(jsonb)',
    'api.save_profile_basics(jsonb)',
    'api.search_users(jsonb)',
    'api.store_contacts(jsonb)',
    'api.sync_contacts(jsonb)',
    'api.unblock_user(jsonb)',
    'api.unfollow_user(jsonb)',
    'api.update_follow(jsonb)',
    'api.update_hub_profile(jsonb)',
    'api.update_own_profile(jsonb)'
  ],
  'operations that a signed-in person may run'
);
select is_empty($$ select tests.executable_by('authenticated', 'gateway') $$, 'a signed-in person does not reach the gateway');
select is_empty($$ select tests.executable_by('authenticated', 'staff') $$, 'nor what is for staff');

select * from finish();
