select plan(8);

select tests.elm();
select tests.post('open', 'maya'), tests.post('half open', 'maya', 'public_hub'), tests.post('closed', 'maya', 'private_locked_hub');

create function pg_temp.audiences(p_hub text, p_post text)
returns table (type text, audience text)
language sql
as $$ select type::text, app.audience_of(tests.event(type, p_hub => p_hub, p_post => p_post))::text from unnest(enum_range(null::app.event_type)) as type $$;

select set_eq(
  $$ select * from pg_temp.audiences('elm', 'open') where audience <> 'hub_member' $$,
  $$ values ('hub_invite_received', 'hub_ready'), ('hub_join_request_rejected', 'hub_ready'), ('hub_member_removed', 'hub_ready') $$,
  'what is of a Hub is for its members, but for what is about being none'
);
select is(count(*), 13::bigint, 'whatever its type') from pg_temp.audiences('elm', null) where audience = 'hub_member';
select set_eq(
  $$ select * from pg_temp.audiences(null, 'open') where audience <> 'nobody' $$,
  $$
    values
      ('user_followed', 'everybody'), ('post_commented', 'everybody'), ('post_shared_to_feed', 'everybody'), ('post_voted', 'everybody'),
      ('post_reposted', 'everybody'), ('post_vote_milestone', 'everybody'), ('followed_user_posted', 'everybody')
  $$,
  'what is about an open post is for its recipient; a Hub''s affair without its Hub for nobody'
);
select set_eq(
  $$ select * from pg_temp.audiences(null, 'half open') $$, $$ select * from pg_temp.audiences(null, 'open') $$, 'also where the post is in Hubs as well'
);
select set_eq(
  $$ select * from pg_temp.audiences(null, 'closed') except select * from pg_temp.audiences(null, 'open') $$,
  $$ values ('post_reposted', 'target_member'), ('post_vote_milestone', 'target_member'), ('followed_user_posted', 'target_member') $$,
  'of a post for Hubs alone for who is in one of them'
);
select set_eq(
  $$ select * from pg_temp.audiences(null, null) where audience <> 'nobody' $$, $$ values ('user_followed', 'everybody') $$,
  'what is about a post and does not say which is for nobody'
);
select set_eq(
  $$ select type from pg_temp.audiences(null, 'no such post') where type in ('post_reposted', 'post_vote_milestone', 'followed_user_posted') and audience = 'nobody' $$,
  array['post_reposted', 'post_vote_milestone', 'followed_user_posted'], 'nor is what is about none that is there for anybody'
);
select is_empty($$ select tests.who_may('select app.audience_of(null)') $$, 'no role asks');

select * from finish();
