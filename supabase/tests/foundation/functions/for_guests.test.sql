select plan(3);

select bag_eq(
  $$ select tests.executable_by('anon', 'api') $$,
  array[
    'api.get_home_feed(jsonb)',
    'api.get_hub_votes(jsonb)',
    'api.get_invitation(jsonb)',
    'api.get_invite_link(jsonb)',
    'api.get_login_config(jsonb)',
    'api.get_post(jsonb)',
    'api.get_profile(jsonb)',
    'api.get_profile_by_username(jsonb)',
    'api.get_profile_feed(jsonb)',
    'api.get_vote_distribution(jsonb)',
    'api.get_vote_summary(jsonb)',
    'api.list_comments(jsonb)',
    'api.list_frames(jsonb)',
    'api.search_users(jsonb)'
  ],
  'operations that a guest may run'
);
select is_empty($$ select tests.executable_by('anon', 'gateway') $$, 'a guest does not reach the gateway');
select is_empty($$ select tests.executable_by('anon', 'staff') $$, 'nor what is for staff');

select * from finish();
