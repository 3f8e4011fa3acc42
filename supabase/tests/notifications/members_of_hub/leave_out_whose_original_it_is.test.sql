select plan(2);

select tests.elm();
select tests.post('trams', 'jonas');
select tests.repost('trams anew', 'maya', 'trams', 'public_hub');

select set_eq(
  $$ select app.members_of_hub(tests.event('post_shared_to_hub', 'maya', p_hub => 'elm', p_post => 'trams anew'), '00000000-0000-0000-0000-000000000000', 10) $$,
  tests.ids('amara', 'maya'), 'whose post was reposted is told of that as such'
);
select set_eq(
  $$ select app.members_of_hub(tests.event('post_shared_to_hub', 'maya', p_hub => 'elm', p_post => 'trams'), '00000000-0000-0000-0000-000000000000', 10) $$,
  tests.ids('amara', 'maya', 'jonas'), 'whose post is shared is a member as all are'
);

select * from finish();
