select plan(6);

select tests.elm();
select tests.person(name) from unnest(array['ann', 'ben']) as name;
select tests.person('tom', 3);
select tests.post('trams', 'lena');
select tests.repost('trams anew', 'maya', 'trams', 'public_hub');
select tests.follow('ben', 'maya');
select tests.invitation('invitation', 'elm', 'maya', 'tom');

create function pg_temp.who(p_type app.event_type)
returns text
language sql
as $$
  select string_agg(p.username, ', ' order by p.username)
  from unnest(app.candidates_for(
    tests.event(p_type, 'maya', 'ann', 'elm', 'trams anew', 'invitation'), '00000000-0000-0000-0000-000000000000', 10
  )) as candidate (id)
  join app.profiles as p on p.user_id = candidate.id
$$;
select tests.membership('elm', 'lena');

select set_eq(
  'select type::text, pg_temp.who(type) from unnest(enum_range(null::app.event_type)) as type',
  $$
    values
      ('user_followed', 'ann'), ('hub_invite_received', 'tom'), ('hub_join_request_created', 'amara, maya'), ('hub_join_request_approved', 'ann'),
      ('hub_join_request_rejected', 'ann'), ('hub_member_joined', 'amara, jonas, maya'), ('hub_member_removed', 'ann'),
      ('hub_role_changed', 'ann'), ('hub_post_created', 'amara, jonas, maya'), ('post_shared_to_hub', 'amara, jonas, maya'),
      ('post_reposted', 'lena'), ('post_shared_to_feed', 'maya'), ('post_commented', 'maya'), ('post_vote_milestone', 'ann'),
      ('post_voted', 'maya'), ('followed_user_posted', 'ben')
  $$,
  'each type is for whom spec.md says'
);
select is(
  app.candidates_for(tests.event('hub_join_request_created', p_hub => 'elm'), '00000000-0000-0000-0000-000000000000', 1),
  array[least(tests.id('amara'), tests.id('maya'))], 'so many of them'
);
select is(
  app.candidates_for(tests.event('hub_join_request_created', p_hub => 'elm'), least(tests.id('amara'), tests.id('maya')), 1),
  array[greatest(tests.id('amara'), tests.id('maya'))], 'then the next'
);
select is(
  app.candidates_for(tests.event('user_followed', p_subject => 'ann'), '00000000-0000-0000-0000-000000000000', 1), tests.ids('ann'), 'or all at once'
);
select is(app.candidates_for(tests.event('user_followed', 'ann'), '00000000-0000-0000-0000-000000000000', 1), '{}', 'or none');
select is_empty($$ select tests.who_may('select app.candidates_for(null, null, null)') $$, 'no role asks');

select * from finish();
